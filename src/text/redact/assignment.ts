/**
 * Reads `name = value` in whatever notation it is written: code, JSON, YAML, TOML, .env, .properties, XML, arguments.
 * Values that cannot be secrets, because they are plain words, are not read.
 */
import { mixesKinds, wordiness } from './randomness.ts';

export interface Assignment {
  /** What follows the telling word in the name: `_hash` in `password_hash`. */
  readonly suffix: string;
  readonly valueStart: number;
  readonly value: string;
  readonly quoted: boolean;
}

const MAX_VALUE = 4096;
const MAX_NAME = 48;
/** Behind the name: the end of a quoted or indexed name, an annotated type, then the operator. */
const OPERATOR =
  /(?:\\?["'`]|\]|\[\d{0,5}\]){0,3}[ \t]{0,24}(?:(?:\??:[ \t]{0,4}|\*?)[A-Za-z][\w<>.?[\]]{0,30}[ \t]{1,8}(?==[^=>]))?(?:[:=]=?={0,2}|=>|->|\|\|=?|\?\?=?|\?=|\+=|!==?|,|\()/y;
/** Between the operator and the value: space, one line break before a quote, a call around it, a string's prefix. */
const OPENING =
  /[ \t]{0,24}(?:\r?\n[ \t]{0,80}(?=["'`]))?(?:[A-Za-z_][\w.]{0,40}(?=[([])|[A-Za-z]{1,3}(?=["'`]))?[([]?[ \t]{0,4}[@$]?(?:["']{3}|\\?["'`])/y;
const XML_OPENING = /(?:["'][ \t]{1,4}value[ \t]{0,2}=[ \t]{0,2}["']|>)/y;
/**
 * To the next delimiter, with at most one operator inside: the values of many names in a row then hardly overlap, and
 * reading them stays linear.
 */
const UNQUOTED =
  /(?:[^\s"'`<>(){}[\],;&|\\:=]{6,4096}={0,2}|[^\s"'`<>(){}[\],;&|\\:=]{0,60}[:=][^\s"'`<>(){}[\],;&|\\:=]{1,60}={0,2})(?![^\s"'`<>(){}[\],;&|\\])/y;
const XML_VALUE = /[^\s<>"']{4,4096}(?=<\/|["'])/y;

/** Reads the assignment whose name contains the word at `wordStart`…`wordEnd`, or undefined if it is not part of one. */
export type ReadAssignment = (wordStart: number, wordEnd: number) => Assignment | undefined;

/** For words in rising order. Several words of one name are answered by one look, however many there are. */
export function createAssignmentReader(text: string): ReadAssignment {
  let nameEnd = NONE;
  let value: AssignedValue | undefined;
  return (wordStart, wordEnd) => {
    if (wordEnd > nameEnd) {
      nameEnd = endOfName(text, wordEnd);
      value = readBehind(text, nameEnd);
    }
    if (nameEnd - wordEnd > MAX_NAME) return undefined;
    const found = value ?? readOption(text, wordStart, nameEnd);
    return found === undefined ? undefined : toAssignment(text.slice(wordEnd, nameEnd), found);
  };
}

type AssignedValue = Omit<Assignment, 'suffix'>;

function toAssignment(suffix: string, { valueStart, value, quoted }: AssignedValue): Assignment {
  return { suffix, valueStart, value, quoted };
}

function readBehind(text: string, nameEnd: number): AssignedValue | undefined {
  if (isPlainEquals(text, nameEnd)) return readValue(text, nameEnd + 1);
  const operatorEnd = endOf(OPERATOR, text, nameEnd);
  if (operatorEnd === NONE) {
    const xmlEnd = endOf(XML_OPENING, text, nameEnd);
    return xmlEnd === NONE ? undefined : readUpTo(XML_VALUE, text, xmlEnd);
  }
  const operator = text.slice(nameEnd, operatorEnd);
  // A list of names or a call's arguments; only a quoted name is followed by its value.
  if (operator.endsWith(',') && !/["'`]/.test(operator)) return undefined;
  if (/[=:]/.test(operator)) return readValue(text, operatorEnd);
  const openingEnd = endOf(OPENING, text, operatorEnd);
  return openingEnd === NONE ? undefined : readQuoted(text, openingEnd);
}

/** `--token value` on a command line. */
function readOption(text: string, wordStart: number, nameEnd: number): AssignedValue | undefined {
  if (text.charCodeAt(nameEnd) !== 0x20 || !text.startsWith('--', wordStart - 2)) return undefined;
  return readUpTo(UNQUOTED, text, nameEnd + 1);
}

function readValue(text: string, start: number): AssignedValue | undefined {
  const openingEnd = endOf(OPENING, text, start);
  if (openingEnd !== NONE) return readQuoted(text, openingEnd);
  return readUpTo(UNQUOTED, text, endOfSpaces(text, start));
}

/** The commonest operator, known without a pattern: `=` with no space and no further sign. */
function isPlainEquals(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0x3d) return false;
  const next = text.charCodeAt(at + 1);
  return next !== 0x3d && next !== 0x3e;
}

function readQuoted(text: string, valueStart: number): AssignedValue | undefined {
  const close = /(?:["']{3}|\\?["'`])$/.exec(text.slice(valueStart - 3, valueStart))?.[0] ?? '"';
  const limit = Math.min(text.length, valueStart + MAX_VALUE);
  for (let end = valueStart; end < limit; end++) {
    const code = text.charCodeAt(end);
    // Secrets are written on one line and without spaces; everything else is prose or code.
    if (code <= 0x20) return undefined;
    if (text.startsWith(close, end)) return toValue(text, valueStart, end, 'quoted');
    if (code === 0x5c) end += 1;
  }
  return undefined;
}

function readUpTo(pattern: RegExp, text: string, valueStart: number): AssignedValue | undefined {
  const end = endOf(pattern, text, valueStart);
  return end === NONE ? undefined : toValue(text, valueStart, end, pattern === XML_VALUE ? 'quoted' : 'bare');
}

function toValue(
  text: string,
  valueStart: number,
  end: number,
  how: 'quoted' | 'bare',
): AssignedValue | undefined {
  const value = text.slice(valueStart, end);
  if (!mixesKinds(text, valueStart, end) && !isNoWord(value)) return undefined;
  return { valueStart, value, quoted: how === 'quoted' };
}

const LEAST_LETTERS = 15;
const MOST_WORDINESS = 0.35;

/** Letters alone that read like no word: of some services a secret can come out so. */
function isNoWord(value: string): boolean {
  return (
    value.length >= LEAST_LETTERS &&
    value.length <= MAX_NAME &&
    /^[a-z]+$/.test(value) &&
    (wordiness(value) ?? 1) < MOST_WORDINESS
  );
}

function endOfName(text: string, start: number): number {
  let at = start;
  while (isNameCode(text.charCodeAt(at))) at += 1;
  return at;
}

function isNameCode(code: number): boolean {
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  return (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || code === 0x2e;
}

function endOfSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at += 1;
  return at;
}

const NONE = -1;

/** Where a sticky pattern's match ends. Testing makes no objects, and most words in code are not assigned to. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : NONE;
}
