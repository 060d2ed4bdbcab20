/** Searches one memory: gathers candidates by every key there is, then ranks them. */
import type { EntryKind, MemoryStore } from '../storage/index.ts';
import { quantise, type Encoder } from './encoder.ts';
import { isNearEnough, weighWords, weightOf } from './floor.ts';
import { normaliseError, normaliseText } from './normalise-error.ts';
import { rankEntries, type Judged, type Ranked } from './rank.ts';
import type { VectorCache } from './vector-cache.ts';
import type { WordCounts } from './word-counts.ts';
import { queryWords, wordsAsWritten } from './words.ts';

export interface RecallOptions {
  readonly text: string;
  readonly stack?: string | undefined;
  readonly kinds: readonly EntryKind[];
  readonly limit: number;
  readonly branch?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly now: number;
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

const MOST_NEAREST = 3;
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
  store: MemoryStore,
  { encoder, vectors, wordCounts }: RecallParts,
  options: RecallOptions,
): Promise<Found> {
  const { text, stack, kinds, limit, branch, files = [], now } = options;
  const words = queryWords(normaliseText(text).replaceAll(/<\w+>/g, ' '));
  const vector = encoder === undefined ? undefined : quantise(encoder.encode(text));
  const near = vector === undefined ? [] : await vectors.nearest(store, vector, MOST_NEAR);
  const { fingerprint } = normaliseError(text, stack);
  const { total, counts } = await wordCounts.of(store, words);
  const exact = fingerprint === undefined ? [] : await store.byFingerprint(fingerprint, MOST_EXACT);
  const worded = await store.byWords(rarest(counts), { kinds, limit: MOST_BY_WORDS });
  const promises = new Map<
    number,
    { readonly seq: number; readonly cosine: number | undefined; value: number }
  >();
  const promise = (seq: number, value: number): void => {
    const cosine = vector && vectors.cosine(seq, vector);
    if (!promises.has(seq)) promises.set(seq, { seq, cosine, value: value + 2 * (cosine ?? 0) });
  };
  for (const seq of exact) promise(seq, EXACT_PROMISE);
  for (const [place, seq] of worded.entries()) promise(seq, 1 - place / MOST_BY_WORDS);
  for (const { seq } of near) promise(seq, 0);
  const promising = [...promises.values()].toSorted((a, b) => b.value - a.value);
  const read = await store.bySeqs(
    promising.map(({ seq }) => seq),
    { kinds, limit: MOST_RANKED },
  );
  const candidates = read.map(({ entry, seq }) => ({ entry, cosine: promises.get(seq)?.cosine }));
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
