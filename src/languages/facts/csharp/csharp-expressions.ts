/** What types and expressions of C# are, as far as syntax tells. Type arguments are erased, but for what containers hold. */
import { type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import { isContainer } from '../containers.ts';
import type { Expr, Scope } from '../facts.ts';
import { childOf, fieldOf, firstNamed, lastNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface CsharpExpressions {
  type(node: SyntaxNode | undefined, scope: Scope): Expr | undefined;
  expr(node: SyntaxNode | undefined, scope: Scope): Expr | undefined;
  /** `class A<T> where T : Base`: a value of `T` is one of `Base`. */
  bindTypeParameters(node: SyntaxNode, scope: Scope): number;
}

const FOREIGN: Expr = { kind: 'foreign' };

export function createCsharpExpressions(facts: Collector): CsharpExpressions {
  const { textOf } = facts;
  /** What type parameters stand for, by the scope that they are of. */
  const parameters = new Map<Scope, Map<string, Expr | undefined>>();

  function bindTypeParameters(node: SyntaxNode, scope: Scope): number {
    const named = namedOf(childOf(node, 'type_parameter_list')).flatMap(
      (each) => fieldOf(each, 'name') ?? [],
    );
    const known = new Map<string, Expr | undefined>();
    for (const name of named) known.set(textOf(name), undefined);
    if (named.length > 0) parameters.set(scope, known);
    for (const clause of node.children) {
      if (clause.type !== 'type_parameter_constraints_clause') continue;
      const name = childOf(clause, 'identifier');
      if (name === undefined) continue;
      facts.claim(name);
      const bounds = clause.children.flatMap((each) => fieldOf(each, 'type') ?? []);
      known.set(textOf(name), type(bounds[0], scope));
    }
    for (const name of named) {
      facts.claim(name);
      facts.bind(scope, textOf(name), { type: known.get(textOf(name)) });
    }
    return named.length;
  }

  function named(name: string, scope: Scope): Expr | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const known = parameters.get(at);
      if (known?.has(name) === true) return known.get(name);
    }
    return { kind: 'type', name };
  }

  function type(node: SyntaxNode | undefined, scope: Scope, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => type(inner, scope, depth + 1);
    switch (node.type) {
      case 'identifier':
        return named(textOf(node), scope);
      case 'generic_name': {
        const outer = inside(firstNamed(node));
        if (outer?.kind !== 'type' || !isContainer(outer.name)) return outer;
        const item = inside(namedOf(childOf(node, 'type_argument_list')).at(-1));
        return item?.kind === 'type' && item.wrap === undefined ? { ...item, wrap: outer.name } : outer;
      }
      case 'qualified_name': {
        const last = inside(fieldOf(node, 'name'));
        const of = fieldOf(node, 'qualifier');
        return last?.kind === 'type' && of !== undefined && last.wrap === undefined
          ? { ...last, of: plain(textOf(of)) }
          : last;
      }
      case 'alias_qualified_name':
        return inside(fieldOf(node, 'name'));
      case 'nullable_type':
      case 'ref_type':
      case 'scoped_type':
        return inside(fieldOf(node, 'type') ?? lastNamed(node));
      case 'array_type': {
        const element = inside(fieldOf(node, 'type'));
        return element?.kind === 'type' ? { ...element, wrap: 'Array' } : FOREIGN;
      }
      case 'predefined_type':
        return FOREIGN;
      default:
        return undefined;
    }
  }

  function expr(node: SyntaxNode | undefined, scope: Scope, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => expr(inner, scope, depth + 1);
    const member = (object: SyntaxNode | undefined, named: SyntaxNode | undefined): Expr | undefined => {
      const [of, name] = [inside(object), nameIn(named)];
      return of && name && { kind: 'member', of, name: textOf(name) };
    };
    switch (node.type) {
      case 'identifier':
        return { kind: 'name', name: textOf(node) };
      case 'this':
        return { kind: 'name', name: 'this' };
      case 'base':
        return { kind: 'name', name: 'super' };
      case 'generic_name':
        return inside(firstNamed(node));
      case 'alias_qualified_name':
        return inside(fieldOf(node, 'name'));
      case 'qualified_name':
        return member(fieldOf(node, 'qualifier'), fieldOf(node, 'name'));
      case 'member_access_expression':
        return member(fieldOf(node, 'expression'), fieldOf(node, 'name'));
      case 'conditional_access_expression': {
        const last = lastNamed(node);
        return last?.type === 'member_binding_expression'
          ? member(fieldOf(node, 'condition'), fieldOf(last, 'name'))
          : undefined;
      }
      case 'invocation_expression': {
        const of = inside(fieldOf(node, 'function'));
        return of && { kind: 'call', of };
      }
      case 'object_creation_expression':
      case 'cast_expression':
      case 'default_expression':
        return type(fieldOf(node, 'type'), scope);
      case 'as_expression':
        return type(fieldOf(node, 'right'), scope);
      case 'element_access_expression': {
        const of = inside(fieldOf(node, 'expression'));
        return of && { kind: 'item', of };
      }
      case 'parenthesized_expression':
      case 'await_expression':
      case 'postfix_unary_expression':
      case 'ref_expression':
        return inside(firstNamed(node));
      case 'assignment_expression':
        return inside(fieldOf(node, 'right'));
      case 'conditional_expression':
        return inside(fieldOf(node, 'consequence')) ?? inside(fieldOf(node, 'alternative'));
      case 'predefined_type':
      case 'string_literal':
      case 'interpolated_string_expression':
      case 'verbatim_string_literal':
      case 'typeof_expression':
      case 'integer_literal':
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

/** `Name<T>` is named by its first part. */
export function nameIn(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.type === 'generic_name' ? firstNamed(node) : node;
}

/** Without type arguments and `global::`. */
export function plain(text: string): string {
  return text.replace(/^global::|<.*>|\s+/gs, '');
}
