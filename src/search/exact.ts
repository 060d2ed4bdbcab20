/** Exact text and regular expressions: which files may hold them by their trigrams, then which lines do. */
import { AppError } from '../core/index.ts';
import { trigramsOf } from '../text/index.ts';
import { requiredTexts } from './required-texts.ts';
import type { Pattern } from './parse-query.ts';
import type { SearchParts } from './ports.ts';
import type { View } from './view.ts';

export interface ExactInput {
  readonly root: string;
  readonly view: View;
  readonly allowed: Uint8Array;
  readonly phrases: readonly string[];
  readonly pattern: Pattern | undefined;
  readonly trigrams: () => Promise<ReadonlyMap<number, Uint16Array>>;
  readonly signal: AbortSignal;
}

export interface ExactFound {
  /** Numbers of files, and the lines of each that match. */
  readonly files: ReadonlyMap<number, readonly number[]>;
  /** Looked at before the limit of time or files was reached. */
  readonly isComplete: boolean;
}

const MOST_FILES = 5_000;
const MOST_LINES = 50;
const ENOUGH_FILES = 200;

export async function findExact(input: ExactInput, parts: SearchParts): Promise<ExactFound> {
  const { view, allowed, pattern, phrases, root } = input;
  if (pattern !== undefined) requireValid(pattern);
  const needed = pattern === undefined ? phrases : requiredTexts(pattern.source);
  const candidates = await candidateFiles(input, needed);
  const files = new Map<number, readonly number[]>();
  const looked = candidates.slice(0, MOST_FILES);
  let isComplete = looked.length === candidates.length;
  const texts: { readonly file: number; readonly text: string }[] = [];
  for (const { file, path } of looked) {
    input.signal.throwIfAborted();
    if (allowed[file] !== 1) continue;
    const read = parts.readText(root, path);
    if (read === undefined) continue;
    if (pattern === undefined) {
      const lines = linesWith(read.lines, phrases);
      if (lines.length > 0) files.set(file, lines);
      if (files.size >= ENOUGH_FILES) {
        isComplete = false;
        break;
      }
    } else texts.push({ file, text: read.lines.join('\n') });
  }
  if (pattern !== undefined) {
    const { lines, timedOut } = await parts.matchLines(
      { ...pattern, texts: texts.map(({ text }) => text), mostPerText: MOST_LINES },
      input.signal,
    );
    lines.forEach((found, at) => {
      const file = texts[at]?.file;
      if (file !== undefined && found.length > 0) files.set(file, found);
    });
    if (timedOut && files.size === 0) throw tooSlow();
    isComplete &&= !timedOut;
  }
  return { files, isComplete: isComplete && view.liveFiles > 0 };
}

/** Files that hold every trigram of every text. */
async function candidateFiles(
  { view, trigrams: load }: ExactInput,
  texts: readonly string[],
): Promise<{ file: number; path: string }[]> {
  const wanted = [...new Set(texts.flatMap((text) => [...trigramsOf(text)]))];
  const trigrams = wanted.length === 0 ? undefined : await load();
  return view.segments.flatMap(({ files, alive, firstFile }) =>
    files.flatMap(({ id, path }, local) => {
      const own = trigrams?.get(id);
      const passes =
        alive[local] === 1 && (trigrams === undefined || (own !== undefined && hasAll(own, wanted)));
      return passes ? [{ file: firstFile + local, path }] : [];
    }),
  );
}

function hasAll(sorted: Uint16Array, wanted: readonly number[]): boolean {
  return wanted.every((value) => {
    let [low, high] = [0, sorted.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === value;
  });
}

/** Lines that hold a phrase, if the file holds all of them. A phrase with a capital letter minds the case. */
function linesWith(lines: readonly string[], phrases: readonly string[]): number[] {
  const found = new Set<number>();
  for (const phrase of phrases) {
    const mindsCase = /[A-Z]/.test(phrase);
    const wanted = mindsCase ? phrase : phrase.toLowerCase();
    let hits = 0;
    lines.forEach((line, at) => {
      if (!(mindsCase ? line : line.toLowerCase()).includes(wanted)) return;
      hits += 1;
      if (found.size < MOST_LINES) found.add(at + 1);
    });
    if (hits === 0) return [];
  }
  return [...found].sort((a, b) => a - b);
}

function requireValid({ source }: Pattern): void {
  try {
    new RegExp(source, 'u');
  } catch {
    try {
      new RegExp(source);
    } catch {
      throw new AppError('bad_argument', `/${source.slice(0, 100)}/ is not a regular expression.`, {
        hint: 'Escape special characters with a backslash, or put the text in double quotes to find it as it is.',
      });
    }
  }
}

function tooSlow(): AppError {
  return new AppError('bad_argument', 'The regular expression takes too long on this project.', {
    hint: 'Make it simpler, without repetition inside repetition, or narrow the search with path: or lang:.',
  });
}
