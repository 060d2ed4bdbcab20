/**
 * Uses of a name that may mean a definition though nothing tells so: those whose receiver is of an unknown type, and those of a member that
 * the definition may stand in for. While there are any, "no known use" would mislead.
 */
import type { FactDefinition, Use } from '../languages/index.ts';
import type { FoundUse } from './find-uses.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { Resolver } from './resolver.ts';
import { familyOf } from './families.ts';
import { type Defined } from './targets.ts';

const MOST_USES = 1_000;
/** Languages in which a method may be called without a receiver. */
const IMPLICIT: ReadonlySet<string> = new Set(['jvm', 'csharp', 'c', 'ruby', 'swift']);
/** Languages in which a type has the members of an interface without naming it. */
const STRUCTURAL: ReadonlySet<string> = new Set(['script', 'go', 'python']);

/** `targets` are one symbol; it is asked for where `findUses` found none. */
export function findOpenUses(
  project: ProjectFacts,
  resolver: Resolver,
  targets: readonly Defined[],
): readonly FoundUse[] {
  const [first] = targets;
  const home = first && project.open(first.path);
  if (first === undefined || home === undefined) return [];
  const family = familyOf(home.language);
  const { name } = first.definition;
  const found: FoundUse[] = [];
  for (const { file, use, resolved } of resolver.usesNamed(name).uses) {
    if (found.length >= MOST_USES) break;
    const isOther = use.name !== name || use.kind === 'import' || familyOf(file.language) !== family;
    if (isOther || !mayReach(first.definition, use, family)) continue;
    const isPossible =
      resolved === undefined
        ? resolver.isOpen(file, use)
        : resolved.grade !== 'sure' ||
          resolved.definitions.some((each) => mayStandFor(first.definition, each.definition, use));
    if (isPossible) found.push({ path: file.path, use, grade: 'possible', file });
  }
  return found;

  /** A call of a member of one type may run that of another, which is derived from it or has the same members. */
  function mayStandFor({ owner, kind }: FactDefinition, used: FactDefinition, use: Use): boolean {
    // A key of an object that has the type is another method beside this one.
    if (used.owner === undefined || used.owner === owner || (kind === 'method' && use.kind === 'write'))
      return false;
    const isAbstract = isInterface(used.owner);
    if (owner === undefined) return isAbstract && STRUCTURAL.has(family);
    if (isAbstract && STRUCTURAL.has(family) && !isInterface(owner)) return true;
    return resolver.inherits(owner, used.owner);
  }
}

function isInterface({ kind }: FactDefinition): boolean {
  return kind === 'interface' || kind === 'type';
}

/** A member is named after its receiver; what stands in a file or a namespace is named alone; what is inside of a function, only there. */
function mayReach(definition: FactDefinition, { of }: Use, family: string): boolean {
  const { owner, ownerName, kind, scope } = definition;
  const isMember = owner !== undefined || ownerName !== undefined || kind === 'method' || kind === 'field';
  if (isMember) return of !== undefined || IMPLICIT.has(family);
  return of === undefined && scope.kind !== 'function' && scope.kind !== 'block';
}
