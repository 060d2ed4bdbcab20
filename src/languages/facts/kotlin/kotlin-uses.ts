/** The uses of Kotlin: which kind of use a name is, and what stands before its dot. */
import type { UseKind } from '../../../core/index.ts';
import type { Collector } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import type { KotlinExpressions } from './kotlin-expressions.ts';
import { childOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

const UNKNOWN: Expr = { kind: 'unknown' };

export function readKotlinUse(
  facts: Collector,
  { expr }: Pick<KotlinExpressions, 'expr'>,
  node: SyntaxNode,
  scope: Scope,
): void {
  const { parent } = node;
  switch (parent?.type) {
    case undefined:
      return;
    case 'navigation_suffix': {
      const whole = parent.parent;
      const of = whole?.type === 'navigation_expression' ? expr(firstNamed(whole)) : assigned(whole, parent);
      const kind =
        whole?.type === 'directly_assignable_expression' && namedOf(whole).at(-1) === parent
          ? 'write'
          : kindOf(whole);
      return facts.use(node, { kind, scope, of: of ?? UNKNOWN, args: argsOf(whole) });
    }
    case 'user_type': {
      const names = parent.children.filter((child) => child.type === 'type_identifier');
      const before = names.slice(0, names.indexOf(node));
      const of = before.reduce<Expr | undefined>(
        (all, each) =>
          all === undefined ? expr(each) : { kind: 'member', of: all, name: facts.textOf(each) },
        undefined,
      );
      return facts.use(node, { kind: typeKind(parent), scope, of });
    }
    case 'callable_reference': {
      const first = firstNamed(parent);
      if (first === node) break;
      return facts.use(node, { kind: 'call', scope, of: expr(first) ?? UNKNOWN });
    }
    case 'infix_expression': {
      const parts = namedOf(parent);
      if (parts[1] !== node) break;
      return facts.use(node, { kind: 'call', scope, of: expr(parts[0]) ?? UNKNOWN, args: 1 });
    }
    case 'value_argument':
      // `name = value`.
      if (namedOf(parent).length > 1 && firstNamed(parent) === node) return;
      break;
    case 'directly_assignable_expression':
      if (namedOf(parent).length > 1) break;
      return facts.use(node, { kind: 'write', scope });
    case 'label':
      return;
  }
  facts.use(node, { kind: kindOf(node), scope, args: argsOf(node) });

  /** `a.b.c = d` is a list of suffixes. */
  function assigned(whole: SyntaxNode | undefined, suffix: SyntaxNode): Expr | undefined {
    let of: Expr | undefined;
    for (const part of namedOf(whole)) {
      if (part === suffix) return of;
      const name = childOf(part, 'simple_identifier');
      of =
        part.type === 'navigation_suffix'
          ? of && name && { kind: 'member', of, name: facts.textOf(name) }
          : expr(part);
    }
    return undefined;
  }
}

function callOf(node: SyntaxNode | undefined): SyntaxNode | undefined {
  const around = node?.parent;
  return around?.type === 'call_expression' && firstNamed(around) === node ? around : undefined;
}

function kindOf(node: SyntaxNode | undefined): UseKind {
  return callOf(node) === undefined ? 'read' : 'call';
}

/** A block after the parentheses is an argument too. */
function argsOf(node: SyntaxNode | undefined): number | undefined {
  const suffix = childOf(callOf(node), 'call_suffix');
  if (suffix === undefined) return undefined;
  return (
    namedOf(childOf(suffix, 'value_arguments')).length +
    (childOf(suffix, 'annotated_lambda') === undefined ? 0 : 1)
  );
}

function typeKind(type: SyntaxNode): UseKind {
  const around = type.parent;
  const outer =
    around?.type === 'constructor_invocation' || around?.type === 'explicit_delegation'
      ? around.parent
      : around;
  return outer?.type === 'delegation_specifier' ? 'inherit' : 'type';
}
