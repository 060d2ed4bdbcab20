/**
 * Ruby: what expressions say of a value. A name is a local variable, an instance variable or a constant (`A::B`); a call without a receiver
 * is a member of `self`.
 */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import { fieldOf, firstNamed, lastNamed, type SyntaxNode } from '../syntax-node.ts';

type TextOf = (node: SyntaxNode) => string;

export const SELF: Expr = { kind: 'name', name: 'self' };
const FOREIGN: Expr = { kind: 'foreign' };
const LITERALS = new Set([
  'string',
  'chained_string',
  'heredoc_beginning',
  'integer',
  'float',
  'simple_symbol',
  'delimited_symbol',
  'array',
  'string_array',
  'symbol_array',
  'hash',
  'regex',
  'range',
  'true',
  'false',
  'nil',
  'lambda',
  'subshell',
]);

/** Locals are seen through blocks, up to the method, class or file around. */
export function isLocalName(scope: Scope, name: string): boolean {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const known = at.names.get(name);
    if (known !== undefined && known.definitions.length === 0) return true;
    if (at.kind !== 'block') return false;
  }
  return false;
}

/** `A::B`, as it is written; undefined for anything else. */
export function constantOf(node: SyntaxNode | undefined, textOf: TextOf): string | undefined {
  if (node?.type === 'constant') return textOf(node);
  if (node?.type !== 'scope_resolution') return undefined;
  const [of, name] = [fieldOf(node, 'scope'), fieldOf(node, 'name')];
  if (name?.type !== 'constant') return undefined;
  if (of === undefined) return `::${textOf(name)}`;
  const before = constantOf(of, textOf);
  return before && `${before}::${textOf(name)}`;
}

export function exprOf(
  node: SyntaxNode | undefined,
  scope: Scope,
  textOf: TextOf,
  depth = 0,
): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => exprOf(inner, scope, textOf, depth + 1);
  if (LITERALS.has(node.type)) return FOREIGN;
  switch (node.type) {
    case 'self':
      return SELF;
    case 'instance_variable':
    case 'class_variable':
      return { kind: 'name', name: textOf(node) };
    case 'constant':
    case 'scope_resolution': {
      const name = constantOf(node, textOf);
      return name === undefined ? undefined : { kind: 'name', name };
    }
    case 'identifier': {
      const name = textOf(node);
      if (isLocalName(scope, name)) return { kind: 'name', name };
      return { kind: 'call', of: { kind: 'member', of: SELF, name } };
    }
    case 'call': {
      const [receiver, method] = [fieldOf(node, 'receiver'), fieldOf(node, 'method')];
      if (method === undefined) return undefined;
      const name = textOf(method);
      const of = receiver === undefined ? SELF : inside(receiver);
      if (of === undefined) return undefined;
      // What is given back is the receiver.
      if (/^(?:dup|clone|freeze|tap|itself|then)$/.test(name) && receiver !== undefined) return of;
      return name === 'new' ? { kind: 'new', of } : { kind: 'call', of: { kind: 'member', of, name } };
    }
    case 'parenthesized_statements':
    case 'body_statement':
    case 'then':
      return inside(lastNamed(node));
    case 'assignment':
    case 'operator_assignment':
      return inside(fieldOf(node, 'right'));
    case 'binary': {
      const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
      const operator =
        left === undefined || right === undefined
          ? ''
          : textOf({ ...node, start: left.end, end: right.start });
      return /\|\||\bor\b|&&/.test(operator) ? (inside(left) ?? inside(right)) : FOREIGN;
    }
    case 'conditional':
      return inside(fieldOf(node, 'consequence')) ?? inside(fieldOf(node, 'alternative'));
    case 'return':
      return inside(firstNamed(firstNamed(node)));
    default:
      return undefined;
  }
}

/** Whether an expression names a local variable: outside of its method it means nothing. */
export function namesLocal(expr: Expr): boolean {
  for (let at: Expr = expr; ; at = at.of) {
    if (at.kind === 'name') return /^[a-z_]/.test(at.name) && at.name !== 'self';
    if (!('of' in at) || typeof at.of !== 'object') return false;
  }
}
