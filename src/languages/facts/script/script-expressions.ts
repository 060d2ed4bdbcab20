/** TypeScript and JavaScript: what types and expressions say of a value. */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr } from '../facts.ts';
import { childOf, fieldOf, firstNamed, lastNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

type TextOf = (node: SyntaxNode) => string;

const WRAPPERS = /^(?:Promise|Readonly|Partial|Required|NonNullable|Awaited|ReadonlyArray|Array|Set)$/;

export function typeOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => typeOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'type_annotation':
    case 'parenthesized_type':
    case 'readonly_type':
      return inside(firstNamed(node));
    case 'type_identifier':
      return { kind: 'type', name: textOf(node) };
    case 'this_type':
      return { kind: 'type', name: 'this' };
    case 'generic_type': {
      const name = fieldOf(node, 'name') ?? firstNamed(node);
      if (name === undefined) return undefined;
      const first = firstNamed(childOf(node, 'type_arguments'));
      const base = textOf(name);
      if (first !== undefined && WRAPPERS.test(base)) return wrapped(inside(first), base);
      return inside(name);
    }
    case 'nested_type_identifier': {
      const [of, name] = [firstNamed(node), lastNamed(node)];
      return of === undefined || name === undefined
        ? undefined
        : { kind: 'type', name: textOf(name), of: textOf(of) };
    }
    case 'array_type':
      return wrapped(inside(firstNamed(node)), 'Array');
    case 'union_type': {
      const parts = namedOf(node).filter((part) => !/^(?:undefined|null)$/.test(textOf(part)));
      return parts.length === 1 ? inside(parts[0]) : undefined;
    }
    default:
      return undefined;
  }
}

function wrapped(type: Expr | undefined, wrap: string): Expr | undefined {
  return type?.kind === 'type' ? { ...type, wrap } : undefined;
}

export function exprOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => exprOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'identifier':
    case 'type_identifier':
    case 'this':
    case 'super':
      return { kind: 'name', name: textOf(node) };
    case 'member_expression':
    case 'nested_type_identifier':
    case 'nested_identifier': {
      const of = inside(fieldOf(node, 'object') ?? firstNamed(node));
      const name = fieldOf(node, 'property') ?? lastNamed(node);
      return of === undefined || name === undefined ? undefined : { kind: 'member', of, name: textOf(name) };
    }
    case 'call_expression': {
      const of = inside(fieldOf(node, 'function'));
      return of && { kind: 'call', of };
    }
    case 'new_expression': {
      const of = inside(fieldOf(node, 'constructor'));
      return of && { kind: 'new', of };
    }
    case 'await_expression':
    case 'parenthesized_expression':
    case 'non_null_expression':
      return inside(firstNamed(node));
    case 'as_expression':
    case 'satisfies_expression':
      return typeOf(lastNamed(node), textOf) ?? inside(firstNamed(node));
    case 'subscript_expression': {
      const of = inside(fieldOf(node, 'object'));
      return of && { kind: 'item', of };
    }
    case 'string':
    case 'template_string':
    case 'number':
    case 'regex':
    case 'array':
      return { kind: 'foreign' };
    default:
      return undefined;
  }
}

/** The object that a value is, whatever type it is said to have. */
export function literalOf(value: SyntaxNode | undefined): SyntaxNode | undefined {
  const isMarked = value?.type === 'as_expression' || value?.type === 'satisfies_expression';
  const literal = isMarked ? firstNamed(value) : value;
  return literal?.type === 'object' ? literal : undefined;
}
