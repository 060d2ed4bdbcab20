/** What types and expressions of Java are, as far as syntax tells. Type arguments are erased, but for what containers hold. */
import { type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import { isContainer } from '../containers.ts';
import type { Expr, Scope } from '../facts.ts';
import { childOf, fieldOf, firstNamed, lastNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface JavaExpressions {
  type(node: SyntaxNode | undefined, scope: Scope): Expr | undefined;
  expr(node: SyntaxNode | undefined, scope: Scope): Expr | undefined;
  /** `<T extends Base>`: a value of `T` is one of `Base`. */
  bindTypeParameters(node: SyntaxNode, scope: Scope): void;
}

type TypeExpr = Extract<Expr, { kind: 'type' }>;
const FOREIGN: Expr = { kind: 'foreign' };

export function createJavaExpressions(facts: Collector): JavaExpressions {
  const { textOf } = facts;
  /** What type parameters stand for, by the scope that they are of. */
  const parameters = new Map<Scope, Map<string, Expr | undefined>>();

  function bindTypeParameters(node: SyntaxNode, scope: Scope): void {
    for (const each of childOf(node, 'type_parameters')?.children ?? []) {
      const name = childOf(each, 'type_identifier', 'identifier');
      if (name === undefined) continue;
      facts.claim(name);
      const bound = type(firstNamed(childOf(each, 'type_bound')), scope);
      const known = parameters.get(scope) ?? new Map<string, Expr | undefined>();
      parameters.set(scope, known.set(textOf(name), bound));
      facts.bind(scope, textOf(name), { type: bound });
    }
  }

  function named(name: string, scope: Scope): Expr | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const known = parameters.get(at);
      if (known?.has(name) === true) return known.get(name);
    }
    return name === 'var' ? undefined : { kind: 'type', name };
  }

  function type(node: SyntaxNode | undefined, scope: Scope, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => type(inner, scope, depth + 1);
    switch (node.type) {
      case 'type_identifier':
      case 'identifier':
        return named(textOf(node), scope);
      case 'scoped_type_identifier':
        return qualified(textOf(node));
      case 'generic_type': {
        const outer = inside(node.children[0]);
        const given = namedOf(childOf(node, 'type_arguments'));
        if (outer?.kind !== 'type' || !isContainer(outer.name)) return outer;
        const item = inside(given.at(-1));
        return item?.kind === 'type' && item.wrap === undefined ? { ...item, wrap: outer.name } : outer;
      }
      case 'wildcard':
        return inside(lastNamed(node));
      case 'array_type': {
        const element = inside(fieldOf(node, 'element'));
        return element?.kind === 'type' ? { ...element, wrap: 'Array' } : FOREIGN;
      }
      case 'annotated_type':
        return inside(lastNamed(node));
      case 'catch_type':
        return inside(firstNamed(node));
      case 'integral_type':
      case 'floating_point_type':
      case 'boolean_type':
      case 'void_type':
        return FOREIGN;
      default:
        return undefined;
    }
  }

  function expr(node: SyntaxNode | undefined, scope: Scope, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => expr(inner, scope, depth + 1);
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
      case 'this':
      case 'super':
        return { kind: 'name', name: textOf(node) };
      case 'scoped_type_identifier':
        return toExpr(qualified(textOf(node)));
      case 'generic_type':
        return inside(node.children[0]);
      case 'scoped_identifier': {
        const [of, name] = [inside(fieldOf(node, 'scope')), fieldOf(node, 'name')];
        return of && name && { kind: 'member', of, name: textOf(name) };
      }
      case 'field_access': {
        const [of, name] = [inside(fieldOf(node, 'object')), fieldOf(node, 'field')];
        // `Outer.this` is one of Outer.
        if (name?.type === 'this') return of;
        return of && name && { kind: 'member', of, name: textOf(name) };
      }
      case 'method_invocation': {
        const [object, name] = [fieldOf(node, 'object'), fieldOf(node, 'name')];
        if (name === undefined) return undefined;
        if (object === undefined) return { kind: 'call', of: { kind: 'name', name: textOf(name) } };
        const of = inside(object);
        return of && { kind: 'call', of: { kind: 'member', of, name: textOf(name) } };
      }
      case 'object_creation_expression':
      case 'cast_expression':
        return type(fieldOf(node, 'type'), scope);
      case 'array_access': {
        const of = inside(fieldOf(node, 'array'));
        return of && { kind: 'item', of };
      }
      case 'parenthesized_expression':
        return inside(firstNamed(node));
      case 'assignment_expression':
        return inside(fieldOf(node, 'right'));
      case 'ternary_expression':
        return inside(fieldOf(node, 'consequence')) ?? inside(fieldOf(node, 'alternative'));
      case 'string_literal':
      case 'class_literal':
      case 'character_literal':
        return FOREIGN;
      default:
        return undefined;
    }
  }

  return {
    type: (node, scope) => type(node, scope),
    expr: (node, scope) => expr(node, scope),
    bindTypeParameters,
  };
}

/** `Outer<T>.Inner`, `a.b.C`. */
function qualified(text: string): TypeExpr {
  const plain = text.replace(/@\w+(?:\([^)]*\))?|<[^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>[^<>]*)*>|\s+/g, '');
  const at = plain.lastIndexOf('.');
  if (at === -1) return { kind: 'type', name: plain };
  return { kind: 'type', name: plain.slice(at + 1), of: plain.slice(0, at) };
}

/** A type as what it is named by: `extends a.B`. */
export function toExpr(type: Expr | undefined): Expr | undefined {
  if (type?.kind !== 'type') return undefined;
  const parts = [...(type.of?.split('.') ?? []), type.name];
  return parts
    .slice(1)
    .reduce<Expr>((of, name) => ({ kind: 'member', of, name }), { kind: 'name', name: parts[0] ?? '' });
}
