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
  for (const part of parts) {
    let at = small.indexOf(part);
    while (at !== -1) {
      let start = at;
      let end = at;
      while (isInIdentifier(text, start - 1)) start -= 1;
      while (isInIdentifier(text, end)) end += 1;
      while (start < end && isDigit(text, start)) start += 1;
      if (start < end) insertPlace(places, start, end);
      at = small.indexOf(part, Math.max(end, at + 1));
    }
  }
  return places;
}

function placesOfAll(text: string): readonly number[] {
  const places: number[] = [];
  for (const { 0: identifier, index } of text.matchAll(IDENTIFIER))
    places.push(index, index + identifier.length);
  return places;
}

/** In order, each once. */
function insertPlace(places: number[], start: number, end: number): void {
  let at = places.length;
  while (at > 0 && (places[at - 2] ?? 0) > start) at -= 2;
  if (at === 0 || places[at - 2] !== start) places.splice(at, 0, start, end);
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
