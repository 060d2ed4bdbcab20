/** Searches one memory: gathers candidates by every key there is, then ranks them. */
import type { EntryKind, MemoryStore } from '../storage/index.ts';
import { quantise, type Encoder } from './encoder.ts';
import { normaliseError, normaliseText } from './normalise-error.ts';
import { rankEntries, type Candidate, type Ranked } from './rank.ts';
import type { VectorCache } from './vector-cache.ts';
import { queryWords } from './words.ts';

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
}

const MOST_EXACT = 20;
const MOST_BY_WORDS = 40;
const MOST_NEAR = 24;
/** Looking at one closely costs as much as finding it. */
const MOST_RANKED = 36;
/** How many entries the words of a question may occur in before the commonest of them are left out. */
const MOST_MATCHES = 1_000;

export async function recall(
  store: MemoryStore,
  { encoder, vectors }: RecallParts,
  options: RecallOptions,
): Promise<readonly Ranked[]> {
  const { text, stack, kinds, limit, branch, files = [], now } = options;
  const words = queryWords(normaliseText(text).replaceAll(/<\w+>/g, ' '));
  const vector = encoder === undefined ? undefined : quantise(encoder.encode(text));
  const near = vector === undefined ? [] : await vectors.nearest(store, vector, MOST_NEAR);
  const { fingerprint } = normaliseError(text, stack);
  const { total, counts } = await store.frequencies(words);
  const exact = fingerprint === undefined ? [] : await store.byFingerprint(fingerprint, MOST_EXACT);
  const worded = await store.byWords(rarest(counts), { kinds, limit: MOST_BY_WORDS });
  const meant = await store.bySeqs(near.map(({ seq }) => seq));
  const candidates = new Map<string, Candidate & { readonly promise: number }>();
  for (const [place, { entry, seq }] of [...exact, ...worded, ...meant].entries()) {
    if (!kinds.includes(entry.kind) || candidates.has(entry.id)) continue;
    const cosine = vector && vectors.cosine(seq, vector);
    const byWords = Math.max(0, 1 - Math.max(0, place - exact.length) / MOST_BY_WORDS);
    candidates.set(entry.id, {
      entry,
      cosine,
      promise: byWords + 2 * (cosine ?? 0) + (place < exact.length ? 9 : 0),
    });
  }
  const promising = [...candidates.values()].toSorted((a, b) => b.promise - a.promise).slice(0, MOST_RANKED);
  const weights = new Map(
    words.map((word) => [word, Math.log(1 + (total + 1) / ((counts.get(word) ?? 0) + 0.5))]),
  );
  const question = { text, ...(stack === undefined ? {} : { stack }), words, weights, branch, files, now };
  return rankEntries(question, promising).slice(0, limit);
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
