/** Searches one memory: gathers candidates by every key there is, then ranks them. */
import {
  type Encoder,
  isFiller,
  normaliseError,
  normaliseText,
  quantise,
  queryWords,
  wordsAsWritten,
} from './entry-keys.ts';
import { type Judged, type Ranked, rankEntries } from './rank.ts';
import type { VectorCache } from './vector-cache.ts';
import type { EntryKind, MemoryEntry, MemoryStore } from '../storage/index.ts';

export interface RecallOptions {
  readonly text: string;
  readonly stack?: string | undefined;
  readonly kinds: readonly EntryKind[];
  readonly limit: number;
  readonly branch?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly now: number;
  /** What is in no store and is ranked with what is. */
  readonly beside?: readonly Beside[] | undefined;
}

export interface Beside {
  readonly entry: MemoryEntry;
  readonly words: ReadonlySet<string>;
  readonly vector: Int8Array | undefined;
}

export interface RecallParts {
  readonly encoder: Encoder | undefined;
  readonly vectors: VectorCache;
  readonly wordCounts: WordCounts;
}

export interface Found {
  /** Empty if nothing is near enough. */
  readonly hits: readonly Ranked[];
  /** Then the ones that come nearest: where to look, not what to believe. */
  readonly nearest: readonly Ranked[];
}

/** As many as are usually shown: names cost little. */
const MOST_NEAREST = 5;
/** One of these has to be near enough for any to be shown. */
const MOST_JUDGED = 5;
const MOST_EXACT = 20;
const MOST_BY_WORDS = 40;
const MOST_NEAR = 24;
/** More than words and meaning can promise together. */
const EXACT_PROMISE = 9;
/** Looking at one closely costs as much as finding it. */
const MOST_RANKED = 36;
/** How many entries the words of a question may occur in before the commonest of them are left out. */
const MOST_MATCHES = 1_000;

export async function recall(
  store: MemoryStore | undefined,
  { encoder, vectors, wordCounts }: RecallParts,
  options: RecallOptions,
): Promise<Found> {
  const { text, stack, kinds, limit, branch, files = [], now, beside = [] } = options;
  const words = queryWords(normaliseText(text).replaceAll(/<\w+>/g, ' '));
  const vector = encoder === undefined ? undefined : quantise(encoder.encode(text));
  const { fingerprint } = normaliseError(text, stack);
  // At once: in a database each of them is a round trip.
  const [near, exact, { stored, worded }] = await Promise.all([
    vector === undefined || store === undefined ? undefined : vectors.ask(store, vector, MOST_NEAR),
    fingerprint === undefined ? [] : store?.byFingerprint(fingerprint, MOST_EXACT),
    byWords(store, { words, wordCounts, kinds }),
  ]);
  const { total, counts } = withBeside(stored, words, beside);
  const promises = new Map<
    number,
    { readonly seq: number; readonly cosine: number | undefined; value: number }
  >();
  const promise = (seq: number, value: number): void => {
    const cosine = near?.cosine(seq);
    if (!promises.has(seq)) promises.set(seq, { seq, cosine, value: value + 2 * (cosine ?? 0) });
  };
  for (const seq of exact ?? []) promise(seq, EXACT_PROMISE);
  for (const [place, seq] of worded.entries()) promise(seq, 1 - place / MOST_BY_WORDS);
  for (const { seq } of near?.nearest ?? []) promise(seq, 0);
  const promising = [...promises.values()].toSorted((a, b) => b.value - a.value);
  const read = await store?.bySeqs(
    promising.map(({ seq }) => seq),
    { kinds, limit: MOST_RANKED },
  );
  const candidates = [
    ...(read ?? []).map(({ entry, seq }) => ({ entry, cosine: promises.get(seq)?.cosine })),
    ...promisingBeside(beside, words, vector),
  ];
  const weights = new Map(words.map((word) => [word, weightOf(counts.get(word) ?? 0, total)]));
  const asWritten = wordsAsWritten(text);
  const asked = { text, ...(stack === undefined ? {} : { stack }), words, weights, asWritten };
  const ranked = rankEntries({ ...asked, branch, files, now }, candidates);
  const known = weighWords(words, { counts, total });
  const isNear = ({ relevance, shared }: Judged): boolean =>
    isNearEnough(known, { relevance, shared, weights });
  return ranked.slice(0, MOST_JUDGED).some(isNear)
    ? { hits: ranked.slice(0, limit).map(toRanked), nearest: [] }
    : { hits: [], nearest: ranked.slice(0, Math.min(MOST_NEAREST, limit)).map(toRanked) };
}

async function byWords(
  store: MemoryStore | undefined,
  {
    words,
    wordCounts,
    kinds,
  }: Pick<RecallParts, 'wordCounts'> & Pick<RecallOptions, 'kinds'> & { readonly words: readonly string[] },
): Promise<{ readonly stored: Counted; readonly worded: readonly number[] }> {
  if (store === undefined) return { stored: NO_WORDS, worded: [] };
  const stored = await wordCounts.of(store, words);
  return { stored, worded: await store.byWords(rarest(stored.counts), { kinds, limit: MOST_BY_WORDS }) };
}

const NO_WORDS: Counted = { total: 0, counts: new Map() };
const BYTE_SCALE = 1 / 127;

function withBeside(
  { total, counts }: Counted,
  words: readonly string[],
  beside: readonly Beside[],
): Counted {
  if (beside.length === 0) return { total, counts };
  const all = new Map(counts);
  for (const word of words) {
    const count = beside.filter((one) => one.words.has(word)).length;
    if (count > 0) all.set(word, (all.get(word) ?? 0) + count);
  }
  return { total: total + beside.length, counts: all };
}

function promisingBeside(
  beside: readonly Beside[],
  words: readonly string[],
  vector: Int8Array | undefined,
): readonly { readonly entry: MemoryEntry; readonly cosine: number | undefined }[] {
  return beside
    .map(({ entry, words: own, vector: theirs }) => {
      const cosine = vector === undefined || theirs === undefined ? undefined : cosineOf(vector, theirs);
      const shared = words.filter((word) => own.has(word)).length / Math.max(1, words.length);
      return { entry, cosine, value: shared + 2 * (cosine ?? 0) };
    })
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MOST_NEAR);
}

function cosineOf(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum * BYTE_SCALE * BYTE_SCALE;
}

/** Stems are for judging, not for showing. */
function toRanked({ entry, score, relevance, reasons }: Judged): Ranked {
  return { entry, score, relevance, reasons };
}

/**
 * Ranking by words visits every entry that holds one, so words that are everywhere cost the most and tell the least: the
 * rarest are asked for until their matches are enough.
 */
function rarest(counts: ReadonlyMap<string, number>): readonly string[] {
  const asked: string[] = [];
  let matches = 0;
  for (const [word, count] of [...counts].toSorted(([, a], [, b]) => a - b)) {
    if (asked.length > 0 && matches + count > MOST_MATCHES) break;
    asked.push(word);
    matches += count;
  }
  return asked;
}

/** Both measured by `npm run bench:memory`, with 200 questions that the recall set has no answer to. */
const LEAST_NEARNESS = 1.64;
const PER_RARE_WORD = 0.35;
/** A memory of this many entries uses most words of its project; a small one cannot know them. */
const FULL_VOCABULARY = 300;
const LEAST_TRUST = 0.5;

interface AskedWords {
  /** The words that say something, as `wordsOf` leaves them. */
  readonly telling: ReadonlySet<string>;
  /** 1 if the memory knows all of them, 0 if it knows none or none says anything. */
  readonly familiarity: number;
  /** What a word weighs that a single entry has. */
  readonly rareWeight: number;
}

/** `counts` says in how many entries a word occurs; words that occur in none are left out. */
function weighWords(
  words: readonly string[],
  { counts, total }: { readonly counts: ReadonlyMap<string, number>; readonly total: number },
): AskedWords {
  const telling = words.filter((word) => !isFiller(word));
  const unknown = telling.filter((word) => !counts.has(word)).length / telling.length;
  const trust = Math.max(LEAST_TRUST, Math.min(1, Math.log(total + 1) / Math.log(FULL_VOCABULARY)));
  return {
    telling: new Set(telling),
    familiarity: telling.length === 0 ? 0 : 1 - unknown * trust,
    rareWeight: weightOf(1, total),
  };
}

/** How much a word tells: rare ones more. */
function weightOf(count: number, total: number): number {
  return Math.log(1 + (total + 1) / (count + 0.5));
}

export interface Nearness {
  readonly relevance: number;
  /** Words of the question that the entry holds. */
  readonly shared: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
}

/**
 * When an entry is near enough to be shown. Relevance alone cannot tell: an entry may hold the `machine` of "chocolate tempering
 * machine". So a question also has to use words that this memory knows.
 */
function isNearEnough(asked: AskedWords, { relevance, shared, weights }: Nearness): boolean {
  const telling = shared.filter((word) => asked.telling.has(word));
  const weight = telling.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const rareWords = weight / asked.rareWeight;
  return relevance + PER_RARE_WORD * rareWords + asked.familiarity >= LEAST_NEARNESS;
}

export interface WordCounts {
  of(store: MemoryStore, words: readonly string[]): Promise<Counted>;
}

interface Counted {
  /** About how many entries there are. */
  readonly total: number;
  /** Words that occur nowhere are left out. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Below, counting costs nothing. */
const WORTH_KEEPING = 1_000;
/** Weights go by the logarithm: this much more or less changes none. */
const MOST_DRIFT = 0.05;
const MOST_WORDS = 20_000;

/** In how many entries words occur, kept between searches: counting walks through every entry that holds the word. */
export function createWordCounts(): WordCounts {
  const kept = new Map<string, number>();
  let keptAt = 0;
  return {
    async of(store, words) {
      const total = (await store.frequencies([])).total;
      if (total < WORTH_KEEPING) return store.frequencies(words);
      if (Math.abs(total - keptAt) > MOST_DRIFT * keptAt || kept.size > MOST_WORDS) {
        kept.clear();
        keptAt = total;
      }
      const unknown = words.filter((word) => !kept.has(word));
      const fresh = (await store.frequencies(unknown)).counts;
      for (const word of unknown) kept.set(word, fresh.get(word) ?? 0);
      const counts = words.map((word) => [word, kept.get(word) ?? 0] as const);
      return { total, counts: new Map(counts.filter(([, count]) => count > 0)) };
    },
  };
}
