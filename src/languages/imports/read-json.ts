/** JSON as configuration files write it, with comments and commas behind the last value. */

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for anything that is not an object. */
export function readJsonFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(toPlainJson(text));
    return fieldsOf(value);
  } catch {
    return undefined;
  }
}

export function fieldsOf(value: unknown): Fields | undefined {
  // An object that is no array has fields; what they hold is asked where they are read.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Each character is looked at once: an expression would go back over strings and comments that never end. */
function toPlainJson(text: string): string {
  const parts: string[] = [];
  let comma = '';
  for (let at = 0; at < text.length;) {
    const end = pieceEnd(text, at);
    const piece = text.slice(at, end);
    at = end;
    if (piece.startsWith('//') || piece.startsWith('/*') || /^\s/.test(piece)) continue;
    // Held back until it is known that a value follows.
    if (comma !== '' && piece !== '}' && piece !== ']') parts.push(comma);
    comma = piece === ',' ? piece : '';
    if (piece !== ',') parts.push(piece);
  }
  return parts.join(' ');
}

/** Behind the string, comment, word or sign that begins at `from`. */
function pieceEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return stringEnd(text, from);
  if (text.startsWith('//', from)) return endAt(text.indexOf('\n', from), text);
  if (text.startsWith('/*', from)) return endAt(text.indexOf('*/', from + 2), text, 2);
  let end = from + 1;
  if (first !== undefined && WORD.test(first)) while (WORD.test(text[end] ?? ' ')) end++;
  else if (first !== undefined && SPACE.test(first)) while (SPACE.test(text[end] ?? 'x')) end++;
  return end;
}

const WORD = /[\w.+-]/;
const SPACE = /\s/;

function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function endAt(found: number, text: string, more = 0): number {
  return found === -1 ? text.length : found + more;
}
