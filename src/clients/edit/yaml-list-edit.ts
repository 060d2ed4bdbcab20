/** YAML in which the entries are items of a list, each with its name in it: our item goes in first, or comes out again. */
import { isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  endOfLineOf,
  indentAt,
  indentUnit,
  lineStart,
  nextLine,
  splice,
  wrongKind,
  type DocumentFormat,
  type Entry,
} from './document-format.ts';
import { parseYaml, rangeOf, renderLines, yamlFormat } from './yaml-edit.ts';

/** The list that is read as a map by name; every other value stays as it is. */
const LIST = 'mcpServers';

export const yamlListFormat: DocumentFormat = {
  parse(text, file) {
    const document = parseYaml(text, file);
    const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
    findIn(document.contents, text, file);
    const list: unknown = Reflect.get(Object(value), LIST);
    return Array.isArray(list) ? { ...Object(value), [LIST]: byName(list) } : value;
  },
  put(text, { path, file }, entry) {
    const { pair, list } = find(text, file);
    const item = itemOf(list, path[1]);
    if (pair === undefined) return append(text, entry);
    if (list === undefined || list.items.length === 0) return fillEmpty(text, pair, entry);
    if (list.flow === true) {
      const [from, to] = rangeOf(item ?? list.items[0]);
      return item === undefined
        ? splice(text, from, from, `${JSON.stringify(entry)}, `)
        : splice(text, from, to, JSON.stringify(entry));
    }
    const [from, to] = itemLines(text, item ?? list.items[0]);
    const indent = indentAt(text, dashOf(text, item ?? list.items[0]));
    return item === undefined
      ? splice(text, from, from, block(text, entry, indent))
      : splice(text, from, to, withoutBreak(text, to, block(text, entry, indent)));
  },
  drop(text, { path, file }) {
    if (path.length === 1) return yamlFormat.drop(text, { path, file });
    const { pair, list } = find(text, file);
    const item = itemOf(list, path[1]);
    if (pair === undefined || list === undefined || item === undefined) return text;
    if (list.flow === true) return dropFromFlow(text, list, item);
    const [from, to] = itemLines(text, item);
    const atEnd = to === text.length && !text.endsWith('\n');
    const gap = atEnd ? (/\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0) : 0;
    const rest = splice(text, from - gap, to, '');
    if (list.items.length > 1) return rest;
    const above = rest.indexOf(':', rangeOf(pair.key)[1]) + 1;
    return splice(rest, above, above, ' []');
  },
  fresh: (_path, entry) => `${LIST}:\n${renderItem(entry, '  ', '  ').join('\n')}\n`,
};

interface Found {
  readonly pair: Pair | undefined;
  readonly list: YAMLSeq | undefined;
}

function find(text: string, file: string): Found {
  return findIn(parseYaml(text, file).contents, text, file);
}

function findIn(root: unknown, text: string, file: string): Found {
  if (root === null) return { pair: undefined, list: undefined };
  if (!isMap(root)) throw wrongKind(text, 0, { file, kind: 'a map' });
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === LIST);
  const value = pair?.value;
  if (isSeq(value)) return { pair, list: value };
  if (pair === undefined || value === null || (isScalar(value) && value.value === null))
    return { pair, list: undefined };
  throw wrongKind(text, rangeOf(pair.key)[0], { file, kind: 'a list' });
}

function itemOf(list: YAMLSeq | undefined, name: string | undefined): YAMLMap | undefined {
  return list?.items.find((item): item is YAMLMap => isMap(item) && item.get('name') === name);
}

/** Items without a name, or with one that was there before, are numbered among themselves. */
function byName(items: readonly unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  let others = 0;
  for (const item of items) {
    const name: unknown = Reflect.get(Object(item), 'name');
    const isNew = typeof name === 'string' && !Object.hasOwn(named, name);
    named[isNew ? name : `#${others++}`] = item;
  }
  return named;
}

function append(text: string, entry: Entry): string {
  const endOfLine = endOfLineOf(text);
  const added = `${LIST}:${endOfLine}${block(text, entry, indentUnit(text))}`;
  return text.endsWith('\n') ? text + added : text + endOfLine + added.slice(0, -endOfLine.length);
}

/** Replaces an empty list or null; keeps a comment after it. */
function fillEmpty(text: string, pair: Pair, entry: Entry): string {
  const colon = text.indexOf(':', rangeOf(pair.key)[1]) + 1;
  const line = text.slice(colon, nextLine(text, colon));
  const rest = line.replace(/^[ \t]*(?:\[[ \t]*\]|~|null)?[ \t]*/, '');
  const behind = rest.startsWith('#') ? ` ${rest}` : rest;
  const opened = splice(text, colon, colon + line.length, behind);
  const at = nextLine(opened, colon);
  const lines = block(text, entry, indentUnit(text));
  if (at === opened.length && !opened.endsWith('\n')) {
    const endOfLine = endOfLineOf(text);
    return opened + endOfLine + lines.slice(0, -endOfLine.length);
  }
  return splice(opened, at, at, lines);
}

function dropFromFlow(text: string, list: YAMLSeq, item: YAMLMap): string {
  const index = list.items.indexOf(item);
  const [from, to] = rangeOf(item);
  const next = list.items[index + 1];
  if (next !== undefined) return splice(text, from, rangeOf(next)[0], '');
  const before = list.items[index - 1];
  return splice(text, before === undefined ? from : rangeOf(before)[1], to, '');
}

function dashOf(text: string, item: unknown): number {
  return text.lastIndexOf('-', rangeOf(item)[0] - 1);
}

/** From the line of the dash to behind the last line of the item. */
function itemLines(text: string, item: unknown): readonly [number, number] {
  const [from, to] = rangeOf(item);
  const end = from + text.slice(from, to).trimEnd().length;
  return [lineStart(text, dashOf(text, item)), nextLine(text, end)];
}

function block(text: string, entry: Entry, indent: string): string {
  const endOfLine = endOfLineOf(text);
  return renderItem(entry, indent, indentUnit(text)).join(endOfLine) + endOfLine;
}

function withoutBreak(text: string, to: number, lines: string): string {
  return to === text.length && !text.endsWith('\n') ? lines.replace(/\r?\n$/, '') : lines;
}

function renderItem(entry: Entry, indent: string, unit: string): readonly string[] {
  const lines = renderLines(entry, `${indent}  `, unit);
  return lines.map((line, index) => (index === 0 ? `${indent}- ${line.slice(indent.length + 2)}` : line));
}
