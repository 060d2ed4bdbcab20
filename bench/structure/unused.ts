/**
 * How often "no known use" is right, over all definitions whose name is that of no other: wrong is one whose name the precise indexer
 * resolved at another place. A library's symbol of the name counts against us, so the truth is this or better. Lines that export it are no
 * uses, as in the score; keys and fields that declare the name anew are told apart by their text.
 */
import type { Truth } from './truth.ts';

export interface JudgedDefinition {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The name stands elsewhere, but for exports. */
  readonly isNamed: boolean;
  /** And not only where another thing gets it as its name. */
  readonly isUsed: boolean;
}

/** `linesOf` a file of the truth. */
export function judgeDefinitions(
  { files, resolved }: Truth,
  linesOf: (path: string) => readonly string[],
): readonly JudgedDefinition[] {
  const homes = new Map<string, { file: string; line: number }[]>();
  for (const { path, defs } of files.values())
    for (const [, name, first, , line] of defs) {
      const known = homes.get(name);
      const home = { file: path, line: line ?? first };
      if (known === undefined) homes.set(name, [home]);
      else known.push(home);
    }
  const named = new Set<string>();
  const used = new Set<string>();
  for (const { path, uses } of files.values()) {
    const lines = linesOf(path);
    for (const [line, column, name, kind] of uses) {
      const [home] = homes.get(name) ?? [];
      const isOwn = home?.file === path && home.line === line;
      const isSilent = kind === 'import' || kind === 'export';
      if (home === undefined || isOwn || isSilent || resolved.get(path)?.has(`${line}:${column}`) !== true)
        continue;
      named.add(name);
      if (!isKey(lines[line - 1] ?? '', column, name)) used.add(name);
    }
  }
  return [...homes].flatMap(([name, [home, ...others]]) =>
    home === undefined || others.length > 0
      ? []
      : [{ ...home, name, isNamed: named.has(name), isUsed: used.has(name) }],
  );
}

/** `name: value` and `name?: Type`, first on its line or after a brace, a comma or a semicolon: it names what is declared there. */
function isKey(line: string, column: number, name: string): boolean {
  const before = line.slice(0, column);
  return (
    /(?:^|[{,;])\s*(?:readonly\s+)?$/.test(before) && /^\??:(?!:)/.test(line.slice(column + name.length))
  );
}

export interface UnusedCount {
  readonly told: number;
  /** Of those that are told to have no known use: without a use, and whose name stands nowhere else at all. */
  readonly right: number;
  readonly strictlyRight: number;
  /** Definitions without a use that were found, told or not. */
  readonly unused: number;
}

export async function countUnused(
  judged: readonly JudgedDefinition[],
  hasKnownUse: (definition: JudgedDefinition) => Promise<boolean | undefined>,
): Promise<UnusedCount> {
  const count = { told: 0, right: 0, strictlyRight: 0, unused: 0 };
  for (const each of judged) {
    const isKnown = await hasKnownUse(each);
    if (isKnown === undefined) continue;
    if (!each.isUsed) count.unused++;
    if (isKnown) continue;
    count.told++;
    if (!each.isUsed) count.right++;
    if (!each.isNamed) count.strictlyRight++;
  }
  return count;
}
