/**
 * The facts of C#: namespaces, types that may go on in other files, members, extension methods by the type that they extend, and usings.
 * Constructors are uses of their class, not definitions.
 */
import { classOf, type Collector } from '../collector.ts';
import { createCsharpExpressions, nameIn, plain } from './csharp-expressions.ts';
import { readCsharpUse } from './csharp-uses.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { toExpr } from '../java/java-expressions.ts';
import {
  childOf,
  fieldOf,
  firstNamed,
  isComment,
  lastNamed,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const TYPES: Readonly<Record<string, FactKind>> = {
  class_declaration: 'class',
  struct_declaration: 'class',
  record_declaration: 'class',
  record_struct_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  delegate_declaration: 'type',
};
const BLOCKS = new Set([
  'block',
  'for_statement',
  'using_statement',
  'fixed_statement',
  'switch_section',
  'switch_expression_arm',
  'catch_clause',
  'accessor_declaration',
  'query_expression',
]);
const METHODS = new Set([
  'method_declaration',
  'constructor_declaration',
  'destructor_declaration',
  'operator_declaration',
  'conversion_operator_declaration',
  'indexer_declaration',
  'local_function_statement',
]);
/** Where types stand that are in no namespace. */
export const GLOBAL_NAMESPACE = 'global::';
/** Marks the imports that hold for every file of a project. */
export const GLOBAL_USING = 'global using';

export function readCsharp(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;
  const syntax = createCsharpExpressions(facts);
  const { type, expr, bindTypeParameters } = syntax;

  function walkAll(node: SyntaxNode, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function walkRest(node: SyntaxNode, scope: Scope): void {
    walkChildren(node, scope, walk, 'name');
  }

  function bindName(
    name: SyntaxNode | undefined,
    scope: Scope,
    what: { type?: Expr | undefined; value?: Expr | undefined },
  ): void {
    if (name === undefined) return;
    facts.claim(name);
    facts.bind(scope, textOf(name), what);
  }

  function readUsing(node: SyntaxNode): void {
    const alias = fieldOf(node, 'name');
    const path = node.children.findLast((child) => child.isNamed && child !== alias);
    if (path === undefined) return;
    const specifier = plain(textOf(path));
    const isGlobal = childOf(node, 'global') !== undefined;
    facts.import({ specifier, names: isGlobal ? [GLOBAL_USING] : [] }, node);
    if (alias === undefined) {
      facts.star(specifier);
      if (isGlobal) facts.export({ kind: 'star', specifier });
      return;
    }
    facts.claim(alias);
    const name = specifier.slice(specifier.lastIndexOf('.') + 1);
    facts.bind(top, textOf(alias), { import: { specifier, name } });
  }

  function readNamespace(node: SyntaxNode, scope: Scope): Scope {
    const name = fieldOf(node, 'name');
    if (name === undefined) return scope;
    const around =
      scope.kind === 'namespace' && scope.definition !== undefined ? `${scope.definition.name}.` : '';
    const definition = facts.define({ kind: 'module', scope, name, node });
    const whole = Object.assign(definition, { name: around + plain(definition.name) });
    const inner = facts.openScope(scope, 'namespace', whole);
    definition.inner = inner;
    walkRest(node, inner);
    return inner;
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return walkAll(node, scope);
    const isPartial = node.children.some((child) => child.type === 'modifier' && textOf(child) === 'partial');
    const definition = facts.define({
      kind: TYPES[node.type] ?? 'class',
      scope,
      name,
      node,
      more: { isPartial },
    });
    const outer = classOf(scope);
    if (outer !== undefined) facts.addMember(outer, definition);
    facts.bind(scope, definition.name, { definition });
    if (scope.kind === 'file') facts.setPackage(GLOBAL_NAMESPACE);
    const inner = facts.openScope(scope, 'class', definition);
    definition.inner = inner;
    definition.arity = bindTypeParameters(node, inner);
    for (const base of namedOf(childOf(node, 'base_list'))) {
      const named = toExpr(
        type(base.type === 'primary_constructor_base_type' ? firstNamed(base) : base, scope),
      );
      if (named !== undefined) definition.bases.push(named);
    }
    const parameters = childOf(node, 'parameter_list');
    if (node.type.startsWith('record')) readComponents(definition, parameters, inner);
    else if (node.type !== 'delegate_declaration') bindParameters(parameters, inner);
    walkRest(node, inner);
  }

  function readComponents(owner: FactDefinition, list: SyntaxNode | undefined, inner: Scope): void {
    for (const each of namedOf(list)) {
      const name = fieldOf(each, 'name');
      if (name === undefined) continue;
      const definition = facts.define({ kind: 'field', scope: inner, name, node: each });
      facts.addMember(owner, definition, { type: type(fieldOf(each, 'type'), inner) });
    }
  }

  interface Parameters {
    readonly required: number;
    readonly all: number;
    readonly isVariadic: boolean;
    readonly extended: Expr | undefined;
  }

  function bindParameters(list: SyntaxNode | undefined, inner: Scope): Parameters {
    const each = namedOf(list).filter((child) => child.type === 'parameter');
    let [required, extended]: [number, Expr | undefined] = [0, undefined];
    for (const parameter of each) {
      const declared = type(fieldOf(parameter, 'type'), inner);
      const name = fieldOf(parameter, 'name');
      bindName(name, inner, { type: declared });
      const isExtended = namedOf(parameter).some(
        (child) => child.type === 'modifier' && textOf(child) === 'this',
      );
      if (isExtended) extended = declared ?? { kind: 'unknown' };
      else if (lastNamed(parameter) === name) required++;
    }
    // `params` is no node of its own: its type and name stand in the list.
    const rest = fieldOf(list, 'name');
    if (rest !== undefined) bindName(rest, inner, { type: type(fieldOf(list, 'type'), inner) });
    const all = each.length - (extended === undefined ? 0 : 1) + (rest === undefined ? 0 : 1);
    return { required, all, isVariadic: rest !== undefined || required < all, extended };
  }

  function readMethod(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    const owner = classOf(scope);
    const inner = facts.openScope(scope, 'function');
    bindTypeParameters(node, inner);
    const { required, isVariadic, extended } = bindParameters(fieldOf(node, 'parameters'), inner);
    const isLocal = node.type === 'local_function_statement';
    if (name !== undefined && /constructor/.test(node.type)) facts.claim(name);
    else if (name !== undefined && (isLocal || node.type === 'method_declaration')) {
      const definition = facts.define({
        kind: isLocal ? 'function' : 'method',
        scope,
        name,
        node,
        more: {
          returns: [type(fieldOf(node, 'returns') ?? fieldOf(node, 'type'), inner)],
          arity: required + (isVariadic ? 1 : 0),
          isVariadic,
          ownerName:
            extended === undefined
              ? undefined
              : extended.kind === 'type' && extended.wrap === undefined
                ? extended.name
                : '',
        },
      });
      definition.inner = inner;
      if (isLocal) facts.bind(scope, definition.name, { definition });
      else if (owner !== undefined) facts.addMember(owner, definition);
    }
    walkRest(node, inner);
  }

  function readFields(node: SyntaxNode, scope: Scope): void {
    const list = childOf(node, 'variable_declaration');
    const [declared, owner] = [type(fieldOf(list, 'type'), scope), classOf(scope)];
    for (const declarator of namedOf(list)) {
      const name = fieldOf(declarator, 'name');
      if (declarator.type !== 'variable_declarator' || name === undefined) continue;
      const definition = facts.define({ kind: 'field', scope, name, node });
      if (owner !== undefined) facts.addMember(owner, definition, { type: declared });
    }
    walkChildren(node, scope, walk, list);
    if (list !== undefined) walkAll(list, scope);
  }

  function readProperty(node: SyntaxNode, scope: Scope): void {
    const [name, owner] = [fieldOf(node, 'name'), classOf(scope)];
    const declared = type(fieldOf(node, 'type'), scope);
    if (name !== undefined) {
      const definition = facts.define({ kind: 'field', scope, name, node });
      if (owner !== undefined) facts.addMember(owner, definition, { type: declared });
    }
    const inner = facts.openScope(scope, 'function');
    facts.bind(inner, 'value', { type: declared });
    walkRest(node, inner);
  }

  function readConstant(node: SyntaxNode, scope: Scope): void {
    const [name, owner] = [fieldOf(node, 'name'), classOf(scope)];
    if (name !== undefined && owner !== undefined) {
      const definition = facts.define({ kind: 'field', scope, name, node });
      facts.addMember(owner, definition, { type: { kind: 'type', name: owner.name } });
    }
    walkRest(node, scope);
  }

  function readLocals(node: SyntaxNode, scope: Scope): void {
    const declared = type(fieldOf(node, 'type'), scope);
    for (const declarator of namedOf(node)) {
      const name = fieldOf(declarator, 'name');
      if (declarator.type !== 'variable_declarator' || name === undefined) continue;
      const last = lastNamed(declarator);
      bindName(name, scope, {
        type: declared,
        value: declared === undefined && last !== name ? expr(last, scope) : undefined,
      });
    }
    walkAll(node, scope);
  }

  function readLambda(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    const given = fieldOf(node, 'parameters');
    // What a container hands to a function is what it holds.
    const call = node.parent?.type === 'argument' ? node.parent.parent?.parent : undefined;
    const called = call?.type === 'invocation_expression' ? fieldOf(call, 'function') : undefined;
    const holder = expr(fieldOf(called, 'expression'), scope);
    const value: Expr | undefined = holder && { kind: 'item', of: holder };
    if (given?.type === 'implicit_parameter' || given?.type === 'identifier')
      bindName(given, inner, { value });
    else
      for (const each of namedOf(given)) {
        const declared = type(fieldOf(each, 'type'), inner);
        bindName(fieldOf(each, 'name'), inner, {
          type: declared,
          value: declared === undefined ? value : undefined,
        });
      }
    walkAll(node, inner);
  }

  function bindItem(
    node: SyntaxNode,
    name: SyntaxNode | undefined,
    list: SyntaxNode | undefined,
    scope: Scope,
  ): void {
    const declared = type(fieldOf(node, 'type'), scope);
    const of = expr(list, scope);
    bindName(name, scope, {
      type: declared,
      value: declared === undefined ? of && { kind: 'item', of } : undefined,
    });
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node)) return;
    if (node.type in TYPES) return readType(node, scope);
    if (METHODS.has(node.type)) return readMethod(node, scope);
    switch (node.type) {
      case 'using_directive':
        return readUsing(node);
      case 'namespace_declaration':
        return void readNamespace(node, scope);
      case 'field_declaration':
      case 'event_field_declaration':
        return readFields(node, scope);
      case 'property_declaration':
      case 'event_declaration':
        return readProperty(node, scope);
      case 'enum_member_declaration':
        return readConstant(node, scope);
      case 'variable_declaration':
        return readLocals(node, scope);
      case 'lambda_expression':
      case 'anonymous_method_expression':
        return readLambda(node, scope);
      case 'foreach_statement': {
        const inner = facts.openScope(scope, 'block');
        bindItem(node, fieldOf(node, 'left'), fieldOf(node, 'right'), inner);
        return walkAll(node, inner);
      }
      case 'from_clause':
        bindItem(node, fieldOf(node, 'name'), lastNamed(node), scope);
        break;
      case 'declaration_expression':
      case 'declaration_pattern':
      case 'recursive_pattern':
      case 'var_pattern':
      case 'catch_declaration':
      case 'let_clause':
        bindName(nameIn(fieldOf(node, 'name')), scope, { type: type(fieldOf(node, 'type'), scope) });
        break;
      case 'goto_statement':
      case 'extern_alias_directive':
      case 'explicit_interface_specifier':
      case 'name_colon':
        if (node.type !== 'explicit_interface_specifier') return;
        break;
      case 'labeled_statement':
        for (const child of node.children.slice(1)) walk(child, scope);
        return;
      case 'preproc_if':
      case 'preproc_elif':
        walkChildren(node, scope, walk, 'condition');
        return;
      case 'identifier':
        return facts.isClaimed(node) ? undefined : readCsharpUse(facts, syntax, node, scope);
    }
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  /** `namespace A;` holds for what comes after it. */
  let scope = top;
  for (const child of root.children) {
    if (child.type === 'file_scoped_namespace_declaration') scope = readNamespace(child, top);
    else walk(child, scope);
  }
}
