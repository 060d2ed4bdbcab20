/** YAML: our lines go in right below their parent's key, or come out again; a parser finds the place and checks the result. */
import { isMap, isScalar, LineCounter, parseDocument, visit, type Pair, type YAMLMap } from 'yaml';
import { AppError } from '../../core/index.ts';
import {
  endOfLineOf,
  indentAt,
  indentUnit,
  lineStart,
  nest,
  nextLine,
  splice,
  wrongKind,
  type DocumentFormat,
  type Entry,
  type EntryPlace,
  type EntryValue,
} from './document-format.ts';

export const yamlFormat: DocumentFormat = {
  parse: (text, file) => parseYaml(text, file).toJS({ maxAliasCount: 100 }) ?? {},
  put(text, { path, file }, entry) {
    const { map, pair, depth } = find(text, { path, file });
    if (pair !== undefined && depth === path.length - 1) {
      if (map?.flow === true) return splice(text, ...rangeOf(pair.value), JSON.stringify(entry));
      const [from, to] = pairLines(text, pair);
      const [key] = path.slice(-1);
      return splice(text, from, to, block(text, { [key ?? '']: entry }, indentAt(text, from), to));
    }
    const inner = nest(path.slice(pair === undefined ? depth : depth + 1), entry);
    if (pair === undefined) return append(text, map, inner);
    return insertBelow(text, pair, inner);
  },
  drop(text, place) {
    const { map, pair, depth } = find(text, place);
    if (pair === undefined || map === undefined || depth < place.path.length - 1) return text;
    if (map.flow === true) return dropFromFlow(text, map, pair);
    const [from, to] = pairLines(text, pair);
    if (map.items.length === 1 && depth > 0) {
      // The key above is left with an empty map: left with nothing it would be null.
      const parent = pairAt(parseYaml(text, place.file).contents, place.path.slice(0, depth));
      const above = text.indexOf(':', rangeOf(parent?.key)[1]) + 1;
      return splice(splice(text, from, to, ''), above, above, ' {}');
    }
    const atEnd = to === text.length && !text.endsWith('\n');
    const gap = atEnd ? (/\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0) : 0;
    return splice(text, from - gap, to, '');
  },
  fresh: (path, entry) => `${renderLines(nest(path, entry), '', '  ').join('\n')}\n`,
};

/** The parser takes time by the square of the blank lines in a row: ten thousand of them take a second. */
const MOST_BLANK_LINES = 2_000;

export function parseYaml(text: string, file: string): ReturnType<typeof parseDocument> {
  const blank = findBlankRun(text);
  if (blank !== undefined)
    throw new AppError(
      'bad_config',
      `${file}:${blank}: there are over ${MOST_BLANK_LINES} blank lines in a row`,
      {
        hint: 'Take them out and run the same command again.',
      },
    );
  const lineCounter = new LineCounter();
  // The parser compares every key with every other, would put the line before each of ten thousand errors, and warns on stderr.
  const document = parseDocument(text, {
    lineCounter,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [error] = document.errors;
  const at = error?.pos[0] ?? secondKeyIn(document);
  if (at === undefined) return document;
  const { line, col } = lineCounter.linePos(at);
  throw new AppError('bad_config', `${file}:${line}:${col}: this is not valid YAML`, {
    hint: 'Correct the file and run the same command again.',
    cause: error,
  });
}

/** The line at which too many blank ones have come in a row. */
function findBlankRun(text: string): number | undefined {
  const lines = text.split('\n');
  let run = 0;
  const at = lines.findIndex((line) => (run = line.trim() === '' ? run + 1 : 0) > MOST_BLANK_LINES);
  return at === -1 ? undefined : at + 1;
}

/** Where a map has a key for the second time. */
function secondKeyIn(document: ReturnType<typeof parseDocument>): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        // A merge key may come again.
        if (!isScalar(key) || key.value === '<<') continue;
        if (seen.has(key.value)) {
          [found] = rangeOf(key);
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

interface Found {
  /** The map that holds the pair, or would hold it. */
  readonly map: YAMLMap | undefined;
  /** The pair at this depth of the path, which may be a parent of the one asked for. */
  readonly pair: Pair | undefined;
  readonly depth: number;
}

function find(text: string, { path, file }: EntryPlace): Found {
  const document = parseYaml(text, file);
  const root: unknown = document.contents;
  if (root !== null && !isMap(root)) throw wrongKind(text, 0, { file, kind: 'a map' });
  let map: YAMLMap | undefined = root ?? undefined;
  for (const [depth, key] of path.entries()) {
    const pair: Pair | undefined = map?.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (pair === undefined) {
      const above: Pair | undefined = depth === 0 ? undefined : pairAt(root, path.slice(0, depth));
      return above === undefined ? { map, pair: undefined, depth } : { map, pair: above, depth: depth - 1 };
    }
    if (depth === path.length - 1) return { map, pair, depth };
    const { value } = pair;
    if (!isMap(value)) {
      if (isScalar(value) && value.value === null) return { map, pair, depth };
      throw wrongKind(text, rangeOf(pair.key)[0], { file, kind: 'a map' });
    }
    map = value;
  }
  return { map, pair: undefined, depth: 0 };
}

function pairAt(root: unknown, path: readonly string[]): Pair | undefined {
  let node: unknown = root;
  let pair: Pair | undefined;
  for (const key of path) {
    if (!isMap(node)) return undefined;
    pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
    node = pair?.value;
  }
  return pair;
}

function append(text: string, map: YAMLMap | undefined, entry: Entry): string {
  const first = map?.items[0]?.key;
  const indent = first === undefined ? '' : indentAt(text, rangeOf(first)[0]);
  if (text.endsWith('\n')) return text + block(text, entry, indent, 0);
  return text + endOfLineOf(text) + block(text, entry, indent, text.length);
}

function insertBelow(text: string, parent: Pair, entry: Entry): string {
  const endOfLine = endOfLineOf(text);
  const value = parent.value;
  const own = indentAt(text, rangeOf(parent.key)[0]);
  const [from, to] = rangeOf(value);
  if (isMap(value) && value.flow === true && value.items.length > 0) {
    const [key = '', inner = {}] = Object.entries(entry)[0] ?? [];
    const at = rangeOf(value.items[0]?.key)[0];
    return splice(text, at, at, `${JSON.stringify(key)}: ${JSON.stringify(inner)}, `);
  }
  const empty = !isMap(value) || value.flow === true;
  const first = isMap(value) ? value.items[0]?.key : undefined;
  const indent = empty || first === undefined ? own + indentUnit(text) : indentAt(text, rangeOf(first)[0]);
  // Replace an empty map or null; keep a comment after it.
  const opened = empty ? splice(text, from, to, '').replace(/[ \t]+$/, '') : text;
  const cut = empty ? opened.slice(0, from).trimEnd().length : 0;
  const tidy = empty ? splice(opened, cut, from, opened[from] === '#' ? ' ' : '') : text;
  const at = nextLine(tidy, rangeOf(parent.key)[1]);
  if (at === tidy.length && !tidy.endsWith('\n')) return tidy + endOfLine + block(tidy, entry, indent, at);
  return splice(tidy, at, at, block(tidy, entry, indent, 0));
}

function dropFromFlow(text: string, map: YAMLMap, pair: Pair): string {
  const index = map.items.indexOf(pair);
  const next = map.items[index + 1];
  const before = map.items[index - 1];
  const from = rangeOf(pair.key)[0];
  const to = rangeOf(pair.value)[1];
  if (next !== undefined) return splice(text, from, rangeOf(next.key)[0], '');
  return splice(text, before === undefined ? from : rangeOf(before.value)[1], to, '');
}

/** From the line of the key to behind the last line of the value. */
function pairLines(text: string, pair: Pair): readonly [number, number] {
  const from = rangeOf(pair.key)[0];
  const end = from + text.slice(from, rangeOf(pair.value)[1]).trimEnd().length;
  return [lineStart(text, from), nextLine(text, end)];
}

/** Ends with a line break, except at the end of a text without one. */
function block(text: string, entry: Entry, indent: string, to: number): string {
  const endOfLine = endOfLineOf(text);
  const lines = renderLines(entry, indent, indentUnit(text)).join(endOfLine);
  return to === text.length && !text.endsWith('\n') ? lines : lines + endOfLine;
}

export function renderLines(entry: Entry, indent: string, unit: string): readonly string[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    const isTable = typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0;
    if (!isTable) return [`${indent}${renderScalar(key)}: ${renderFlow(value)}`];
    // `isTable` excludes lists and scalars.
    return [`${indent}${renderScalar(key)}:`, ...renderLines(value as Entry, indent + unit, unit)];
  });
}

/** JSON is YAML, so only plain words need no quotes. */
function renderFlow(value: EntryValue): string {
  return typeof value === 'string' ? renderScalar(value) : JSON.stringify(value);
}

function renderScalar(text: string): string {
  return /^[A-Za-z_][\w-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

export function rangeOf(node: unknown): readonly [number, number] {
  if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
    const [from, to] = node.range.map(Number);
    if (from !== undefined && to !== undefined) return [from, to];
  }
  throw new AppError('internal', 'A YAML node without a place in its text was met.');
}
