/**
 * The facts of Java: types with their members, whose methods know how many parameters they take; imports by full name; everything else in the
 * package. Constructors are uses of their class, not definitions.
 */
import type { UseKind } from '../../../core/index.ts';
import { classOf, type Collector } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { createJavaExpressions, toExpr } from './java-expressions.ts';
import {
  childOf,
  fieldOf,
  fieldsOf,
  isComment,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const TYPES: Readonly<Record<string, FactKind>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
};
const HERITAGE = new Set(['superclass', 'super_interfaces', 'extends_interfaces']);
const BLOCKS = new Set([
  'block',
  'for_statement',
  'try_with_resources_statement',
  'switch_block_statement_group',
  'switch_rule',
  'constructor_body',
]);
const UNKNOWN: Expr = { kind: 'unknown' };

export function readJava(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;
  const { type, expr, bindTypeParameters } = createJavaExpressions(facts);

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

  function readImport(node: SyntaxNode): void {
    const path = childOf(node, 'scoped_identifier', 'identifier');
    if (path === undefined) return;
    const specifier = textOf(path).replace(/\s/g, '');
    if (childOf(node, 'asterisk') !== undefined) {
      facts.star(specifier);
      return facts.import({ specifier: `${specifier}.*`, names: [] }, node);
    }
    const name = specifier.slice(specifier.lastIndexOf('.') + 1);
    facts.import({ specifier, names: [] }, node);
    facts.bind(top, name, { import: { specifier, name } });
    facts.use(fieldOf(path, 'name') ?? path, { kind: 'import', scope: top });
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return walkAll(node, scope);
    const definition = facts.define({ kind: TYPES[node.type] ?? 'class', scope, name, node });
    const outer = classOf(scope);
    if (outer !== undefined) facts.addMember(outer, definition);
    facts.bind(scope, definition.name, { definition });
    const inner = facts.openScope(scope, 'class', definition);
    definition.inner = inner;
    bindTypeParameters(node, inner);
    for (const child of node.children)
      if (HERITAGE.has(child.type)) definition.bases.push(...basesIn(child, scope));
    if (node.type === 'record_declaration') readComponents(definition, node, inner);
    walkRest(node, inner);
  }

  function basesIn(node: SyntaxNode, scope: Scope): Expr[] {
    if (HERITAGE.has(node.type) || node.type === 'type_list')
      return namedOf(node).flatMap((each) => basesIn(each, scope));
    const base = toExpr(type(node, scope));
    return base === undefined ? [] : [base];
  }

  /** A component of a record is a field and a method of one name. */
  function readComponents(owner: FactDefinition, node: SyntaxNode, inner: Scope): void {
    for (const each of namedOf(fieldOf(node, 'parameters'))) {
      const { name, declared } = parameterOf(each, inner);
      if (name === undefined) continue;
      const definition = facts.define({
        kind: 'field',
        scope: inner,
        name,
        node: each,
        more: { returns: [declared], isAccessor: true },
      });
      facts.addMember(owner, definition, { type: declared });
    }
  }

  interface Parameter {
    readonly name: SyntaxNode | undefined;
    readonly declared: Expr | undefined;
  }

  function parameterOf(node: SyntaxNode, scope: Scope): Parameter {
    if (node.type !== 'spread_parameter')
      return { name: fieldOf(node, 'name'), declared: type(fieldOf(node, 'type'), scope) };
    const declarator = childOf(node, 'variable_declarator');
    const one = type(
      namedOf(node).find((each) => each.type !== 'modifiers'),
      scope,
    );
    return {
      name: fieldOf(declarator, 'name'),
      declared: one?.kind === 'type' ? { ...one, wrap: 'Array' } : one,
    };
  }

  function readMethod(node: SyntaxNode, scope: Scope): void {
    const [name, owner] = [fieldOf(node, 'name'), classOf(scope)];
    const inner = facts.openScope(scope, 'function');
    bindTypeParameters(node, inner);
    const parameters = namedOf(fieldOf(node, 'parameters')).filter(
      (each) => each.type !== 'receiver_parameter',
    );
    for (const each of parameters) {
      const parameter = parameterOf(each, inner);
      bindName(parameter.name, inner, { type: parameter.declared });
    }
    if (name !== undefined) {
      if (/constructor/.test(node.type)) facts.claim(name);
      else {
        const more = {
          returns: [type(fieldOf(node, 'type'), inner)],
          arity: parameters.length,
          isVariadic: parameters.some((each) => each.type === 'spread_parameter'),
        };
        const definition = facts.define({ kind: 'method', scope, name, node, more });
        if (owner !== undefined) facts.addMember(owner, definition);
        definition.inner = inner;
      }
    }
    walkRest(node, inner);
  }

  function readFields(node: SyntaxNode, scope: Scope): void {
    const [declared, owner] = [type(fieldOf(node, 'type'), scope), classOf(scope)];
    for (const declarator of fieldsOf(node, 'declarator')) {
      const name = fieldOf(declarator, 'name');
      if (name === undefined) continue;
      const definition = facts.define({ kind: 'field', scope, name, node });
      if (owner !== undefined) facts.addMember(owner, definition, { type: declared });
    }
    walkAll(node, scope);
  }

  function readConstant(node: SyntaxNode, scope: Scope): void {
    const [name, owner, body] = [fieldOf(node, 'name'), classOf(scope), fieldOf(node, 'body')];
    if (name === undefined) return;
    const definition = facts.define({ kind: 'field', scope, name, node });
    const declared: Expr | undefined = owner && { kind: 'type', name: owner.name };
    if (owner !== undefined) facts.addMember(owner, definition, { type: declared });
    for (const child of node.children) {
      if (child === body) readAnonymous(child, toExpr(declared), scope);
      else if (child !== name) walk(child, scope);
    }
  }

  /** A class without a name, which inherits from what stands before its body. */
  function readAnonymous(body: SyntaxNode, base: Expr | undefined, scope: Scope): void {
    const name = { ...body, end: body.start };
    const bases = base === undefined ? [] : [base];
    const definition = facts.define({ kind: 'class', scope, name, node: body, more: { bases } });
    definition.inner = facts.openScope(scope, 'class', definition);
    walkAll(body, definition.inner);
  }

  function readLocals(node: SyntaxNode, scope: Scope): void {
    const declared = type(fieldOf(node, 'type'), scope);
    walkAll(node, scope);
    for (const declarator of fieldsOf(node, 'declarator')) {
      const value = declared === undefined ? expr(fieldOf(declarator, 'value'), scope) : undefined;
      bindName(fieldOf(declarator, 'name'), scope, { type: declared, value });
    }
  }

  function readLambda(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    const given = fieldOf(node, 'parameters');
    // What a container hands to a function is what it holds.
    const call = node.parent?.type === 'argument_list' ? node.parent.parent : undefined;
    const holder = call?.type === 'method_invocation' ? expr(fieldOf(call, 'object'), scope) : undefined;
    const value: Expr | undefined = holder && { kind: 'item', of: holder };
    if (given?.type === 'identifier') bindName(given, inner, { value });
    else
      for (const [at, each] of namedOf(given).entries()) {
        if (each.type === 'identifier') bindName(each, inner, { value: at === 0 ? value : undefined });
        else {
          const parameter = parameterOf(each, inner);
          bindName(parameter.name, inner, { type: parameter.declared });
        }
      }
    walkAll(node, inner);
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node)) return;
    if (node.type in TYPES) return readType(node, scope);
    switch (node.type) {
      case 'package_declaration':
        return;
      case 'import_declaration':
        return readImport(node);
      case 'method_declaration':
      case 'constructor_declaration':
      case 'compact_constructor_declaration':
      case 'annotation_type_element_declaration':
        return readMethod(node, scope);
      case 'field_declaration':
      case 'constant_declaration':
        return readFields(node, scope);
      case 'enum_constant':
        return readConstant(node, scope);
      case 'local_variable_declaration':
        return readLocals(node, scope);
      case 'lambda_expression':
        return readLambda(node, scope);
      case 'object_creation_expression': {
        const body = childOf(node, 'class_body');
        walkChildren(node, scope, walk, body);
        return body && readAnonymous(body, toExpr(type(fieldOf(node, 'type'), scope)), scope);
      }
      case 'enhanced_for_statement': {
        const inner = facts.openScope(scope, 'block');
        const of = expr(fieldOf(node, 'value'), scope);
        const declared = type(fieldOf(node, 'type'), scope);
        const value: Expr | undefined = declared === undefined ? of && { kind: 'item', of } : undefined;
        bindName(fieldOf(node, 'name'), inner, { type: declared, value });
        return walkAll(node, inner);
      }
      case 'catch_clause': {
        const inner = facts.openScope(scope, 'block');
        const caught = childOf(node, 'catch_formal_parameter');
        bindName(fieldOf(caught, 'name'), inner, { type: type(childOf(caught, 'catch_type'), scope) });
        return walkAll(node, inner);
      }
      case 'resource':
        bindName(fieldOf(node, 'name'), scope, {
          type: type(fieldOf(node, 'type'), scope),
          value: expr(fieldOf(node, 'value'), scope),
        });
        break;
      case 'instanceof_expression':
        bindName(fieldOf(node, 'name'), scope, { type: type(fieldOf(node, 'right'), scope) });
        break;
      case 'type_pattern':
      case 'record_pattern_component': {
        const [first, last] = [namedOf(node).at(0), namedOf(node).at(-1)];
        if (first !== last && last?.type === 'identifier')
          bindName(last, scope, { type: type(first, scope) });
        break;
      }
      case 'labeled_statement':
      case 'break_statement':
      case 'continue_statement':
        for (const child of node.children) if (child.type !== 'identifier') walk(child, scope);
        return;
      case 'identifier':
      case 'type_identifier':
        return facts.isClaimed(node) ? undefined : readUse(node, scope);
    }
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    switch (parent?.type) {
      case undefined:
        return;
      case 'method_invocation':
        if (node.field !== 'name') break;
        return facts.use(node, { kind: 'call', scope, of: receiverOf(parent, scope), args: countOf(parent) });
      case 'field_access':
        if (node.field !== 'field') break;
        return facts.use(node, {
          kind: kindOf(parent),
          scope,
          of: expr(fieldOf(parent, 'object'), scope) ?? UNKNOWN,
        });
      case 'method_reference':
        if (parent.children[0] === node) break;
        return facts.use(node, { kind: 'call', scope, of: expr(parent.children[0], scope) ?? UNKNOWN });
      case 'scoped_type_identifier':
        if (parent.children[0] === node) break;
        return facts.use(node, {
          kind: typeKind(parent),
          scope,
          of: expr(parent.children[0], scope) ?? UNKNOWN,
        });
      case 'scoped_identifier':
        if (parent.children[0] === node) break;
        return facts.use(node, { kind: 'type', scope, of: expr(parent.children[0], scope) ?? UNKNOWN });
      case 'element_value_pair':
        // `@Name(key = value)`: the key is a method of the annotation.
        if (node.field !== 'key') break;
        return facts.use(node, {
          kind: 'write',
          scope,
          of: expr(fieldOf(parent.parent?.parent, 'name'), scope) ?? UNKNOWN,
          args: 0,
        });
      case 'annotation':
      case 'marker_annotation':
        return facts.use(node, { kind: 'type', scope });
      case 'switch_label': {
        // `case ONE`: of what is switched over, most often.
        const over = switchOf(parent);
        const of = over && expr(fieldOf(over, 'condition'), scope);
        if (of !== undefined) return facts.use(node, { kind: 'read', scope, of });
      }
    }
    facts.use(node, { kind: node.type === 'type_identifier' ? typeKind(node) : kindOf(node), scope });
  }

  /** `Outer.super.run()` runs that of Outer. */
  function receiverOf(node: SyntaxNode, scope: Scope): Expr | undefined {
    const object = fieldOf(node, 'object');
    return object && (expr(object, scope) ?? UNKNOWN);
  }

  for (const child of root.children) {
    const path = child.type === 'package_declaration' && childOf(child, 'scoped_identifier', 'identifier');
    if (path) facts.setPackage(textOf(path).replace(/\s/g, ''));
  }
  walkAll(root, top);
}

function switchOf(node: SyntaxNode): SyntaxNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (at.type === 'switch_expression' || at.type === 'switch_statement') return at;
  return undefined;
}

function countOf(node: SyntaxNode): number {
  return namedOf(fieldOf(node, 'arguments')).length;
}

function kindOf(node: SyntaxNode): UseKind {
  return node.parent?.type === 'assignment_expression' && node.field === 'left' ? 'write' : 'read';
}

/** Of a name of a type: what is made, what is inherited from, or what something is declared as. */
function typeKind(node: SyntaxNode): UseKind {
  let at = node;
  while (at.parent?.type === 'generic_type' || at.parent?.type === 'scoped_type_identifier') {
    if (at.parent.children[0] !== at && at.parent.type === 'generic_type') return 'type';
    at = at.parent;
  }
  if (at.parent?.type === 'object_creation_expression') return at.field === 'type' ? 'call' : 'type';
  const around = at.parent?.type === 'type_list' ? at.parent.parent : at.parent;
  return around !== undefined && HERITAGE.has(around.type) ? 'inherit' : 'type';
}
