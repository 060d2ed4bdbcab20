/** Which files a pasted text names: by path, by a frame of a stack trace, by module. */
import type { Mention } from '../query/report.ts';
import type { View } from '../view/view.ts';

export interface MentionedFiles {
  readonly path: ReadonlyMap<number, number>;
  readonly frame: ReadonlyMap<number, number>;
  readonly module: ReadonlyMap<number, number>;
}

/** One per view. */
export type MentionFinder = (
  mentions: readonly Mention[],
  isAllowed: (file: number) => boolean,
) => MentionedFiles;

/** Worth of a name that only the file itself shares, and of one whose folder agrees too. */
const NAME_ALONE = 0.5;
const MODULE_ALONE = 0.3;

interface PathFile {
  readonly file: number;
  /** In lower case, the file last. */
  readonly parts: readonly string[];
}

export function createMentionFinder(view: View): MentionFinder {
  let tables:
    | { readonly byName: Map<string, PathFile[]>; readonly byStem: Map<string, PathFile[]> }
    | undefined;
  const load = (): NonNullable<typeof tables> => {
    const [byName, byStem] = [new Map<string, PathFile[]>(), new Map<string, PathFile[]>()];
    for (const { files, alive, firstFile } of view.segments)
      files.forEach(({ path }, at) => {
        if (alive[at] === 0) return;
        const parts = path.toLowerCase().split('/');
        const name = parts.at(-1) ?? '';
        const stem = stemOf(name);
        const one = { file: firstFile + at, parts };
        push(byName, name, one);
        push(byStem, stem, { ...one, parts: [...parts.slice(0, -1), stem] });
      });
    return { byName, byStem };
  };
  return (mentions, isAllowed) => {
    const { byName, byStem } = (tables ??= load());
    const found = {
      path: new Map<number, number>(),
      frame: new Map<number, number>(),
      module: new Map<number, number>(),
    };
    for (const { parts, by } of mentions) {
      const into = found[by];
      if (by !== 'module') match(byName, parts, { into, alone: NAME_ALONE, isAllowed });
      else if (!match(byStem, parts, { into, alone: MODULE_ALONE, isAllowed }))
        match(byStem, parts.slice(0, -1), { into, alone: MODULE_ALONE, isAllowed });
    }
    return found;
  };
}

interface Matching {
  readonly into: Map<number, number>;
  readonly alone: number;
  readonly isAllowed: (file: number) => boolean;
}

/** The files that share most of the end of the mention. */
function match(
  table: ReadonlyMap<string, readonly PathFile[]>,
  parts: readonly string[],
  { into, alone, isAllowed }: Matching,
): boolean {
  const files = (table.get(parts.at(-1) ?? '') ?? []).filter(({ file }) => isAllowed(file));
  const shared = files.map((one) => sharedEnd(one.parts, parts));
  const most = Math.max(0, ...shared);
  if (most === 0) return false;
  const best = files.filter((_, at) => shared[at] === most);
  const worth = (most > 1 || parts.length === best[0]?.parts.length ? 1 : alone) / Math.sqrt(best.length);
  for (const { file } of best) into.set(file, Math.max(into.get(file) ?? 0, worth));
  return true;
}

function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}

function stemOf(name: string): string {
  return name.replace(/(.)\.[^.]*$/, '$1');
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
