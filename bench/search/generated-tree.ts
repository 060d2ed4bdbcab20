/**
 * A tree of generated code, the same every time, made to the measure of real code. The numbers are those of the repositories of
 * the development split, whole (laravel, curl, ktor, fastapi, pydantic, pandoc, trpc, zig; counted as
 * `tree-stats.ts` does): per chunk 21–29 lines, 830–1,050 bytes, 116–176 words of which 44–68 differ; per file 4–12 chunks, half
 * of the files at most 2–5; 31,000–54,000 distinct words at 14,000–20,000 chunks; and words as unevenly common: the most common
 * one is in 52–83 % of the chunks, the tenth in 28–42 %, the hundredth in 8–11 %, the thousandth in 0.5–0.9 %. A question's words
 * are in 22–98 % of the chunks, added up. One thing is harder here: the lists of candidates overlap less, so that about 150
 * files are looked at closely where real code gives 70 to 90.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const FILES_PER_FOLDER = 15;
const MEDIAN_CHUNKS = 2.6;
const CHUNK_SPREAD = 1.3;
const MOST_CHUNKS = 120;
const WORDS_IN_FUNCTION = 26;
const QUESTION_WORDS = 4;
const MOST_ASKED_ABOUT = 1_000;

export interface SearchedTree {
  readonly bytes: number;
  /** How many different questions there are. */
  readonly questions: number;
  /** A question about it, another for each number. */
  question(number: number): string;
}

export function generateTree(root: string, chunks: number): SearchedTree {
  const random = createRandom(7);
  const paths = new Set<string>();
  const askedAbout: (readonly string[])[] = [];
  let [bytes, made, folder] = [0, 0, ''];
  while (made < chunks) {
    if (paths.size % FILES_PER_FOLDER === 0) {
      // Folders bear the names of a few subjects, again and again.
      folder = join(root, 'src', subject(random, 40), subject(random, 60));
      mkdirSync(folder, { recursive: true });
    }
    const name = [subject(random, 500), subject(random, 60), subject(random, 500)];
    const path = join(folder, `${name.slice(0, 1 + Math.floor(random() * 3)).join('-')}.ts`);
    if (paths.has(path)) continue;
    paths.add(path);
    const size = sizeOf(random);
    const own = Array.from({ length: 12 + 3 * size }, () => anyWord(random));
    const text = fileText(size, [...own, ...name], random);
    bytes += text.length;
    writeFileSync(path, text);
    made += size;
    if (askedAbout.length < MOST_ASKED_ABOUT) askedAbout.push([...own.slice(0, QUESTION_WORDS - 1), ...name]);
  }
  return {
    bytes,
    questions: Number.POSITIVE_INFINITY,
    // People ask with words of what they look for, rarely with a rare one.
    question: (number) => {
      const pick = createRandom(number + 1);
      const words = pickOf(askedAbout, pick);
      return [...words.slice(0, QUESTION_WORDS - 1), wordOf(askedRank(pick))].join(' ');
    },
  };
}

function sizeOf(random: () => number): number {
  const size = Math.round(MEDIAN_CHUNKS * Math.exp(CHUNK_SPREAD * normal(random)));
  return Math.min(MOST_CHUNKS, Math.max(1, size));
}

/** Classes with their methods, and functions; a file keeps to a few words of its own. */
function fileText(functions: number, own: readonly string[], random: () => number): string {
  const word = (): string => (random() < 0.55 ? pickOf(own, random) : anyWord(random));
  const parts = [
    `import { ${capital(identifier(word, random))} } from './${word()}';`,
    `import type { ${capital(identifier(word, random))} } from '../${word()}/${word()}';`,
    '',
  ];
  for (let at = 0; at < functions; at++) parts.push(functionText(word, random));
  return parts.join('\n');
}

function functionText(word: () => string, random: () => number): string {
  const words = Array.from({ length: WORDS_IN_FUNCTION }, word);
  const some = (): string => pickOf(words, random);
  const names = Array.from({ length: 8 }, () => identifier(some, random));
  const name = (): string => pickOf(names, random);
  const lines: string[] = [];
  if (random() < 0.5)
    lines.push(`/** ${capital(some())} the ${some()} of a ${some()}, if it is not ${some()}. */`);
  lines.push(headText(some() + capital(identifier(some, random)), some, name, random()));
  const length = 14 + Math.floor(random() * 18);
  const kinds = Array.from({ length: 3 }, () => random() * 0.76);
  for (let at = 0; at < length; at++)
    lines.push(lineText(some, name, random() < 0.75 ? pickOf(kinds, random) : 0.76 + random() * 0.24));
  return [...lines, '}', ''].join('\n');
}

function headText(own: string, word: () => string, name: () => string, kind: number): string {
  if (kind < 0.25) return `export function ${own}(${name()}: string): void {`;
  if (kind < 0.4) return `export const ${own} = (${name()}: ${capital(name())}) => {`;
  if (kind < 0.5) return `class ${capital(own)} extends ${capital(word())} {`;
  if (kind < 0.75) return `async function ${own}(${word()}: number) {`;
  return `function ${own}(${word()}, ${name()}) {`;
}

function lineText(word: () => string, name: () => string, kind: number): string {
  if (kind < 0.2) return `  const ${name()} = ${name()}.${word()}(${word()}, ${word()});`;
  if (kind < 0.3) return `  if (${name()} === ${word()}) return ${word()};`;
  if (kind < 0.38) return `  ${name()}.${word()}(${name()}, ${word()});`;
  if (kind < 0.48) return `  for (let ${word()} of ${name()}) {`;
  if (kind < 0.62) return `    this.${word()} = ${word()}.${name()};`;
  if (kind < 0.7) return `  // ${word()} ${word()} ${word()} and ${word()}`;
  if (kind < 0.76) return `  throw new Error('${word()} ${word()} is ${word()}');`;
  if (kind < 0.9) return '  }';
  return '';
}

function identifier(word: () => string, random: () => number): string {
  const first = word();
  if (random() < 0.5) return first;
  // The same words go together again and again: most identifiers are used in more than one place.
  const others = [first.length * 31, first.charCodeAt(0) * 7, first.charCodeAt(2) * 13];
  const second = wordOf(100 + (pickOf(others, random) % 800));
  return random() < 0.8 ? first + capital(second) : capital(word()) + capital(second);
}

/** How common words are, by rank: flat among the first hundred, then ever steeper. */
const RANKS = [1, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000] as const;
const SHARES = [0.1, 0.13, 0.24, 0.22, 0.15, 0.1, 0.04, 0.02] as const;

function anyWord(random: () => number): string {
  let share = random();
  for (const [at, most] of SHARES.entries()) {
    if (share < most) return wordOf(between(RANKS[at] ?? 1, RANKS[at + 1] ?? 1, share / most));
    share -= most;
  }
  return wordOf(between(10_000, 30_000, random()));
}

function subject(random: () => number, among: number): string {
  return wordOf(between(100, 100 + among, random()));
}

function askedRank(random: () => number): number {
  return between(3, 3_000, random());
}

function between(low: number, high: number, share: number): number {
  return Math.floor(low * (high / low) ** share);
}

function wordOf(rank: number): string {
  // Neighbours in rank do not look alike, and common words are not shorter than others by much.
  let rest = (rank * 7_919) % 91_125;
  let word = '';
  do {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return `${word}x`;
}

function pickOf<T>(some: readonly T[], random: () => number): T {
  const picked = some[Math.floor(random() * some.length)];
  if (picked === undefined) throw new RangeError('There is nothing to pick from.');
  return picked;
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
