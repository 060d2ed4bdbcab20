/**
 * The facts of Swift: types with their members, extensions by the type that they extend (scopes with a `Self`, as `impl` blocks of Rust
 * have), functions, values and what is bound in conditions and patterns. Initializers are uses of their type.
 */
import { classOf, type Collector } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { toExpr } from '../java/java-expressions.ts';
import {
  childOf,
  fieldOf,
  fieldsOf,
  firstNamed,
  isComment,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';
import { createSwiftExpressions, declaredType, isTypeNode } from './swift-expressions.ts';
import { readSwiftUse } from './swift-uses.ts';

const KINDS: Readonly<Record<string, FactKind>> = {
  class: 'class',
  actor: 'class',
  struct: 'class',
  enum: 'enum',
};
const BLOCKS = new Set([
  'switch_entry',
  'statements',
  'do_statement',
  'repeat_while_statement',
  'computed_property',
]);
const CONDITIONS = new Set(['if_statement', 'while_statement', 'guard_statement']);
/** What is handed to their block is an item of what they are called on. */
const OVER_ITEMS = new Set(
  'map compactMap flatMap filter forEach first contains allSatisfy sorted max min drop prefix'.split(' '),
);

export function readSwift(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;
  const syntax = createSwiftExpressions(facts);
  const { type, expr, nameOf } = syntax;

  function walkAll(node: SyntaxNode, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function bindName(
    name: SyntaxNode | undefined,
    scope: Scope,
    what: { type?: Expr | undefined; value?: Expr | undefined },
  ): void {
    if (name === undefined) return;
    facts.claim(name);
    const written = nameOf(name);
    const { value } = what;
    const isItself = value?.kind === 'name' && value.name === written;
    // `guard let self`, and `let name = name`: what the name meant before is a member, or still bound around.
    if (written === 'self' || (isItself && isBound(scope, written))) return;
    const member: Expr = { kind: 'member', of: { kind: 'name', name: 'self' }, name: written };
    facts.bind(scope, written, isItself ? { value: member } : what);
  }

  function isBound(scope: Scope, name: string): boolean {
    for (let at: Scope | undefined = scope; at !== undefined && at.kind !== 'class'; at = at.parent)
      if (at.names.has(name)) return true;
    return false;
  }

  function bindTypeParameters(node: SyntaxNode, scope: Scope): void {
    for (const each of namedOf(childOf(node, 'type_parameters'))) {
      const name = childOf(each, 'type_identifier');
      if (name === undefined) continue;
      facts.claim(name);
      facts.bind(scope, nameOf(name), { type: type(declaredType(each)) });
    }
  }

  function basesOf(node: SyntaxNode): readonly Expr[] {
    return node.children
      .filter((child) => child.type === 'inheritance_specifier')
      .flatMap((each) => type(fieldOf(each, 'inherits_from')) ?? []);
  }

  function readImport(node: SyntaxNode): void {
    const [module] = namedOf(childOf(node, 'identifier'));
    if (module === undefined) return;
    const specifier = textOf(module);
    facts.import({ specifier, names: [] }, node);
    facts.bind(top, specifier, { import: { specifier, name: '*' } });
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    const body = fieldOf(node, 'body');
    const word = fieldOf(node, 'declaration_kind')?.type ?? 'class';
    if (name === undefined || body === undefined) return walkAll(node, scope);
    if (word === 'extension') return readExtension(node, name, scope);
    const kind: FactKind = node.type === 'protocol_declaration' ? 'interface' : (KINDS[word] ?? 'class');
    const definition = facts.define({ kind, scope, name, node, more: { ...ownerOf(scope) } });
    add(definition, scope);
    const inner = facts.openScope(scope, 'class', definition);
    definition.inner = inner;
    const self: Expr = { kind: 'type', name: definition.name };
    for (const each of ['self', 'Self']) facts.bind(inner, each, { type: self });
    bindTypeParameters(node, inner);
    definition.bases.push(...basesOf(node).flatMap((base) => toExpr(base) ?? []));
    walkChildren(node, inner, walk, name);
  }

  /** Its members find their type when they are asked for: it may be in another file. */
  function readExtension(node: SyntaxNode, name: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'class');
    const self = type(name);
    if (self !== undefined) for (const each of ['self', 'Self']) facts.bind(inner, each, { type: self });
    for (const [at, base] of basesOf(node).entries())
      facts.bind(inner, `impl${at === 0 ? '' : at}`, { type: base });
    walk(name, scope);
    walkChildren(node, inner, walk, name);
  }

  /** What stands in an extension names its owner; other members are given to theirs. */
  function ownerOf(scope: Scope): { ownerName: string } | undefined {
    const self =
      scope.kind === 'class' && scope.definition === undefined ? scope.names.get('Self')?.type : undefined;
    return self?.kind === 'type' ? { ownerName: self.name } : undefined;
  }

  function add(
    definition: FactDefinition,
    scope: Scope,
    what: { type?: Expr | undefined; value?: Expr | undefined } = {},
  ): void {
    const owner = classOf(scope);
    if (owner !== undefined) facts.addMember(owner, definition, what);
    else if (definition.ownerName === undefined) facts.bind(scope, definition.name, { definition });
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    const inner = facts.openScope(scope, 'function');
    bindTypeParameters(node, inner);
    const list = node.children.filter((child) => child.type === 'parameter');
    for (const each of list) {
      for (const label of fieldsOf(each, 'external_name')) facts.claim(label);
      bindName(childOf(each, 'simple_identifier') === undefined ? undefined : parameterName(each), inner, {
        type: type(declaredType(each)),
      });
    }
    const last = node.children.lastIndexOf(list.at(-1) ?? node);
    const result = node.children.slice(last + 1).find(isTypeNode);
    const isNamed = node.type === 'function_declaration' || node.type === 'protocol_function_declaration';
    if (isNamed && name !== undefined) {
      const optional = fieldsOf(node, 'default_value').length;
      const isVariadic = optional > 0 || node.children.some((child) => textOf(child) === '...');
      const isMember = classOf(scope) !== undefined || ownerOf(scope) !== undefined;
      const body = onlyStatement(fieldOf(node, 'body'));
      const definition = facts.define({
        kind: isMember ? 'method' : 'function',
        scope,
        name,
        node,
        more: {
          ...ownerOf(scope),
          returns: [type(result)],
          returned: result === undefined ? expr(body) : undefined,
          arity: list.length - optional + (isVariadic ? 1 : 0),
          isVariadic,
        },
      });
      definition.inner = inner;
      add(definition, scope);
    }
    for (const child of node.children) if (child !== name || !isNamed) walk(child, inner);
  }

  /** `for name: Type`: the last name before the colon. */
  function parameterName(node: SyntaxNode): SyntaxNode | undefined {
    return node.children.findLast((child) => child.field === 'name' && child.type === 'simple_identifier');
  }

  function onlyStatement(body: SyntaxNode | undefined): SyntaxNode | undefined {
    const all = namedOf(childOf(body, 'statements'));
    return all.length === 1 ? all[0] : undefined;
  }

  /** Each name with the type and the value that stand behind it. */
  function readProperty(node: SyntaxNode, scope: Scope): void {
    const { children } = node;
    for (const [at, child] of children.entries()) {
      if (child.field !== 'name' || child.type !== 'pattern') continue;
      const next = children.findIndex((each, other) => other > at && each.type === 'pattern');
      const behind = children.slice(at + 1, next === -1 ? undefined : next);
      const declared = type(declaredType(behind.find((each) => each.type === 'type_annotation')));
      const given = behind.find((each) => each.field === 'value');
      const value = declared === undefined ? expr(called(given)) : undefined;
      const name = fieldOf(child, 'bound_identifier');
      if (name === undefined) bindPattern(child, scope, {});
      else if (scope.kind === 'class' || scope.kind === 'file') {
        const isMember = scope.kind === 'class';
        const definition = facts.define({
          kind: isMember ? 'field' : 'value',
          scope,
          name,
          node,
          more: { ...ownerOf(scope), ...(classOf(scope) === undefined ? { type: declared, value } : {}) },
        });
        add(definition, scope, { type: declared, value });
      } else bindName(name, scope, { type: declared, value });
    }
    walkAll(node, scope);
  }

  /** `{ … }()` gives what its block ends with. */
  function called(node: SyntaxNode | undefined): SyntaxNode | undefined {
    const first = node?.type === 'call_expression' ? firstNamed(node) : undefined;
    return first?.type === 'lambda_literal' ? onlyStatement(first) : node;
  }

  function bindPattern(node: SyntaxNode, scope: Scope, what: { type?: Expr | undefined }): void {
    const name = fieldOf(node, 'bound_identifier');
    if (name !== undefined) return bindName(name, scope, what);
    const inner = node.children.filter((child) => child.type === 'pattern');
    const [only] = namedOf(node);
    // The innermost of `let (a, b)` and of `case let .open(a)`.
    if (inner.length === 0 && only?.type === 'simple_identifier' && namedOf(node).length === 1)
      return bindName(only, scope, what);
    const checked = type(declaredType(node));
    for (const each of inner) bindPattern(each, scope, checked === undefined ? {} : { type: checked });
  }

  /** `if let a = b, let c`: every name with the condition behind it. */
  function bindConditions(node: SyntaxNode, scope: Scope): void {
    const { children } = node;
    for (const [at, name] of children.entries()) {
      if (name.field !== 'bound_identifier') {
        if (name.type === 'pattern') bindPattern(name, scope, {});
        continue;
      }
      const [next, value] = [children[at + 1], children.slice(at + 1).find((each) => each.isNamed)];
      const isGiven =
        value?.field === 'condition' && value.type !== 'value_binding_pattern' && next?.type !== ',';
      if (!isGiven) facts.use(name, { kind: 'read', scope, name: nameOf(name) });
      bindName(name, scope, { value: isGiven ? expr(value) : { kind: 'name', name: nameOf(name) } });
    }
  }

  function readLambda(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    const around = node.parent?.type === 'value_argument' ? node.parent.parent?.parent : node.parent;
    const target = around?.type === 'call_suffix' ? firstNamed(around.parent) : undefined;
    const name = fieldOf(fieldOf(target, 'suffix'), 'suffix');
    const holder =
      name !== undefined && OVER_ITEMS.has(textOf(name)) ? expr(fieldOf(target, 'target')) : undefined;
    const value: Expr | undefined = holder && { kind: 'item', of: holder };
    const list = namedOf(childOf(childOf(node, 'lambda_function_type'), 'lambda_function_type_parameters'));
    const inType = namedOf(childOf(fieldOf(node, 'type'), 'lambda_function_type_parameters'));
    const given = list.length > 0 ? list : inType;
    if (given.length === 0) facts.bind(inner, '$0', { value });
    for (const each of given) {
      const declared = type(declaredType(each));
      bindName(parameterName(each), inner, {
        type: declared,
        value: declared === undefined ? value : undefined,
      });
    }
    walkAll(node, inner);
  }

  function readCase(node: SyntaxNode, scope: Scope): void {
    const owner = classOf(scope);
    for (const name of fieldsOf(node, 'name')) {
      if (owner === undefined || name.type !== 'simple_identifier') continue;
      facts.addMember(owner, facts.define({ kind: 'field', scope, name, node }), {
        type: { kind: 'type', name: owner.name },
      });
    }
    for (const contents of fieldsOf(node, 'data_contents'))
      for (const child of contents.children)
        if (child.type === 'simple_identifier') facts.claim(child);
        else walk(child, scope);
  }

  function readAlias(node: SyntaxNode, scope: Scope): void {
    const name = childOf(node, 'type_identifier');
    if (name === undefined) return;
    const is = type(declaredType(node));
    const aliases = is === undefined ? [] : [is];
    add(facts.define({ kind: 'type', scope, name, node, more: { ...ownerOf(scope), aliases } }), scope);
    walkChildren(node, scope, walk, name);
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node) || node.type === 'multiline_comment') return;
    if (CONDITIONS.has(node.type)) {
      // What `guard` binds holds for what comes after it.
      const inner = node.type === 'guard_statement' ? scope : facts.openScope(scope, 'block');
      bindConditions(node, inner);
      return walkAll(node, inner);
    }
    switch (node.type) {
      case 'import_declaration':
        return readImport(node);
      case 'class_declaration':
      case 'protocol_declaration':
        return readType(node, scope);
      case 'function_declaration':
      case 'protocol_function_declaration':
      case 'init_declaration':
      case 'deinit_declaration':
      case 'subscript_declaration':
        return readFunction(node, scope);
      case 'property_declaration':
      case 'protocol_property_declaration':
        return readProperty(node, scope);
      case 'typealias_declaration':
      case 'associatedtype_declaration':
        return readAlias(node, scope);
      case 'enum_entry':
        return readCase(node, scope);
      case 'lambda_literal':
        return readLambda(node, scope);
      case 'for_statement': {
        const inner = facts.openScope(scope, 'block');
        const of = expr(fieldOf(node, 'collection'));
        const item = fieldOf(node, 'item');
        const name = fieldOf(item, 'bound_identifier');
        if (name !== undefined) bindName(name, inner, { value: of && { kind: 'item', of } });
        else if (item !== undefined) bindPattern(item, inner, {});
        return walkAll(node, inner);
      }
      case 'switch_entry':
      case 'catch_block': {
        const inner = facts.openScope(scope, 'block');
        for (const each of [childOf(node, 'switch_pattern'), node])
          for (const pattern of each?.children ?? [])
            if (pattern.type === 'pattern') bindCase(pattern, inner);
        return walkAll(node, inner);
      }
      case 'computed_setter': {
        const inner = facts.openScope(scope, 'function');
        bindName(childOf(node, 'simple_identifier'), inner, {});
        return walkAll(node, inner);
      }
      case 'tuple_type_item':
      case 'enum_type_parameters':
        for (const child of node.children) if (child.type !== 'simple_identifier') walk(child, scope);
        return;
      case 'simple_identifier':
      case 'type_identifier':
        return facts.isClaimed(node) ? undefined : readSwiftUse(facts, syntax, node, scope);
    }
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  /** `case .open(let a)`, `case let .open(a)` and `case let a as Type`; the name of the case is a use. */
  function bindCase(node: SyntaxNode, scope: Scope): void {
    const isBinding = childOf(node, 'value_binding_pattern') !== undefined;
    const checked = type(declaredType(node));
    for (const child of node.children)
      if (child.type === 'pattern') {
        if (
          isBinding ||
          childOf(child, 'value_binding_pattern') !== undefined ||
          declaredType(node) !== undefined
        )
          bindPattern(child, scope, checked === undefined ? {} : { type: checked });
        else bindCase(child, scope);
      } else if (child.field === 'bound_identifier') bindName(child, scope, {});
  }

  walkAll(root, top);
}
