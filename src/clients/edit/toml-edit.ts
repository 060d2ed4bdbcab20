/** TOML: our table is a block of lines of its own; it is appended, replaced or taken out, and a parser checks the result. */
import { parse, TomlError } from 'smol-toml';
import { AppError } from '../../core/index.ts';
import {
  endOfLineOf,
  lineEnd,
  nextLine,
  splice,
  type DocumentFormat,
  type Entry,
  type EntryPath,
  type EntryPlace,
  type EntryValue,
} from './document-format.ts';

export const tomlFormat: DocumentFormat = {
  parse: parseToml,
  put(text, place, entry) {
    const endOfLine = endOfLineOf(text);
    const block = renderTable(place.path, entry).join(endOfLine);
    const ours = ourTables(text, place);
    const [first] = ours;
    if (first === undefined) {
      // Keep a missing final line break missing, so that removal restores the file.
      return text.endsWith('\n')
        ? `${text}${endOfLine}${block}${endOfLine}`
        : `${text}${endOfLine}${endOfLine}${block}`;
    }
    const left = ours
      .slice(1)
      .toReversed()
      .reduce((soFar, table) => splice(soFar, table.start, contentEnd(text, table), ''), text);
    const end = contentEnd(text, first);
    return splice(left, first.start, end, text.slice(0, end).endsWith('\n') ? `${block}${endOfLine}` : block);
  },
  drop(text, place) {
    return ourTables(text, place)
      .toReversed()
      .reduce((soFar, table) => {
        const end = contentEnd(soFar, table);
        const atEnd = end === soFar.length && !soFar.endsWith('\n');
        return splice(soFar, startWithGap(soFar, table.start, atEnd), end, '');
      }, text);
  },
  fresh: (path, entry) => `${renderTable(path, entry).join('\n')}\n`,
};

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    throw new AppError('bad_config', `${file}:${thrown.line}:${thrown.column}: this is not valid TOML`, {
      hint: 'Correct the file and run the same command again.',
      cause: thrown,
    });
  }
}

/** The tables of the entry, its own and those within it. */
function ourTables(text: string, { path, file }: EntryPlace): readonly TomlTable[] {
  const value = parseToml(text, file);
  const tables = findTables(text).filter(({ keys }) => path.every((key, index) => keys[index] === key));
  const known = path.reduce(
    (inner: unknown, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
  if (known !== undefined && tables.length === 0) {
    throw new AppError('bad_config', `${file}:1:1: ${path.join('.')} is not a table of its own`, {
      hint: `Write it under the line [${path.join('.')}] and run the same command again.`,
    });
  }
  return tables;
}

/** Where the table's own lines end: blank lines and comments before the next table belong to that one. */
function contentEnd(text: string, { start, end }: TomlTable): number {
  let last = start;
  for (let at = start; at < end; at = nextLine(text, at)) {
    const line = text.slice(at, lineEnd(text, at)).trim();
    if (line !== '' && !line.startsWith('#')) last = at;
    if (nextLine(text, at) === at) break;
  }
  // A value of several lines ends before the next statement.
  return nextLine(text, last);
}

/** One blank line above goes along, and at the end of a file without a last line break that one too. */
function startWithGap(text: string, start: number, atEnd: boolean): number {
  const gap = /\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const above = text.slice(0, start - gap);
  if (!above.endsWith('\n')) return atEnd ? start - gap : start;
  return atEnd ? start - gap - (/\r?\n$/.exec(above)?.[0].length ?? 0) : start - gap;
}

function renderTable(path: EntryPath, entry: Entry): readonly string[] {
  return [
    `[${path.map(renderKey).join('.')}]`,
    ...Object.entries(entry).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`),
  ];
}

function renderKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function renderValue(value: EntryValue): string {
  if (isList(value)) return `[${value.map(renderValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${renderKey(key)} = ${renderValue(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Array.isArray does not see that a read-only list is one. */
function isList(value: EntryValue): value is readonly EntryValue[] {
  return Array.isArray(value);
}

interface TomlTable {
  readonly keys: readonly string[];
  /** Offset of the line with its header. */
  readonly start: number;
  /** Offset of the next header's line, or the end of the text. */
  readonly end: number;
}

const HEADER = /[ \t]*\[\[?([^\n]*?)\]\]?[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const KEY = /\s*(?:([\w-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')\s*\.?/y;

function findTables(text: string): readonly TomlTable[] {
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

/** Good enough for a key: with an escape that JSON does not know, it is not ours. */
function unescape(basic: string): string {
  try {
    return String(JSON.parse(`"${basic}"`));
  } catch {
    return basic;
  }
}

/** The offset after the statement's last line break; strings and brackets may span lines. */
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
