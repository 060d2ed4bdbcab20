/**
 * The facts of Scala: classes, traits and objects, of which a class and the object of its name are one; imports with renaming and wildcards,
 * also inside of blocks. What is implicit leaves no trace in the syntax, and is not seen.
 */
import type { UseKind } from '../../../core/index.ts';
import { classOf, type Collector } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { toExpr } from '../java/java-expressions.ts';
import { createScalaExpressions } from './scala-expressions.ts';
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

const TYPES: Readonly<Record<string, FactKind>> = {
  class_definition: 'class',
  object_definition: 'class',
  trait_definition: 'interface',
  enum_definition: 'enum',
};
const BLOCKS = new Set(['block', 'case_clause', 'indented_block', 'for_expression', 'catch_clause']);
const UNKNOWN: Expr = { kind: 'unknown' };

export function readScala(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;

  const { type, expr } = createScalaExpressions(facts);

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
    facts.bind(scope, textOf(name), what);
  }

  function bindTypeParameters(list: SyntaxNode | undefined, scope: Scope): void {
    for (const child of namedOf(list)) if (child.field === 'name') bindName(child, scope, {});
  }

  /** `import a.b.{C, D => E, _}`. */
  function readImport(node: SyntaxNode, scope: Scope): void {
    const path = fieldsOf(node, 'path').map(textOf).join('.');
    const take = (name: SyntaxNode, alias: SyntaxNode | undefined): void => {
      const specifier = `${path}.${textOf(name)}`;
      facts.import({ specifier, names: [] }, node);
      facts.bind(scope, textOf(alias ?? name), { import: { specifier, name: textOf(name) } });
      facts.use(name, { kind: 'import', scope });
    };
    const star = (): void => {
      facts.star(path);
      facts.import({ specifier: `${path}.*`, names: [] }, node);
    };
    const selectors = childOf(node, 'namespace_selectors');
    if (childOf(node, 'namespace_wildcard') !== undefined) return star();
    if (selectors === undefined) {
      const last = fieldsOf(node, 'path').at(-1);
      const specifier = path;
      facts.import({ specifier, names: [] }, node);
      if (last === undefined) return;
      facts.bind(scope, textOf(last), { import: { specifier, name: textOf(last) } });
      return facts.use(last, { kind: 'import', scope });
    }
    for (const each of namedOf(selectors)) {
      const [name, alias] = [fieldOf(each, 'name'), fieldOf(each, 'alias')];
      if (each.type === 'identifier') take(each, undefined);
      else if (/wildcard/.test(each.type)) star();
      else if (name !== undefined && alias?.type === 'identifier') take(name, alias);
    }
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return walkAll(node, scope);
    // A class and the object of its name are asked for as one.
    const more = { isPartial: node.type !== 'enum_definition' };
    const definition = facts.define({ kind: TYPES[node.type] ?? 'class', scope, name, node, more });
    const outer = classOf(scope);
    if (outer !== undefined) facts.addMember(outer, definition);
    facts.bind(scope, definition.name, { definition });
    readBody(node, definition, scope, name);
  }

  function readBody(node: SyntaxNode, definition: FactDefinition, scope: Scope, name?: SyntaxNode): void {
    const inner = facts.openScope(scope, 'class', definition);
    definition.inner = inner;
    bindTypeParameters(fieldOf(node, 'type_parameters'), inner);
    for (const base of namedOf(fieldOf(node, 'extend'))) {
      const named = base.field === 'type' ? toExpr(type(base)) : undefined;
      if (named !== undefined) definition.bases.push(named);
    }
    for (const list of fieldsOf(node, 'class_parameters'))
      for (const each of namedOf(list)) {
        const parameter = fieldOf(each, 'name');
        if (parameter === undefined) continue;
        const member = facts.define({ kind: 'field', scope: inner, name: parameter, node: each });
        facts.addMember(definition, member, { type: type(fieldOf(each, 'type')) });
      }
    walkChildren(node, inner, walk, name);
  }

  function readFunction(node: SyntaxNode, scope: Scope, extended?: Expr): void {
    const name = fieldOf(node, 'name');
    const inner = facts.openScope(scope, 'function');
    const lists = fieldsOf(node, 'parameters');
    for (const list of lists) {
      if (list.type === 'type_parameters') bindTypeParameters(list, inner);
      else
        for (const each of namedOf(list))
          bindName(fieldOf(each, 'name'), inner, { type: type(fieldOf(each, 'type')) });
    }
    bindTypeParameters(fieldOf(node, 'type_parameters'), inner);
    if (name !== undefined) {
      const owner = classOf(scope);
      const first = namedOf(lists.find((list) => list.type === 'parameters'));
      const optional = first.filter(
        (each) =>
          fieldOf(each, 'default_value') !== undefined ||
          fieldOf(each, 'type')?.type === 'repeated_parameter_type',
      ).length;
      const returned = fieldOf(node, 'return_type');
      const body = fieldOf(node, 'body');
      const definition = facts.define({
        kind: owner === undefined ? 'function' : 'method',
        scope,
        name,
        node,
        more: {
          returns: [type(returned)],
          returned: returned === undefined ? expr(body) : undefined,
          // Without parentheses it is read like a value.
          isAccessor: first.length === 0,
          arity: first.length - optional + (optional > 0 ? 1 : 0),
          isVariadic: optional > 0,
          ownerName: extended?.kind === 'type' ? extended.name : undefined,
        },
      });
      definition.inner = inner;
      if (owner !== undefined) facts.addMember(owner, definition);
      else facts.bind(scope, definition.name, { definition });
    }
    walkChildren(node, inner, walk, name);
  }

  function readValue(node: SyntaxNode, scope: Scope): void {
    const [pattern, owner] = [fieldOf(node, 'pattern') ?? fieldOf(node, 'name'), classOf(scope)];
    const declared = type(fieldOf(node, 'type'));
    const value = declared === undefined ? expr(fieldOf(node, 'value')) : undefined;
    if (pattern?.type === 'identifier') {
      if (owner !== undefined)
        facts.addMember(owner, facts.define({ kind: 'field', scope, name: pattern, node }), {
          type: declared,
          value,
        });
      else if (scope.kind === 'file') {
        const definition = facts.define({
          kind: 'value',
          scope,
          name: pattern,
          node,
          more: { type: declared, value },
        });
        facts.bind(scope, definition.name, { definition });
      } else bindName(pattern, scope, { type: declared, value });
    } else if (pattern !== undefined) bindPattern(pattern, scope);
    walkAll(node, scope);
  }

  /** Names in lower case are bound, others are compared with. */
  function bindPattern(node: SyntaxNode, scope: Scope): void {
    if (node.type === 'identifier') {
      if (/^[a-z_]/.test(textOf(node))) bindName(node, scope, {});
    } else if (node.type === 'typed_pattern')
      bindName(fieldOf(node, 'pattern'), scope, { type: type(fieldOf(node, 'type')) });
    else for (const child of namedOf(node)) if (child.field !== 'type') bindPattern(child, scope);
  }

  function readLambda(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    const given = fieldOf(node, 'parameters');
    const call = node.parent?.type === 'call_expression' ? node.parent : node.parent?.parent;
    const called = call?.type === 'call_expression' ? fieldOf(call, 'function') : undefined;
    const holder = called?.type === 'field_expression' ? expr(fieldOf(called, 'value')) : undefined;
    const value: Expr | undefined = holder && { kind: 'item', of: holder };
    if (given?.type === 'identifier') bindName(given, inner, { value });
    else
      for (const each of namedOf(given)) {
        const declared = type(fieldOf(each, 'type'));
        bindName(fieldOf(each, 'name'), inner, {
          type: declared,
          value: declared === undefined ? value : undefined,
        });
      }
    walkAll(node, inner);
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node)) return;
    if (node.type in TYPES) return readType(node, scope);
    switch (node.type) {
      case 'package_clause': {
        const body = fieldOf(node, 'body');
        return body && walkAll(body, scope);
      }
      case 'package_object':
        return walkAll(fieldOf(node, 'body') ?? node, scope);
      case 'import_declaration':
        return readImport(node, scope);
      case 'function_definition':
      case 'function_declaration':
        return readFunction(node, scope);
      case 'extension_definition': {
        const inner = facts.openScope(scope, 'block');
        const given = firstNamed(fieldOf(node, 'parameters'));
        const extended = type(fieldOf(given, 'type'));
        bindName(fieldOf(given, 'name'), inner, { type: extended });
        for (const child of namedOf(node)) {
          if (child.type.startsWith('function_')) readFunction(child, inner, extended);
          else walk(child, inner);
        }
        return;
      }
      case 'val_definition':
      case 'var_definition':
      case 'val_declaration':
      case 'var_declaration':
        return readValue(node, scope);
      case 'type_definition': {
        const [name, is] = [fieldOf(node, 'name'), type(fieldOf(node, 'type'))];
        if (name === undefined) break;
        const aliases = is === undefined ? [] : [is];
        const definition = facts.define({ kind: 'type', scope, name, node, more: { aliases } });
        const owner = classOf(scope);
        if (owner !== undefined) facts.addMember(owner, definition);
        facts.bind(scope, definition.name, { definition });
        break;
      }
      case 'simple_enum_case':
      case 'full_enum_case': {
        const [name, owner] = [fieldOf(node, 'name'), classOf(scope)];
        if (name === undefined || owner === undefined) break;
        const declared: Expr = { kind: 'type', name: owner.name };
        facts.addMember(owner, facts.define({ kind: 'field', scope, name, node }), { type: declared });
        break;
      }
      case 'lambda_expression':
        return readLambda(node, scope);
      case 'instance_expression': {
        const body = childOf(node, 'template_body');
        walkChildren(node, scope, walk, body);
        if (body === undefined) return;
        const bases = [toExpr(type(firstNamed(node)))].filter((each) => each !== undefined);
        const name = { ...body, end: body.start };
        const definition = facts.define({ kind: 'class', scope, name, node: body, more: { bases } });
        definition.inner = facts.openScope(scope, 'class', definition);
        return walkAll(body, definition.inner);
      }
      case 'case_clause': {
        const inner = facts.openScope(scope, 'block');
        const pattern = fieldOf(node, 'pattern');
        if (pattern !== undefined) bindPattern(pattern, inner);
        return walkAll(node, inner);
      }
      case 'enumerator': {
        const [name, list] = namedOf(node);
        const of = expr(list);
        if (name?.type === 'identifier') bindName(name, scope, { value: of && { kind: 'item', of } });
        else if (name !== undefined) bindPattern(name, scope);
        break;
      }
      case 'self_type':
        bindName(childOf(node, 'identifier'), scope, {});
        break;
      case 'identifier':
      case 'type_identifier':
        return facts.isClaimed(node) ? undefined : readUse(node, scope);
    }
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    const text = textOf(node);
    if (text === 'this' || text === 'super') return;
    if (parent?.type === 'field_expression' && node.field === 'field') {
      const of = expr(fieldOf(parent, 'value')) ?? UNKNOWN;
      return facts.use(node, { kind: kindOf(parent), scope, of, args: argsOf(parent) });
    }
    if (parent?.type === 'infix_expression' && node.field === 'operator')
      return facts.use(node, { kind: 'call', scope, of: expr(fieldOf(parent, 'left')) ?? UNKNOWN, args: 1 });
    if (parent?.type === 'stable_type_identifier' && firstNamed(parent) !== node) {
      const of = expr(firstNamed(parent)) ?? UNKNOWN;
      return facts.use(node, { kind: typeKind(parent), scope, of });
    }
    const kind = node.type === 'type_identifier' ? typeKind(node) : kindOf(node);
    facts.use(node, { kind, scope, args: node.type === 'type_identifier' ? undefined : argsOf(node) });
  }

  const packages = root.children
    .filter((child) => child.type === 'package_clause')
    .map((child) => fieldOf(child, 'name'));
  const names = packages.flatMap((name) => (name === undefined ? [] : [textOf(name).replace(/\s/g, '')]));
  if (names.length > 0) facts.setPackage(names.join('.'));
  // `package a` and then `package b`: what is in `a` is seen too.
  for (let length = names.length - 1; length > 0; length--) facts.star(names.slice(0, length).join('.'));
  walkAll(root, top);
}

/** What is called, with its type arguments. */
function wholeOf(node: SyntaxNode): SyntaxNode {
  return node.parent?.type === 'generic_function' ? node.parent : node;
}

function kindOf(node: SyntaxNode): UseKind {
  const whole = wholeOf(node);
  if (whole.parent?.type === 'call_expression' && whole.field === 'function') return 'call';
  return node.parent?.type === 'assignment_expression' && node.field === 'left' ? 'write' : 'read';
}

function argsOf(node: SyntaxNode): number | undefined {
  const whole = wholeOf(node);
  if (whole.parent?.type !== 'call_expression' || whole.field !== 'function') return undefined;
  const given = fieldOf(whole.parent, 'arguments');
  return given?.type === 'arguments' ? namedOf(given).length : 1;
}

function typeKind(node: SyntaxNode): UseKind {
  const outer = node.parent?.type === 'generic_type' && node.field === 'type' ? node.parent : node;
  if (outer.parent?.type === 'extends_clause') return 'inherit';
  return outer.parent?.type === 'instance_expression' ? 'call' : 'type';
}
