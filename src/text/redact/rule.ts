/** What a row of the secret tables says. */

/** A secret that is known by its own shape. */
export interface ShapeRule {
  readonly kind: string;
  /** Lower-case words, one of which is in every such secret (or right before it). The pattern is tried only there. */
  readonly words: readonly string[];
  /**
   * Sticky, and bounded in every part; starts where the word starts. What it matches is the secret, except for the groups
   * `lead` (context that stays) and `before` (a part of the secret in front of the word, matched by looking behind).
   */
  readonly pattern: RegExp;
  /** `inside`: the word may be the middle of a longer one. By default it must begin one. */
  readonly place?: 'inside';
  /** The last word on a match; `behind` is some of the text that follows. */
  readonly accept?: (secret: string, behind: string) => boolean;
}

/** A secret that is known by the name it is assigned to, and by the shape of the value. */
export interface NamedRule {
  readonly kind: string;
  /** Lower-case words, one of which is in the name. */
  readonly words: readonly string[];
  /** The whole value. */
  readonly value: RegExp;
}

/** Words are separated by spaces, or a list where a space belongs to a word. */
type Words = string | readonly string[];

export function shape(
  kind: string,
  words: Words,
  pattern: RegExp,
  extra: Pick<ShapeRule, 'place' | 'accept'> = {},
): ShapeRule {
  return { kind, words: toList(words), pattern, ...extra };
}

export function named(kind: string, words: Words, value: RegExp): NamedRule {
  return { kind, words: toList(words), value };
}

function toList(words: Words): readonly string[] {
  return typeof words === 'string' ? words.split(' ') : words;
}

/** The separators people put between the words of a name: `api_key`, `api-key`, `apiKey`, `api.key`, `api key`. */
export function spellings(...parts: readonly string[]): readonly string[] {
  return ['', '_', '-', '.', ' '].map((separator) => parts.join(separator));
}
