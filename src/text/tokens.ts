/** The words of code: whole identifiers and their parts, stemmed. Index and query go through the same stream. */
import { stem } from './stem.ts';

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/g;
const PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
/** Longer runs are data, not names. */
const MAX_IDENTIFIER = 80;

/** The parts of an identifier, lower-case: `parseHTTPUrl_v2` → parse, http, url, v, 2. */
export function splitIdentifier(identifier: string): readonly string[] {
  return identifier.match(PART)?.map((part) => part.toLowerCase()) ?? [];
}

/** Every token of a text, in order, repeated as often as it occurs. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const identifier of text.match(IDENTIFIER) ?? []) pushIdentifier(tokens, identifier);
  return tokens;
}

function pushIdentifier(tokens: string[], identifier: string): void {
  if (identifier.length > MAX_IDENTIFIER) return;
  tokens.push(stem(identifier.toLowerCase()));
  const parts = splitIdentifier(identifier);
  if (parts.length < 2) return;
  for (const part of parts) tokens.push(stem(part));
}
