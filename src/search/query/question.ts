/** What a query asks for, in the words of the index. Pure. */
import { hashWord, identifiersIn, splitIdentifier, stem, tokenize } from '../../text/index.ts';

/** Compared after stemming; only left out of queries, never of the index. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be by do does for from has have how if in is it its not of on or the to was what when where ' +
    'which who why with that this into via using used use can between'
  )
    .split(' ')
    .map(stem),
);

const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:::|\\|->|\.|#|\/)[A-Za-z_$][\w$!?]*)*$/;
/** Between the parts of a qualified name. */
export const SEPARATORS = /::|\\|->|\.|#|\//;
/** Of several words, or not as words are written. */
export const LOOKS_LIKE_NAME = /[a-z0-9][A-Z]|[A-Z]{2,}|_/;
const NAMES_SPECIAL_FILES =
  /\b(?:tests?|testing|specs?|mocks?|fixtures?|examples?|samples?|demos?|benchmarks?|bench|docs?|documentation|tutorials?|vendor(?:ed)?|generated|scripts?|templates?)\b/i;
const SHORTEST_WORD = 2;
/** Each is compared with the words of many paths; a question of more words is a pasted text, and its start says enough. */
const MOST_WORDS = 128;
const SHORTEST_PLAIN_NAME = 4;

export interface Question {
  readonly text: string;
  /** Nothing but the name of something. */
  readonly isSymbol: boolean;
  /** Hashes of the distinct tokens to look for, with how often each is asked for. */
  readonly tokens: ReadonlyMap<number, number>;
  /** How the words begin that these are tokens of; a line without any of these has none of the tokens. */
  readonly heads: readonly string[];
  /** Distinct parts of its identifiers, lower-case, without stop words. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** Hashes of what reads like the name of a definition. */
  readonly names: readonly number[];
  /** The same as they are written. */
  readonly spelled: readonly string[];
  /** Other words of a sentence that may be names: hashes. */
  readonly plainNames: readonly number[];
  /** It asks for tests, examples, docs and their like. */
  readonly wantsSpecial: boolean;
}

export function readQuestion(text: string): Question {
  const trimmed = text.trim();
  const isSymbol = SYMBOL.test(trimmed);
  const spelled = isSymbol ? symbolNames(trimmed) : sentenceNames(trimmed);
  const words = distinctWords(trimmed);
  const tokens = wantedTokens(trimmed);
  return {
    text: trimmed,
    isSymbol,
    tokens: countTokens(tokens),
    heads: headsOf(tokens),
    words,
    stems: words.map(stem),
    names: spelled.map(hashWord),
    spelled,
    plainNames: isSymbol ? [] : plainNames(trimmed, spelled).map(hashWord),
    wantsSpecial: NAMES_SPECIAL_FILES.test(trimmed),
  };
}

function wantedTokens(text: string): readonly string[] {
  const all = tokenize(text);
  const wanted = all.filter((token) => !STOP_WORDS.has(token));
  return wanted.length === 0 ? all : wanted;
}

/** A stem is how its words begin, but for a last y, which may have been written otherwise: `entry`, `entries`. */
export function headsOf(tokens: readonly string[]): readonly string[] {
  return [...new Set(tokens.map((token) => (token.endsWith('y') ? token.slice(0, -1) : token)))];
}

function countTokens(tokens: readonly string[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const token of tokens) {
    const hash = hashWord(token);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}

function distinctWords(text: string): string[] {
  const parts = identifiersIn(text)
    .flatMap((identifier) => splitIdentifier(identifier))
    .filter((word) => word.length >= SHORTEST_WORD);
  const wanted = parts.filter((word) => !STOP_WORDS.has(stem(word)));
  return [...new Set(wanted.length === 0 ? parts : wanted)].slice(0, MOST_WORDS);
}

function symbolNames(symbol: string): string[] {
  const last = symbol.split(SEPARATORS).at(-1) ?? symbol;
  return [...new Set([last, symbol])];
}

/** `app.set` in a sentence: its last part is a name, however plain. */
const QUALIFIED = /[A-Za-z_]\w*(?:(?:::|->|\.|#)[A-Za-z_]\w*)+/g;

function sentenceNames(text: string): string[] {
  const identifiers = identifiersIn(text);
  const qualified = (text.match(QUALIFIED) ?? []).flatMap(symbolNames);
  const first = text.match(/^\W*([A-Za-z_]\w*)/)?.[1];
  return [
    ...new Set([
      ...qualified,
      ...identifiers.filter(
        (word, at) =>
          LOOKS_LIKE_NAME.test(word) || (/^[A-Z][a-z]/.test(word) && !(at === 0 && word === first)),
      ),
    ]),
  ];
}

function plainNames(text: string, names: readonly string[]): string[] {
  return [
    ...new Set(
      identifiersIn(text).filter(
        (word) =>
          word.length >= SHORTEST_PLAIN_NAME &&
          !names.includes(word) &&
          !STOP_WORDS.has(stem(word.toLowerCase())),
      ),
    ),
  ];
}
