/** What became of the files and definitions that an entry speaks of: what has changed since is to be looked at again. */
import type { FileMark, MemoryEntry } from '../storage/index.ts';

export interface Stale {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Definitions that their file no longer holds. */
  readonly lost: readonly string[];
}

interface Files {
  hashFile(root: string, path: string): string | undefined;
  readFile(root: string, path: string): string | undefined;
}

const MOST_FILES = 8;
const MOST_NAMES = 20;
const MOST_TOLD = 4;
const MOST_READ_CHARS = 50_000;
/** A name of its own, not a word of the language: `shouldRetry`, `retry_limit`, `RetryLimit`, or anything between backticks. */
const NAME =
  /\b(?:[a-z$][\w$]*[A-Z_][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b|(?<=`)[A-Za-z_$][\w$]{2,60}(?=(?:\(\))?`)/g;

/** The mark with the definitions that the text names and the file holds. */
export function withNames(
  mark: FileMark,
  text: string,
  read: (path: string) => string | undefined,
): FileMark {
  const named = namesIn(text);
  if (named.length === 0 || mark.hash === undefined) return mark;
  const held = wordsOf(read(mark.path) ?? '');
  const names = named.filter((name) => held.has(name));
  return names.length === 0 ? mark : { ...mark, names: names.join(' ') };
}

function namesIn(text: string): readonly string[] {
  const found = [...text.slice(0, MOST_READ_CHARS).matchAll(NAME)].map(([name]) => name);
  return [...new Set(found)].filter((name) => name.length <= 60).slice(0, MOST_NAMES);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g));
}

export function stalenessOf({ files }: Pick<MemoryEntry, 'files'>, root: string, disk: Files): Stale {
  const marks = files.filter(({ hash }) => hash !== undefined).slice(0, MOST_FILES);
  const now = marks.map((mark) => ({ mark, hash: disk.hashFile(root, mark.path) }));
  const gone = now.filter(({ hash }) => hash === undefined).map(({ mark }) => mark.path);
  const other = now.filter(({ mark, hash }) => hash !== undefined && hash !== mark.hash);
  const lost = other.flatMap(({ mark }) => {
    if (mark.names === undefined) return [];
    const held = wordsOf(disk.readFile(root, mark.path) ?? '');
    return mark.names.split(' ').filter((name) => !held.has(name));
  });
  return {
    changed: other.map(({ mark }) => mark.path).slice(0, MOST_TOLD),
    gone: gone.slice(0, MOST_TOLD),
    lost: [...new Set(lost)].slice(0, MOST_TOLD),
  };
}

/** How far an entry falls. A file that merely changed says little; what is gone says that the entry speaks of the past. */
const FALLS = { gone: 0.25, lost: 0.2, changed: 0.04 } as const;

export function penaltyOf({ gone, lost, changed }: Stale): number {
  if (gone.length > 0) return FALLS.gone;
  if (lost.length > 0) return FALLS.lost;
  return changed.length > 0 ? FALLS.changed : 0;
}
