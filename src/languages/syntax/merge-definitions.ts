/** What an outline found and what a parser found become one list: the parser is right wherever it could read. */
import type { Definition, LineRange } from '../../core/index.ts';
import type { FoundInFile } from './messages.ts';

/**
 * Without errors this is what the parser found. Around lines it could not read (a macro in C, a dialect of SQL) it loses
 * whole classes, and there the outline's definitions are kept.
 */
export function mergeDefinitions(
  outlined: () => readonly Definition[],
  parsed: Pick<FoundInFile, 'definitions' | 'errors'>,
): readonly Definition[] {
  if (parsed.errors.length === 0) return parsed.definitions;
  const isUnread = unreadLines(parsed.errors);
  const exact = new Map(parsed.definitions.map((each) => [keyOf(each), each]));
  const rescued = outlined().filter((each) => {
    const twin = exact.get(keyOf(each));
    return isUnread(each) && (twin === undefined || twin.endLine < each.endLine);
  });
  if (rescued.length === 0) return parsed.definitions;
  const replaced = new Set(rescued.map(keyOf));
  const names = new Set(rescued.map(({ name }) => name));
  const kept = parsed.definitions.filter(
    (each) => !replaced.has(keyOf(each)) && !(isOneLine(each) && names.has(each.name)),
  );
  return renest([...rescued, ...kept], new Set(rescued));
}

function keyOf({ name, startLine }: Definition): string {
  return `${startLine} ${name}`;
}

function isOneLine({ startLine, endLine }: LineRange): boolean {
  return startLine === endLine;
}

/** Whether some line of a range was not read. */
function unreadLines(errors: readonly LineRange[]): (range: LineRange) => boolean {
  return ({ startLine, endLine }) =>
    errors.some((error) => error.startLine <= endLine && error.endLine >= startLine);
}

/** What stands in a rescued definition belongs to it, unless its own head says otherwise. */
function renest(definitions: readonly Definition[], rescued: ReadonlySet<Definition>): Definition[] {
  const sorted = [...definitions].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const around: Definition[] = [];
  return sorted.map((each) => {
    while (around.length > 0 && (around.at(-1)?.endLine ?? 0) < each.startLine) around.pop();
    const parent = around.at(-1);
    around.push(each);
    const isOutside = parent === undefined || !rescued.has(parent) || rescued.has(each);
    const grandparent = around.at(-3)?.name;
    if (isOutside || (each.container !== undefined && each.container !== grandparent)) return each;
    const kind =
      each.kind === 'function' && parent.kind !== 'module' && parent.kind !== 'function'
        ? 'method'
        : each.kind;
    return { ...each, kind, container: parent.name };
  });
}
