/** Real code of about a size: folders of repositories side by side, as one project, with labelled questions about all of them. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderBytes } from '../folder-bytes.ts';
import { readAnnotations } from '../relevance/annotations.ts';
import type { SearchedTree } from './generated-tree.ts';

/** As code has it; see the table that the bench prints. */
const BYTES_PER_CHUNK = 930;

export interface RealCode {
  readonly repos: string;
  /** What names the folder of each repository, and asks the questions. */
  readonly annotations: string;
}

/** Repositories by their names, until there are so many chunks; all of them if there are not. */
export function copyRealTree(root: string, chunks: number, { repos, annotations }: RealCode): SearchedTree {
  const there = new Set(readdirSync(repos));
  const all = readAnnotations(annotations).filter(({ name }) => there.has(name));
  let bytes = 0;
  for (const { name, indexRoot } of all) {
    if (bytes >= chunks * BYTES_PER_CHUNK) break;
    const to = join(root, name);
    // Times stay: a file that was just written is read twice.
    cpSync(join(repos, name, indexRoot), to, {
      recursive: true,
      preserveTimestamps: true,
      filter: (from) => !from.endsWith('/.git'),
    });
    bytes += folderBytes(to);
  }
  const questions = inTurn(all.map(({ tasks }) => tasks.map(({ query }) => query)));
  return { bytes, questions: questions.length, question: (number) => questions[number] ?? '' };
}

/** The first of each list, then the second of each: neighbours are about different things. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}
