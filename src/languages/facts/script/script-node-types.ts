/** Which nodes of TypeScript's and JavaScript's grammars tell something, and what. */
import type { FactKind } from '../facts.ts';

export const FUNCTIONS = new Set([
  'function_declaration',
  'function_expression',
  'arrow_function',
  'generator_function_declaration',
  'generator_function',
  'method_definition',
  'function_signature',
  'method_signature',
  'abstract_method_signature',
  'call_signature',
  'construct_signature',
  'function_type',
  'constructor_type',
]);
export const BLOCKS = new Set([
  'statement_block',
  'for_statement',
  'for_in_statement',
  'catch_clause',
  'switch_body',
  'class_static_block',
]);
export const TYPE_SCOPES = new Set(['conditional_type', 'mapped_type_clause']);
export const CLASSES = new Set([
  'class_declaration',
  'abstract_class_declaration',
  'class',
  'interface_declaration',
]);
export const METHODS = new Set(['method_definition', 'method_signature', 'abstract_method_signature']);
export const FIELDS = new Set(['public_field_definition', 'field_definition', 'property_signature']);
export const KINDS: Readonly<Record<string, FactKind>> = {
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  type_alias_declaration: 'type',
};
export const NAMED_FUNCTIONS = new Set([
  'function_declaration',
  'function_signature',
  'generator_function_declaration',
]);
/** Most nodes are none of these, and only hold others. */
export const TELLING = new Set([
  ...FUNCTIONS,
  ...BLOCKS,
  ...TYPE_SCOPES,
  ...CLASSES,
  ...FIELDS,
  ...Object.keys(KINDS),
  'call_expression',
  'import_statement',
  'export_statement',
  'internal_module',
  'module',
  'return_statement',
  'object',
  'pair',
  'object_type',
  'variable_declarator',
  'infer_type',
]);
export const FUNCTION_VALUES = new Set(['arrow_function', 'function_expression', 'function']);
