/** The guides a repository brings along: `.waymark/guides/<category>/*.md`, read as untrusted text. */
import { join, sep } from 'node:path';
import { WHOLE_DISK, type Disk } from './read-source.ts';

export interface GuideFile {
  readonly category: string;
  readonly name: string;
  readonly text: string;
}

const FOLDER = ['.waymark', 'guides'] as const;
const MAX_BYTES = 256 * 1024;
const MOST_FILES = 500;

/** Links are passed over: what they lead to is not the repository's own. */
export function readGuideFiles(root: string, disk: Disk = WHOLE_DISK): readonly GuideFile[] {
  const folder = join(root, ...FOLDER);
  const files: GuideFile[] = [];
  for (const category of names(disk, folder, 'directory')) {
    const inCategory = join(folder, category);
    for (const file of names(disk, inCategory, 'file').filter((name) => name.endsWith('.md'))) {
      const text = files.length < MOST_FILES ? read(disk, root, join(inCategory, file)) : undefined;
      if (text !== undefined) files.push({ category, name: file.slice(0, -'.md'.length), text });
    }
  }
  return files;
}

function names(disk: Disk, folder: string, kind: 'directory' | 'file'): readonly string[] {
  return disk
    .entries(folder)
    .filter((entry) => entry.kind === kind)
    .map(({ name }) => name);
}

function read(disk: Disk, root: string, absPath: string): string | undefined {
  // A link on the way, `.waymark` itself for one, must not lead out of the project.
  const real = disk.real(absPath);
  if (real === undefined || !real.startsWith(`${root}${sep}`)) return undefined;
  return disk.read(real, MAX_BYTES);
}
