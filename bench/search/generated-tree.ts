/** A tree of generated code, the same every time: words as unevenly common as in real code, files of a few functions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const FUNCTIONS_PER_FILE = 7;
const LINES_PER_FUNCTION = 28;
const FILES_PER_FOLDER = 40;
const VOCABULARY = 30_000;

export interface GeneratedTree {
  readonly files: number;
  readonly bytes: number;
  /** A question about it, another for each number. */
  question(number: number): string;
}

export function generateTree(root: string, chunks: number): GeneratedTree {
  const random = createRandom(7);
  const word = (): string => wordOf(Math.floor(VOCABULARY * random() ** 3));
  const files = Math.ceil(chunks / FUNCTIONS_PER_FILE);
  let bytes = 0;
  for (let file = 0; file < files; file++) {
    const folder = join(root, 'src', `${wordOf(file % 97)}${Math.floor(file / FILES_PER_FOLDER)}`);
    if (file % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true });
    const text = Array.from({ length: FUNCTIONS_PER_FILE }, () => functionText(word)).join('\n');
    bytes += text.length;
    writeFileSync(join(folder, `${word()}-${file}.ts`), text);
  }
  return {
    files,
    bytes,
    question: (number) => {
      const pick = createRandom(number + 1);
      return Array.from({ length: 4 }, () => wordOf(Math.floor(VOCABULARY * pick() ** 3))).join(' ');
    },
  };
}

function functionText(word: () => string): string {
  const name = `${word()}${capital(word())}`;
  const lines = Array.from(
    { length: LINES_PER_FUNCTION },
    () => `  const ${word()} = ${word()}.${word()}(${word()}, '${word()} ${word()}');`,
  );
  return [
    `/** ${capital(word())} the ${word()} of a ${word()}. */`,
    `export function ${name}(${word()}: string): void {`,
    ...lines,
    '}',
    '',
  ].join('\n');
}

function wordOf(number: number): string {
  let rest = number;
  let word = '';
  do {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return `${word}x`;
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
