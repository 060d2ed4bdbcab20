/**
 * What names and expressions mean: by scope, by import through re-exports, by package, and by the type of a value as far as syntax tells.
 */
import type { Binding, Expr, FactDefinition, Scope } from '../languages/index.ts';
import { createLanguageNames } from './language-names.ts';
import { createModules } from './modules.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import {
  definesType,
  type DefinitionTarget,
  familyOf,
  type Found,
  isType,
  type MemberFacts,
  type Target,
} from './targets.ts';

export interface Values {
  /** A name, from a scope outwards. */
  lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined;
  meant(file: OpenFile, found: Found | undefined): Target | undefined;
  memberOf(target: Target | undefined, name: string): Target | undefined;
  /** What an expression names: a definition or a module. */
  nameOf(file: OpenFile, scope: Scope, expr: Expr): Target | undefined;
  /** What the value of an expression is an instance of; or the type or module itself. */
  valueOf(file: OpenFile, scope: Scope, expr: Expr | undefined): Target | undefined;
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
  /** Of languages whose names are not those of scopes and modules alone. */
  const ownNames = createLanguageNames({ project, meant: meantBy, memberOf, instanceOf });
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
    ownNames(file)?.settle(file);
    const key = modules.packageOf(file);
    if (key !== undefined) modules.inPackage(key, '');
  }

  function lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined {
    const own = ownNames(file);
    if (own !== undefined) return own.lookUp(file, scope, name);
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
      (familyOf(file.language) === 'script' ? modules.ambient(name) : undefined);
    return target && { kind: 'target', target };
  }

  function meant(file: OpenFile, found: Found | undefined): Target | undefined {
    if (found === undefined) return undefined;
    return found.kind === 'target' ? found.target : meantBy(file, found.binding);
  }

  function meantBy(file: OpenFile, binding: Binding): Target | undefined {
    const own = binding.import === undefined || binding.definitions.length > 0 ? undefined : ownNames(file);
    if (own === undefined || binding.import === undefined) return modules.meant(file, binding);
    return own.imported(file, binding.import) ?? { kind: 'external' };
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
        return exported(target.path, name);
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

  function exported(path: string, name: string): Target | undefined {
    const file = project.open(path);
    const own = file && ownNames(file);
    return own === undefined || file === undefined
      ? modules.exported(path, name)
      : own.exported(file, file.facts.scopes[0], name);
  }

  function memberOfDefinition(target: DefinitionTarget, name: string, seen: Set<object>): Target | undefined {
    const { all, file } = target;
    if (seen.has(target.definition) || seen.size > MOST_TYPES) return undefined;
    seen.add(target.definition);
    if (file.language === 'go') settle(file);
    const own = ownNames(file);
    own?.complete(target.definition, file);
    for (const owner of all) {
      const member = owner.members.get(name);
      if (member !== undefined) {
        const facts: MemberFacts = { type: member.type, value: member.value, owner };
        const [definition] = member.definitions;
        if (definition === undefined) return { kind: 'member', file, member: facts };
        const home = project.homeOf(definition) ?? file;
        return { kind: 'definition', definition, all: member.definitions, file: home, member: facts };
      }
      if (owner.kind === 'module') {
        if (own !== undefined) return own.exported(file, owner.inner, name);
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
    for (const base of own?.basesOf(target.definition) ?? []) {
      const found = memberOf(base, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
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
    // A type parameter has the members of its bound.
    if (found?.kind === 'local' && ownNames(file) !== undefined)
      return once(found.binding, () => instanceOf(file, scope, found.binding.type));
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
        return resultOf(nameOf(file, scope, expr.of));
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
    const { definition, file, member } = target;
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

  /** What a call gives. */
  function resultOf(called: Target | undefined): Target | undefined {
    if (called?.kind === 'member') return resultOfType(called.file, called.member);
    if (called?.kind !== 'definition') return undefined;
    // Python calls its classes, Go converts by its types.
    if (definesType(called.definition)) return called;
    const { definition, file, member } = called;
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
    settle,
  };
}

export function targetOf(definition: FactDefinition, file: OpenFile): DefinitionTarget {
  return { kind: 'definition', definition, all: [definition], file };
}
