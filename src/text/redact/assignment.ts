/** Reads `name = value` in whatever notation it is written: code, JSON, YAML, TOML, .env, .properties, XML, arguments. */

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
  /[ \t]{0,24}(?:\r?\n[ \t]{0,80}(?=["'`]))?(?:[A-Za-z_][\w.]{0,40})?[([]?[ \t]{0,4}[@$]?(?:["']{3}|\\?["'`])/y;
const XML_OPENING = /(?:["'][ \t]{1,4}value[ \t]{0,2}=[ \t]{0,2}["']|>)/y;
/** Long values hold no operator, so that the values of many names in a row do not overlap: reading them stays linear. */
const UNQUOTED = /[^\s"'`<>(){}[\],;&|\\:=]{20,4096}={0,2}(?![:=])|[^\s"'`<>(){}[\],;&|\\]{6,64}/y;
const XML_VALUE = /[^\s<>"']{4,4096}(?=<\/|["'])/y;

/** The assignment whose name contains the word at `wordStart`…`wordEnd`, or undefined if it is not part of one. */
export function readAssignment(text: string, wordStart: number, wordEnd: number): Assignment | undefined {
  const nameEnd = endOfName(text, wordEnd);
  const suffix = text.slice(wordEnd, nameEnd);
  const operatorEnd = endOf(OPERATOR, text, nameEnd);
  if (operatorEnd === NONE) {
    const xmlEnd = endOf(XML_OPENING, text, nameEnd);
    if (xmlEnd !== NONE) return readUpTo(XML_VALUE, text, suffix, xmlEnd);
    const isOption = text.startsWith('--', wordStart - 2) && text[nameEnd] === ' ';
    return isOption ? readUpTo(UNQUOTED, text, suffix, nameEnd + 1) : undefined;
  }
  const operator = text.slice(nameEnd, operatorEnd);
  // A list of names or a call's arguments; only a quoted name is followed by its value.
  if (operator.endsWith(',') && !/["'`]/.test(operator)) return undefined;
  const openingEnd = endOf(OPENING, text, operatorEnd);
  if (openingEnd !== NONE) return readQuoted(text, suffix, openingEnd);
  if (!/[=:]/.test(operator)) return undefined;
  return readUpTo(UNQUOTED, text, suffix, endOfSpaces(text, operatorEnd));
}

function readQuoted(text: string, suffix: string, valueStart: number): Assignment | undefined {
  const close = /(?:["']{3}|\\?["'`])$/.exec(text.slice(valueStart - 3, valueStart))?.[0] ?? '"';
  const limit = Math.min(text.length, valueStart + MAX_VALUE);
  for (let end = valueStart; end < limit; end++) {
    const code = text.charCodeAt(end);
    // Secrets are written on one line and without spaces; everything else is prose or code.
    if (code <= 0x20) return undefined;
    if (text.startsWith(close, end))
      return { suffix, valueStart, value: text.slice(valueStart, end), quoted: true };
    if (code === 0x5c) end += 1;
  }
  return undefined;
}

function readUpTo(pattern: RegExp, text: string, suffix: string, valueStart: number): Assignment | undefined {
  const end = endOf(pattern, text, valueStart);
  if (end === NONE) return undefined;
  return { suffix, valueStart, value: text.slice(valueStart, end), quoted: pattern === XML_VALUE };
}

function endOfName(text: string, start: number): number {
  let at = start;
  while (at - start < MAX_NAME && isNameCode(text.charCodeAt(at))) at += 1;
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
