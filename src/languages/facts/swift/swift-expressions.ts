/** What types and expressions of Swift are, as far as syntax tells. Type arguments are erased, but for what containers hold. */
import { type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import { isContainer } from '../containers.ts';
import type { Expr } from '../facts.ts';
import { childOf, fieldOf, fieldsOf, firstNamed, lastNamed, type SyntaxNode } from '../syntax-node.ts';

export interface SwiftExpressions {
  type(node: SyntaxNode | undefined): Expr | undefined;
  expr(node: SyntaxNode | undefined): Expr | undefined;
  /** `$name` is the wrapper of a property, `$0` an argument. */
  nameOf(node: SyntaxNode): string;
}

const FOREIGN: Expr = { kind: 'foreign' };
const TYPES: ReadonlySet<string> = new Set([
  'user_type',
  'optional_type',
  'array_type',
  'dictionary_type',
  'opaque_type',
  'existential_type',
  'protocol_composition_type',
  'function_type',
  'tuple_type',
]);
/** Of an array or another container: one of its items. */
const ITEMS: ReadonlySet<string> = new Set(['first', 'last']);

export function isTypeNode({ type }: SyntaxNode): boolean {
  return TYPES.has(type);
}

/** The type of `name: Type`, or what a function returns. */
export function declaredType(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.children.findLast(isTypeNode);
}

export function isSubscript(suffix: SyntaxNode | undefined, textOf: (node: SyntaxNode) => string): boolean {
  const given = childOf(suffix, 'value_arguments');
  return given !== undefined && textOf(given).startsWith('[');
}

export function createSwiftExpressions({ textOf }: Collector): SwiftExpressions {
  const nameOf = (node: SyntaxNode): string => textOf(node).replace(/^\$(?=\p{L}|_)|`/gu, '');

  function wrapped(inner: Expr | undefined, wrap: string): Expr | undefined {
    return inner?.kind === 'type' && inner.wrap === undefined ? { ...inner, wrap } : undefined;
  }

  function type(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => type(inner, depth + 1);
    switch (node.type) {
      case 'optional_type':
        return inside(fieldOf(node, 'wrapped'));
      case 'array_type':
        return wrapped(inside(declaredType(node)), 'Array');
      case 'dictionary_type':
        return wrapped(inside(declaredType(node)), 'Dictionary');
      case 'function_type':
        return wrapped(inside(declaredType(node)), 'Func');
      case 'opaque_type':
      case 'existential_type':
      case 'protocol_composition_type':
        return inside(node.children.find(isTypeNode));
      case 'user_type': {
        const names = node.children.filter((child) => child.type === 'type_identifier').map(nameOf);
        const name = names.pop();
        if (name === undefined) return undefined;
        const item = isContainer(name)
          ? wrapped(inside(declaredType(childOf(node, 'type_arguments'))), name)
          : undefined;
        const whole: Expr = { kind: 'type', name };
        return item ?? (names.length === 0 ? whole : { ...whole, of: names.join('.') });
      }
      default:
        return undefined;
    }
  }

  function expr(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => expr(inner, depth + 1);
    switch (node.type) {
      case 'simple_identifier':
      case 'type_identifier':
        return { kind: 'name', name: nameOf(node) };
      case 'self_expression':
        return { kind: 'name', name: 'self' };
      case 'super_expression':
        return { kind: 'name', name: 'super' };
      case 'navigation_expression': {
        const of = inside(fieldOf(node, 'target'));
        const last = fieldOf(fieldOf(node, 'suffix'), 'suffix');
        if (of === undefined || last === undefined) return undefined;
        const name = nameOf(last);
        // `Type.self` and `Type.init` are the type.
        if (name === 'self' || name === 'init') return of;
        return ITEMS.has(name) ? { kind: 'item', of } : { kind: 'member', of, name };
      }
      case 'call_expression': {
        const called = firstNamed(node);
        const of = inside(called);
        if (of === undefined) return undefined;
        return isSubscript(childOf(node, 'call_suffix'), textOf)
          ? { kind: 'item', of }
          : { kind: 'call', of };
      }
      case 'array_literal': {
        const element = inside(fieldsOf(node, 'element')[0]);
        return element?.kind === 'name' ? { kind: 'type', name: element.name, wrap: 'Array' } : undefined;
      }
      case 'as_expression':
        return type(declaredType(node));
      case 'try_expression':
      case 'await_expression':
        return inside(fieldOf(node, 'expr') ?? lastNamed(node));
      case 'postfix_expression':
        return inside(fieldOf(node, 'target'));
      case 'tuple_expression': {
        const values = fieldsOf(node, 'value');
        return values.length === 1 ? inside(values[0]) : undefined;
      }
      case 'nil_coalescing_expression':
        return inside(fieldOf(node, 'value'));
      case 'ternary_expression':
        return inside(fieldOf(node, 'if_true')) ?? inside(fieldOf(node, 'if_false'));
      case 'directly_assignable_expression':
      case 'key_path_expression':
        return inside(firstNamed(node));
      case 'line_string_literal':
      case 'integer_literal':
      case 'real_literal':
      case 'boolean_literal':
        return FOREIGN;
      default:
        return undefined;
    }
  }

  return { type: (node) => type(node), expr: (node) => expr(node), nameOf };
}
