/** JavaScript, TypeScript and TSX. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind, Visibility } from '../../../core/index.ts';
import { isInside, named, setOf, unquoted, type FoundDefinition, type LanguageRules } from './rules.ts';

const FUNCTIONS = setOf('arrow_function function_expression generator_function function');
const CLASSES = setOf('class class_expression');
const BODIES = ['statement_block', 'class_static_block'] as const;

function declarator(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const value = node.childForFieldName('value');
  const statement = node.parent;
  if (name?.type !== 'identifier' || statement === null) return undefined;
  const isConst = statement.childForFieldName('kind')?.text === 'const';
  // Several in one statement share its lines only when they are alone in it.
  const range = statement.namedChildCount === 1 ? statement : node;
  const kind = valueKind(value);
  if (kind !== undefined) return { kind, name, range, body: value?.childForFieldName('body') };
  // A variable inside a function body is local; `require` is an import.
  if (isInside(node, ...BODIES) || isImport(value)) return undefined;
  return { kind: isConst ? 'constant' : 'variable', name, range, body: null };
}

function valueKind(value: Node | null): DefinitionKind | undefined {
  if (value === null) return undefined;
  if (FUNCTIONS.has(value.type)) return 'function';
  return CLASSES.has(value.type) ? 'class' : undefined;
}

function isImport(value: Node | null): boolean {
  const called = value?.type === 'await_expression' ? value.namedChild(0) : value;
  const target = called?.type === 'member_expression' ? called.childForFieldName('object') : called;
  const name = target?.childForFieldName('function')?.text;
  return name === 'require' || name === 'import';
}

/** `Router.prototype.handle = function`, `exports.compose = (…) =>`, `module.exports = {`. */
function assignment(node: Node): FoundDefinition | undefined {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (left?.type !== 'member_expression' || right === null || isInside(node, ...BODIES, 'class_body'))
    return undefined;
  const range = node.parent?.type === 'expression_statement' ? node.parent : node;
  const path = left.text;
  if (path === 'module.exports')
    return right.type === 'object' ? { kind: 'constant', name: 'exports', range, body: right } : undefined;
  const parts = path.split('.').filter((part) => !/^(?:prototype|module|exports|this)$/.test(part));
  const name = left.childForFieldName('property');
  if (name === null || !/^[\w$]+$/.test(name.text) || parts.length > 4) return undefined;
  const container = parts.at(-2);
  const kind = valueKind(right);
  if (kind !== undefined) return { kind, name, container, range, body: right.childForFieldName('body') };
  const isExported = /^(?:module\.)?exports\./.test(path);
  return isExported && right.type !== 'identifier' && !isImport(right)
    ? { kind: 'constant', name, range, body: null }
    : undefined;
}

/** In an object that has a name, or in a class. */
function property(node: Node): FoundDefinition | undefined {
  const value = node.childForFieldName('value');
  const key =
    node.childForFieldName('key') ?? node.childForFieldName('name') ?? node.childForFieldName('property');
  if (key === null || value === null || !FUNCTIONS.has(value.type)) return undefined;
  if (node.type === 'pair' && !isNamedObject(node.parent)) return undefined;
  const name = key.type === 'string' ? unquoted(key.text) : key;
  return { kind: 'method', name, body: value.childForFieldName('body') };
}

function method(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  if (name === null || (node.parent?.type === 'object' && !isNamedObject(node.parent))) return undefined;
  return { kind: 'method', name: name.type === 'string' ? unquoted(name.text) : name };
}

/** What is bound to a name or exported, at any depth of objects: not an argument of some call. */
function isNamedObject(object: Node | null): boolean {
  for (let at = object; at !== null; at = at.parent) {
    if (at.type === 'variable_declarator' || at.type === 'export_statement') return !isInside(at, ...BODIES);
    if (at.type === 'assignment_expression') return !isInside(at, ...BODIES);
    if (
      at.type !== 'object' &&
      at.type !== 'pair' &&
      at.type !== 'as_expression' &&
      at.type !== 'satisfies_expression'
    )
      return false;
  }
  return false;
}

function exported(node: Node): FoundDefinition | undefined {
  const value = node.childForFieldName('value');
  if (value === null) return undefined;
  const kind = value.type === 'object' ? 'constant' : valueKind(value);
  const isCall = value.type === 'call_expression';
  if (kind === undefined && !isCall) return undefined;
  return {
    kind: kind ?? 'constant',
    name: 'default',
    body: kind === undefined ? null : (value.childForFieldName('body') ?? value),
  };
}

const SHARED_DEFINITIONS: LanguageRules['definitions'] = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  class_declaration: 'class',
  method_definition: method,
  pair: property,
  variable_declarator: declarator,
  assignment_expression: assignment,
  export_statement: exported,
};

function visibility({ name, signature }: { name: string; signature: string }): Visibility | undefined {
  if (name.startsWith('#') || /^private\b/.test(signature)) return 'private';
  if (/^protected\b/.test(signature)) return 'protected';
  return /^(?:export|public|module\.exports|exports\.)/.test(signature) ? 'public' : undefined;
}

const SHARED = {
  wrappers: setOf('export_statement ambient_declaration'),
  leading: setOf('decorator'),
  visibility,
} satisfies Partial<LanguageRules>;

export const JAVASCRIPT: LanguageRules = {
  ...SHARED,
  definitions: { ...SHARED_DEFINITIONS, field_definition: property },
};

export const TYPESCRIPT: LanguageRules = {
  ...SHARED,
  definitions: {
    ...SHARED_DEFINITIONS,
    public_field_definition: property,
    function_signature: 'function',
    method_signature: named('method'),
    abstract_method_signature: named('method'),
    abstract_class_declaration: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    type_alias_declaration: 'type',
    internal_module: 'module',
    module: 'module',
  },
};
