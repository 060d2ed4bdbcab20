/** Texts as they are pasted, and as no one would: pieces of real ones, logs, code, signs, bytes and all of Unicode. */
import { createRandom, type Random } from '../../support/random.ts';

/** Each text holds this word of the project, so that there is something to find. */
export const ANCHOR = 'cart';
const KINDS = ['piece', 'log', 'command', 'signs', 'bytes', 'unicode', 'typed'] as const;
export type TextKind = (typeof KINDS)[number];

export interface RandomText {
  readonly kind: TextKind;
  readonly text: string;
}

const SIGNS =
  '" \' ` : / \\ ( ) [ ] { } * - + ? ^ $ | & % # @ ! ~ < > = , ; . … 🙂 \u202e \u0000 \ufeff \ud800'.split(
    ' ',
  );
const SYNTAX = [
  'path:',
  'lang:',
  'kind:',
  '-path:',
  'limit:',
  'cursor:',
  'symbol:',
  'branch:',
  'changed:',
  'lang:klingon',
  'limit:x',
  'cursor:none',
  'kind:gadget',
  '"',
  '/(',
  '/[/',
  '```',
  '<!--',
  '<details>',
  'http://localhost:8080/a?b=c:d',
  'C:\\dir\\file.ts:12',
  'File "x.py", line 3',
  'word:value',
  '::',
  '->',
  '%s',
  '${x}',
  '\\"',
];
const WORDS = [
  'error',
  'session',
  'expire',
  'Ünï',
  'payment',
  'retry_limit',
  'AddItem',
  'the',
  '42',
  '0x7f',
  'null',
];

export function createTexts(seed: number, sources: readonly string[]): () => RandomText {
  const random = createRandom(seed);
  return () => {
    const kind = pick(random, KINDS);
    return { kind, text: withAnchor(MAKERS[kind](random, sources), random) };
  };
}

const pick = <T>(random: Random, list: readonly T[]): T => {
  const one = list[random.below(list.length)];
  if (one === undefined) throw new RangeError('Nothing to choose from.');
  return one;
};
const many = (random: Random, most: number, make: () => string, between = ''): string =>
  Array.from({ length: 1 + random.below(most) }, make).join(between);

type Maker = (random: Random, sources: readonly string[]) => string;

const MAKERS: Readonly<Record<TextKind, Maker>> = {
  piece: (random, sources) => {
    const source = pick(random, sources);
    const from = random.below(Math.max(1, source.length));
    const piece = source.slice(from, from + 1 + random.below(random.below(8) === 0 ? 6_000 : 600));
    return random.below(4) === 0 ? piece.replaceAll('\n', '\r\n') : piece;
  },
  log: (random) =>
    many(
      random,
      12,
      () =>
        `2024-0${1 + random.below(9)}-11T10:${10 + random.below(50)}:00Z ${pick(random, ['INFO', 'ERROR', '[warn]'])} ${pick(random, SYNTAX)}${pick(random, WORDS)} at ${pick(random, WORDS)} (${pick(random, SYNTAX)})`,
      '\n',
    ),
  command: (random) =>
    many(random, 14, () => pick(random, [...SYNTAX, ...WORDS, '&&', '||', '--flag=', '-x', '>>', "'"]), ' '),
  signs: (random) => many(random, 60, () => pick(random, [...SIGNS, ' ', '\n', pick(random, SYNTAX)])),
  bytes: (random) => many(random, 300, () => String.fromCharCode(random.below(256))),
  unicode: (random) =>
    many(random, 120, () =>
      random.below(20) === 0
        ? String.fromCharCode(0xd800 + random.below(0x800))
        : String.fromCodePoint(random.below(0xd800)),
    ),
  typed: (random) =>
    many(random, 8, () => pick(random, [...WORDS, ...SYNTAX]), pick(random, [' ', ' ', '\t', ': '])),
};

/** At the start, at the end, or where there is white space; by itself. */
function withAnchor(text: string, random: Random): string {
  const places = [...text.matchAll(/\s/g)].map(({ index }) => index);
  const at = pick(random, [0, text.length, pick(random, [0, ...places])]);
  return `${text.slice(0, at)} ${ANCHOR} ${text.slice(at)}`;
}
