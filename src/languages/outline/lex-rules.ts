/** What a language says of its comments and strings. */

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
