/**
 * What names and expressions mean: by scope, by import through re-exports, by package, and by the type of a value as far as syntax tells.
 */
import type { Binding, Expr, FactDefinition, Scope } from '../languages/index.ts';
import { createModules } from './modules.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import {
  definesType,
  type DefinitionTarget,
  isFieldApart,
  isType,
  type MemberFacts,
  type Target,
} from './targets.ts';

/** A name that was found in a scope, or what it means where no scope has it. */
export type Found =
  | { readonly kind: 'binding'; readonly binding: Binding }
  | { readonly kind: 'target'; readonly target: Target };

export interface Values {
  /** A name, from a scope outwards. */
  lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined;
  meant(file: OpenFile, found: Found | undefined): Target | undefined;
  memberOf(target: Target | undefined, name: string): Target | undefined;
  /** What an expression names: a definition or a module. */
  nameOf(file: OpenFile, scope: Scope, expr: Expr): Target | undefined;
  /** What the value of an expression is an instance of; or the type or module itself. */
  valueOf(file: OpenFile, scope: Scope, expr: Expr | undefined): Target | undefined;
  /** The file of a definition that is a member of a type of this file. */
  fileOf(file: OpenFile, definition: FactDefinition): OpenFile;
  /** Sees to it that methods know their types, in languages where they may stand apart. */
  settle(file: OpenFile): void;
}

const MOST_DEPTH = 16;
/** Types that are looked through for one member. */
const MOST_TYPES = 2_000;
const TRANSPARENT: ReadonlySet<string> = new Set([
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Promise',
  'Awaited',
]);
export function createValues(project: ProjectFacts): Values {
  const modules = createModules(project);
  const busy = new Set<object>();
  let depth = 0;

  /** Guards against values that are defined by each other, and against chains that are too long. */
  function once<T>(what: object, work: () => T): T | undefined {
    if (busy.has(what) || depth > MOST_DEPTH) return undefined;
    busy.add(what);
    depth++;
    try {
      return work();
    } finally {
      busy.delete(what);
      depth--;
    }
  }

  function settle(file: OpenFile): void {
    const key = modules.packageOf(file);
    if (key !== undefined) modules.inPackage(key, '');
  }

  function lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      // Methods do not see the names of their class.
      if (at.kind === 'class' && file.language === 'python' && at !== scope) continue;
      const binding = at.names.get(name);
      if (binding !== undefined) return { kind: 'binding', binding };
      if (at.kind === 'class' && at.definition !== undefined && file.language === 'java') {
        const target = memberOf(targetOf(at.definition, file), name);
        if (target !== undefined) return { kind: 'target', target };
      }
    }
    const key = modules.packageOf(file);
    const target =
      (key === undefined ? undefined : modules.inPackage(key, name)) ??
      modules.starred(file, name) ??
      modules.outside(file, name);
    return target && { kind: 'target', target };
  }

  function meant(file: OpenFile, found: Found | undefined): Target | undefined {
    if (found === undefined) return undefined;
    return found.kind === 'target' ? found.target : modules.meant(file, found.binding);
  }

  function named(file: OpenFile, scope: Scope, name: string): Target | undefined {
    return meant(file, lookUp(file, scope, name));
  }

  function classAround(scope: Scope): FactDefinition | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.kind === 'class') return at.definition;
    return undefined;
  }

  function memberOf(
    target: Target | undefined,
    name: string,
    seen: Set<object> = new Set(),
  ): Target | undefined {
    switch (target?.kind) {
      case 'module':
        return modules.exported(target.path, name);
      case 'package':
        return modules.inPackage(target.key, name);
      case 'definition':
        return memberOfDefinition(target, name, seen);
      case 'member':
      case 'external':
      case 'local':
      case undefined:
        return undefined;
    }
  }

  function memberOfDefinition(target: DefinitionTarget, name: string, seen: Set<object>): Target | undefined {
    const { all, file } = target;
    if (seen.has(target.definition) || seen.size > MOST_TYPES) return undefined;
    seen.add(target.definition);
    if (file.language === 'go') settle(file);
    for (const owner of all) {
      const member = owner.members.get(name);
      if (member !== undefined) {
        const facts: MemberFacts = { type: member.type, value: member.value, owner };
        const [definition] = member.definitions;
        if (definition === undefined) return { kind: 'member', file, member: facts };
        // Go keeps methods of a type in several files of its package.
        const home = file.language === 'go' ? fileOf(file, definition) : file;
        return { kind: 'definition', definition, all: member.definitions, file: home, member: facts };
      }
      if (owner.kind === 'module') {
        const binding = owner.inner?.names.get(name);
        if (binding !== undefined) return modules.meant(file, binding);
      }
    }
    for (const owner of all) {
      for (const base of owner.bases) {
        const found = memberOf(typeNamed(file, owner.scope, base), name, seen);
        if (found !== undefined) return found;
      }
      for (const alias of owner.aliases) {
        const found = memberOf(instanceOf(file, owner.scope, alias), name, seen);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  function fileOf(file: OpenFile, definition: FactDefinition): OpenFile {
    if (file.facts.definitions.includes(definition)) return file;
    const key = modules.packageOf(file);
    const homes = project.naming(definition.name).flatMap(({ path }) => project.open(path) ?? []);
    return (
      homes.find((home) => modules.packageOf(home) === key && home.facts.definitions.includes(definition)) ??
      file
    );
  }

  /** The type of which a value is, by its declaration. */
  function instanceOf(file: OpenFile, scope: Scope, type: Expr | undefined): Target | undefined {
    if (type?.kind !== 'type' || (type.wrap !== undefined && !TRANSPARENT.has(type.wrap))) return undefined;
    if (type.name === 'this' || type.name === 'Self') {
      const around = classAround(scope);
      return around && targetOf(around, file);
    }
    if (type.of !== undefined) return memberOf(named(file, scope, type.of), type.name);
    const found = named(file, scope, type.name);
    return isType(found) ? found : undefined;
  }

  /** The type or module that an expression names, as in `extends a.B`. */
  function typeNamed(file: OpenFile, scope: Scope, expr: Expr): Target | undefined {
    const found = nameOf(file, scope, expr);
    return isType(found) || found?.kind === 'module' || found?.kind === 'package' ? found : undefined;
  }

  /** What an expression names: a definition or a module. */
  function nameOf(file: OpenFile, scope: Scope, expr: Expr): Target | undefined {
    if (expr.kind === 'name') return named(file, scope, expr.name);
    if (expr.kind === 'type') return instanceOf(file, scope, expr);
    return expr.kind === 'member' ? memberOf(valueOf(file, scope, expr.of), expr.name) : undefined;
  }

  /** What the value of an expression is an instance of; or the type or module itself. */
  function valueOf(file: OpenFile, scope: Scope, expr: Expr | undefined): Target | undefined {
    return expr && once(expr, () => valueOfExpr(file, scope, expr));
  }

  function valueOfExpr(file: OpenFile, scope: Scope, expr: Expr): Target | undefined {
    switch (expr.kind) {
      case 'type':
        return instanceOf(file, scope, expr);
      case 'name':
        return valueOfName(file, scope, expr.name);
      case 'new': {
        const made = nameOf(file, scope, expr.of);
        return isType(made) ? made : undefined;
      }
      case 'call':
        if (expr.of.kind === 'name' && expr.of.name === 'super') return valueOf(file, scope, expr.of);
        return resultOfCall(file, scope, expr.of);
      case 'item': {
        const item = typeOfItem(file, scope, expr.of);
        return item && instanceOf(item.file, item.scope, item.type);
      }
      case 'result': {
        const called = nameOf(file, scope, expr.of);
        if (called?.kind !== 'definition') return undefined;
        return instanceOf(called.file, called.definition.scope, called.definition.returns[expr.at]);
      }
      case 'member': {
        const found = memberOf(valueOf(file, scope, expr.of), expr.name);
        return found && valueOfTarget(found);
      }
      case 'foreign':
      case 'unknown':
        return undefined;
    }
  }

  function valueOfName(file: OpenFile, scope: Scope, name: string): Target | undefined {
    if (name === 'this' || name === 'self' || name === 'cls') {
      const around = classAround(scope);
      if (around !== undefined) return targetOf(around, file);
    }
    if (name === 'super') {
      const around = classAround(scope);
      for (const base of around?.bases ?? []) {
        const found = typeNamed(file, around?.scope ?? scope, base);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const found = lookUp(file, scope, name);
    if (found?.kind === 'binding' && found.binding.definitions.length === 0) {
      const { type, value } = found.binding;
      if (type !== undefined) return instanceOf(file, scope, type);
      if (value !== undefined) return valueOf(file, scope, value);
    }
    const target = meant(file, found);
    return target && valueOfTarget(target);
  }

  function valueOfTarget(target: Target): Target | undefined {
    switch (target.kind) {
      case 'module':
      case 'package':
        return target;
      case 'external':
      case 'local':
        return undefined;
      case 'member':
        return valueOfMember(
          target.file,
          target.member,
          target.member.owner.inner ?? target.member.owner.scope,
        );
      case 'definition':
        return isType(target) ? target : valueOfDefinition(target);
    }
  }

  function valueOfDefinition(target: DefinitionTarget): Target | undefined {
    const { file, member } = target;
    const definition = fieldOf(target);
    if (member?.type !== undefined || member?.value !== undefined)
      return valueOfMember(file, member, definition.scope);
    if (definition.isAccessor === true) return instanceOf(file, definition.scope, definition.returns[0]);
    if (definition.type !== undefined) return instanceOf(file, definition.scope, definition.type);
    // An object whose keys are known.
    if (definition.members.size > 0) return target;
    return valueOf(file, definition.scope, definition.value);
  }

  function valueOfMember(file: OpenFile, { type, value }: MemberFacts, scope: Scope): Target | undefined {
    return type === undefined ? valueOf(file, scope, value) : instanceOf(file, scope, type);
  }

  /** What a call gives; a method that returns itself gives what it was called on, which may be of a derived type. */
  function resultOfCall(file: OpenFile, scope: Scope, of: Expr): Target | undefined {
    const called = nameOf(file, scope, of);
    const definition = called?.kind === 'definition' ? methodOf(called) : undefined;
    if (of.kind === 'member' && definition !== undefined && returnsSelf(definition))
      return valueOf(file, scope, of.of);
    return resultOf(called);
  }

  function resultOf(called: Target | undefined): Target | undefined {
    if (called?.kind === 'member') return resultOfType(called.file, called.member);
    if (called?.kind !== 'definition') return undefined;
    // Python calls its classes, Go converts by its types.
    if (definesType(called.definition)) return called;
    const { file, member } = called;
    const definition = methodOf(called);
    const byField = member === undefined ? undefined : resultOfType(file, member);
    if (byField !== undefined) return byField;
    const [declared] = definition.returns;
    const scope = definition.owner?.inner ?? definition.scope;
    if (declared !== undefined) return instanceOf(file, scope, declared);
    if (definition.returned === undefined) return undefined;
    return once(definition, () => valueOf(file, definition.inner ?? scope, definition.returned));
  }

  /** A field that holds a function. */
  function resultOfType(file: OpenFile, { type, owner }: MemberFacts): Target | undefined {
    if (type?.kind !== 'type' || type.wrap !== 'Func') return undefined;
    const { wrap: _, ...given } = type;
    return instanceOf(file, owner.scope, given);
  }

  interface Typed {
    readonly file: OpenFile;
    readonly scope: Scope;
    readonly type: Expr;
  }

  function typeOfItem(file: OpenFile, scope: Scope, list: Expr): Typed | undefined {
    const found = once(list, () => declaredType(file, scope, list));
    if (found?.type.kind !== 'type') return undefined;
    const { wrap: _, ...type } = found.type;
    return { ...found, type };
  }

  /** The declared type of an expression, with what is around it. */
  function declaredType(file: OpenFile, scope: Scope, expr: Expr): Typed | undefined {
    if (expr.kind === 'type') return { file, scope, type: expr };
    if (expr.kind === 'call') {
      const called = nameOf(file, scope, expr.of);
      const type = called?.kind === 'definition' ? called.definition.returns[0] : undefined;
      if (called?.kind !== 'definition' || type === undefined) return undefined;
      return { file: called.file, scope: called.definition.scope, type };
    }
    if (expr.kind === 'member') return typeOfTarget(memberOf(valueOf(file, scope, expr.of), expr.name));
    if (expr.kind !== 'name') return undefined;
    const found = lookUp(file, scope, expr.name);
    if (found?.kind === 'binding') {
      const { type, value } = found.binding;
      if (type !== undefined) return { file, scope, type };
      if (value !== undefined) return once(value, () => declaredType(file, scope, value));
    }
    return typeOfTarget(meant(file, found));
  }

  function typeOfTarget(target: Target | undefined): Typed | undefined {
    if (target?.kind === 'member' && target.member.type !== undefined)
      return { file: target.file, scope: target.member.owner.scope, type: target.member.type };
    if (target?.kind !== 'definition') return undefined;
    const { definition, file, member } = target;
    const type = member?.type ?? definition.type;
    if (type !== undefined) return { file, scope: definition.scope, type };
    const value = member?.value ?? definition.value;
    return value && once(value, () => declaredType(file, definition.scope, value));
  }

  return {
    lookUp,
    meant,
    memberOf: (target, name) => memberOf(target, name),
    nameOf,
    valueOf,
    fileOf,
    settle,
  };
}

/** Where a method and a field have one name: what is called, or what is read. */
function methodOf({ definition, all, file }: DefinitionTarget): FactDefinition {
  return all.find((each) => !isFieldApart(file.language, each)) ?? definition;
}

function fieldOf({ definition, all, file }: DefinitionTarget): FactDefinition {
  return all.find((each) => isFieldApart(file.language, each)) ?? definition;
}

function returnsSelf({ returns: [declared], returned, isAccessor }: FactDefinition): boolean {
  if (isAccessor === true) return false;
  if (declared !== undefined)
    return declared.kind === 'type' && declared.name === 'this' && declared.wrap === undefined;
  return returned?.kind === 'name' && returned.name === 'this';
}

export function targetOf(definition: FactDefinition, file: OpenFile): DefinitionTarget {
  return { kind: 'definition', definition, all: [definition], file };
}
