/** TypeScript and JavaScript: scopes, bindings with what is known of their types, imports, exports, uses. */
import { type BindingDraft, classOf, type Collector } from '../collector.ts';
import type { Expr, FactDefinition, FactKind, Scope } from '../facts.ts';
import { exportStatement, importStatement } from './script-modules.ts';
import {
  BLOCKS,
  CLASSES,
  FIELDS,
  FUNCTIONS,
  FUNCTION_VALUES,
  KINDS,
  METHODS,
  NAMED_FUNCTIONS,
  TELLING,
  TYPE_SCOPES,
} from './script-node-types.ts';
import { exprOf, literalOf, typeOf } from './script-expressions.ts';
import { useKind } from './script-uses.ts';
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

export function readScript(root: SyntaxNode, facts: Collector): void {
  const { textOf } = facts;
  const type = (node: SyntaxNode | undefined): Expr | undefined => typeOf(node, textOf);
  const expr = (node: SyntaxNode | undefined): Expr | undefined => exprOf(node, textOf);

  const objects = new Map<SyntaxNode, FactDefinition>();
  const expectations = new Map<SyntaxNode, Expr>();
  const aliases = new Map<SyntaxNode, FactDefinition>();
  const classValues = new Map<SyntaxNode, FactDefinition>();

  function bindTypeParameters(node: SyntaxNode, scope: Scope): void {
    for (const parameter of fieldOf(node, 'type_parameters')?.children ?? [])
      if (parameter.type === 'type_parameter') bindName(scope, fieldOf(parameter, 'name'), {});
  }

  function bindName(scope: Scope, name: SyntaxNode | undefined, what: BindingDraft): void {
    if (name === undefined) return;
    facts.claim(name);
    facts.bind(scope, textOf(name), what);
  }

  function bindPattern(scope: Scope, node: SyntaxNode | undefined, what: BindingDraft): void {
    switch (node?.type) {
      case 'identifier':
      case 'shorthand_property_identifier_pattern':
        return bindName(scope, node, what);
      case 'object_pattern':
      case 'array_pattern':
        for (const child of node.children) bindPart(scope, child, what.type ?? what.value);
        return;
      case 'assignment_pattern':
        return bindPattern(scope, firstNamed(node), what);
      case 'rest_pattern':
        return bindPattern(scope, firstNamed(node), {});
      case undefined:
      default:
    }
  }

  function bindPart(scope: Scope, part: SyntaxNode, whole: Expr | undefined): void {
    switch (part.type) {
      case 'pair_pattern': {
        const [key, value] = [fieldOf(part, 'key'), fieldOf(part, 'value')];
        if (key !== undefined) facts.claim(key);
        if (key?.type === 'property_identifier' && whole !== undefined)
          facts.use(key, { kind: 'read', scope, of: whole });
        return bindPattern(scope, value, memberValue(whole, key));
      }
      case 'object_assignment_pattern':
        return bindPattern(scope, firstNamed(part), memberValue(whole, firstNamed(part)));
      case 'shorthand_property_identifier_pattern':
        if (whole !== undefined) facts.use(part, { kind: 'read', scope, of: whole });
        return bindPattern(scope, part, memberValue(whole, part));
      default:
        return bindPattern(scope, part, {});
    }
  }

  function memberValue(of: Expr | undefined, name: SyntaxNode | undefined): BindingDraft {
    return of === undefined || name === undefined
      ? {}
      : { value: { kind: 'member', of, name: textOf(name) } };
  }

  function walkAll(node: SyntaxNode, scope: Scope): void {
    walkChildren(node, scope, walk, 'name');
  }

  function declareType(node: SyntaxNode, kind: FactKind, scope: Scope): FactDefinition | undefined {
    const name = fieldOf(node, 'name');
    if (name === undefined) return undefined;
    const definition = facts.define({ kind, scope, name, node });
    facts.bind(scope, definition.name, { definition });
    if (kind === 'type') {
      const value = fieldOf(node, 'value');
      const parts = value?.type === 'intersection_type' ? namedOf(value) : [value];
      definition.aliases.push(...parts.flatMap((part) => type(part) ?? []));
      aliases.set(node, definition);
    }
    return definition;
  }

  function readClass(node: SyntaxNode, definition: FactDefinition | undefined, scope: Scope): void {
    const inner = facts.openScope(scope, 'class', definition);
    if (definition !== undefined) definition.inner = inner;
    for (const part of node.children)
      if (/^(?:class_heritage|extends_type_clause|extends_clause)$/.test(part.type))
        definition?.bases.push(...basesIn(part));
    bindTypeParameters(node, inner);
    walkAll(node, inner);
  }

  function basesIn(node: SyntaxNode): Expr[] {
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
      case 'member_expression':
      case 'nested_type_identifier':
        return [expr(node)].filter((each) => each !== undefined);
      case 'generic_type': {
        const first = firstNamed(node);
        return first === undefined ? [] : basesIn(first);
      }
      case 'type_arguments':
      case 'arguments':
        return [];
      default:
        return node.children.flatMap(basesIn);
    }
  }

  function readMethod(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name?.type !== 'property_identifier' && name?.type !== 'private_property_identifier') return;
    const around = node.parent?.type;
    const isMember = around === 'class_body' || around === 'interface_body' || around === 'object_type';
    const owner = isMember ? classOf(scope) : node.parent && objects.get(node.parent);
    const returns = [type(fieldOf(node, 'return_type'))];
    const isAccessor = node.children.some((child) => child.type === 'get' || child.type === 'set');
    const definition = facts.define({ kind: 'method', scope, name, node, more: { returns, isAccessor } });
    if (owner !== undefined) facts.addMember(owner, definition);
  }

  function readField(node: SyntaxNode, scope: Scope): void {
    const name = fieldOf(node, 'name') ?? fieldOf(node, 'property');
    if (name === undefined) return;
    facts.claim(name);
    const owner = classOf(scope);
    if (owner === undefined) return;
    const value = fieldOf(node, 'value');
    const isFunction = value !== undefined && FUNCTION_VALUES.has(value.type);
    const returns = isFunction ? [type(fieldOf(value, 'return_type'))] : [];
    const kind = isFunction ? 'method' : 'field';
    const definition = facts.define({ kind, scope, name, node, more: { returns } });
    facts.addMember(owner, definition, { type: type(fieldOf(node, 'type')), value: expr(value) });
  }

  function readFunction(node: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'function');
    bindTypeParameters(node, inner);
    const parameters = fieldOf(node, 'parameters') ?? fieldOf(node, 'parameter');
    if (parameters?.type === 'identifier') bindPattern(inner, parameters, {});
    else
      for (const parameter of parameters?.children ?? []) {
        if (parameter.type !== 'required_parameter' && parameter.type !== 'optional_parameter') {
          bindPattern(inner, parameter, {});
          continue;
        }
        const pattern = fieldOf(parameter, 'pattern') ?? fieldOf(parameter, 'name');
        const declared = type(fieldOf(parameter, 'type'));
        bindPattern(inner, pattern, { type: declared, value: expr(fieldOf(parameter, 'value')) });
        const owner = classOf(scope);
        const isProperty = childOf(parameter, 'accessibility_modifier', 'readonly') !== undefined;
        if (isProperty && pattern?.type === 'identifier' && owner !== undefined)
          declareProperty(owner, { name: pattern, node: parameter, declared, scope });
      }
    walkAll(node, inner);
  }

  /** `constructor(private readonly store: Store)` is a field too. */
  function declareProperty(
    owner: FactDefinition,
    draft: { name: SyntaxNode; node: SyntaxNode; declared: Expr | undefined; scope: Scope },
  ): void {
    if (owner.members.has(textOf(draft.name))) return;
    const { name, node, scope } = draft;
    const definition = facts.define({ kind: 'field', scope, name, node });
    facts.addMember(owner, definition, { type: draft.declared });
  }

  function readVariable(node: SyntaxNode, scope: Scope): void {
    const [name, value] = [fieldOf(node, 'name'), fieldOf(node, 'value')];
    const declared = type(fieldOf(node, 'type'));
    if (name?.type !== 'identifier') return bindPattern(scope, name, { type: declared, value: expr(value) });
    const isFunction = value !== undefined && FUNCTION_VALUES.has(value.type);
    expect(value, declared);
    const known = isFunction
      ? { returns: [type(fieldOf(value, 'return_type'))], type: declared }
      : { type: declared, value: expr(value) };
    const isClass = value?.type === 'class';
    const kind = isFunction ? 'function' : isClass ? 'class' : 'value';
    const definition = facts.define({ kind, scope, name, node, more: known });
    facts.bind(scope, definition.name, { definition });
    if (isClass) classValues.set(value, definition);
    const literal = literalOf(value);
    if (literal !== undefined && declared === undefined) objects.set(literal, definition);
  }

  /** An object where a type is declared: its keys are uses of the type's members. */
  function expect(value: SyntaxNode | undefined, declared: Expr | undefined): void {
    const literal = literalOf(value);
    const own = value?.type === 'object' ? undefined : type(lastNamed(value));
    const expected = own ?? declared;
    if (literal !== undefined && expected !== undefined) expectations.set(literal, expected);
  }

  function useKeys(node: SyntaxNode, scope: Scope): void {
    const of = expectations.get(node);
    if (of === undefined) return;
    for (const part of node.children) {
      const isShort = part.type === 'shorthand_property_identifier';
      const key = isShort ? part : (fieldOf(part, 'key') ?? fieldOf(part, 'name'));
      if (key === undefined || (!isShort && key.type !== 'property_identifier')) continue;
      facts.use(key, { kind: 'write', scope, of });
      expect(fieldOf(part, 'value'), { kind: 'member', of, name: textOf(key) });
    }
  }

  /** What a function returns is of the type that it declares. */
  function expectReturned(node: SyntaxNode): void {
    let at = node.parent;
    while (at !== undefined && !FUNCTIONS.has(at.type)) at = at.parent;
    expect(node.type === 'return_statement' ? firstNamed(node) : node, type(fieldOf(at, 'return_type')));
  }

  /** A key of an object that has a name: what is in it is found by `name.key`. */
  function readKey(node: SyntaxNode, scope: Scope): void {
    const owner = node.parent && objects.get(node.parent);
    const [name, value] = [fieldOf(node, 'key'), fieldOf(node, 'value')];
    if (owner === undefined || name?.type !== 'property_identifier') return;
    const isFunction = value !== undefined && FUNCTION_VALUES.has(value.type);
    const returns = isFunction ? [type(fieldOf(value, 'return_type'))] : [];
    const kind = isFunction ? 'method' : 'field';
    const definition = facts.define({ kind, scope, name, node, more: { returns } });
    facts.addMember(owner, definition, { value: expr(value) });
    const literal = literalOf(value);
    if (literal !== undefined) objects.set(literal, definition);
  }

  /** `type Point = { x: number }`: the fields are members of the type; those of other literals are of none. */
  function readTypeLiteral(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    const around = parent?.type === 'intersection_type' ? parent.parent : parent;
    const owner = around?.type === 'type_alias_declaration' ? aliases.get(around) : undefined;
    const inner = facts.openScope(scope, 'class', owner);
    if (owner !== undefined) owner.inner ??= inner;
    walkChildren(node, inner, walk);
  }

  function bindInferred(node: SyntaxNode, scope: Scope): void {
    const name = childOf(node, 'type_identifier');
    let at = scope;
    while (at.kind !== 'type' && at.kind !== 'function' && at.parent !== undefined) at = at.parent;
    bindName(at, name, {});
  }

  function readModule(node: SyntaxNode, name: SyntaxNode, scope: Scope): void {
    const definition = facts.define({ kind: 'module', scope, name, node });
    facts.bind(scope, definition.name, { definition });
    const inner = facts.openScope(scope, 'namespace', definition);
    definition.inner = inner;
    for (const child of fieldOf(node, 'body')?.children ?? []) walk(child, inner);
  }

  /** `declare module 'path'`: interfaces in it add to those of the module. */
  function readExtended(node: SyntaxNode, name: SyntaxNode, scope: Scope): void {
    const inner = facts.openScope(scope, 'block');
    const specifier = facts.textOf(name).slice(1, -1);
    facts.bind(inner, EXTENDED_MODULE, { import: { specifier, name: '*' } });
    for (const child of fieldOf(node, 'body')?.children ?? []) walk(child, inner);
  }

  function readUse(node: SyntaxNode, scope: Scope): void {
    const { parent } = node;
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
      case 'shorthand_property_identifier': {
        const isNested = parent?.type === 'nested_type_identifier' || parent?.type === 'nested_identifier';
        const first = firstNamed(parent);
        const of = isNested && first !== node ? (expr(first) ?? UNKNOWN) : undefined;
        return facts.use(node, { kind: useKind(node), scope, of });
      }
      case 'property_identifier':
      case 'private_property_identifier':
        if (parent?.type !== 'member_expression') return;
        return facts.use(node, {
          kind: useKind(parent),
          scope,
          of: expr(fieldOf(parent, 'object')) ?? UNKNOWN,
        });
      default:
    }
  }

  function requireCall(node: SyntaxNode): void {
    const called = fieldOf(node, 'function');
    if (called?.type !== 'import' && !(called?.type === 'identifier' && textOf(called) === 'require')) return;
    const argument = firstNamed(fieldOf(node, 'arguments'));
    if (argument?.type === 'string')
      facts.import({ specifier: textOf(argument).slice(1, -1), names: [] }, node);
  }

  function walk(node: SyntaxNode, scope: Scope): void {
    if (!node.isNamed || isComment(node) || node.type === 'string_fragment') return;
    if (node.children.length === 0) {
      if (!facts.isClaimed(node)) readUse(node, scope);
      return;
    }
    if (!TELLING.has(node.type)) {
      walkChildren(node, scope, walk);
      return;
    }
    if (node.type === 'call_expression') requireCall(node);
    if (node.type === 'import_statement') return importStatement(node, facts);
    const isExport = node.type === 'export_statement' && scope === facts.top;
    if (isExport && exportStatement(node, facts) === 'done') return;
    if (NAMED_FUNCTIONS.has(node.type)) {
      const name = fieldOf(node, 'name');
      if (name !== undefined) {
        const returns = [type(fieldOf(node, 'return_type'))];
        const definition = facts.define({ kind: 'function', scope, name, node, more: { returns } });
        facts.bind(scope, definition.name, { definition });
      }
    }
    const kind = KINDS[node.type];
    const declared = kind === undefined ? undefined : declareType(node, kind, scope);
    if (node.type === 'internal_module' || node.type === 'module') {
      const name = fieldOf(node, 'name');
      if (name?.type === 'identifier') return readModule(node, name, scope);
      if (name?.type === 'string') return readExtended(node, name, scope);
    }
    if (CLASSES.has(node.type)) return readClass(node, declared ?? classValues.get(node), scope);
    if (kind === 'type') {
      const inner = facts.openScope(scope, 'type');
      bindTypeParameters(node, inner);
      return walkAll(node, inner);
    }
    if (METHODS.has(node.type)) readMethod(node, scope);
    if (FIELDS.has(node.type)) readField(node, scope);
    if (node.type === 'return_statement') expectReturned(node);
    if (node.type === 'object') useKeys(node, scope);
    if (node.type === 'pair') readKey(node, scope);
    if (node.type === 'object_type' && node.parent?.type !== 'interface_declaration')
      return readTypeLiteral(node, scope);
    if (FUNCTIONS.has(node.type)) return readFunction(node, scope);
    if (node.type === 'variable_declarator') readVariable(node, scope);
    if (node.type === 'infer_type' || node.type === 'mapped_type_clause') bindInferred(node, scope);
    const isBody = node.type === 'statement_block' && FUNCTIONS.has(node.parent?.type ?? '');
    if ((BLOCKS.has(node.type) && !isBody) || TYPE_SCOPES.has(node.type)) {
      const inner = facts.openScope(scope, TYPE_SCOPES.has(node.type) ? 'type' : 'block');
      if (node.type === 'for_in_statement') {
        const right = expr(fieldOf(node, 'right'));
        const item: BindingDraft = right === undefined ? {} : { value: { kind: 'item', of: right } };
        bindPattern(inner, fieldOf(node, 'left'), item);
      }
      if (node.type === 'catch_clause') bindPattern(inner, fieldOf(node, 'parameter'), {});
      walkChildren(node, inner, walk);
      return;
    }
    walkChildren(node, scope, walk);
  }
  for (const child of root.children) walk(child, facts.top);
}

const UNKNOWN: Expr = { kind: 'unknown' };
/** In the scope of `declare module 'path'`, beside its names: that module. */
export const EXTENDED_MODULE = 'declare module';
