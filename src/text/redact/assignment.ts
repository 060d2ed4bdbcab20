/** Reads `name = value` in whatever notation it is written: code, JSON, YAML, TOML, .env, .properties, XML, arguments. */

export interface Assignment {
  /** What follows the telling word in the name: `_hash` in `password_hash`. */
  readonly suffix: string;
  readonly valueStart: number;
  readonly value: string;
  readonly quoted: boolean;
}

const MAX_VALUE = 4096;
const NAME_REST = /[\w.-]{0,48}/y;
/** Behind the name: the end of a quoted or indexed name, an annotated type, then the operator. */
const OPERATOR =
  /(?:\\?["'`]|\]|\[\d{0,5}\]){0,3}[ \t]{0,24}(?:(?:\??:[ \t]{0,4}|\*?)[A-Za-z][\w<>.?[\]]{0,30}[ \t]{1,8}(?==[^=>]))?(?:[:=]=?={0,2}|=>|->|\|\|=?|\?\?=?|\?=|\+=|!==?|,|\()/y;
/** Between the operator and the value: space, one line break before a quote, a call around it, a string's prefix. */
const OPENING =
  /[ \t]{0,24}(?:\r?\n[ \t]{0,80}(?=["'`]))?(?:[A-Za-z_][\w.]{0,40})?[([]?[ \t]{0,4}[@$]?(?:["']{3}|\\?["'`])/y;
const XML_OPENING = /(?:["'][ \t]{1,4}value[ \t]{0,2}=[ \t]{0,2}["']|>)/y;
/** Long values hold no operator, so that the values of many names in a row do not overlap: reading them stays linear. */
const UNQUOTED = /[^\s"'`<>(){}[\],;&|\\:=]{20,4096}={0,2}(?![:=])|[^\s"'`<>(){}[\],;&|\\]{6,100}/y;
const SPACES = /[ \t]{0,24}/y;

/** The assignment whose name contains the word at `wordStart`…`wordEnd`, or undefined if it is not part of one. */
export function readAssignment(text: string, wordStart: number, wordEnd: number): Assignment | undefined {
  const suffix = matchAt(NAME_REST, text, wordEnd) ?? '';
  let at = wordEnd + suffix.length;
  const operator = matchAt(OPERATOR, text, at);
  if (operator === undefined) {
    const xml = matchAt(XML_OPENING, text, at);
    if (xml !== undefined) return readXml(text, suffix, at + xml.length);
    return text.startsWith('--', wordStart - 2) && text[at] === ' '
      ? readUnquoted(text, suffix, at + 1)
      : undefined;
  }
  // A list of names or a call's arguments; only a quoted name is followed by its value.
  if (operator.endsWith(',') && !/["'`]/.test(operator)) return undefined;
  at += operator.length;
  const opening = matchAt(OPENING, text, at);
  if (opening !== undefined) return readQuoted(text, suffix, at, opening);
  return /[=:]/.test(operator)
    ? readUnquoted(text, suffix, at + (matchAt(SPACES, text, at)?.length ?? 0))
    : undefined;
}

function readQuoted(text: string, suffix: string, at: number, opening: string): Assignment | undefined {
  const valueStart = at + opening.length;
  const close = /(?:["']{3}|\\?["'`])$/.exec(opening)?.[0] ?? '"';
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

function readXml(text: string, suffix: string, valueStart: number): Assignment | undefined {
  const value = matchAt(/[^\s<>"']{4,4096}(?=<\/|["'])/y, text, valueStart);
  return value === undefined ? undefined : { suffix, valueStart, value, quoted: true };
}

function readUnquoted(text: string, suffix: string, valueStart: number): Assignment | undefined {
  const value = matchAt(UNQUOTED, text, valueStart);
  return value === undefined ? undefined : { suffix, valueStart, value, quoted: false };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
