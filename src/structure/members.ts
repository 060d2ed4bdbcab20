/** The members of types, modules and packages: declared, inherited, of an alias, or given to a type by other files. */
import type { Expr, FactDefinition, Scope } from '../languages/index.ts';
import type { Guard } from './guard.ts';
import type { Modules } from './modules.ts';
import type { LanguageNames } from './name-parts.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import type { DefinitionTarget, MemberFacts, Target } from './targets.ts';
import type { Wanted } from './wanted.ts';

export interface Members {
  memberOf(target: Target | undefined, name: string, wanted?: Wanted): Target | undefined;
  /** What a type of a file inherits from by its declaration. */
  basesOf(owner: FactDefinition, file: OpenFile): readonly Target[];
}

export interface MemberParts extends Pick<Guard, 'fromTop'> {
  readonly project: ProjectFacts;
  readonly modules: Modules;
  /** The type of which a value is, by its declaration. */
  instanceOf(file: OpenFile, scope: Scope, type: Expr | undefined): Target | undefined;
  /** The type or module that an expression names. */
  typeNamed(file: OpenFile, scope: Scope, expr: Expr): Target | undefined;
  ownNames(file: OpenFile): LanguageNames | undefined;
  settle(file: OpenFile): void;
}

/** Types that are looked through for one member. */
const MOST_TYPES = 2_000;

export function createMembers(parts: MemberParts): Members {
  const { project, modules, fromTop, instanceOf, typeNamed, ownNames, settle } = parts;
  const bases = new WeakMap<FactDefinition, readonly Target[]>();

  function findMember(
    target: Target | undefined,
    name: string,
    wanted: Wanted | undefined,
    seen: Set<object>,
  ): Target | undefined {
    switch (target?.kind) {
      case 'module':
        return exported(target.path, name);
      case 'package':
        return modules.inPackage(target.key, name);
      case 'definition':
        return memberOfDefinition(target, name, wanted, seen);
      case 'member':
      case 'external':
      case 'local':
      case undefined:
        return undefined;
    }
  }

  function exported(path: string, name: string): Target | undefined {
    const file = project.open(path);
    const own = file && ownNames(file);
    return own === undefined || file === undefined
      ? modules.exported(path, name)
      : own.exported(file, file.facts.scopes[0], name);
  }

  function memberOfDefinition(
    target: DefinitionTarget,
    name: string,
    wanted: Wanted | undefined,
    seen: Set<object>,
  ): Target | undefined {
    const { all } = target;
    if (seen.has(target.definition) || seen.size > MOST_TYPES) return undefined;
    seen.add(target.definition);
    if (target.file.language === 'go') settle(target.file);
    const own = ownNames(target.file);
    own?.complete(target.definition, target.file);
    for (const owner of all) {
      const member = owner.members.get(name);
      const file = homeOf(owner, target);
      if (member !== undefined) {
        const facts: MemberFacts = { type: member.type, value: member.value, owner };
        if (member.definitions.length === 0) return { kind: 'member', file, member: facts };
        const fitting = wanted === undefined ? member.definitions : member.definitions.filter(wanted.fits);
        const [definition] = fitting;
        if (definition !== undefined)
          return {
            kind: 'definition',
            definition,
            all: fitting,
            file: project.homeOf(definition) ?? file,
            member: facts,
          };
      }
      if (owner.kind === 'module') {
        if (own !== undefined) return own.exported(file, owner.inner, name);
        const binding = owner.inner?.names.get(name);
        if (binding !== undefined) return modules.meant(file, binding);
      }
    }
    for (const owner of all) {
      const file = homeOf(owner, target);
      for (const base of basesOf(owner, file)) {
        const found = findMember(base, name, wanted, seen);
        if (found !== undefined) return found;
      }
      for (const alias of owner.aliases) {
        const found = findMember(instanceOf(file, owner.scope, alias), name, wanted, seen);
        if (found !== undefined) return found;
      }
    }
    for (const base of own?.basesOf(target.definition) ?? []) {
      const found = findMember(base, name, wanted, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What a type inherits from, found once. While it is looked for there is none: the name of a base may be looked for in the type itself. */
  function basesOf(owner: FactDefinition, file: OpenFile): readonly Target[] {
    const known = bases.get(owner);
    if (known !== undefined) return known;
    bases.set(owner, []);
    const found = fromTop(() => owner.bases.flatMap((base) => typeNamed(file, owner.scope, base) ?? []));
    bases.set(owner, found);
    return found;
  }

  /** Definitions of one name may stand in several files. */
  function homeOf(definition: FactDefinition, { file, all }: DefinitionTarget): OpenFile {
    return all.length === 1 ? file : (project.homeOf(definition) ?? file);
  }

  return {
    memberOf: (target, name, wanted) => findMember(target, name, wanted, new Set()),
    basesOf,
  };
}
