/** Which entries answer a question, and why. Pure: the same question, entries and time give the same list. */
import {
  createWordFinder,
  errorOf,
  type NormalisedError,
  normaliseError,
  textsOf,
  type WordFinder,
  type WrittenWords,
} from './entry-keys.ts';
import type { MemoryEntry } from '../storage/index.ts';

export interface Question {
  readonly text: string;
  readonly stack?: string;
  readonly words: readonly string[];
  /** How much a word tells: rare ones more. */
  readonly weights: ReadonlyMap<string, number>;
  /** How the words stand in the question; those that are left out are shown as they are. */
  readonly asWritten?: WrittenWords;
  readonly branch?: string | undefined;
  readonly files?: readonly string[];
  readonly now: number;
}

export interface Candidate {
  readonly entry: MemoryEntry;
  /** The cosine of its vector and the question's, if both have one. */
  readonly cosine?: number | undefined;
}

export interface Ranked {
  readonly entry: MemoryEntry;
  readonly score: number;
  /** What the question itself has to do with it, without age, place and trust. */
  readonly relevance: number;
  /** In words, the strongest first. */
  readonly reasons: readonly string[];
}

/** What the floor judges by, beside the rank. */
export interface Judged extends Ranked {
  /** Words of the question that the entry holds, as `wordsOf` leaves them. */
  readonly shared: readonly string[];
}

/** Chosen with `npm run bench:memory`. */
export const WEIGHTS = {
  exact: 3,
  words: 1,
  likeness: 1.2,
  codes: 0.35,
  frames: 0.3,
  cosine: 1.2,
  recency: 0.08,
  branch: 0.05,
  files: 0.15,
  confidence: 0.1,
} as const;

const TITLE_FACTOR = 1.5;
const HALF_LIFE_MS = 30 * 24 * 3600 * 1000;
const WORTH_SAYING = 0.05;
/** Words in one reason. */
const MOST_TOLD = 6;
/** Below this an entry is merely one of many. */
const LEAST_RELEVANCE = 0.15;

interface Feature {
  readonly value: number;
  readonly reason: string;
}

export function rankEntries(question: Question, candidates: readonly Candidate[]): readonly Judged[] {
  const asked = normaliseError(question.text, question.stack);
  const grams = trigramsOf(asked.text);
  const wanted = createWordFinder(question.words);
  return candidates
    .map((candidate) => rankOne(question, candidate, { error: asked, grams, wanted }))
    .filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
    .toSorted((a, b) => b.score - a.score || b.entry.createdAt - a.entry.createdAt);
}

/** The question, prepared once for all candidates. */
interface Asked {
  readonly error: NormalisedError;
  readonly grams: Trigrams;
  readonly wanted: WordFinder;
}

function rankOne(question: Question, candidate: Candidate, asked: Asked): Judged {
  const { entry } = candidate;
  const known = errorOf(entry);
  const words = wordFeature(question, textsOf(entry, known), asked.wanted);
  const relevant = [
    ...errorFeatures(asked, known),
    words,
    { value: WEIGHTS.cosine * Math.max(0, candidate.cosine ?? 0), reason: 'similar meaning' },
  ];
  const features = [...relevant, ...affinityFeatures(question, entry)];
  const told = features.filter(({ value }) => value > WORTH_SAYING).toSorted((a, b) => b.value - a.value);
  return {
    entry,
    score: sumOf(features),
    relevance: sumOf(relevant),
    shared: words.shared,
    reasons: told.map(({ reason }) => reason),
  };
}

function errorFeatures(
  { error: asked, grams }: Asked,
  known: NormalisedError | undefined,
): readonly Feature[] {
  if (known === undefined) return [];
  const isExact = known.fingerprint !== undefined && known.fingerprint === asked.fingerprint;
  const codes = shareOf(asked.codes, known.codes);
  const frames = shareOf(asked.frames, known.frames);
  return [
    { value: isExact ? WEIGHTS.exact : 0, reason: 'same error' },
    // Low likeness is noise: any two English sentences share a quarter of their trigrams.
    {
      value: WEIGHTS.likeness * stretch(overlap(grams, trigramsOf(known.text)), 0.25),
      reason: 'similar wording',
    },
    { value: WEIGHTS.codes * codes, reason: 'same error type' },
    { value: WEIGHTS.frames * frames, reason: 'shared stack frames' },
  ];
}

function wordFeature(
  { words, weights, asWritten }: Question,
  { title, body }: ReturnType<typeof textsOf>,
  wanted: WordFinder,
): Feature & { readonly shared: readonly string[] } {
  const inTitle = wanted(title);
  const inBody = wanted(body);
  let found = 0;
  let total = 0;
  const shared: string[] = [];
  for (const word of words) {
    const weight = weights.get(word) ?? 0;
    total += weight;
    if (!inTitle.has(word) && !inBody.has(word)) continue;
    found += weight * (inTitle.has(word) ? TITLE_FACTOR : 1);
    shared.push(word);
  }
  const share = total === 0 ? 0 : found / (total * TITLE_FACTOR);
  const told = [...new Set(shared.map((word) => asWritten?.get(word) ?? word))];
  return { value: WEIGHTS.words * share, reason: `words: ${told.slice(0, MOST_TOLD).join(', ')}`, shared };
}

function affinityFeatures({ now, branch, files = [] }: Question, entry: MemoryEntry): readonly Feature[] {
  const age = Math.max(0, now - entry.updatedAt);
  const paths = new Set(entry.files.map(({ path }) => path));
  const isSameBranch = branch !== undefined && branch === entry.provenance.branch;
  const shared = files.filter((path) => paths.has(path)).length;
  return [
    { value: WEIGHTS.recency * 0.5 ** (age / HALF_LIFE_MS), reason: 'recent' },
    { value: isSameBranch ? WEIGHTS.branch : 0, reason: 'same branch' },
    { value: files.length === 0 ? 0 : (WEIGHTS.files * shared) / files.length, reason: 'same files' },
    {
      value: entry.kind === 'remediation' ? WEIGHTS.confidence * (entry.confidence - 0.5) : 0,
      reason: 'has helped before',
    },
  ];
}

function sumOf(features: readonly Feature[]): number {
  return features.reduce((sum, { value }) => sum + value, 0);
}

function shareOf(asked: readonly string[], known: readonly string[]): number {
  if (asked.length === 0 || known.length === 0) return 0;
  return asked.filter((item) => known.includes(item)).length / Math.max(asked.length, known.length);
}

function stretch(value: number, from: number): number {
  return Math.max(0, (value - from) / (1 - from));
}

/** How alike two strings are, by the groups of three letters they share: 0 to 1. Pure. */
const MOST_COMPARED_CHARS = 600;

type Trigrams = ReadonlySet<string>;

/** How alike two strings are, by the groups of three letters they share. */
function trigramsOf(text: string): Trigrams {
  const cut = ` ${text.slice(0, MOST_COMPARED_CHARS)} `;
  const found = new Set<string>();
  for (let at = 0; at + 3 <= cut.length; at++) found.add(cut.slice(at, at + 3));
  return found;
}

/** From 0 to 1. */
function overlap(a: Trigrams, b: Trigrams): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const gram of small) if (large.has(gram)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
