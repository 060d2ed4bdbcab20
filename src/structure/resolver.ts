/**
 * Which definition a use means: by scope, by import through re-exports, by the type of what stands before the dot as far as syntax tells,
 * by package, and else as the only member of its name. Nothing is stored: a resolver is made for one commit and remembers little.
 */
import { EXTENDED_MODULE, type Expr, type FactDefinition, type Scope, type Use } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { createRubyResolver } from './ruby-values.ts';
import { familyOf } from './families.ts';
import {
  type Defined,
  type DefinitionTarget,
  type Found,
  isFieldApart,
  type Target,
  targetOf,
} from './targets.ts';
import { isTestPath } from './test-path.ts';
import { createUsesByName, type NamedUses, type Resolved } from './uses-by-name.ts';
import { createValues } from './values.ts';
import { isDeclaring, isTypedFamily, takes, wantedBy } from './wanted.ts';

export interface Resolver {
  resolve(file: OpenFile, use: Use): Resolved | undefined;
  /** All uses of a name with what they mean. */
  usesNamed(name: string): NamedUses;
  /** Nothing tells what a use means: no scope has the name, or the type of its receiver is unknown. */
  isOpen(file: OpenFile, use: Use): boolean;
  /** What a definition inside of `declare module 'path'` adds to. */
  extended(defined: Defined): Defined | undefined;
  /** A type is derived from another, through others too. */
  inherits(type: FactDefinition, base: FactDefinition): boolean;
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
  const { lookUp, meant, memberOf, nameOf, valueOf, extending, settle, inherits } = createValues(project);
  const ruby = createRubyResolver(project);
  const byMembers: Remembered = new Map();
  const byNames: Remembered = new Map();
  const open = new WeakMap<Use, boolean>();

  function membersNamed(name: string, family: string): readonly DefinitionTarget[] {
    const found: DefinitionTarget[] = [];
    for (const { path, language } of project.naming(name)) {
      if (familyOf(language) !== family || found.length > MOST_MEMBERS) continue;
      const file = project.open(path);
      const own = file?.facts.definitionsNamed(name) ?? [];
      if (file === undefined || own.length === 0) continue;
      settle(file);
      for (const definition of own)
        if (definition.owner !== undefined || definition.ownerName !== undefined)
          found.push(targetOf(definition, file));
    }
    return found;
  }

  function resolve(file: OpenFile, use: Use): Resolved | undefined {
    if (file.facts.depth === 'names') return byName(file, use);
    if (file.language === 'ruby') return inRuby(file, use);
    const { of, scope, name } = use;
    const allWanted = wantedBy(use, file.language);
    if (of === undefined) {
      const found = firstOf(allWanted, (wanted) => lookUp(file, scope, name, wanted));
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
      const member = firstOf(allWanted, (wanted) => memberOf(owner, name, wanted));
      if (member?.kind === 'definition') return sure(member, use);
      return member === undefined ? byExtension(file, owner, use) : undefined;
    }
    if (isTypedFamily(file.language)) {
      const full = nameOf(file, scope, { kind: 'member', of, name });
      if (full?.kind === 'definition') return sure(full, use);
    }
    const extension = byExtension(file, undefined, use);
    if (extension !== undefined) return extension;
    return isForeign(file, scope, of) ? undefined : byMember(file, use);
  }

  /** The same for every definition of the name. */
  function isOpen(file: OpenFile, use: Use): boolean {
    const known = open.get(use) ?? readIsOpen(file, use);
    open.set(use, known);
    return known;
  }

  function readIsOpen(file: OpenFile, use: Use): boolean {
    if (file.facts.depth === 'names') return false;
    if (file.language === 'ruby') return ruby.resolve(file, use).kind === 'unknown';
    const { of, scope, name } = use;
    if (of === undefined) {
      const found = firstOf(wantedBy(use, file.language), (wanted) => lookUp(file, scope, name, wanted));
      return found === undefined || isFixture(file, found);
    }
    if (of.kind === 'foreign') return false;
    const owner = valueOf(file, scope, of);
    if (owner === undefined) return !isForeign(file, scope, of);
    // What such a type or object is made of may be more than syntax tells.
    const isVague =
      owner.kind === 'definition' && (owner.definition.kind === 'type' || owner.definition.kind === 'value');
    return isVague && memberOf(owner, name) === undefined;
  }

  function extended({ path, definition: { scope, name } }: Defined): Defined | undefined {
    const module = scope.names.get(EXTENDED_MODULE)?.import;
    const file = module && project.open(path);
    if (file === undefined || module === undefined) return undefined;
    const binding = { definitions: [], import: { specifier: module.specifier, name } };
    const target = meant(file, { kind: 'binding', binding });
    return target?.kind === 'definition' && target.definition.kind === 'interface'
      ? { path: target.file.path, definition: target.definition }
      : undefined;
  }

  function inRuby(file: OpenFile, use: Use): Resolved | undefined {
    const found = ruby.resolve(file, use);
    if (found.kind === 'found') return { grade: 'sure', definitions: found.places };
    return found.kind === 'unknown' ? byMember(file, use) : undefined;
  }

  /** Sure if it extends the type that a value is of; only likely if that type is a library's. */
  function byExtension(file: OpenFile, owner: Target | undefined, use: Use): Resolved | undefined {
    // Of Swift, properties too.
    if (use.kind !== 'call' && file.language !== 'swift') return undefined;
    const found = firstOf(wantedBy(use, file.language), (wanted) => extending(file, owner, use.name, wanted));
    if (found === undefined) return undefined;
    const owners = new Set(found.all.map((each) => each.owner ?? each.scope));
    const grade = owner?.kind === 'definition' ? 'sure' : owners.size === 1 ? 'likely' : 'possible';
    return { ...sure(found, use), grade };
  }

  function sure({ all, file }: DefinitionTarget, use: Use): Resolved {
    const fitting = alike(file.language, all, use).filter((definition) => takes(definition, use.args));
    const meantOnes = fitting.length === 0 ? all : fitting;
    const pathOf = (definition: FactDefinition): string => (project.homeOf(definition) ?? file).path;
    return {
      grade: isOverloaded(meantOnes, file.language) ? 'likely' : 'sure',
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
    if (found === undefined)
      return familyOf(file.language) === 'script'
        ? SCRIPT_GLOBALS.test(head.name)
        : isDeclaring(file.language);
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

  /** The same for all uses of a name: what it may mean is looked for once. */
  function byMember({ language }: OpenFile, { name }: Use): Resolved | undefined {
    const family = familyOf(language);
    return remembered(byMembers, `${family} ${name}`, () => readByMember(name, family, language));
  }

  function readByMember(name: string, family: string, language: string): Resolved | undefined {
    const all = membersNamed(name, family);
    if (all.length === 0) return undefined;
    // Keys of objects and fields of literal types are many, and seldom what a call through an unknown value means.
    const declared = all.filter(
      ({ definition: { owner } }) => owner?.kind !== 'value' && owner?.kind !== 'type',
    );
    const named = declared.length === 0 ? all : declared;
    const candidates = isTypedFamily(language) ? withoutOverrides(named) : named;
    const owners = new Set(
      candidates.map(({ definition, file: home }) =>
        definition.owner === undefined ? `${home.path} ${definition.ownerName ?? ''}` : definition.owner,
      ),
    );
    const declaring = traitOf(candidates);
    if (declaring.length > 0)
      return {
        grade: 'likely',
        definitions: declaring.map(({ definition, file: { path } }) => ({ definition, path })),
      };
    const isOnly = owners.size === 1 && !COMMON.has(name);
    const definitions = (isOnly ? candidates : all).map(({ definition, file: { path } }) => ({
      definition,
      path,
    }));
    return { grade: isOnly ? 'likely' : 'possible', definitions };
  }

  /** Of languages that are read by name alone. */
  function byName({ language: of }: OpenFile, { name }: Use): Resolved | undefined {
    const family = familyOf(of);
    return remembered(byNames, `${family} ${name}`, () => readByName(name, family));
  }

  function readByName(name: string, family: string): Resolved | undefined {
    const found: { definition: FactDefinition; path: string }[] = [];
    for (const { path, language } of project.naming(name)) {
      if (familyOf(language) !== family || found.length > MOST_MEMBERS) continue;
      for (const definition of project.open(path)?.facts.definitionsNamed(name) ?? [])
        found.push({ definition, path });
    }
    return found.length === 0 ? undefined : { grade: 'possible', definitions: found };
  }

  return { resolve, usesNamed: createUsesByName(project, resolve), isOpen, extended, inherits, settle };
}

/** In tests of Python a parameter may get what the function of its name gives. */
function isFixture({ language, path }: OpenFile, found: Found): boolean {
  if (language !== 'python' || !isTestPath(path) || found.kind !== 'binding') return false;
  const { definitions, import: imported, value } = found.binding;
  return definitions.length === 0 && imported === undefined && value === undefined;
}

/** Rust: of a trait and the types that implement it, a value of an unknown type means the trait. */
function traitOf(candidates: readonly DefinitionTarget[]): readonly DefinitionTarget[] {
  const traits = candidates.filter(
    ({ definition: { owner }, file }) => owner?.kind === 'interface' && file.language === 'rust',
  );
  const [trait] = traits;
  const name = trait?.definition.owner?.name;
  const isAll = candidates.every(
    ({ definition: { owner } }) =>
      owner === trait?.definition.owner ||
      owner?.bases.some((base) => base.kind === 'name' && base.name.split('::').at(-1) === name) === true,
  );
  return isAll ? traits : [];
}

/** What overrides another of them is left out: through a value of an unknown type, the first of a hierarchy is meant. */
function withoutOverrides(all: readonly DefinitionTarget[]): readonly DefinitionTarget[] {
  const owners = new Set(all.map(({ definition }) => definition.owner?.name ?? ''));
  const first = all.filter(
    ({ definition: { owner } }) =>
      owner?.bases.some((base) => 'name' in base && base.name !== owner.name && owners.has(base.name)) !==
      true,
  );
  return first.length === 0 ? all : first;
}

/** C++: overloads that take as many arguments are told apart by types, which syntax does not tell. */
function isOverloaded(all: readonly FactDefinition[], language: string): boolean {
  if (familyOf(language) !== 'c' || all.length < 2) return false;
  const [first] = all;
  return all.some((each) => each !== first && each.arity !== undefined && each.scope === first?.scope);
}

/** Where a method and a field have one name, a call means the method. */
function alike(language: string, all: readonly FactDefinition[], { kind }: Use): readonly FactDefinition[] {
  const fields = all.filter((each) => isFieldApart(language, each));
  if (fields.length === 0 || fields.length === all.length) return all;
  return kind === 'call' ? all.filter((each) => !fields.includes(each)) : fields;
}

type Remembered = Map<string, Resolved | undefined>;

function remembered(known: Remembered, key: string, read: () => Resolved | undefined): Resolved | undefined {
  if (!known.has(key)) known.set(key, read());
  return known.get(key);
}

function firstOf<T, R>(all: readonly T[], find: (each: T) => R | undefined): R | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
