/** Who uses a definition: only files that may name it are looked at. */
import type { Use } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import type { Resolver } from './resolver.ts';
import { type Defined, familyOf, type Grade, keyOf } from './targets.ts';

export interface FoundUse {
  readonly path: string;
  readonly use: Use;
  readonly grade: Grade;
  readonly file: OpenFile;
}

export interface FoundUses {
  readonly uses: readonly FoundUse[];
  /** A limit was reached: there may be more. */
  readonly isPartial: boolean;
}

/** A name that occurs in more files is too common to be told apart in a moment. */
const MOST_FILES = 5_000;
const MOST_USES = 50_000;
const MOST_NAMES = 50;

/** `targets` are one symbol: a definition and its overloads. */
export function findUses(project: ProjectFacts, resolver: Resolver, targets: readonly Defined[]): FoundUses {
  const [first] = targets;
  if (first === undefined) return { uses: [], isPartial: false };
  const keys = new Set(targets.map(({ path, definition }) => keyOf(path, definition)));
  const { wanted, isPartial } = namesByFile(project, first.definition.name);
  const found: FoundUse[] = [];
  for (const [path, names] of wanted) {
    const file = project.open(path);
    if (file === undefined) continue;
    for (const use of file.facts.uses(names)) {
      if (found.length >= MOST_USES) return { uses: found, isPartial: true };
      const resolved = resolver.resolve(file, use);
      const isMeant = (each: Defined): boolean => keys.has(keyOf(each.path, each.definition));
      if (resolved?.definitions.some(isMeant) !== true) continue;
      // One of several overloads that take as many arguments. In C and C++ the others may be declarations of the same one.
      const isOneOf =
        resolved.grade === 'sure' &&
        familyOf(file.language) !== 'c' &&
        resolved.definitions.some((each) => isOverload(each) && !isMeant(each));
      found.push({ path, use, grade: isOneOf ? 'likely' : resolved.grade, file });
    }
  }
  return { uses: found, isPartial };
}

function isOverload({ definition: { kind, arity } }: Defined): boolean {
  return arity !== undefined && (kind === 'method' || kind === 'function');
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
      for (const scope of file.facts.scopes)
        for (const [local, binding] of scope.names) if (binding.import?.name === given) names.add(local);
      for (const each of file.facts.exports) {
        const isGiven =
          (each.kind === 'local' && names.has(each.local)) || (each.kind === 'from' && each.from === given);
        if (isGiven && !exported.includes(each.name) && exported.length <= MOST_NAMES)
          exported.push(each.name);
      }
      if (names.size > 0) wanted.set(path, names);
    }
  }
  return { wanted, isPartial };
}
