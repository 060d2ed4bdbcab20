/** What types and expressions of Kotlin are, as far as syntax tells. Type arguments are erased, but for what containers hold. */
import { type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import { isContainer } from '../containers.ts';
import type { Expr, Scope } from '../facts.ts';
import { childOf, firstNamed, lastNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface KotlinExpressions {
  type(node: SyntaxNode | undefined): Expr | undefined;
  expr(node: SyntaxNode | undefined): Expr | undefined;
  /** `<T : Base>`: a value of `T` is one of `Base`. */
  bindTypeParameters(node: SyntaxNode, scope: Scope): void;
}

const FOREIGN: Expr = { kind: 'foreign' };
export const TYPE_NODES = ['user_type', 'nullable_type', 'parenthesized_type', 'function_type'] as const;

export function createKotlinExpressions(facts: Collector): KotlinExpressions {
  const { textOf } = facts;

  function bindTypeParameters(node: SyntaxNode, scope: Scope): void {
    for (const each of namedOf(childOf(node, 'type_parameters'))) {
      const name = childOf(each, 'type_identifier');
      if (name === undefined) continue;
      facts.claim(name);
      facts.bind(scope, textOf(name), { type: type(childOf(each, ...TYPE_NODES)) });
    }
  }

  function type(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    if (node.type === 'nullable_type' || node.type === 'parenthesized_type')
      return type(childOf(node, ...TYPE_NODES), depth + 1);
    if (node.type !== 'user_type') return undefined;
    const names = node.children.filter((child) => child.type === 'type_identifier').map(textOf);
    const name = names.pop();
    if (name === undefined) return undefined;
    const given = lastNamed(childOf(node, 'type_arguments'));
    const item = isContainer(name) ? type(childOf(given, ...TYPE_NODES), depth + 1) : undefined;
    if (item?.kind === 'type' && item.wrap === undefined) return { ...item, wrap: name };
    return names.length === 0 ? { kind: 'type', name } : { kind: 'type', name, of: names.join('.') };
  }

  function expr(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => expr(inner, depth + 1);
    switch (node.type) {
      case 'simple_identifier':
      case 'type_identifier':
        return { kind: 'name', name: textOf(node) };
      case 'this_expression': {
        const of = childOf(node, 'type_identifier');
        return { kind: 'name', name: of === undefined ? 'this' : textOf(of) };
      }
      case 'super_expression':
        return { kind: 'name', name: 'super' };
      case 'navigation_expression': {
        const [of, name] = [inside(firstNamed(node)), lastNamed(lastNamed(node))];
        return of && name && { kind: 'member', of, name: textOf(name) };
      }
      case 'call_expression': {
        const of = inside(firstNamed(node));
        return of && { kind: 'call', of };
      }
      case 'as_expression':
        return type(childOf(node, ...TYPE_NODES));
      case 'indexing_expression': {
        const of = inside(firstNamed(node));
        return of && { kind: 'item', of };
      }
      case 'postfix_expression':
      case 'parenthesized_expression':
      case 'elvis_expression':
        return inside(firstNamed(node));
      case 'string_literal':
      case 'integer_literal':
      case 'boolean_literal':
        return FOREIGN;
      default:
        return undefined;
    }
  }

  return { type: (node) => type(node), expr: (node) => expr(node), bindTypeParameters };
}
