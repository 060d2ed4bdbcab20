/** Where the tables of a TOML text begin and end. The text was parsed before: it is valid. */

export interface TomlTable {
  readonly keys: readonly string[];
  /** Offset of the line with its header. */
  readonly start: number;
  /** Offset of the next header's line, or the end of the text. */
  readonly end: number;
}

const HEADER = /[ \t]*\[\[?([^\n]*?)\]\]?[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const KEY = /\s*(?:([\w-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')\s*\.?/y;

export function findTables(text: string): readonly TomlTable[] {
  const starts: { keys: readonly string[]; start: number }[] = [];
  for (let at = 0; at < text.length;) {
    HEADER.lastIndex = at;
    const header = HEADER.exec(text);
    if (header === null) {
      at = statementEnd(text, at);
      continue;
    }
    starts.push({ keys: parseKeys(header[1] ?? ''), start: at });
    at += header[0].length;
  }
  return starts.map((table, index) => ({ ...table, end: starts[index + 1]?.start ?? text.length }));
}

function parseKeys(dotted: string): readonly string[] {
  const keys: string[] = [];
  KEY.lastIndex = 0;
  for (let found = KEY.exec(dotted); found !== null; found = KEY.exec(dotted)) {
    const [, bare, basic, literal] = found;
    keys.push(bare ?? literal ?? unescape(basic ?? ''));
    if (KEY.lastIndex >= dotted.length) break;
  }
  return keys;
}

/** Good enough for a key: an escape that JSON does not know is left as it is, and then names no table of ours. */
function unescape(basic: string): string {
  try {
    return String(JSON.parse(`"${basic}"`));
  } catch {
    return basic;
  }
}

/** Behind the line break that ends the statement at this offset; strings and brackets may hold some that do not. */
function statementEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\n' && depth === 0) return at + 1;
    if (char === '#') at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
    else if (char === '"' || char === "'") at = stringEnd(text, at, char);
    else {
      if (char === '[' || char === '{') depth++;
      if (char === ']' || char === '}') depth--;
      at++;
    }
  }
  return text.length;
}

function stringEnd(text: string, start: number, quote: string): number {
  const fence = quote.repeat(3);
  const long = text.startsWith(fence, start);
  const mark = long ? fence : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  at += mark.length;
  // A long string may end in one or two quotes of its own.
  while (long && text[at] === quote) at++;
  return at;
}
