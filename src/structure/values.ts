/**
 * What names and expressions mean: by scope, by import through re-exports, by package, and by the type of a value as far as syntax tells.
 */
import type { Expr, FactDefinition, Scope } from '../languages/index.ts';
import { createExtensions, type Extensions } from './extensions.ts';
import { createGuard } from './guard.ts';
import { createHierarchy, type Hierarchy } from './hierarchy.ts';
import { createItems, type Typed } from './items.ts';
import { createLanguageNames } from './language-names.ts';
import { createMembers } from './members.ts';
import { createModules, type Modules } from './modules.ts';
import { createNames } from './names.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import {
  definesType,
  type DefinitionTarget,
  fieldOf,
  type Found,
  isType,
  type MemberFacts,
  methodOf,
  returnsSelf,
  type Target,
  targetOf,
} from './targets.ts';
import { A_TYPE, A_VALUE, CALLABLE, isApart, isDeclaring, isTypedFamily, type Wanted } from './wanted.ts';

export interface Values extends Extensions, Hierarchy {
  /** A name, from a scope outwards. */
  lookUp(file: OpenFile, scope: Scope, name: string, wanted?: Wanted): Found | undefined;
  meant(file: OpenFile, found: Found | undefined): Target | undefined;
  memberOf(target: Target | undefined, name: string, wanted?: Wanted): Target | undefined;
  /** What an expression names: a definition or a module. */
  nameOf(file: OpenFile, scope: Scope, expr: Expr): Target | undefined;
  /** What the value of an expression is an instance of; or the type or module itself. */
  valueOf(file: OpenFile, scope: Scope, expr: Expr | undefined): Target | undefined;
  /** Sees to it that methods know their types, in languages where they may stand apart. */
  settle(file: OpenFile): void;
}

const EXTERNAL: Target = { kind: 'external' };
const MOST_DEPTH = 16;
const TRANSPARENT: ReadonlySet<string> = new Set([
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Promise',
  'Task',
  'ValueTask',
  'Awaited',
]);
export function createValues(project: ProjectFacts): Values {
  const { once, fromTop } = createGuard(MOST_DEPTH);
  const modules: Modules = createModules(project, (target, name) => memberOf(target, name));
  const { memberOf, basesOf } = createMembers({
    project,
    modules,
    fromTop,
    instanceOf,
    typeNamed,
    ownNames: (file) => ownNames(file),
    settle,
  });
  const { lookUp, meant, meantBy, wholeOf } = createNames(modules, memberOf, (file) => ownNames(file));
  const allBasesOf = (definition: FactDefinition): readonly Target[] => {
    const home = project.homeOf(definition);
    return home === undefined ? [] : basesOf(definition, home);
  };
  const { extending } = createExtensions(project, allBasesOf, (file) => settle(file));
  const { inherits } = createHierarchy((type) => {
    const home = project.homeOf(type);
    return [...allBasesOf(type), ...((home && ownNames(home)?.basesOf(type)) ?? [])];
  });
  const { typeOfItem, itemOfCall } = createItems({ lookUp, meant, memberOf, nameOf, valueOf, once });
  /** Of languages whose names are not those of scopes and modules alone. */
  const ownNames = createLanguageNames({
    project,
    meant: meantBy,
    memberOf,
    instanceOf,
  });

  function settle(file: OpenFile): void {
    ownNames(file)?.settle(file);
    const key = modules.packageOf(file);
    if (key !== undefined) modules.inPackage(key, '');
  }

  function named(file: OpenFile, scope: Scope, name: string, wanted?: Wanted): Target | undefined {
    return meant(file, lookUp(file, scope, name, wanted));
  }

  function classAround(scope: Scope): FactDefinition | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.kind === 'class') return at.definition;
    return undefined;
  }

  /** The type of which a value is, by its declaration. */
  function instanceOf(file: OpenFile, scope: Scope, type: Expr | undefined): Target | undefined {
    const isStrict = isDeclaring(file.language);
    if (type?.kind !== 'type') return isStrict && type?.kind === 'foreign' ? EXTERNAL : undefined;
    if (type.wrap !== undefined && !TRANSPARENT.has(type.wrap)) return isStrict ? EXTERNAL : undefined;
    if (type.name === 'this' || type.name === 'Self') {
      const around = classAround(scope);
      if (around !== undefined) return targetOf(around, file);
    }
    const found =
      type.of === undefined
        ? named(file, scope, type.name, isTypedFamily(file.language) ? A_TYPE : undefined)
        : memberOfNamed(file, scope, type.of, type.name);
    // A type parameter has the members of its bound.
    if (found?.kind === 'local' && ownNames(file) !== undefined)
      return once(found.binding, () => instanceOf(file, scope, found.binding.type));
    if (isType(found) || (isStrict && found?.kind === 'external')) return found;
    // Where types are declared or imported, one that is not found is a library's; in Go, that of a package.
    const of = file.language === 'go' && type.of !== undefined && named(file, scope, type.of)?.kind;
    return (isStrict && found === undefined) || of === 'external' ? EXTERNAL : undefined;
  }

  /** `Outer.Inner`, and a full name where packages have some. */
  function memberOfNamed(file: OpenFile, scope: Scope, of: string, name: string): Target | undefined {
    const [first = '', ...rest] = of.split('.');
    let owner = named(file, scope, first);
    for (const part of rest) owner = memberOf(owner, part);
    return (
      memberOf(owner, name) ??
      (isTypedFamily(file.language) ? modules.byFullName(`${of}.${name}`, file) : undefined)
    );
  }

  /** The type or module that an expression names, as in `extends a.B`. */
  function typeNamed(file: OpenFile, scope: Scope, expr: Expr): Target | undefined {
    const found = nameOf(file, scope, expr);
    return isType(found) || found?.kind === 'module' || found?.kind === 'package' ? found : undefined;
  }

  /** What an expression names: a definition or a module. */
  function nameOf(file: OpenFile, scope: Scope, expr: Expr, wanted?: Wanted): Target | undefined {
    if (expr.kind === 'name') return named(file, scope, expr.name, wanted);
    if (expr.kind === 'type') return instanceOf(file, scope, expr);
    if (expr.kind !== 'member') return undefined;
    const of = valueOf(file, scope, expr.of);
    const found = memberOf(of, expr.name, wanted) ?? byFullName(file, scope, expr);
    return found ?? (of === undefined ? undefined : extending(file, of, expr.name, wanted));
  }

  /** `a.b.C`, where `a` is the beginning of a package. */
  function byFullName(file: OpenFile, scope: Scope, expr: Expr): Target | undefined {
    if (!isTypedFamily(file.language)) return undefined;
    const parts: string[] = [];
    let at = expr;
    for (; at.kind === 'member'; at = at.of) parts.unshift(at.name);
    if (at.kind !== 'name' || lookUp(file, scope, at.name) !== undefined) return undefined;
    return modules.byFullName([at.name, ...parts].join('.'), file);
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
        return resultOfCall(file, scope, expr.of) ?? itemOf(itemOfCall(file, scope, expr.of));
      case 'item':
        return itemOf(typeOfItem(file, scope, expr.of));
      case 'result': {
        const called = nameOf(file, scope, expr.of);
        if (called?.kind !== 'definition') return undefined;
        return instanceOf(called.file, called.definition.scope, called.definition.returns[expr.at]);
      }
      case 'member': {
        const wanted = isApart(file.language) ? A_VALUE : undefined;
        const found =
          memberOf(valueOf(file, scope, expr.of), expr.name, wanted) ?? byFullName(file, scope, expr);
        return found && valueOfTarget(found);
      }
      case 'foreign':
      case 'unknown':
        return undefined;
    }
  }

  function calledBy(file: OpenFile, scope: Scope, called: Expr): Target | undefined {
    const wanted = isApart(file.language) ? CALLABLE : undefined;
    const found = nameOf(file, scope, called, wanted);
    return found ?? (wanted === undefined ? undefined : nameOf(file, scope, called));
  }

  function itemOf(item: Typed | undefined): Target | undefined {
    return item && instanceOf(item.file, item.scope, item.type);
  }

  function valueOfName(file: OpenFile, scope: Scope, name: string): Target | undefined {
    if (name === 'this' || name === 'self' || name === 'cls') {
      const around = classAround(scope);
      if (around !== undefined) return wholeOf(around, file);
    }
    if (name === 'super') {
      const around = classAround(scope);
      for (const base of around?.bases ?? []) {
        const found = typeNamed(file, around?.scope ?? scope, base);
        if (found !== undefined) return found;
      }
      return isTypedFamily(file.language) ? EXTERNAL : undefined;
    }
    const found = lookUp(file, scope, name, isApart(file.language) ? A_VALUE : undefined);
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
    const called = calledBy(file, scope, of);
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
    const scope = (ownNames(file) === undefined ? definition.owner?.inner : undefined) ?? definition.scope;
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

  return {
    lookUp,
    meant,
    memberOf,
    nameOf,
    valueOf,
    extending,
    inherits,
    settle,
  };
}
