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
const MOST_BY_WORDS = 60;
const MOST_NEAR = 40;

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
  const found = [
    ...(fingerprint === undefined ? [] : await store.byFingerprint(fingerprint, MOST_EXACT)),
    ...(await store.byWords(words, { kinds, limit: MOST_BY_WORDS })),
    ...(await store.bySeqs(near.map(({ seq }) => seq))),
  ];
  const candidates = new Map<string, Candidate>();
  for (const { entry, seq } of found)
    if (kinds.includes(entry.kind))
      candidates.set(entry.id, { entry, cosine: vector && vectors.cosine(seq, vector) });
  const { total, counts } = await store.frequencies(words);
  const weights = new Map(
    words.map((word) => [word, Math.log(1 + (total + 1) / ((counts.get(word) ?? 0) + 0.5))]),
  );
  const question = { text, ...(stack === undefined ? {} : { stack }), words, weights, branch, files, now };
  return rankEntries(question, [...candidates.values()]).slice(0, limit);
}
