/** The words of code: identifiers, their parts and stems. The kernel cuts them, for files and for questions alike. */
import { openTokenKernel, writeText, type TokenKernel } from '../kernel/index.ts';
import { once } from '../core/index.ts';

export interface Term {
  /** Without endings: `indexes`, `indexing` and `indexed` are one. */
  readonly stem: string;
  /** 32 bits. The index keeps no words: two that share a hash are rare, and cost a little order, never a wrong line. */
  readonly hash: number;
}

export interface Part extends Term {
  /** As written, in lower case. */
  readonly word: string;
}

export interface Identifier {
  readonly name: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** Undefined for one so long that it is data, not a name. */
  readonly whole: Term | undefined;
  /** `parseHTTPUrl_v2`: parse, http, url, v, 2. */
  readonly parts: readonly Part[];
}

/** Every identifier of a text, in order. */
export function identifiersIn(text: string): readonly Identifier[] {
  return runsIn(text).filter(({ name }) => name !== '');
}

/** What an identifier is found by: the whole, and its parts where it has several. */
export function termsOf({ whole, parts }: Pick<Identifier, 'whole' | 'parts'>): readonly Term[] {
  if (whole === undefined) return [];
  return parts.length < 2 ? [whole] : [whole, ...parts];
}

/** The parts of all words of a text, numbers before identifiers included: `001_init` gives 001, init. */
export function partsIn(text: string): readonly Part[] {
  return runsIn(text).flatMap(({ digits, parts }) => [...digits, ...parts]);
}

/** Hashes of the parts of each of many names, as `partsIn` has them, in one call of the kernel. */
export function partHashesOf(names: readonly string[]): readonly (readonly number[])[] {
  const text = names.join('\n');
  return tokenizer().run(text, (kernel) => {
    const numbers = numbersOf(kernel, kernel.readWords(text.length));
    const hashes = names.map((): number[] => []);
    let name = 0;
    let nameEnd = names[0]?.length ?? 0;
    for (let at = 0; at < numbers.length;) {
      const runEnd = numbers[at + 1] ?? 0;
      while (runEnd > nameEnd && name + 1 < names.length) nameEnd += 1 + (names[++name]?.length ?? 0);
      const parts = numbers[at + 4] ?? 0;
      for (let part = 0; part < parts; part++) hashes[name]?.push(numbers[at + RUN + PART * part + 2] ?? 0);
      at += RUN + PART * parts;
    }
    return hashes;
  });
}

/** Of what `readWords` writes: numbers of a run before its parts, and of each part. */
const RUN = 5;
const PART = 4;

/** As the index hashes names: every letter as it is. */
export function hashWord(text: string): number {
  return tokenizer().run(text, (kernel) => kernel.hashText(text.length) >>> 0);
}

/** Hashes of the runs of three characters, ascending. Of lower-case letters: case plays no part. */
export function trigramsOf(text: string): Uint16Array {
  const lower = text.toLowerCase();
  return tokenizer().run(lower, (kernel) =>
    Uint16Array.from(numbersOf(kernel, kernel.readTrigrams(lower.length))),
  );
}

/** Which of certain stems are on which lines: pairs of a line, from 0, and a stem's place among them, each once per line. */
export type StemFinder = (text: string) => Uint32Array;

/** Stems are in lower-case ASCII. */
export function createStemFinder(stems: readonly string[]): StemFinder {
  const wanted = stems.join('\n');
  return (text) => tokenizer().find(wanted, text);
}

interface Run extends Identifier {
  /** A number before the identifier. */
  readonly digits: readonly Part[];
}

/** Reads what `readWords` of kernel/tokens.ts writes. */
function runsIn(text: string): readonly Run[] {
  return tokenizer().run(text, (kernel) => {
    const numbers = numbersOf(kernel, kernel.readWords(text.length));
    const runs: Run[] = [];
    let at = 0;
    const next = (): number => numbers[at++] ?? 0;
    const letters = Buffer.from(kernel.memory.buffer, kernel.stemsAt());
    let stemStart = 0;
    const readTerm = (): Term => {
      const hash = next();
      const stemEnd = next();
      const stem = letters.toString('latin1', stemStart, stemEnd);
      stemStart = stemEnd;
      return { stem, hash };
    };
    while (at < numbers.length) {
      const [start, end] = [next(), next()];
      const whole = readTerm();
      const digits: Part[] = [];
      const parts: Part[] = [];
      for (let count = next(); count > 0; count--) {
        const [from, to] = [next(), next()];
        const part = { word: text.slice(from, to).toLowerCase(), ...readTerm() };
        (from < start ? digits : parts).push(part);
      }
      runs.push({
        name: text.slice(start, end),
        start,
        whole: whole.stem === '' ? undefined : whole,
        parts,
        digits,
      });
    }
    return runs;
  });
}

/** The numbers that a call left behind. The next call overwrites them. */
function numbersOf(kernel: TokenKernel, count: number): Uint32Array {
  return new Uint32Array(kernel.memory.buffer, kernel.numbersAt(), count);
}

interface Tokenizer {
  /** Writes the text into the kernel, then has it read. What is given back must not point into its memory. */
  run<T>(text: string, read: (kernel: TokenKernel) => T): T;
  find(wanted: string, text: string): Uint32Array;
}

const tokenizer = once(createTokenizer);

function createTokenizer(): Tokenizer {
  let kernel: TokenKernel | undefined;
  /** What `findWanted` looks for now. */
  let looksFor: string | undefined;
  const run: Tokenizer['run'] = (text, read) => {
    kernel ??= openTokenKernel();
    try {
      writeText(kernel, text);
      return read(kernel);
    } catch (thrown) {
      // A call that stopped midway leaves its tables half written: the next one gets a fresh kernel.
      [kernel, looksFor] = [undefined, undefined];
      throw thrown;
    }
  };
  return {
    run,
    find(wanted, text) {
      if (wanted === '') return new Uint32Array();
      if (wanted !== looksFor) run(wanted, (own) => own.wantStems(wanted.length));
      looksFor = wanted;
      return run(text, (own) => numbersOf(own, own.findWanted(text.length)).slice());
    },
  };
}
