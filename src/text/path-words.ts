/** Where a file is, in words: people ask for things by that. */

export interface PathWords {
  /** The name without its ending. */
  readonly stem: string;
  /** The folder it is in; empty at the root. */
  readonly folder: string;
  /** The nearest folders, at most three. */
  readonly folders: readonly string[];
}

export function pathWords(path: string): PathWords {
  const parts = path.split('/');
  const stem = parts.at(-1)?.replace(/(.)\.[^.]*$/, '$1') ?? '';
  return { stem, folder: parts.at(-2) ?? '', folders: parts.slice(-4, -1) };
}
