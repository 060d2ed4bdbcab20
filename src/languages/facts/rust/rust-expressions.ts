/** Rust: what expressions and types are, by syntax. A path is one name with its colons, `a::b::C`. */
import { MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr } from '../facts.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

type TextOf = (node: SyntaxNode) => string;
export type TypeExpr = Extract<Expr, { kind: 'type' }>;

/** A value of them has the members of what is inside. */
const POINTERS = new Set(['Box', 'Rc', 'Arc', 'Cow', 'Pin', 'Ref', 'RefMut', 'MutexGuard', 'ManuallyDrop']);
/** Their last argument is what they hold; of results it is the first. */
const KEYED = new Set(['HashMap', 'BTreeMap', 'IndexMap', 'FxHashMap']);
const HOLDERS = new Set([
  ...KEYED,
  ...'Option Result Vec VecDeque HashSet BTreeSet BinaryHeap Iterator IntoIterator DoubleEndedIterator'.split(
    ' ',
  ),
  ...'Mutex RwLock RefCell Cell OnceCell OnceLock LazyLock Lazy Weak Poll Future Stream Option'.split(' '),
]);
/** What they give is what they are called on, or holds the same. */
const SAME = new Set(
  (
    'iter iter_mut into_iter as_ref as_mut clone cloned copied to_owned as_deref as_deref_mut deref deref_mut by_ref rev skip take ' +
    'peekable filter chain ok ok_or ok_or_else map_err err context with_context or or_else as_slice as_mut_slice drain values ' +
    'values_mut into_values into_inner get_mut inspect fuse step_by skip_while take_while'
  ).split(' '),
);
/** What they give is one of what they are called on. */
const ONE = new Set(
  (
    'unwrap expect unwrap_or unwrap_or_else unwrap_or_default lock read write borrow borrow_mut next next_back peek first last first_mut ' +
    'last_mut get pop pop_front pop_back front back nth min max min_by_key max_by_key find remove swap_remove take_one upgrade'
  ).split(' '),
);
const MADE_OF =
  /^(?:Some|Ok|Box::new|Rc::new|Arc::new|Cow::Owned|Cow::Borrowed|RefCell::new|Mutex::new|Cell::new|RwLock::new|Pin::new)$/;
const FOREIGN: Expr = { kind: 'foreign' };
const UNKNOWN: Expr = { kind: 'unknown' };

/** `a::b::C` without what is between angle brackets; undefined for `<T as Trait>::m`. */
export function pathOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): string | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  switch (node.type) {
    case 'identifier':
    case 'type_identifier':
    case 'crate':
    case 'self':
    case 'super':
    case 'metavariable':
      return textOf(node);
    case 'scoped_identifier':
    case 'scoped_type_identifier': {
      const [path, name] = [fieldOf(node, 'path'), fieldOf(node, 'name')];
      if (name === undefined) return undefined;
      // `::name` is a crate.
      if (path === undefined) return `::${textOf(name)}`;
      const before = pathOf(path, textOf, depth + 1);
      return before && `${before}::${textOf(name)}`;
    }
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return pathOf(fieldOf(node, 'type'), textOf, depth + 1);
    case 'generic_function':
      return pathOf(fieldOf(node, 'function'), textOf, depth + 1);
    case 'bracketed_type':
      return pathOf(qualifiedBy(node), textOf, depth + 1);
    default:
      return undefined;
  }
}

/** `<T as Trait>::m` is of the trait. */
function qualifiedBy(node: SyntaxNode): SyntaxNode | undefined {
  const inner = firstNamed(node);
  return inner?.type === 'qualified_type' ? fieldOf(inner, 'alias') : inner;
}

export function typeAt(path: string, wrap?: string): TypeExpr {
  const cut = path.lastIndexOf('::');
  const name = cut === -1 ? path : path.slice(cut + 2);
  const of = cut === -1 ? undefined : path.slice(0, cut) || undefined;
  return { kind: 'type', name, ...(of === undefined ? {} : { of }), ...(wrap === undefined ? {} : { wrap }) };
}

export function typeOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): TypeExpr | undefined {
  if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
  const inside = (inner: SyntaxNode | undefined): TypeExpr | undefined => typeOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'type_identifier':
    case 'scoped_type_identifier':
    case 'identifier':
    case 'scoped_identifier': {
      const path = pathOf(node, textOf);
      return path === undefined ? undefined : typeAt(path);
    }
    case 'primitive_type':
      return { kind: 'type', name: textOf(node), wrap: 'primitive' };
    case 'reference_type':
    case 'pointer_type':
      return inside(fieldOf(node, 'type'));
    case 'parenthesized_type':
    case 'bounded_type':
    case 'match_pattern':
      return inside(firstNamed(node));
    case 'dynamic_type':
    case 'abstract_type':
      return inside(fieldOf(node, 'trait'));
    case 'array_type':
    case 'slice_type':
      return held(inside(fieldOf(node, 'element') ?? firstNamed(node)), 'Array');
    case 'function_type':
      return held(inside(fieldOf(node, 'return_type')), 'Func');
    case 'tuple_type':
    case 'unit_type':
      return { kind: 'type', name: '()', wrap: 'primitive' };
    case 'generic_type':
    case 'generic_type_with_turbofish': {
      const path = pathOf(node, textOf);
      if (path === undefined) return undefined;
      const name = path.slice(path.lastIndexOf(':') + 1);
      if (!POINTERS.has(name) && !HOLDERS.has(name)) return typeAt(path);
      const given = namedOf(fieldOf(node, 'type_arguments')).filter(({ type }) => type !== 'lifetime');
      const one = KEYED.has(name) ? given.at(-1) : given[0];
      const inner = inside(one?.type === 'type_binding' ? fieldOf(one, 'type') : one);
      return POINTERS.has(name) ? inner : (held(inner, name) ?? { kind: 'type', name, wrap: name });
    }
    default:
      return undefined;
  }
}

function held(inner: TypeExpr | undefined, wrap: string): TypeExpr | undefined {
  return inner && { ...inner, wrap };
}

export function itemOf(whole: Expr | undefined): Expr | undefined {
  if (whole === undefined || whole.kind === 'item' || whole.kind === 'foreign' || whole.kind === 'unknown')
    return whole;
  return { kind: 'item', of: whole };
}

/** Long chains are those of builders: what is called on one mostly gives it back. */
function startOfChain(node: SyntaxNode): SyntaxNode | undefined {
  let at: SyntaxNode | undefined = node;
  while (at?.type === 'call_expression') {
    const called = fieldOf(at, 'function');
    if (called?.type !== 'field_expression') break;
    at = fieldOf(called, 'value');
  }
  return at === node ? undefined : at;
}

export function exprOf(node: SyntaxNode | undefined, textOf: TextOf, depth = 0): Expr | undefined {
  if (node === undefined) return undefined;
  if (depth > MOST_EXPR_DEPTH - 4) {
    const start = depth > MOST_EXPR_DEPTH ? undefined : startOfChain(node);
    return start === undefined ? UNKNOWN : exprOf(start, textOf, MOST_EXPR_DEPTH - 3);
  }
  const inside = (inner: SyntaxNode | undefined): Expr | undefined => exprOf(inner, textOf, depth + 1);
  switch (node.type) {
    case 'identifier':
    case 'self':
    case 'scoped_identifier':
    case 'generic_function': {
      const called = node.type === 'generic_function' ? fieldOf(node, 'function') : node;
      if (called?.type === 'field_expression') return inside(called);
      const name = pathOf(called, textOf);
      return name === undefined ? UNKNOWN : { kind: 'name', name };
    }
    case 'field_expression': {
      const [of, name] = [inside(fieldOf(node, 'value')), fieldOf(node, 'field')];
      return of && name && { kind: 'member', of, name: textOf(name) };
    }
    case 'call_expression':
      return resultOf(node, inside, textOf);
    case 'try_expression':
      return itemOf(inside(firstNamed(node)));
    case 'index_expression':
      return itemOf(inside(firstNamed(node)));
    case 'await_expression':
    case 'reference_expression':
    case 'parenthesized_expression':
    case 'unary_expression': {
      const value =
        fieldOf(node, 'value') ??
        node.children.findLast((child) => child.isNamed && child.type !== 'mutable_specifier');
      return inside(value);
    }
    case 'struct_expression': {
      const path = pathOf(fieldOf(node, 'name'), textOf);
      return path === undefined ? undefined : typeAt(path);
    }
    case 'type_cast_expression':
      return typeOf(fieldOf(node, 'type'), textOf);
    case 'block':
      return inside(node.children.findLast((child) => child.isNamed));
    case 'unsafe_block':
      return inside(childOf(node, 'block'));
    case 'string_literal':
    case 'raw_string_literal':
    case 'char_literal':
    case 'integer_literal':
    case 'float_literal':
    case 'boolean_literal':
    case 'array_expression':
    case 'binary_expression':
    case 'range_expression':
      return FOREIGN;
    case 'macro_invocation': {
      const name = fieldOf(node, 'macro');
      return name &&
        /^(?:vec|format|concat|stringify|env|include_str|include_bytes|matches)$/.test(textOf(name))
        ? FOREIGN
        : UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

function resultOf(
  node: SyntaxNode,
  inside: (node: SyntaxNode | undefined) => Expr | undefined,
  textOf: TextOf,
): Expr | undefined {
  const called = fieldOf(node, 'function');
  if (called?.type === 'field_expression') {
    const name = fieldOf(called, 'field');
    const value = inside(fieldOf(called, 'value'));
    if (name !== undefined && SAME.has(textOf(name))) return value;
    if (name !== undefined && ONE.has(textOf(name))) return itemOf(value);
  }
  const path = pathOf(called, textOf);
  if (path !== undefined && MADE_OF.test(path)) return inside(firstNamed(fieldOf(node, 'arguments')));
  const of = inside(called);
  return of && { kind: 'call', of };
}

/** The name that an expression begins with. */
export function headOf(value: Expr): string | undefined {
  let at = value;
  while ('of' in at && typeof at.of === 'object') at = at.of;
  return at.kind === 'name' ? at.name : undefined;
}

export function replaceHead(value: Expr, by: Expr): Expr {
  switch (value.kind) {
    case 'member':
    case 'call':
    case 'new':
    case 'item':
    case 'result':
      return { ...value, of: replaceHead(value.of, by) };
    case 'name':
    case 'type':
    case 'foreign':
    case 'unknown':
      return by;
  }
}
