/** Every use of a name with what it means, found once: all definitions of the name are answered from it. */
import type { Use } from '../languages/index.ts';
import { DEFAULT_EXPORT, type OpenFile, type ProjectFacts } from './project-facts.ts';
import type { Defined, Grade } from './targets.ts';

export interface Resolved {
  readonly grade: Grade;
  readonly definitions: readonly Defined[];
}

export interface ResolvedUse {
  readonly file: OpenFile;
  readonly use: Use;
  readonly resolved: Resolved | undefined;
}

export interface NamedUses {
  readonly uses: readonly ResolvedUse[];
  /** A limit was reached: there may be more. */
  readonly isPartial: boolean;
}

/** A name that occurs in more files is too common to be told apart in a moment. */
const MOST_FILES = 5_000;
const MOST_USES = 200_000;
const MOST_NAMES = 50;
/** What was resolved is kept for the names that were asked last. */
const MOST_KEPT = 50_000;

/** Uses of a name, also under those that imports and exports give it. */
export function createUsesByName(
  project: ProjectFacts,
  resolve: (file: OpenFile, use: Use) => Resolved | undefined,
): (name: string) => NamedUses {
  const kept = new Map<string, NamedUses>();
  let size = 0;

  function find(name: string): NamedUses {
    const { wanted, isPartial } = namesByFile(project, name);
    const uses: ResolvedUse[] = [];
    for (const [path, names] of wanted) {
      const file = project.open(path);
      for (const use of file?.facts.uses(names) ?? []) {
        if (file === undefined) break;
        if (uses.length >= MOST_USES) return { uses, isPartial: true };
        uses.push({ file, use, resolved: resolve(file, use) });
      }
    }
    return { uses, isPartial };
  }

  return (name) => {
    const known = kept.get(name);
    const found = known ?? find(name);
    kept.delete(name);
    kept.set(name, found);
    if (known === undefined) size += found.uses.length;
    for (const [oldest, { uses }] of kept) {
      if (size <= MOST_KEPT) break;
      kept.delete(oldest);
      size -= uses.length;
    }
    return found;
  };
}

/** The names that a definition may have in each file: its own, and those that imports and exports give it. */
function namesByFile(
  project: ProjectFacts,
  name: string,
): { readonly wanted: ReadonlyMap<string, ReadonlySet<string>>; readonly isPartial: boolean } {
  const wanted = new Map<string, Set<string>>();
  const exported = [name];
  let isPartial = false;
  for (let at = 0; at < exported.length; at++) {
    const given = exported[at] ?? name;
    const files = project.naming(given);
    isPartial ||= files.length > MOST_FILES || exported.length > MOST_NAMES;
    for (const { path } of files.slice(0, MOST_FILES)) {
      const names = wanted.get(path) ?? new Set<string>();
      if (given === name) names.add(name);
      const file = project.open(path);
      if (file === undefined) continue;
      for (const local of file.localsOf(given)) names.add(local);
      for (const each of file.facts.exports) {
        const isGiven =
          (each.kind === 'local' && names.has(each.local)) || (each.kind === 'from' && each.from === given);
        if (!isGiven) continue;
        if (each.name === DEFAULT_EXPORT) project.waiting.wantImporting(path);
        if (!exported.includes(each.name) && exported.length <= MOST_NAMES) exported.push(each.name);
      }
      if (names.size > 0) wanted.set(path, names);
    }
  }
  return { wanted, isPartial };
}
