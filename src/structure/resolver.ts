/**
 * Which definition a use means: by scope, by import through re-exports, by the type of what stands before the dot as far as syntax tells,
 * by package, and else as the only member of its name. Nothing is stored: a resolver is made for one commit and remembers little.
 */
import type { Expr, FactDefinition, Scope, Use } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { createRubyResolver } from './ruby-values.ts';
import { type DefinitionTarget, familyOf, type Grade, isFieldApart } from './targets.ts';
import { createValues, targetOf } from './values.ts';

export interface Resolved {
  readonly grade: Grade;
  readonly definitions: readonly { readonly definition: FactDefinition; readonly path: string }[];
}

export interface Resolver {
  resolve(file: OpenFile, use: Use): Resolved | undefined;
  /** Sees to it that methods know their types, in languages where they may stand apart. */
  settle(file: OpenFile): void;
}

/** Variables that are set to each other are followed so far. */
const MOST_STEPS = 8;
/** Nothing is said of a name that so many types have. */
const MOST_MEMBERS = 2_000;
/** So common, in the libraries of every language, that the only one of a project is seldom meant. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'get set add has delete push pop map filter forEach reduce find includes join split slice concat keys values entries then catch ' +
    'finally toString valueOf call apply bind test match replace trim append send write read close open end on once emit clear next ' +
    'return format index count copy update items strip encode decode lower upper startswith endswith sort reverse insert remove extend ' +
    'setdefault json text run start stop parse name value type length size message data error equals hashCode'
  ).split(' '),
);
const SCRIPT_GLOBALS =
  /^(?:console|Math|JSON|Object|Array|Promise|Reflect|Number|String|Symbol|Date|Intl|globalThis|process|window|document|URL|Map|Set|Error)$/;

export function createResolver(project: ProjectFacts): Resolver {
  const { lookUp, meant, memberOf, nameOf, valueOf, fileOf, settle } = createValues(project);
  const ruby = createRubyResolver(project);
  const members = new Map<string, readonly DefinitionTarget[]>();

  function membersNamed(name: string, family: string): readonly DefinitionTarget[] {
    const key = `${family} ${name}`;
    const known = members.get(key);
    if (known !== undefined) return known;
    const found: DefinitionTarget[] = [];
    for (const { path, language } of project.naming(name)) {
      if (familyOf(language) !== family || found.length > MOST_MEMBERS) continue;
      const file = project.open(path);
      if (file === undefined) continue;
      settle(file);
      for (const definition of file.facts.definitions)
        if (
          definition.name === name &&
          (definition.owner !== undefined || definition.ownerName !== undefined)
        )
          found.push(targetOf(definition, file));
    }
    members.set(key, found);
    return found;
  }

  function resolve(file: OpenFile, use: Use): Resolved | undefined {
    if (file.facts.depth === 'names') return byName(file, use);
    if (file.language === 'ruby') return inRuby(file, use);
    const { of, scope, name } = use;
    if (of === undefined) {
      const found = lookUp(file, scope, name);
      const target = meant(file, found);
      if (target?.kind === 'definition') return sure(target, use);
      const part = found?.kind === 'binding' ? found.binding.value : undefined;
      // `const { name } = thing`: the name is that of the member.
      const isTaken = part?.kind === 'member' && part.name === name && familyOf(file.language) === 'script';
      const member = isTaken ? nameOf(file, scope, part) : undefined;
      return member?.kind === 'definition' ? sure(member, use) : undefined;
    }
    if (of.kind === 'foreign') return undefined;
    const owner = valueOf(file, scope, of);
    if (owner !== undefined) {
      const member = memberOf(owner, name);
      return member?.kind === 'definition' ? sure(member, use) : undefined;
    }
    return isForeign(file, scope, of) ? undefined : byMember(file, use);
  }

  function inRuby(file: OpenFile, use: Use): Resolved | undefined {
    const found = ruby.resolve(file, use);
    if (found.kind === 'found') return { grade: 'sure', definitions: found.places };
    return found.kind === 'unknown' ? byMember(file, use) : undefined;
  }

  function sure({ all, file }: DefinitionTarget, use: Use): Resolved {
    const fitting = alike(file.language, all, use).filter((definition) => takes(definition, use));
    const meantOnes = fitting.length === 0 ? all : fitting;
    const pathOf = (definition: FactDefinition): string =>
      file.language === 'go' ? fileOf(file, definition).path : file.path;
    return {
      grade: 'sure',
      definitions: meantOnes.map((definition) => ({ definition, path: pathOf(definition) })),
    };
  }

  /** The receiver begins with something from outside: nothing of ours is meant. */
  function isForeign(file: OpenFile, scope: Scope, of: Expr, depth = 0): boolean {
    let head = of;
    while ('of' in head && typeof head.of === 'object') head = head.of;
    if (head.kind === 'foreign') return true;
    if (file.language === 'php') return isForeignPhp(file, scope, head, depth);
    if (head.kind !== 'name' || head.name === 'this') return false;
    const found = lookUp(file, scope, head.name);
    if (found === undefined) return familyOf(file.language) === 'script' && SCRIPT_GLOBALS.test(head.name);
    return meant(file, found)?.kind === 'external';
  }

  /** A class is found by its full name, or is of a library; so is a variable that is declared or made as one. */
  function isForeignPhp(file: OpenFile, scope: Scope, head: Expr, depth: number): boolean {
    if (head.kind === 'type') return head.name !== 'this' && valueOf(file, scope, head) === undefined;
    if (head.kind !== 'name' || head.name === 'this') return false;
    const found = lookUp(file, scope, head.name);
    if (!head.name.startsWith('$')) return found === undefined || meant(file, found)?.kind === 'external';
    const told = found?.kind === 'binding' ? (found.binding.type ?? found.binding.value) : undefined;
    return told !== undefined && depth < MOST_STEPS && isForeign(file, scope, told, depth + 1);
  }

  function byMember(file: OpenFile, use: Use): Resolved | undefined {
    const all = membersNamed(use.name, familyOf(file.language));
    if (all.length === 0) return undefined;
    // Keys of objects and fields of literal types are many, and seldom what a call through an unknown value means.
    const declared = all.filter(
      ({ definition: { owner } }) => owner?.kind !== 'value' && owner?.kind !== 'type',
    );
    const candidates = declared.length === 0 ? all : declared;
    const owners = new Set(
      candidates.map(({ definition, file: home }) =>
        definition.owner === undefined ? `${home.path} ${definition.ownerName ?? ''}` : definition.owner,
      ),
    );
    const isOnly = owners.size === 1 && !COMMON.has(use.name);
    const definitions = (isOnly ? candidates : all).map(({ definition, file: { path } }) => ({
      definition,
      path,
    }));
    return { grade: isOnly ? 'likely' : 'possible', definitions };
  }

  /** Of languages that are read by name alone. */
  function byName(file: OpenFile, { name }: Use): Resolved | undefined {
    const family = familyOf(file.language);
    const found: { definition: FactDefinition; path: string }[] = [];
    for (const { path, language } of project.naming(name)) {
      if (familyOf(language) !== family || found.length > MOST_MEMBERS) continue;
      for (const definition of project.open(path)?.facts.definitions ?? [])
        if (definition.name === name) found.push({ definition, path });
    }
    return found.length === 0 ? undefined : { grade: 'possible', definitions: found };
  }

  return { resolve, settle };
}

/** Where a method and a field have one name, a call means the method. */
function alike(language: string, all: readonly FactDefinition[], { kind }: Use): readonly FactDefinition[] {
  const fields = all.filter((each) => isFieldApart(language, each));
  if (fields.length === 0 || fields.length === all.length) return all;
  return kind === 'call' ? all.filter((each) => !fields.includes(each)) : fields;
}

function takes({ arity, isVariadic }: FactDefinition, { args }: Use): boolean {
  if (arity === undefined || args === undefined) return true;
  return arity === args || (isVariadic === true && args >= arity - 1);
}
