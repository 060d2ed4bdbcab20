/** Go: a package is a folder, and methods belong to the type that their receiver names. */
import { type BindingDraft, type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import type { UseKind } from '../../../core/index.ts';
import type { Expr, FactDefinition, Scope } from '../facts.ts';
import {
  childOf,
  fieldOf,
  fieldsOf,
  firstNamed,
  isComment,
  lastNamed,
  namedOf,
  type SyntaxNode,
  walkChildren,
} from '../syntax-node.ts';

const BLOCKS = new Set([
  'block',
  'if_statement',
  'for_statement',
  'expression_switch_statement',
  'expression_case',
  'communication_case',
]);
const NAMES = new Set(['identifier', 'type_identifier', 'field_identifier']);
const UNKNOWN: Expr = { kind: 'unknown' };

export function readGo(root: SyntaxNode, facts: Collector): void {
  const { textOf, top } = facts;
  const clause = childOf(root, 'package_clause');
  const packageName = lastNamed(clause);
  if (packageName !== undefined) facts.setPackage(textOf(packageName));

  function type(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => type(inner, depth + 1);
    switch (node.type) {
      case 'type_identifier':
        return { kind: 'type', name: textOf(node) };
      case 'qualified_type': {
        const [of, name] = [fieldOf(node, 'package'), fieldOf(node, 'name')];
        return of && name && { kind: 'type', name: textOf(name), of: textOf(of) };
      }
      case 'pointer_type':
      case 'parenthesized_type':
        return inside(firstNamed(node));
      case 'generic_type':
        return inside(fieldOf(node, 'type'));
      case 'slice_type':
      case 'array_type':
        return wrapped(inside(fieldOf(node, 'element')), 'Array');
      case 'map_type':
        return wrapped(inside(fieldOf(node, 'value')), 'Array');
      case 'function_type':
        return wrapped(inside(fieldOf(node, 'result')), 'Func');
      case 'parameter_list':
        return inside(fieldOf(childOf(node, 'parameter_declaration'), 'type'));
      default:
        return undefined;
    }
  }

  function results(node: SyntaxNode): (Expr | undefined)[] {
    const result = fieldOf(node, 'result');
    if (result === undefined) return [];
    if (result.type !== 'parameter_list') return [type(result)];
    return result.children
      .filter((child) => child.type === 'parameter_declaration')
      .flatMap((each) => {
        const one = type(fieldOf(each, 'type'));
        return fieldsOf(each, 'name').length > 1 ? fieldsOf(each, 'name').map(() => one) : [one];
      });
  }

  function expr(node: SyntaxNode | undefined, depth = 0): Expr | undefined {
    if (node === undefined || depth > MOST_EXPR_DEPTH) return undefined;
    const inside = (inner: SyntaxNode | undefined): Expr | undefined => expr(inner, depth + 1);
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
      case 'package_identifier':
        return { kind: 'name', name: textOf(node) };
      case 'selector_expression': {
        const [of, name] = [inside(fieldOf(node, 'operand')), fieldOf(node, 'field')];
        return of && name && { kind: 'member', of, name: textOf(name) };
      }
      case 'call_expression': {
        const called = fieldOf(node, 'function');
        if (called !== undefined && textOf(called) === 'new') return made(node);
        const of = inside(called);
        return of && { kind: 'call', of };
      }
      case 'parenthesized_expression':
        return inside(firstNamed(node));
      case 'unary_expression':
        return inside(fieldOf(node, 'operand'));
      case 'composite_literal':
      case 'type_assertion_expression':
      case 'type_conversion_expression':
        return type(fieldOf(node, 'type'));
      case 'index_expression': {
        const of = inside(fieldOf(node, 'operand'));
        return of && { kind: 'item', of };
      }
      default:
        return undefined;
    }
  }

  /** `new(T)`. */
  function made(node: SyntaxNode): Expr | undefined {
    const given = firstNamed(fieldOf(node, 'arguments'));
    if (given?.type === 'identifier') return { kind: 'type', name: textOf(given) };
    return type(given);
  }

  function bindParameters(scope: Scope, list: SyntaxNode | undefined): void {
    for (const parameter of list?.children ?? []) {
      const isVariadic = parameter.type === 'variadic_parameter_declaration';
      if (parameter.type !== 'parameter_declaration' && !isVariadic) continue;
      const declared = type(fieldOf(parameter, 'type'));
      for (const name of fieldsOf(parameter, 'name'))
        bindName(scope, name, { type: isVariadic ? wrapped(declared, 'Array') : declared });
      walkField(parameter, 'type', scope);
    }
  }

  function bindName(scope: Scope, name: SyntaxNode, what: BindingDraft): void {
    facts.claim(name);
    if (textOf(name) !== '_') facts.bind(scope, textOf(name), what);
  }

  function walkField(node: SyntaxNode, field: string, scope: Scope): void {
    const part = fieldOf(node, field);
    if (part !== undefined) walk(part, scope);
  }

  function walkAll(node: SyntaxNode, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function bindTypeParameters(node: SyntaxNode, scope: Scope): void {
    const parameters = fieldOf(node, 'type_parameters');
    for (const each of parameters?.children ?? [])
      for (const name of fieldsOf(each, 'name')) bindName(scope, name, {});
    if (parameters !== undefined) walk(parameters, scope);
  }

  function readBody(node: SyntaxNode, inner: Scope): void {
    bindTypeParameters(node, inner);
    bindParameters(inner, fieldOf(node, 'receiver'));
    bindParameters(inner, fieldOf(node, 'parameters'));
    const result = fieldOf(node, 'result');
    if (result?.type === 'parameter_list') bindParameters(inner, result);
    else if (result !== undefined) walk(result, inner);
    walkField(node, 'body', inner);
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name !== undefined) {
      const receiver = type(fieldOf(node, 'receiver'));
      const isMethod = node.type === 'method_declaration';
      const definition = facts.define({
        kind: isMethod ? 'method' : 'function',
        scope: top,
        name,
        node,
        more: {
          returns: results(node),
          ownerName: isMethod && receiver?.kind === 'type' ? receiver.name : undefined,
        },
      });
      if (!isMethod) facts.bind(top, definition.name, { definition });
    }
    readBody(node, facts.openScope(scope, 'function'));
  }

  function readType(node: SyntaxNode, scope: Scope): void {
    const [name, is] = [fieldOf(node, 'name'), fieldOf(node, 'type')];
    if (name === undefined) return;
    const kind = is?.type === 'interface_type' ? 'interface' : is?.type === 'struct_type' ? 'class' : 'type';
    const definition = facts.define({ kind, scope, name, node });
    facts.bind(scope, definition.name, { definition });
    const alias = type(is);
    if (alias !== undefined) definition.aliases.push(alias);
    const inner = facts.openScope(scope, 'type');
    bindTypeParameters(node, inner);
    if (is?.type === 'struct_type') readFields(definition, is);
    if (is?.type === 'interface_type') readInterface(definition, is);
    if (is !== undefined) walk(is, inner);
  }

  function readFields(owner: FactDefinition, struct: SyntaxNode): void {
    for (const field of childOf(struct, 'field_declaration_list')?.children ?? []) {
      if (field.type !== 'field_declaration') continue;
      const declared = type(fieldOf(field, 'type'));
      const names = fieldsOf(field, 'name');
      if (names.length === 0 && declared?.kind === 'type') {
        owner.bases.push(toBase(declared));
        owner.members.set(declared.name, { definitions: [], type: declared });
      }
      for (const name of names) {
        const definition = facts.define({ kind: 'field', scope: top, name, node: field });
        facts.addMember(owner, definition, { type: declared });
      }
    }
  }

  function readInterface(owner: FactDefinition, node: SyntaxNode): void {
    for (const part of node.children) {
      const name = fieldOf(part, 'name');
      if ((part.type === 'method_elem' || part.type === 'method_spec') && name !== undefined) {
        const more = { returns: results(part) };
        facts.addMember(owner, facts.define({ kind: 'method', scope: top, name, node: part, more }));
      } else if (part.type === 'type_elem' || part.type === 'constraint_elem') {
        const base = type(firstNamed(part));
        if (base?.kind === 'type') owner.bases.push(toBase(base));
      }
    }
  }

  function readValues(node: SyntaxNode, scope: Scope): void {
    const declared = type(fieldOf(node, 'type'));
    const values = listOf(fieldOf(node, 'value'));
    for (const [at, name] of fieldsOf(node, 'name').entries()) {
      if (name.type !== 'identifier') continue;
      const what = { type: declared, value: expr(values[at]) };
      if (scope.kind !== 'file') bindName(scope, name, what);
      else {
        const definition = facts.define({ kind: 'value', scope, name, node, more: what });
        facts.bind(top, definition.name, { definition });
      }
    }
    walkChildren(node, scope, walk, 'name');
  }

  /** `a, b := f()`, and `for i, each := range list`. */
  function bindList(node: SyntaxNode, scope: Scope, isRange: boolean): void {
    const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
    if (right !== undefined) walk(right, scope);
    if (left === undefined) return;
    const [names, values] = [listOf(left), listOf(right)];
    for (const [at, name] of names.entries()) {
      if (name.type !== 'identifier' || scope.names.has(textOf(name))) continue;
      const whole = expr(names.length === values.length ? values[at] : values[0]);
      const value = isRange
        ? at === 1
          ? itemOf(whole)
          : undefined
        : names.length > 1 && values.length === 1 && at > 0
          ? resultOf(whole, at)
          : whole;
      bindName(scope, name, { value });
    }
    walk(left, scope);
  }

  function readTypeSwitch(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'block');
    const alias = fieldOf(node, 'alias');
    const name = alias?.type === 'identifier' ? alias : childOf(alias, 'identifier');
    if (name !== undefined) bindName(inner, name, {});
    for (const child of node.children) {
      if (child.type !== 'type_case') {
        walk(child, inner);
        continue;
      }
      const one = facts.openScope(inner, 'block');
      const types = fieldsOf(child, 'type');
      if (name !== undefined) bindName(one, name, { type: types.length === 1 ? type(types[0]) : undefined });
      walkAll(child, one);
    }
  }

  /** `Server{Addr: x}`: the key is a field of what is made. */
  function readKey(node: SyntaxNode, scope: Scope): void {
    const literal = node.parent?.parent;
    const first = node.children[0];
    const key = first?.type === 'literal_element' ? first.children[0] : first;
    if (key?.type !== 'identifier' || literal?.type !== 'composite_literal') return;
    const made = type(fieldOf(literal, 'type'));
    if (made?.kind !== 'type' || made.wrap !== undefined) {
      if (fieldOf(literal, 'type') === undefined) facts.claim(key);
      return;
    }
    facts.use(key, { kind: 'write', scope, of: made });
    facts.claim(key);
  }

  function importSpec(node: SyntaxNode): void {
    const path = fieldOf(node, 'path');
    if (path === undefined) return;
    const specifier = textOf(path).slice(1, -1);
    const alias = fieldOf(node, 'name');
    facts.import({ specifier, names: [] }, node);
    if (alias?.type === 'dot') return facts.star(specifier);
    const last =
      specifier
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1) ?? '';
    const name = alias === undefined ? last.replace(/^go-|\.go$/g, '') : textOf(alias);
    facts.bind(top, name, { import: { specifier, name: '*' } });
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node)) return;
    switch (node.type) {
      case 'import_spec':
        return importSpec(node);
      case 'function_declaration':
      case 'method_declaration':
        return readFunction(node, scope);
      case 'func_literal':
        return readBody(node, facts.openScope(scope, 'function'));
      case 'type_spec':
      case 'type_alias':
        return readType(node, scope);
      case 'const_spec':
      case 'var_spec':
        return readValues(node, scope);
      case 'short_var_declaration':
        return bindList(node, scope, false);
      case 'range_clause':
        return bindList(node, scope, true);
      case 'type_switch_statement':
        return readTypeSwitch(node, scope);
      case 'field_declaration':
      case 'method_elem':
      case 'method_spec':
      case 'parameter_declaration':
        walkChildren(node, scope, walk, 'name');
        return;
      case 'keyed_element':
        readKey(node, scope);
    }
    if (NAMES.has(node.type) && node.children.length === 0)
      return facts.isClaimed(node) ? undefined : readUse(node, scope);
    walkAll(node, BLOCKS.has(node.type) ? facts.openScope(scope, 'block') : scope);
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent, type: kind } = node;
    if (kind === 'field_identifier') {
      if (parent?.type !== 'selector_expression') return;
      const of = expr(fieldOf(parent, 'operand')) ?? UNKNOWN;
      return facts.use(node, { kind: useKind(parent), scope, of });
    }
    if (kind === 'type_identifier' && parent?.type === 'qualified_type') {
      const of = fieldOf(parent, 'package');
      return facts.use(node, { kind: 'type', scope, of: of && { kind: 'name', name: textOf(of) } });
    }
    facts.use(node, { kind: kind === 'type_identifier' ? 'type' : useKind(node), scope });
  }

  walkAll(root, top);
}

function wrapped(type: Expr | undefined, wrap: string): Expr | undefined {
  return type?.kind === 'type' ? { ...type, wrap } : undefined;
}

function toBase(type: Extract<Expr, { kind: 'type' }>): Expr {
  const { name, of } = type;
  return of === undefined ? { kind: 'name', name } : { kind: 'member', of: { kind: 'name', name: of }, name };
}

function listOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  if (node === undefined) return [];
  return node.type === 'expression_list' ? namedOf(node) : [node];
}

function itemOf(whole: Expr | undefined): Expr | undefined {
  if (whole?.kind === 'type') return { kind: 'type', name: whole.name, ...(whole.of && { of: whole.of }) };
  return whole && { kind: 'item', of: whole };
}

function resultOf(whole: Expr | undefined, at: number): Expr | undefined {
  return whole?.kind === 'call' ? { kind: 'result', of: whole.of, at } : undefined;
}

function useKind(node: SyntaxNode): UseKind {
  const { parent } = node;
  if (parent?.type === 'call_expression') return node.field === 'function' ? 'call' : 'read';
  const around = parent?.type === 'expression_list' ? parent : node;
  if (around.parent?.type === 'assignment_statement' && around.field === 'left') return 'write';
  return 'read';
}
