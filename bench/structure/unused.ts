/**
 * How often "no known use" is right, over all definitions whose name is that of no other: wrong is one whose name the precise indexer
 * resolved at another place. A library's symbol of the name counts against us, so the truth is this or better.
 */
import type { Truth } from './truth.ts';

export interface JudgedDefinition {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly isUsed: boolean;
}

export function judgeDefinitions({ files, resolved }: Truth): readonly JudgedDefinition[] {
  const homes = new Map<string, { file: string; line: number }[]>();
  for (const { path, defs } of files.values())
    for (const [, name, first, , line] of defs) {
      const known = homes.get(name);
      const home = { file: path, line: line ?? first };
      if (known === undefined) homes.set(name, [home]);
      else known.push(home);
    }
  const used = new Set<string>();
  for (const { path, uses } of files.values())
    for (const [line, column, name, kind] of uses) {
      const [home] = homes.get(name) ?? [];
      const isOwn = home?.file === path && home.line === line;
      if (!isOwn && kind !== 'import' && resolved.get(path)?.has(`${line}:${column}`) === true)
        used.add(name);
    }
  return [...homes].flatMap(([name, [home, ...others]]) =>
    home === undefined || others.length > 0 ? [] : [{ ...home, name, isUsed: used.has(name) }],
  );
}

/** Of the definitions that are told to have no known use, how many have none. */
export async function countUnused(
  judged: readonly JudgedDefinition[],
  hasKnownUse: (definition: JudgedDefinition) => Promise<boolean | undefined>,
): Promise<{ readonly told: number; readonly right: number }> {
  let [told, right] = [0, 0];
  for (const each of judged) {
    if ((await hasKnownUse(each)) !== false) continue;
    told++;
    if (!each.isUsed) right++;
  }
  return { told, right };
}
