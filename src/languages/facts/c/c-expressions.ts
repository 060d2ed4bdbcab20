/** C and C++: what types, declarators and expressions say. Pointers, references and arrays are as what they point to. */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr } from '../facts.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

type TextOf = (node: SyntaxNode) => string;
export type TypeExpr = Extract<Expr, { kind: 'type' }>;

export const TAGS: ReadonlySet<string> = new Set([
  'struct_specifier',
  'union_specifier',
  'enum_specifier',
  'class_specifier',
]);
/** A value of them has the members of what is inside. */
const POINTERS = new Set([
  'unique_ptr',
  'shared_ptr',
  'weak_ptr',
  'scoped_refptr',
  'reference_wrapper',
  'atomic',
  'not_null',
]);
const HOLDERS = new Set(
  'vector list deque array set unordered_set map unordered_map multimap multiset optional span initializer_list queue stack pair tuple'.split(
    ' ',
  ),
);
const KEYED = new Set(['map', 'unordered_map', 'multimap', 'pair']);
const CASTS = new Set([
  'static_cast',
  'dynamic_cast',
  'reinterpret_cast',
  'const_cast',
  'make_unique',
  'make_shared',
  'down_cast',
]);
/** Of containers: what they give is one of them. */
const ONE = new Set(['front', 'back', 'at', 'top', 'lock']);
/** Nodes that are names. */
export const C_NAMES: ReadonlySet<string> = new Set([
  'identifier',
  'type_identifier',
  'field_identifier',
  'namespace_identifier',
]);
const DECLARATORS = /declarator$/;
const UNKNOWN: Expr = { kind: 'unknown' };
const FOREIGN: Expr = { kind: 'foreign' };

/** `a::b::C`, without what is between angle brackets. */
export function pathOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): string | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  switch (node.type) {
    case 'identifier':
    case 'type_identifier':
    case 'namespace_identifier':
    case 'field_identifier':
      return textOf(node);
    case 'template_type':
    case 'template_function':
    case 'template_method':
      return pathOf(fieldOf(node, 'name'), textOf, depth + 1);
    case 'dependent_name':
    case 'dependent_type':
      return pathOf(firstNamed(node), textOf, depth + 1);
    case 'destructor_name':
      return pathOf(firstNamed(node), textOf, depth + 1);
    case 'nested_namespace_specifier':
      return namedOf(node).map(textOf).join('::');
    case 'qualified_identifier': {
      const [scope, name] = [fieldOf(node, 'scope'), fieldOf(node, 'name')];
      const last = pathOf(name, textOf, depth + 1);
      if (scope === undefined || last === undefined) return last;
      const before = pathOf(scope, textOf, depth + 1);
      return before && `${before}::${last}`;
    }
    default:
      return undefined;
  }
}

export function typeAt(path: string): TypeExpr {
  const cut = path.lastIndexOf('::');
  return cut <= 0
    ? { kind: 'type', name: path.slice(cut === 0 ? 2 : 0) }
    : { kind: 'type', name: path.slice(cut + 2), of: path.slice(0, cut) };
}

export function typeOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): TypeExpr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  if (TAGS.has(node.type)) {
    const path = pathOf(fieldOf(node, 'name'), textOf);
    if (path === undefined) return undefined;
    return path.includes('::') ? typeAt(path) : { kind: 'type', name: path, of: 'struct' };
  }
  switch (node.type) {
    case 'type_identifier':
    case 'identifier':
    case 'dependent_type': {
      const path = pathOf(node, textOf);
      return path === undefined ? undefined : typeAt(path);
    }
    case 'type_descriptor':
      return typeOf(fieldOf(node, 'type'), textOf, depth + 1);
    case 'primitive_type':
    case 'sized_type_specifier':
      return { kind: 'type', name: 'int', wrap: 'primitive' };
    case 'template_type':
    case 'qualified_identifier': {
      const path = pathOf(node, textOf);
      if (path === undefined) return undefined;
      let last = node;
      for (
        let name = fieldOf(last, 'name');
        last.type === 'qualified_identifier' && name !== undefined;
        name = fieldOf(last, 'name')
      )
        last = name;
      const name = path.slice(path.lastIndexOf(':') + 1);
      if (last.type !== 'template_type' || !(POINTERS.has(name) || HOLDERS.has(name))) return typeAt(path);
      const given = namedOf(fieldOf(last, 'arguments'));
      const inner = typeOf(KEYED.has(name) ? given[1] : given[0], textOf, depth + 1);
      return POINTERS.has(name) ? inner : inner && { ...inner, wrap: name };
    }
    default:
      return undefined;
  }
}

export interface Declared {
  /** The node of its name; a path for what is defined out of its class. */
  readonly name: SyntaxNode;
  /** The parameters, if it is a function and not a pointer to one. */
  readonly parameters: SyntaxNode | undefined;
  readonly isPointerToFunction: boolean;
}

/** What a declarator names, through pointers, arrays, parentheses and parameters. */
export function declaredBy(node: SyntaxNode | undefined): Declared | undefined {
  let at = node;
  let parameters: SyntaxNode | undefined;
  let isPointer = false;
  for (let depth = 0; at !== undefined && depth < MOST_EXPR_DEPTH * 2; depth++) {
    if (!DECLARATORS.test(at.type)) break;
    if (at.type === 'function_declarator') {
      parameters ??= fieldOf(at, 'parameters');
      isPointer = childOf(at, 'parenthesized_declarator') !== undefined;
    }
    at =
      fieldOf(at, 'declarator') ??
      at.children.find((child) => DECLARATORS.test(child.type) || /identifier$|_name$/.test(child.type));
  }
  if (at === undefined || DECLARATORS.test(at.type)) return undefined;
  return {
    name: at,
    parameters: isPointer ? undefined : parameters,
    isPointerToFunction: isPointer && parameters !== undefined,
  };
}

export function exprOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => exprOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'identifier':
    case 'this':
      return { kind: 'name', name: textOf(node) };
    case 'qualified_identifier':
    case 'template_function': {
      const name = pathOf(node, textOf);
      return name === undefined ? UNKNOWN : { kind: 'name', name };
    }
    case 'field_expression': {
      const [of, name] = [inside(fieldOf(node, 'argument')), pathOf(fieldOf(node, 'field'), textOf)];
      return of && name !== undefined ? { kind: 'member', of, name } : UNKNOWN;
    }
    case 'call_expression':
      return resultOf(node, inside, textOf);
    case 'subscript_expression':
      return itemOf(inside(fieldOf(node, 'argument')));
    case 'parenthesized_expression':
      return inside(firstNamed(node));
    case 'pointer_expression':
    case 'unary_expression':
    case 'update_expression':
      return inside(fieldOf(node, 'argument'));
    case 'assignment_expression':
      return inside(fieldOf(node, 'left'));
    case 'conditional_expression':
      return inside(fieldOf(node, 'consequence')) ?? inside(fieldOf(node, 'alternative'));
    case 'cast_expression':
    case 'compound_literal_expression':
    case 'new_expression':
      return typeOf(fieldOf(node, 'type'), textOf) ?? UNKNOWN;
    case 'string_literal':
    case 'number_literal':
    case 'char_literal':
    case 'true':
    case 'false':
    case 'null':
    case 'sizeof_expression':
    case 'binary_expression':
      return FOREIGN;
    default:
      return UNKNOWN;
  }
}

export function itemOf(whole: Expr | undefined): Expr | undefined {
  return whole === undefined || whole.kind === 'item' || whole.kind === 'unknown'
    ? whole
    : { kind: 'item', of: whole };
}

function resultOf(
  node: SyntaxNode,
  inside: (node: SyntaxNode | undefined) => Expr | undefined,
  textOf: TextOf,
): Expr | undefined {
  const called = fieldOf(node, 'function');
  if (called?.type === 'field_expression') {
    const name = fieldOf(called, 'field');
    // A smart pointer gives what it points to; a container gives one of what it holds.
    if (name !== undefined && ONE.has(textOf(name))) {
      const of = inside(fieldOf(called, 'argument'));
      const member = inside(called);
      return of?.kind === 'name' || of?.kind === 'member'
        ? itemOf(of)
        : member && { kind: 'call', of: member };
    }
  }
  let last = called;
  while (last?.type === 'qualified_identifier') last = fieldOf(last, 'name');
  if (last?.type === 'template_function') {
    const name = fieldOf(last, 'name');
    if (name !== undefined && CASTS.has(textOf(name)))
      return typeOf(namedOf(fieldOf(last, 'arguments'))[0], textOf) ?? UNKNOWN;
  }
  if (last?.type === 'identifier' && textOf(last) === 'move')
    return inside(firstNamed(fieldOf(node, 'arguments')));
  const of = inside(called);
  return of && { kind: 'call', of };
}

export function parametersOf(node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = fieldOf(at, 'declarator')) {
    const found = fieldOf(at, 'parameters');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `Outer` of `Outer::name`, for what is defined out of its class. */
export function ownerIn(path: string): string | undefined {
  const parts = path.split('::');
  return parts.length > 1 ? parts.at(-2) : undefined;
}

/** `a::B` of `a::B::name`, also where the name is an operator. */
export function scopePath(written: SyntaxNode, textOf: TextOf): string {
  const parts: string[] = [];
  for (
    let at: SyntaxNode | undefined = written;
    at?.type === 'qualified_identifier';
    at = fieldOf(at, 'name')
  ) {
    const part = pathOf(fieldOf(at, 'scope'), textOf);
    if (part !== undefined) parts.push(part);
  }
  return parts.join('::');
}

/** The name at the end of a path; operators have none. */
export function lastName(node: SyntaxNode): SyntaxNode | undefined {
  let at: SyntaxNode | undefined = node;
  while (at !== undefined && !C_NAMES.has(at.type))
    at = at.type.startsWith('operator') ? undefined : (fieldOf(at, 'name') ?? firstNamed(at));
  return at;
}
