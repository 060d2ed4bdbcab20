/** Exact text and regular expressions: which files may hold them by their trigrams, then which lines do. */
import { AppError, createTimeSlice } from '../../core/index.ts';
import { hashWord, identifiersIn, trigramsOf, type TextLines } from '../../text/index.ts';
import { filesDefining } from '../rank/match.ts';
import { requiredTexts } from './required-texts.ts';
import type { Pattern } from './parse-query.ts';
import type { SearchRequest } from '../show/hit.ts';
import type { IndexedText, MatchLimits, SearchParts } from '../ports.ts';
import { PostingList } from '../view/segment.ts';
import type { View } from '../view/view.ts';

export interface ExactInput {
  readonly root: string;
  readonly view: View;
  readonly allowed: Uint8Array;
  readonly phrases: readonly string[];
  readonly pattern: Pattern | undefined;
  readonly trigrams: () => Promise<ReadonlyMap<number, Uint16Array>>;
  /** Every matching line is wanted; without it, enough files to rank. */
  readonly everyMatch: SearchRequest['everyMatch'] | undefined;
  readonly signal: AbortSignal;
  readonly client: string | undefined;
}

export interface ExactMatch {
  /** 1-based, ascending. */
  readonly lines: readonly number[];
  /** Digest of the file they were found in: of another version they say nothing. */
  readonly hash: string;
}

export interface ExactFound {
  /** Numbers of files, and what was found in each. */
  readonly files: ReadonlyMap<number, ExactMatch>;
  /** Looked at before the limit of time or files was reached. */
  readonly isComplete: boolean;
}

const MOST_NAMES = 8;

interface Limits extends MatchLimits {
  /** Files that match, of a text. */
  readonly matching: number;
}

/** To rank files, a thousand are enough: a text that is in more of them says little. */
const TO_RANK: Limits = {
  files: 5_000,
  matching: 1_000,
  linesPerFile: 1_000,
  chars: 48 * 1024 * 1024,
  readMs: 2_000,
};
const NO_LIMITS: Limits = {
  files: Infinity,
  matching: Infinity,
  linesPerFile: Infinity,
  chars: Infinity,
  readMs: Infinity,
};
const LIMITS = {
  'to-rank': TO_RANK,
  'in-time': { ...NO_LIMITS, chars: TO_RANK.chars, readMs: TO_RANK.readMs },
  complete: NO_LIMITS,
} as const;

function limitsOf({ everyMatch }: ExactInput): Limits {
  return LIMITS[everyMatch ?? 'to-rank'];
}

interface ReadFile {
  readonly file: number;
  readonly hash: string;
  readonly lines: TextLines;
}

export async function findExact(input: ExactInput, parts: SearchParts): Promise<ExactFound> {
  const { pattern, phrases } = input;
  const needed = pattern === undefined ? phrases : requiredTexts(pattern.source);
  const candidates = likelyFirst(input.view, await candidateFiles(input, needed), needed);
  return pattern === undefined
    ? findPhrases(input, candidates, parts)
    : findPattern(input, pattern, candidates, parts);
}

async function findPhrases(
  input: ExactInput,
  candidates: readonly Candidate[],
  parts: SearchParts,
): Promise<ExactFound> {
  const { matching, linesPerFile } = limitsOf(input);
  const files = new Map<number, ExactMatch>();
  const isComplete = await readAll(input, candidates, parts, ({ file, hash, lines }) => {
    const found = linesWith(lines, input.phrases, linesPerFile);
    if (found.length > 0) files.set(file, { lines: found, hash });
    return files.size < matching;
  });
  return { files, isComplete };
}

async function findPattern(
  { root, allowed, signal, client, everyMatch }: ExactInput,
  { source, ignoreCase }: Pattern,
  candidates: readonly Candidate[],
  parts: SearchParts,
): Promise<ExactFound> {
  const wanted = candidates.filter(({ file }) => allowed[file] === 1);
  const numbers = new Map(wanted.map(({ path, file }) => [path, file]));
  const { found, why } = await parts.matchFiles(
    {
      root,
      files: wanted.map(({ path, hash, plainBy }) => ({ path, hash, plainBy })),
      source,
      ignoreCase,
      limits: LIMITS[everyMatch ?? 'to-rank'],
    },
    { signal, client },
  );
  if (why === 'slow' && found.length === 0) throw tooSlow();
  const files = new Map<number, ExactMatch>();
  for (const { path, lines, hash } of found) {
    const file = numbers.get(path);
    if (file !== undefined) files.set(file, { lines, hash });
  }
  return { files, isComplete: why === 'all' };
}

/** Reads candidates until `take` has enough, time is up or there are no more; true if all were read. */
async function readAll(
  input: ExactInput,
  candidates: readonly Candidate[],
  { readText, clock }: SearchParts,
  take: (read: ReadFile) => boolean,
): Promise<boolean> {
  const { root, allowed, signal } = input;
  const { files, readMs } = limitsOf(input);
  const wanted = candidates.filter(({ file }) => allowed[file] === 1);
  const until = clock.elapsed() + readMs;
  const slice = createTimeSlice(clock);
  for (const [at, { file, path, hash, plainBy }] of wanted.entries()) {
    if (at >= files || clock.elapsed() > until) return false;
    if (slice.isOver()) await slice.yield();
    signal.throwIfAborted();
    const read = readText(root, path, { hash, plainBy });
    if (read === undefined) continue;
    if (!take({ file, hash: read.hash, lines: read.lines })) return at === wanted.length - 1;
  }
  return true;
}

interface Candidate extends IndexedText {
  readonly file: number;
  readonly path: string;
}

/** Files that hold every trigram of every text. */
async function candidateFiles(
  { view, trigrams: load }: ExactInput,
  texts: readonly string[],
): Promise<Candidate[]> {
  const wanted = [...new Set(texts.flatMap((text) => [...trigramsOf(text)]))];
  const trigrams = wanted.length === 0 ? undefined : await load();
  return view.segments.flatMap(({ files, alive, firstFile }) =>
    files.flatMap(({ id, path, hash, plainBy }, local) => {
      const own = trigrams?.get(id);
      const passes =
        alive[local] === 1 && (trigrams === undefined || (own !== undefined && hasAll(own, wanted)));
      return passes ? [{ file: firstFile + local, path, hash, plainBy }] : [];
    }),
  );
}

/**
 * What is defined must not be missed where what uses it is found often enough; then those with a passage that holds every word
 * of a text, which most likely holds the text: when time is up, the others are what was not looked at.
 */
function likelyFirst(view: View, candidates: readonly Candidate[], texts: readonly string[]): Candidate[] {
  const identifiers = texts.map((text) => identifiersIn(text));
  const names = identifiers
    .flat()
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
  const defining = new Set(names.flatMap((name) => [...filesDefining(view, hashWord(name)).keys()]));
  const together = new Set(
    identifiers.flatMap((words) =>
      filesWithPassage(view, [...new Set(words.map(({ whole }) => whole?.hash ?? 0))]),
    ),
  );
  const placeOf = ({ file }: Candidate): number => (defining.has(file) ? 0 : together.has(file) ? 1 : 2);
  return candidates
    .map((one) => ({ one, place: placeOf(one) }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** Files with a passage that holds all of the words. */
function filesWithPassage(view: View, words: readonly number[]): number[] {
  if (words.length === 0) return [];
  const list = new PostingList();
  return view.segments.flatMap(({ terms, chunkPostings, fileOfChunk, firstFile }) => {
    const held = new Uint16Array(fileOfChunk.length);
    for (const word of words) {
      const { documents, size } = list.read(chunkPostings, terms.get(word));
      for (let at = 0; at < size; at++) held[documents[at] ?? 0] = (held[documents[at] ?? 0] ?? 0) + 1;
    }
    const files = new Set<number>();
    held.forEach((count, chunk) => {
      if (count === words.length) files.add(firstFile + (fileOfChunk[chunk] ?? 0));
    });
    return [...files];
  });
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
function linesWith(lines: TextLines, phrases: readonly string[], most: number): number[] {
  const found = new Set<number>();
  for (const phrase of phrases) {
    const mindsCase = /[A-Z]/.test(phrase);
    const wanted = mindsCase ? phrase : phrase.toLowerCase();
    const places = wanted.includes('\n')
      ? linesWhereBegins(wanted, mindsCase ? lines.text : lines.text.toLowerCase())
      : linesHolding(wanted, lines, mindsCase);
    if (places.length === 0) return [];
    for (const line of places) if (found.size < most) found.add(line);
  }
  return [...found].sort((a, b) => a - b);
}

function linesHolding(wanted: string, lines: TextLines, mindsCase: boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at);
    if ((mindsCase ? line : line.toLowerCase()).includes(wanted)) found.push(at + 1);
  }
  return found;
}

/** Text of several lines: where its first one is. */
function linesWhereBegins(wanted: string, text: string): number[] {
  const found: number[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    for (let end = text.indexOf('\n', counted); end !== -1 && end < at; end = text.indexOf('\n', counted)) {
      line += 1;
      counted = end + 1;
    }
    found.push(line);
  }
  return found;
}

function tooSlow(): AppError {
  return new AppError('bad_argument', 'The regular expression takes too long on this project.', {
    hint: 'Make it simpler, without repetition inside repetition, or narrow the search with path: or lang:.',
  });
}
