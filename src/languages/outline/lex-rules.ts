/** What a language says of its comments and strings, and the building blocks that several languages share. */

export interface StringRule {
  readonly open: string;
  readonly close: string;
  /** A backslash keeps the next character from closing it. */
  readonly escapes: boolean;
  /** Otherwise the end of the line ends it, so that a stray quote costs one line. */
  readonly multiline: boolean;
  /** `${` inside is code again, until its `}`. */
  readonly interpolates?: boolean;
}

export interface BlockComment {
  readonly open: string;
  readonly close: string;
  readonly nests: boolean;
}

/** What a language's own rule found: code goes on at `at`, or a text that ends with `until` begins there. */
export interface Stretch {
  readonly at: number;
  readonly until?: string;
  /** Written twice, it does not end the text. */
  readonly doubles?: boolean;
}

export interface LexRules {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly BlockComment[];
  readonly strings: readonly StringRule[];
  /** Asked first at every character of `specialChars`. */
  readonly special?: (line: string, at: number) => Stretch | undefined;
  readonly specialChars?: string;
  /** Sticky, at `<`; group 1 is the word that ends the text. */
  readonly heredoc?: RegExp;
  /** Comments made of whole lines, such as Perl's pod. */
  readonly lineBlock?: { readonly open: RegExp; readonly close: RegExp };
}

export const SLASH_STAR: BlockComment = { open: '/*', close: '*/', nests: false };
export const NESTED_SLASH_STAR: BlockComment = { open: '/*', close: '*/', nests: true };

export const DOUBLE = oneLine('"');
export const SINGLE = oneLine("'");
export const TRIPLE_DOUBLE = many('"""');
export const TRIPLE_SINGLE = many("'''");

/** A string that ends with its line. */
export function oneLine(quote: string): StringRule {
  return { open: quote, close: quote, escapes: true, multiline: false };
}

/** A string that goes on over as many lines as it takes. */
export function many(open: string, close = open, escapes = true): StringRule {
  return { open, close, escapes, multiline: true };
}

/** Comments as in C. */
export function slashes(strings: readonly StringRule[], more: Partial<LexRules> = {}): LexRules {
  return { lineComments: ['//'], blockComments: [SLASH_STAR], strings, ...more };
}

/** Comments as in a shell. */
export function hashes(strings: readonly StringRule[], more: Partial<LexRules> = {}): LexRules {
  return { lineComments: ['#'], blockComments: [], strings, ...more };
}

/** `#` begins a comment only at the beginning of a word: not in `${x#y}`, `$#` or `#{…}`. */
export function wordHash(line: string, at: number): Stretch | undefined {
  const before = at === 0 ? ' ' : line[at - 1];
  return before === ' ' || before === '\t' || before === ';' ? undefined : { at: at + 1 };
}

export function hashesBefore(line: string, at: number): number {
  let count = 0;
  while (count < 16 && line[at - count - 1] === '#') count++;
  return count;
}
