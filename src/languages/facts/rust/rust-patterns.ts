/** Rust: what patterns and type parameters bind, and which parts of what they look at. */
import type { BindingDraft, Collector } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import { exprOf, headOf, itemOf, pathOf, replaceHead, typeAt, typeOf } from './rust-expressions.ts';
import { childOf, fieldOf, firstNamed, namedOf, type SyntaxNode } from '../syntax-node.ts';

export interface RustPatterns {
  bindPattern(node: SyntaxNode | undefined, scope: Scope, what: BindingDraft): void;
  /** `if let` and `while let` bind for what follows. */
  bindConditions(node: SyntaxNode | undefined, scope: Scope): void;
  /** `T: Bound` has the members of the bound. */
  bindTypeParameters(node: SyntaxNode, scope: Scope): void;
}

export function createRustPatterns(
  facts: Collector,
  walk: (node: SyntaxNode, scope: Scope) => void,
): RustPatterns {
  const { textOf } = facts;
  const path = (node: SyntaxNode | undefined): string | undefined => pathOf(node, textOf);

  function bindName(scope: Scope, name: SyntaxNode, what: BindingDraft): void {
    facts.claim(name);
    facts.bind(scope, textOf(name), { ...what, value: beforeBinding(scope, textOf(name), what.value) });
  }

  /** `let x = x.next()`: the second `x` is the one before, and must not be looked for in the new scope. */
  function beforeBinding(scope: Scope, name: string, value: Expr | undefined): Expr | undefined {
    if (value === undefined || headOf(value) !== name) return value;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const known = at.names.get(name);
      if (known === undefined) continue;
      const meant = known.definitions.length === 0 ? (known.type ?? known.value) : undefined;
      return meant === undefined ? value : replaceHead(value, meant);
    }
    return value;
  }

  function bindTypeParameters(node: SyntaxNode, scope: Scope): void {
    for (const each of namedOf(fieldOf(node, 'type_parameters'))) {
      const name = fieldOf(each, 'name') ?? firstNamed(each);
      if (name?.type === 'type_identifier' || name?.type === 'identifier')
        bindName(scope, name, { type: boundOf(each) });
      for (const child of each.children) walk(child, scope);
    }
    for (const each of namedOf(childOf(node, 'where_clause'))) {
      const left = fieldOf(each, 'left');
      const known = left?.type === 'type_identifier' ? scope.names.get(textOf(left)) : undefined;
      if (known !== undefined) known.type ??= boundOf(each);
      for (const child of each.children) walk(child, scope);
    }
  }

  function boundOf(node: SyntaxNode): Expr | undefined {
    const bounds = namedOf(fieldOf(node, 'bounds')).flatMap((bound) => typeOf(bound, textOf) ?? []);
    // The first that may be of the project: those of the language tell nothing.
    return bounds.find(
      ({ name }) =>
        !/^(?:Clone|Copy|Send|Sync|Sized|Debug|Display|Default|Eq|PartialEq|Hash|Ord|PartialOrd|Into|From|AsRef)$/.test(
          name,
        ),
    );
  }

  function bindPattern(node: SyntaxNode | undefined, scope: Scope, what: BindingDraft): void {
    if (node === undefined) return;
    const whole = what.type ?? what.value;
    switch (node.type) {
      case 'identifier':
        // `None`, `LIMIT`: a name that is compared with.
        return /^[A-Z]/.test(textOf(node)) ? walk(node, scope) : bindName(scope, node, what);
      case 'tuple_struct_pattern':
        return bindParts(node, scope, whole);
      case 'struct_pattern':
        return bindStruct(node, scope);
      case 'captured_pattern': {
        const [name, ...rest] = namedOf(node);
        if (name !== undefined) bindName(scope, name, what);
        for (const each of rest) bindPattern(each, scope, what);
        return;
      }
      case 'slice_pattern':
        for (const each of namedOf(node)) bindPattern(each, scope, { value: itemOf(whole) });
        return;
      case 'tuple_pattern':
        for (const each of namedOf(node)) bindPattern(each, scope, {});
        return;
      case 'reference_pattern':
      case 'ref_pattern':
      case 'mut_pattern':
      case 'or_pattern':
      case 'match_pattern':
        for (const each of node.children)
          if (each.field === 'condition') walk(each, scope);
          else bindPattern(each, scope, what);
        return;
      default:
        walk(node, scope);
    }
  }

  /** `Some(x)` is one of what is looked at; `Shape::Dot(x)` is the first part of a dot. */
  function bindParts(node: SyntaxNode, scope: Scope, whole: Expr | undefined): void {
    const head = fieldOf(node, 'type');
    const made = path(head);
    const parts = namedOf(node).filter((each) => each !== head);
    if (head !== undefined) walk(head, scope);
    for (const [at, each] of parts.entries()) {
      const isInside = made === 'Some' || made === 'Ok';
      const value: Expr | undefined = isInside
        ? itemOf(whole)
        : made === undefined || made === 'Err'
          ? undefined
          : { kind: 'name', name: `${made}::${at}` };
      bindPattern(each, scope, { value });
    }
  }

  function bindStruct(node: SyntaxNode, scope: Scope): void {
    const head = fieldOf(node, 'type');
    const made = path(head);
    if (head !== undefined) walk(head, scope);
    for (const each of namedOf(node)) {
      const name = each.type === 'field_pattern' ? fieldOf(each, 'name') : undefined;
      if (name === undefined || made === undefined) continue;
      facts.use(name, { kind: 'read', scope, of: typeAt(made) });
      const value: Expr = { kind: 'name', name: `${made}::${textOf(name)}` };
      const pattern = fieldOf(each, 'pattern');
      if (pattern !== undefined) bindPattern(pattern, scope, { value });
      else bindName(scope, name, { value });
    }
  }

  function bindConditions(node: SyntaxNode | undefined, scope: Scope): void {
    if (node === undefined) return;
    if (node.type === 'let_condition') {
      const value = fieldOf(node, 'value');
      if (value !== undefined) walk(value, scope);
      bindPattern(fieldOf(node, 'pattern'), scope, { value: exprOf(value, textOf) });
    } else if (node.type === 'let_chain') for (const child of node.children) bindConditions(child, scope);
    else walk(node, scope);
  }

  return { bindPattern, bindConditions, bindTypeParameters };
}
