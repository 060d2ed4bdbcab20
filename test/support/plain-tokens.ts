/** The words of code in the plainest way, to compare the kernel with: identifiers, parts, stems, hashes, runs of three characters. */

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/g;
const PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
/** Longer runs are data, not names. */
const MAX_IDENTIFIER = 80;

/** Every identifier of a text, in order. */
export function plainIdentifiers(text: string): readonly string[] {
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
  return plainIdentifiers(text).flatMap(tokensOf);
}

const SUFFIXES: readonly (readonly [suffix: string, replacement: string])[] = [
  ['ization', 'ize'],
  ['ations', 'ate'],
  ['ation', 'ate'],
  ['ingly', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['sses', 'ss'],
  ['ers', 'er'],
  ['ed', ''],
  ['es', 'e'],
  ['s', ''],
];

/** Takes a lower-case word. Words of three letters and fewer stay as they are. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  let stemmed = word;
  for (const [suffix, replacement] of SUFFIXES) {
    if (word.length - suffix.length < 3 || !word.endsWith(suffix)) continue;
    stemmed = word.slice(0, word.length - suffix.length) + replacement;
    break;
  }
  const last = stemmed.at(-1);
  if (stemmed.length > 4 && last === stemmed.at(-2) && last !== 's' && last !== 'l')
    stemmed = stemmed.slice(0, -1);
  if (stemmed.length > 4 && stemmed.endsWith('e')) stemmed = stemmed.slice(0, -1);
  return stemmed;
}

/** FNV-1a over code units, then mixed, so that every bit depends on every letter. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Ascending, of lower-case letters. */
export function plainTrigrams(text: string): Uint16Array {
  const codes = text.toLowerCase();
  const hashes = new Set<number>();
  for (let at = 0; at + 2 < codes.length; at++) {
    const mixed =
      Math.imul(codes.charCodeAt(at), 0x9e3779b1) ^
      Math.imul(codes.charCodeAt(at + 1), 0x85ebca6b) ^
      Math.imul(codes.charCodeAt(at + 2), 0xc2b2ae35);
    hashes.add((mixed ^ (mixed >>> 15)) & 0xffff);
  }
  return Uint16Array.from(hashes).sort();
}
