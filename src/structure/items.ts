/** What lists and other containers hold, by the type that is declared for them. */
import type { Expr, Scope } from '../languages/index.ts';
import type { Names } from './names.ts';
import type { OpenFile } from './project-facts.ts';
import type { Target } from './targets.ts';
import { isTypedFamily } from './wanted.ts';

export interface Typed {
  readonly file: OpenFile;
  readonly scope: Scope;
  readonly type: Expr;
}

export interface Items {
  typeOfItem(file: OpenFile, scope: Scope, list: Expr): Typed | undefined;
  /** What a method of a container gives: `list.get(0)`. */
  itemOfCall(file: OpenFile, scope: Scope, called: Expr): Typed | undefined;
}

type ItemParts = Pick<Names, 'lookUp' | 'meant'> & {
  memberOf(target: Target | undefined, name: string): Target | undefined;
  nameOf(file: OpenFile, scope: Scope, expr: Expr): Target | undefined;
  valueOf(file: OpenFile, scope: Scope, expr: Expr | undefined): Target | undefined;
  once<T>(what: object, work: () => T): T | undefined;
};

/** Of the containers of libraries: methods that give one item, and those that give a container of the same. */
const GIVES_ITEM: ReadonlySet<string> = new Set(
  (
    'get next previous remove poll peek pop element first last getFirst getLast pollFirst pollLast peekFirst peekLast take ' +
    'orElse orElseGet orElseThrow getOrDefault computeIfAbsent put putIfAbsent getAndSet call join ' +
    'First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt Dequeue Pop Peek GetValueOrDefault ' +
    'firstOrNull lastOrNull single singleOrNull getOrNull getOrElse getOrPut find head headOption'
  ).split(' '),
);
const GIVES_SAME: ReadonlySet<string> = new Set(
  (
    'stream parallelStream iterator listIterator values filter sorted distinct limit skip peek subList of ' +
    'Where OrderBy OrderByDescending Skip Take Distinct Reverse ToList ToArray AsEnumerable Values ' +
    'toList toSet sortedBy reversed drop asSequence filterNot'
  ).split(' '),
);

export function createItems({ lookUp, meant, memberOf, nameOf, valueOf, once }: ItemParts): Items {
  function typeOfItem(file: OpenFile, scope: Scope, list: Expr): Typed | undefined {
    const found = once(list, () => declaredType(file, scope, list));
    if (found?.type.kind !== 'type') return undefined;
    const { wrap, ...type } = found.type;
    return wrap === undefined && isTypedFamily(file.language) ? undefined : { ...found, type };
  }

  function itemOfCall(file: OpenFile, scope: Scope, called: Expr): Typed | undefined {
    if (called.kind !== 'member' || !isTypedFamily(file.language) || !GIVES_ITEM.has(called.name))
      return undefined;
    return typeOfItem(file, scope, called.of);
  }

  /** The declared type of an expression, with what is around it. */
  function declaredType(file: OpenFile, scope: Scope, expr: Expr): Typed | undefined {
    if (expr.kind === 'type') return { file, scope, type: expr };
    if (expr.kind === 'call') {
      const called = nameOf(file, scope, expr.of);
      const type = called?.kind === 'definition' ? called.definition.returns[0] : undefined;
      if (called?.kind === 'definition' && type !== undefined)
        return { file: called.file, scope: called.definition.scope, type };
      const { of } = expr;
      const isSame = of.kind === 'member' && isTypedFamily(file.language) && GIVES_SAME.has(of.name);
      return isSame ? once(of, () => declaredType(file, scope, of.of)) : undefined;
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

  return { typeOfItem, itemOfCall };
}
