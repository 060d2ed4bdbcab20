/** Python: what annotations and expressions say of a value. */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr } from '../facts.ts';
import { childOf, fieldOf, fieldsOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

type TextOf = (node: SyntaxNode) => string;

/** An instance of the argument, as far as its members go. */
const TRANSPARENT =
  /^(?:t\.|typing\.)?(?:Optional|ContextManager|Awaitable|Type|type|ClassVar|Final|Annotated)$/;
const LISTS =
  /^(?:t\.|typing\.)?(?:list|List|Sequence|Iterable|Iterator|set|Set|tuple|Tuple|deque|AsyncIterator|Generator)$/;

export function typeOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => typeOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'type':
      return inside(firstNamed(node));
    case 'identifier':
      return { kind: 'type', name: textOf(node) };
    case 'attribute': {
      const [of, name] = [fieldOf(node, 'object'), fieldOf(node, 'attribute')];
      if (of?.type !== 'identifier' || name === undefined) return undefined;
      return { kind: 'type', name: textOf(name), of: textOf(of) };
    }
    case 'string':
      return quotedType(textOf(node));
    case 'generic_type':
    case 'subscript':
      return genericType(node, textOf, inside);
    case 'union_type':
    case 'binary_operator': {
      const parts = namedOf(node)
        .flatMap((part) => (part.type === 'type' ? namedOf(part) : [part]))
        .filter((part) => textOf(part) !== 'None');
      return parts.length === 1 ? inside(parts[0]) : undefined;
    }
    default:
      return undefined;
  }
}

/** A type that stands in quotes because it is defined further down. */
function quotedType(written: string): Expr | undefined {
  const text = written.replace(/^["']+|["']+$/g, '').replace(/\s*\|\s*None$/, '');
  const [, of, name] = /^(?:(\w+)\.)?(\w+)$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  return of === undefined ? { kind: 'type', name } : { kind: 'type', name, of };
}

function genericType(
  node: SyntaxNode,
  textOf: TextOf,
  inside: (node: SyntaxNode | undefined) => Expr | undefined,
): Expr | undefined {
  const first = firstNamed(node);
  if (first === undefined) return undefined;
  const base = textOf(first);
  const list =
    node.type === 'subscript' ? fieldsOf(node, 'subscript') : namedOf(childOf(node, 'type_parameter'));
  if (TRANSPARENT.test(base)) return inside(list[0]);
  if (LISTS.test(base)) {
    const item = inside(list[0]);
    return item?.kind === 'type' ? { ...item, wrap: 'Array' } : undefined;
  }
  return inside(first);
}

export function exprOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => exprOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'identifier':
      return { kind: 'name', name: textOf(node) };
    case 'attribute': {
      const [of, name] = [inside(fieldOf(node, 'object')), fieldOf(node, 'attribute')];
      return of === undefined || name === undefined ? undefined : { kind: 'member', of, name: textOf(name) };
    }
    case 'call':
      return callOf(node, textOf, inside);
    case 'await':
    case 'parenthesized_expression':
      return inside(firstNamed(node));
    case 'boolean_operator':
      return inside(fieldOf(node, 'right')) ?? inside(fieldOf(node, 'left'));
    case 'conditional_expression':
      return inside(firstNamed(node));
    case 'string':
    case 'list':
    case 'dictionary':
      return { kind: 'foreign' };
    default:
      return undefined;
  }
}

function callOf(
  node: SyntaxNode,
  textOf: TextOf,
  inside: (node: SyntaxNode | undefined) => Expr | undefined,
): Expr | undefined {
  const called = fieldOf(node, 'function');
  if (called === undefined) return undefined;
  const name = textOf(called);
  if (name === 'super') return { kind: 'name', name: 'super' };
  if (/^(?:\w+\.)?cast$/.test(name)) {
    const first = firstNamed(fieldOf(node, 'arguments'));
    return typeOf(first, textOf);
  }
  const of = inside(called);
  return of && { kind: 'call', of };
}
