/** The words of code: whole identifiers and their parts, stemmed. Index and query go through the same stream. */
import { stem } from './stem.ts';

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/g;
const PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
/** Longer runs are data, not names. */
const MAX_IDENTIFIER = 80;

/** Every identifier of a text, in order. */
export function identifiersIn(text: string): readonly string[] {
  return text.match(IDENTIFIER) ?? [];
}

/**
 * Where identifiers are that hold any of these lower-case texts, in order: the beginning and the end of each, one behind the
 * other. Most hold none of them, and are not even cut out. Where places in lower case are other places, all of them are given.
 */
export function identifiersHolding(text: string, parts: readonly string[]): readonly number[] {
  const small = text.toLowerCase();
  if (small.length !== text.length || parts.includes('')) return placesOfAll(text);
  const places: number[] = [];
  /** Where each of the texts comes next. */
  const next = parts.map((part) => placeFrom(small, part, 0));
  for (let at = smallest(next); at < text.length; at = smallest(next)) {
    let start = at;
    let end = at;
    while (isInIdentifier(text, end)) end += 1;
    // A few letters are none of an identifier, but are in lower case.
    if (end > start) while (isInIdentifier(text, start - 1)) start -= 1;
    while (start < end && isDigit(text, start)) start += 1;
    if (start < end) places.push(start, end);
    // What else is in the same identifier says nothing new.
    const behind = Math.max(end, at + 1);
    for (let one = 0; one < next.length; one++)
      if ((next[one] ?? 0) < behind) next[one] = placeFrom(small, parts[one] ?? '', behind);
  }
  return places;
}

function smallest(numbers: readonly number[]): number {
  let found = Infinity;
  for (let at = 0; at < numbers.length; at++) found = Math.min(found, numbers[at] ?? Infinity);
  return found;
}

/** Behind the end where there is none. */
function placeFrom(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? Infinity : at;
}

function placesOfAll(text: string): readonly number[] {
  const places: number[] = [];
  for (const { 0: identifier, index } of text.matchAll(IDENTIFIER))
    places.push(index, index + identifier.length);
  return places;
}

const [ZERO, NINE, LARGE_A, LARGE_Z, LOW_LINE, SMALL_A, SMALL_Z] = [48, 57, 65, 90, 95, 97, 122];

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= NINE;
}

/** False beyond both ends. */
function isInIdentifier(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= SMALL_A && code <= SMALL_Z) ||
    (code >= LARGE_A && code <= LARGE_Z) ||
    code === LOW_LINE ||
    (code >= ZERO && code <= NINE)
  );
}

/** The parts of an identifier, lower-case: `parseHTTPUrl_v2` → parse, http, url, v, 2. */
export function splitIdentifier(identifier: string): readonly string[] {
  return identifier.match(PART)?.map((part) => part.toLowerCase()) ?? [];
}

/** The tokens of one identifier: the whole, and its parts where it has several. */
export function tokensOf(identifier: string): string[] {
  if (identifier.length > MAX_IDENTIFIER) return [];
  const whole = stem(identifier.toLowerCase());
  const parts = splitIdentifier(identifier);
  return parts.length < 2 ? [whole] : [whole, ...parts.map(stem)];
}

/** Every token of a text, in order, repeated as often as it occurs. */
export function tokenize(text: string): string[] {
  return identifiersIn(text).flatMap(tokensOf);
}
