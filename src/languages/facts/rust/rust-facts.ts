/** Rust: modules, types and what is implemented for them, bindings by pattern, uses. */
import type { UseKind } from '../../../core/index.ts';
import { classOf, type Collector } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { exprOf, itemOf, pathOf, typeAt, typeOf } from './rust-expressions.ts';
import { createRustPatterns } from './rust-patterns.ts';
import { readTokens } from './rust-tokens.ts';
import { createRustTypes } from './rust-types.ts';
import { createRustUses } from './rust-uses.ts';
import {
  childOf,
  fieldOf,
  firstNamed,
  isComment,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const TYPES: Readonly<Record<string, FactKind>> = {
  struct_item: 'class',
  union_item: 'class',
  enum_item: 'enum',
  trait_item: 'interface',
  type_item: 'type',
  associated_type: 'type',
};
const NAMES = new Set(['identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier']);
const PATHS = new Set(['scoped_identifier', 'scoped_type_identifier']);
/** What they are called with gets one of what they are called on. */
const EACH = new Set(
  'map for_each filter any all find position filter_map flat_map inspect and_then map_or map_or_else is_some_and retain sort_by_key take_while skip_while max_by_key min_by_key then partition'.split(
    ' ',
  ),
);
const PRIMITIVE = /^(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|str)$/;
const UNKNOWN: Expr = { kind: 'unknown' };

export function readRust(root: SyntaxNode, facts: Collector): void {
  const { textOf } = facts;
  const uses = createRustUses(facts);
  const type = (node: SyntaxNode | undefined) => typeOf(node, textOf);
  const expr = (node: SyntaxNode | undefined) => exprOf(node, textOf);
  const path = (node: SyntaxNode | undefined) => pathOf(node, textOf);
  const declared = new Map<SyntaxNode, FactDefinition>();
  const patterns = createRustPatterns(facts, walk);
  const { bindPattern, bindConditions, bindTypeParameters } = patterns;
  const readType = createRustTypes({ facts, walk, readItems, bindTypeParameters });

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function walkFields(node: SyntaxNode, scope: Scope, ...fields: readonly string[]): void {
    for (const child of node.children)
      if (child.field !== undefined && fields.includes(child.field)) walk(child, scope);
  }

  /** Types first: what is implemented for one may stand before it. */
  function readItems(node: SyntaxNode, scope: Scope): void {
    declareTypes(node, scope);
    walkAll(node, scope);
  }

  function declareTypes(node: SyntaxNode, scope: Scope): void {
    for (const child of node.children) {
      const kind = TYPES[child.type];
      const name = kind === undefined ? undefined : fieldOf(child, 'name');
      if (kind === undefined || name === undefined) continue;
      const definition = facts.define({ kind, scope, name, node: child });
      declared.set(child, definition);
      facts.bind(scope, definition.name, { definition });
      const owner = classOf(scope);
      if (owner !== undefined) facts.addMember(owner, definition);
    }
  }

  function readImpl(node: SyntaxNode, scope: Scope): void {
    const [of, trait, body] = [fieldOf(node, 'type'), fieldOf(node, 'trait'), fieldOf(node, 'body')];
    const self = type(of);
    const known =
      self?.of === undefined && self?.wrap === undefined ? scope.names.get(self?.name ?? '') : undefined;
    const owner = known?.definitions.find((each) => declaredHere(each));
    const inner = facts.openScope(scope, 'class', owner);
    bindTypeParameters(node, inner);
    if (self !== undefined) facts.bind(inner, 'Self', { type: self });
    const base = path(trait);
    if (base !== undefined) {
      if (owner !== undefined) owner.bases.push({ kind: 'name', name: base });
      else facts.bind(inner, 'impl', { type: typeAt(base) });
    }
    walkFields(node, inner, 'type', 'trait');
    if (body !== undefined) readItems(body, inner);
  }

  function declaredHere({ kind }: FactDefinition): boolean {
    return kind === 'class' || kind === 'enum' || kind === 'interface';
  }

  /** The type that what stands in an `impl` belongs to, as its head names it. */
  function ownerNameOf(scope: Scope): string | undefined {
    if (scope.kind !== 'class') return undefined;
    const self = scope.names.get('Self')?.type;
    return self?.kind === 'type' ? self.name : undefined;
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    const inner = facts.openScope(scope, 'function');
    bindTypeParameters(node, inner);
    if (name !== undefined) {
      const isMethod = scope.kind === 'class';
      const definition = facts.define({
        kind: isMethod ? 'method' : 'function',
        scope,
        name,
        node,
        more: { returns: [type(fieldOf(node, 'return_type'))], inner, ownerName: ownerNameOf(scope) },
      });
      const owner = classOf(scope);
      if (owner !== undefined) facts.addMember(owner, definition);
      else if (!isMethod) facts.bind(scope, definition.name, { definition });
    }
    bindParameters(fieldOf(node, 'parameters'), inner);
    walkFields(node, inner, 'return_type');
    const body = fieldOf(node, 'body');
    if (body !== undefined) readBlock(body, inner);
  }

  function bindParameters(list: SyntaxNode | undefined, scope: Scope, first?: Expr): void {
    for (const [at, each] of namedOf(list).entries()) {
      if (each.type === 'self_parameter') {
        const self = lookUpSelf(scope);
        if (self !== undefined) facts.bind(scope, 'self', { type: self });
      } else if (each.type === 'parameter') {
        const given = type(fieldOf(each, 'type'));
        bindPattern(fieldOf(each, 'pattern'), scope, {
          type: given,
          ...(given === undefined && at === 0 ? { value: first } : {}),
        });
        walkFields(each, scope, 'type');
      } else bindPattern(each, scope, at === 0 ? { value: first } : {});
    }
  }

  function lookUpSelf(scope: Scope): Expr | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const self = at.names.get('Self')?.type;
      if (self !== undefined) return self;
    }
    return undefined;
  }

  /** A name that is bound again is another one from there on. */
  function readBlock(node: SyntaxNode, scope: Scope): void {
    let at = scope;
    declareTypes(node, scope);
    for (const child of node.children) {
      if (child.type === 'let_declaration') at = readLet(child, at);
      else walk(child, at);
    }
  }

  function readLet(node: SyntaxNode, scope: Scope): Scope {
    walkFields(node, scope, 'value', 'type', 'alternative');
    const pattern = fieldOf(node, 'pattern');
    const isBound =
      pattern?.type === 'identifier' && isNamedIn(scope, textOf(pattern), fieldOf(node, 'value'));
    const inner = isBound ? facts.openScope(scope, 'block') : scope;
    const given = type(fieldOf(node, 'type'));
    bindPattern(
      pattern,
      inner,
      given === undefined ? { value: expr(fieldOf(node, 'value')) } : { type: given },
    );
    return inner;
  }

  /** The value still sees what the name meant before. */
  function isNamedIn(scope: Scope, name: string, value: SyntaxNode | undefined): boolean {
    return scope.names.has(name) || (value !== undefined && new RegExp(`\\b${name}\\b`).test(textOf(value)));
  }

  function readClosure(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    const call = node.parent?.type === 'arguments' ? node.parent.parent : undefined;
    const called = call?.type === 'call_expression' ? fieldOf(call, 'function') : undefined;
    const method = called?.type === 'field_expression' ? fieldOf(called, 'field') : undefined;
    const isEach = method !== undefined && EACH.has(textOf(method));
    bindParameters(
      fieldOf(node, 'parameters'),
      inner,
      isEach ? itemOf(expr(fieldOf(called, 'value'))) : undefined,
    );
    walkFields(node, inner, 'return_type', 'body');
  }

  function readModule(node: SyntaxNode, scope: Scope): void {
    const [name, body] = [fieldOf(node, 'name'), fieldOf(node, 'body')];
    if (name === undefined) return;
    if (body === undefined) return uses.module(node, scope);
    const definition = facts.define({ kind: 'module', scope, name, node });
    // A function may have the name of a module.
    facts.bind(scope, `${definition.name}::`, { definition });
    const inner = facts.openScope(scope, 'namespace', definition);
    definition.inner = inner;
    readItems(body, inner);
  }

  function readValue(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name !== undefined && textOf(name) !== '_') {
      const more = { type: type(fieldOf(node, 'type')), value: expr(fieldOf(node, 'value')) };
      const definition = facts.define({
        kind: 'value',
        scope,
        name,
        node,
        more: { ...more, ownerName: ownerNameOf(scope) },
      });
      const owner = classOf(scope);
      if (owner !== undefined) facts.addMember(owner, definition, more);
      else if (scope.kind !== 'class') facts.bind(scope, definition.name, { definition });
    }
    walkFields(node, scope, 'type', 'value');
  }

  /** Macros are found in the whole crate, whichever module has them: so they are exported by their name and `!`. */
  function readMacro(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return;
    const definition = facts.define({ kind: 'function', scope, name, node });
    facts.bind(scope, definition.name, { definition });
    facts.export({ kind: 'local', name: `${definition.name}!`, local: definition.name });
    for (const rule of namedOf(node)) {
      const right = fieldOf(rule, 'right');
      if (right !== undefined) readTokens(right, facts.openScope(scope, 'block'), facts);
    }
  }

  function readAttribute(node: SyntaxNode, scope: Scope): void {
    const attribute = childOf(node, 'attribute');
    const [name, given] = [firstNamed(attribute), fieldOf(attribute, 'arguments')];
    if (name !== undefined && given !== undefined && textOf(name) === 'derive')
      readTokens(given, scope, facts);
  }

  /** `Shape { side: 2 }`: keys are fields of what is made. */
  function readLiteral(node: SyntaxNode, scope: Scope): void {
    const made = path(fieldOf(node, 'name'));
    walkFields(node, scope, 'name');
    for (const each of namedOf(fieldOf(node, 'body'))) {
      const name = each.type === 'shorthand_field_initializer' ? firstNamed(each) : fieldOf(each, 'field');
      if (each.type === 'base_field_initializer' || name === undefined) {
        walkAll(each, scope);
        continue;
      }
      if (made !== undefined) facts.use(name, { kind: 'write', scope, of: typeAt(made) });
      if (each.type === 'shorthand_field_initializer') facts.use(name, { kind: 'read', scope });
      else walkFields(each, scope, 'value');
    }
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node)) return;
    switch (node.type) {
      case 'use_declaration':
        return uses.use(node, scope);
      case 'extern_crate_declaration':
        return uses.externCrate(node, scope);
      case 'mod_item':
        return readModule(node, scope);
      case 'struct_item':
      case 'union_item':
      case 'enum_item':
      case 'trait_item':
      case 'type_item':
      case 'associated_type':
        return readType(node, scope, declared.get(node));
      case 'impl_item':
        return readImpl(node, scope);
      case 'function_item':
      case 'function_signature_item':
        return readFunction(node, scope);
      case 'const_item':
      case 'static_item':
        return readValue(node, scope);
      case 'macro_definition':
        return readMacro(node, scope);
      case 'attribute_item':
      case 'inner_attribute_item':
        return readAttribute(node, scope);
      case 'block':
        return readBlock(node, facts.openScope(scope, 'block'));
      case 'let_declaration':
        return void readLet(node, scope);
      case 'if_expression':
      case 'while_expression': {
        const inner = facts.openScope(scope, 'block');
        bindConditions(fieldOf(node, 'condition'), inner);
        walkFields(node, inner, 'consequence', 'body');
        return walkFields(node, scope, 'alternative');
      }
      case 'let_condition':
      case 'let_chain':
        return bindConditions(node, scope);
      case 'for_expression': {
        walkFields(node, scope, 'value');
        const inner = facts.openScope(scope, 'block');
        bindPattern(fieldOf(node, 'pattern'), inner, { value: itemOf(expr(fieldOf(node, 'value'))) });
        return walkFields(node, inner, 'body');
      }
      case 'match_expression': {
        walkFields(node, scope, 'value');
        const value = expr(fieldOf(node, 'value'));
        for (const arm of namedOf(fieldOf(node, 'body'))) {
          const inner = facts.openScope(scope, 'block');
          bindPattern(fieldOf(arm, 'pattern'), inner, { value });
          walkFields(arm, inner, 'value');
        }
        return;
      }
      case 'closure_expression':
        return readClosure(node, scope);
      case 'struct_expression':
        return readLiteral(node, scope);
      case 'macro_invocation': {
        const [name, tokens] = [fieldOf(node, 'macro'), childOf(node, 'token_tree')];
        if (name !== undefined) walk(name, scope);
        return tokens && readTokens(tokens, scope, facts);
      }
      case 'lifetime':
      case 'metavariable':
        return;
    }
    if (PATHS.has(node.type)) return readPath(node, scope);
    if (NAMES.has(node.type) && node.children.length === 0)
      return facts.isClaimed(node) ? undefined : readUse(node, scope);
    walkAll(node, scope);
  }

  function readPath(node: SyntaxNode, scope: Scope): void {
    const [before, name] = [fieldOf(node, 'path'), fieldOf(node, 'name')];
    if (before !== undefined) walk(before, scope);
    if (name === undefined) return;
    const of = path(before);
    facts.use(name, {
      kind: useKind(node, name),
      scope,
      of: of === undefined ? UNKNOWN : { kind: 'name', name: `${of}::` },
    });
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    if (textOf(node) === 'Self' || (PATHS.has(parent?.type ?? '') && PRIMITIVE.test(textOf(node)))) return;
    if (node.type === 'field_identifier' && parent?.type === 'field_expression') {
      const of = expr(fieldOf(parent, 'value')) ?? UNKNOWN;
      return facts.use(node, { kind: useKind(parent, node), scope, of });
    }
    facts.use(node, { kind: useKind(node, node), scope });
  }

  readItems(root, facts.top);
}

function useKind(whole: SyntaxNode, name: SyntaxNode): UseKind {
  const around =
    whole.parent?.type === 'generic_function' || whole.parent?.type === 'generic_type' ? whole.parent : whole;
  const { parent } = around;
  if (parent?.type === 'call_expression' && around.field === 'function') return 'call';
  if (parent?.type === 'macro_invocation' && around.field === 'macro') return 'call';
  if (parent?.type === 'impl_item' && around.field === 'trait') return 'inherit';
  if (parent?.type === 'trait_bounds' && parent.parent?.type === 'trait_item') return 'inherit';
  if (name.type === 'type_identifier') return 'type';
  if (/^(?:compound_)?assignment/.test(parent?.type ?? '') && around.field === 'left') return 'write';
  return 'read';
}
