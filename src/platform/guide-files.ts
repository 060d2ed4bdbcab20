/** The guides a repository brings along: `.waymark/guides/<category>/*.md`, read as untrusted text. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfPresent } from './read-text.ts';

export interface GuideFile {
  readonly category: string;
  readonly name: string;
  readonly text: string;
}

const FOLDER = ['.waymark', 'guides'] as const;
const LIMITS = { maxBytes: 256 * 1024 };
const MOST_FILES = 500;

export function readGuideFiles(root: string): readonly GuideFile[] {
  const folder = join(root, ...FOLDER);
  const files: GuideFile[] = [];
  for (const category of names(folder, 'directory')) {
    for (const file of names(join(folder, category), 'file').filter((name) => name.endsWith('.md'))) {
      const text = files.length < MOST_FILES ? read(root, join(folder, category, file)) : undefined;
      if (text !== undefined) files.push({ category, name: file.slice(0, -'.md'.length), text });
    }
  }
  return files;
}

function names(folder: string, kind: 'directory' | 'file'): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => (kind === 'directory' ? entry.isDirectory() : entry.isFile()))
      .map(({ name }) => name)
      .toSorted();
  } catch {
    // Most projects bring no guides.
    return [];
  }
}

function read(root: string, absPath: string): string | undefined {
  try {
    return readTextIfPresent(absPath, { ...LIMITS, within: root });
  } catch {
    // Too large, no text, or a link that leads out: nothing to show.
    return undefined;
  }
}
