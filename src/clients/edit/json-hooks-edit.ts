/**
 * JSON in which each event has a list of hooks: ours are one item of some of these lists, put in behind those of others, and taken
 * out again. They are read as one entry, `hooks.waymark`, with an item per event.
 */
import { parseJson } from '../../config/index.ts';
import { jsoncValue, type JsoncNode } from '../../text/index.ts';
import {
  endOfLineOf,
  indentAt,
  indentLines,
  indentUnit,
  splice,
  wrongKind,
  type DocumentFormat,
  type Entry,
} from './document-format.ts';
import { jsonFormat } from './json-edit.ts';

const HOOKS = 'hooks';
/** What the commands of ours end with, however they are started. */
const OURS = /\bhooks (?:start|capture) [a-z-]+(?: --(?:data|cache)-dir .{1,4000})?$/;

export const jsonHooksFormat: DocumentFormat = {
  parse(text, file) {
    const value: unknown = jsonFormat.parse(text, file);
    const hooks: unknown = Reflect.get(Object(value), HOOKS);
    if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) return value;
    const own: [string, unknown][] = [];
    const others = Object.entries(hooks).flatMap(([event, list]: [string, unknown]) => {
      if (!Array.isArray(list)) return [[event, list]];
      const mine: unknown = list.find(isOurs);
      if (mine !== undefined) own.push([event, mine]);
      const rest = list.filter((item) => !isOurs(item));
      // A list that holds ours alone was made for it, and one without anything says nothing.
      return rest.length === 0 ? [] : [[event, rest]];
    });
    const waymark = own.length === 0 ? {} : { waymark: Object.fromEntries(own) };
    return { ...Object(value), [HOOKS]: { ...Object.fromEntries(others), ...waymark } };
  },
  put(text, { file }, entry) {
    // What an earlier release wrote for an event that is no longer wanted goes first.
    const cleared = dropOurs(text, file, (event) => !Object.hasOwn(entry, event));
    return Object.entries(entry).reduce(
      (edited, [event, item]) => putItem(edited, file, event, item),
      cleared,
    );
  },
  drop(text, { path, file }) {
    if (path.length === 1) return jsonFormat.drop(text, { path, file });
    return dropOurs(text, file, () => true);
  },
  fresh: (_path, entry) => `${JSON.stringify({ [HOOKS]: toLists(entry) }, null, 2)}\n`,
};

/** The same in a file that says its version. */
export const jsonHooks1Format: DocumentFormat = {
  ...jsonHooksFormat,
  fresh: (_path, entry) => `${JSON.stringify({ version: 1, [HOOKS]: toLists(entry) }, null, 2)}\n`,
};

function toLists(entry: Entry): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).map(([event, item]) => [event, [item]]));
}

/** One with commands of others beside ours is theirs. */
function isOurs(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const inner: unknown = Reflect.get(item, HOOKS);
  const commands: readonly unknown[] = Array.isArray(inner)
    ? inner.map((hook: unknown) => Reflect.get(Object(hook), 'command'))
    : [Reflect.get(item, 'command')];
  return (
    commands.length > 0 && commands.every((command) => typeof command === 'string' && OURS.test(command))
  );
}

function listOf(text: string, file: string, event: string): JsoncNode | undefined {
  const list = member(member(parseJson(text, file).root, HOOKS), event);
  if (list !== undefined && list.type !== 'array')
    throw wrongKind(text, list.offset, { file, kind: 'a list' });
  return list;
}

function member(node: JsoncNode | undefined, key: string): JsoncNode | undefined {
  return node?.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

function putItem(text: string, file: string, event: string, item: unknown): string {
  const list = listOf(text, file, event);
  if (list === undefined) {
    // The list is all that is new; the rest of the file is edited as any JSON. It takes objects: a list is one to JSON.
    return jsonFormat.put(text, { path: [HOOKS, event], file }, [item] as unknown as Entry);
  }
  const items = list.children ?? [];
  const known = items.find((one) => isOurs(jsoncValue(one)));
  const indent = indentAt(text, known?.offset ?? items.at(-1)?.offset ?? list.offset);
  const written = (at: string): string =>
    indentLines(JSON.stringify(item, null, indentUnit(text)), at, endOfLineOf(text));
  if (known !== undefined) return splice(text, known.offset, known.offset + known.length, written(indent));
  const last = items.at(-1);
  if (last === undefined) return splice(text, list.offset, list.offset + list.length, `[${written(indent)}]`);
  const end = last.offset + last.length;
  const isOneLine = !text.slice(list.offset, last.offset).includes('\n');
  return splice(
    text,
    end,
    end,
    isOneLine ? `, ${JSON.stringify(item)}` : `,${endOfLineOf(text)}${indent}${written(indent)}`,
  );
}

function dropOurs(text: string, file: string, isGone: (event: string) => boolean): string {
  const hooks = member(parseJson(text, file).root, HOOKS);
  const events = (hooks?.children ?? []).map(({ children }) => String(children?.[0]?.value));
  return events.filter(isGone).reduce((edited, event) => dropItem(edited, file, event), text);
}

function dropItem(text: string, file: string, event: string): string {
  const list = member(member(parseJson(text, file).root, HOOKS), event);
  if (list?.type !== 'array') return text;
  const items = list.children ?? [];
  const at = items.findIndex((one) => isOurs(jsoncValue(one)));
  const item = items[at];
  if (item === undefined) return text;
  if (items.length === 1) return jsonFormat.drop(text, { path: [HOOKS, event], file });
  const before = items[at - 1];
  const after = items[at + 1];
  // With the comma and the blanks towards its neighbour; a comment in between is refused by the check that follows every edit.
  const [from, to] =
    before === undefined
      ? [item.offset, after?.offset ?? item.offset + item.length]
      : [before.offset + before.length, item.offset + item.length];
  return splice(text, from, to, '');
}
