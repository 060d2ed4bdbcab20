/** PHP: what expressions say of a value. Variables keep their dollar, so that no class or function is taken for one. */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr } from '../facts.ts';
import { typeOf } from './php-types.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface PhpSource {
  textOf(node: SyntaxNode): string;
  /** The type that the class around a node extends. */
  parentOf(node: SyntaxNode): Expr | undefined;
}

const THIS: Expr = { kind: 'name', name: 'this' };
const UNKNOWN: Expr = { kind: 'unknown' };

export function exprOf(node: SyntaxNode | undefined, source: PhpSource, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => exprOf(inner, source, depth + 1);
  switch (node.type) {
    case 'variable_name': {
      const name = source.textOf(node);
      return name === '$this' ? THIS : { kind: 'name', name };
    }
    case 'name':
    case 'qualified_name':
    case 'relative_name':
      return namedExpr(node, source);
    case 'relative_scope':
      return source.textOf(node) === 'parent' ? source.parentOf(node) : THIS;
    case 'member_access_expression':
    case 'nullsafe_member_access_expression':
      return memberOf(inside(fieldOf(node, 'object')), fieldOf(node, 'name'), source);
    case 'scoped_property_access_expression':
      return memberOf(inside(fieldOf(node, 'scope')), fieldOf(node, 'name'), source);
    case 'class_constant_access_expression': {
      const [of, name] = namedOf(node);
      return name !== undefined && source.textOf(name) === 'class'
        ? { kind: 'foreign' }
        : memberOf(inside(of), name, source);
    }
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
      return calledOf(memberOf(inside(fieldOf(node, 'object')), fieldOf(node, 'name'), source));
    case 'scoped_call_expression':
      return calledOf(memberOf(inside(fieldOf(node, 'scope')), fieldOf(node, 'name'), source));
    case 'function_call_expression':
      return calledOf(inside(fieldOf(node, 'function')));
    case 'object_creation_expression':
      return madeOf(node, source);
    case 'subscript_expression': {
      const of = inside(firstNamed(node));
      return of && { kind: 'item', of };
    }
    case 'parenthesized_expression':
    case 'clone_expression':
    case 'error_suppression_expression':
    case 'throw_expression':
    case 'reference_assignment_expression':
      return inside(firstNamed(node));
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return inside(fieldOf(node, 'right'));
    case 'conditional_expression':
      return inside(fieldOf(node, 'body')) ?? inside(fieldOf(node, 'alternative'));
    case 'binary_expression':
      return !between(node, source).includes('??')
        ? { kind: 'foreign' }
        : (inside(fieldOf(node, 'left')) ?? inside(fieldOf(node, 'right')));
    case 'string':
    case 'encapsed_string':
    case 'heredoc':
    case 'nowdoc':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'cast_expression':
    case 'array_creation_expression':
      return { kind: 'foreign' };
    default:
      return undefined;
  }
}

/** The operator: punctuation is no node. */
function between(node: SyntaxNode, { textOf }: PhpSource): string {
  const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
  if (left === undefined || right === undefined) return '';
  return textOf({ ...node, start: left.end, end: right.start });
}

function namedExpr(node: SyntaxNode, { textOf }: PhpSource): Expr {
  const name = textOf(node);
  return /^(?:self|static)$/i.test(name) ? THIS : { kind: 'name', name };
}

function memberOf(
  of: Expr | undefined,
  name: SyntaxNode | undefined,
  { textOf }: PhpSource,
): Expr | undefined {
  if (of === undefined || name === undefined) return undefined;
  const inner = name.type === 'variable_name' ? firstNamed(name) : name;
  // `$this->$name` is any member.
  const isDynamic =
    name.type === 'variable_name' && name.parent?.type !== 'scoped_property_access_expression';
  return inner?.type === 'name' && !isDynamic ? { kind: 'member', of, name: textOf(inner) } : UNKNOWN;
}

function calledOf(of: Expr | undefined): Expr | undefined {
  return of === undefined || of === UNKNOWN ? of : { kind: 'call', of };
}

/** `new Foo`, `new static`, `new class extends Foo {}`. */
function madeOf(node: SyntaxNode, source: PhpSource): Expr | undefined {
  const made = namedOf(node).find(({ type }) => type !== 'attribute_list');
  if (made?.type === 'anonymous_class') {
    const base = firstNamed(childOf(made, 'base_clause') ?? childOf(made, 'class_interface_clause'));
    return typeOf(base, source.textOf);
  }
  if (made?.type === 'relative_scope') {
    const meant = exprOf(made, source);
    return meant === THIS ? { kind: 'type', name: 'this' } : meant;
  }
  if (made !== undefined && /^parent$/i.test(source.textOf(made))) return source.parentOf(made);
  return typeOf(made, source.textOf);
}
