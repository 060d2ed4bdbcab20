/** Tables of a language's rules, by character: most characters open nothing, and are passed over at once. */
import type { BlockComment, LexRules } from './lex-rules.ts';

/** What is told of a line, where it stands in code. */
export const MARKS = '{}()[];';

/** A string that is open, however it began. */
export interface TextRule {
  readonly close: string;
  readonly escapes: boolean;
  readonly multiline: boolean;
  readonly doubles: boolean;
  readonly interpolates: boolean;
}

export function rawText(close: string, doubles = false): TextRule {
  return { close, escapes: false, multiline: true, doubles, interpolates: false };
}

/** A line comment when it holds neither. */
interface Opener {
  readonly open: string;
  readonly comment?: BlockComment;
  readonly text?: TextRule;
}

export interface OpenersHere {
  readonly isSpecial: boolean;
  readonly list: readonly Opener[];
}

/** By character code: block comments before line comments before strings, each in the order of the rules. */
export function openersByChar(rules: LexRules): (OpenersHere | undefined)[] {
  const all: Opener[] = [
    ...rules.blockComments.map((comment) => ({ open: comment.open, comment })),
    ...rules.lineComments.map((open) => ({ open })),
    ...rules.strings.map(({ open, close, escapes, multiline, interpolates = false }) => ({
      open,
      text: { close, escapes, multiline, interpolates, doubles: false },
    })),
  ];
  const byChar = new Array<OpenersHere | undefined>(128).fill(undefined);
  for (const char of new Set([
    ...all.map((opener) => opener.open.charAt(0)),
    ...(rules.specialChars ?? ''),
  ])) {
    byChar[char.charCodeAt(0)] = {
      isSpecial: rules.specialChars?.includes(char) ?? false,
      list: all.filter((opener) => opener.open.startsWith(char)),
    };
  }
  return byChar;
}

export function interestingChars(rules: LexRules): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of MARKS) table[char.charCodeAt(0)] = 1;
  const openers = [
    ...rules.lineComments,
    ...rules.blockComments.map((rule) => rule.open),
    ...rules.strings.map((rule) => rule.open),
    ...(rules.specialChars ?? ''),
    ...(rules.heredoc === undefined ? [] : ['<']),
  ];
  for (const open of openers) table[open.charCodeAt(0)] = 2;
  return table;
}
