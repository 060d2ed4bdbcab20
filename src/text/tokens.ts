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
