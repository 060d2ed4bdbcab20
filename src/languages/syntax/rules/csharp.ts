/** C#. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import { childOf, setOf, visibilityByWord, type FoundDefinition, type LanguageRules } from './rules.ts';

/** Only constants: fields are too many and too like each other. */
function field(node: Node): FoundDefinition | undefined {
  const words = node.children.filter((child) => child.type === 'modifier').map((child) => child.text);
  const isConstant = words.includes('const') || (words.includes('static') && words.includes('readonly'));
  const name = childOf(childOf(node, 'variable_declaration'), 'variable_declarator')?.childForFieldName(
    'name',
  );
  return !isConstant || name === null || name === undefined
    ? undefined
    : { kind: 'constant', name, body: null };
}

function operator(node: Node): FoundDefinition | undefined {
  const sign = node.childForFieldName('operator')?.text ?? node.childForFieldName('type')?.text;
  return sign === undefined ? undefined : { kind: 'method', name: `operator${sign}` };
}

/** A property with a body computes something; an automatic one is a field. */
function property(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const accessors = node.childForFieldName('accessors');
  const computes =
    node.childForFieldName('value')?.type === 'arrow_expression_clause' ||
    accessors?.namedChildren.some((accessor) => accessor.childForFieldName('body') !== null) === true;
  return name === null || !computes
    ? undefined
    : { kind: 'method', name, body: accessors ?? node.childForFieldName('value') };
}

function visibility({ signature, name }: { signature: string; name: string }): Visibility | undefined {
  return visibilityByWord(signature, name);
}

const WORDS = '(?:[ \\t]*(?:public|internal|private|protected|sealed|static|abstract)\\b)+[ \\t\\r]*\\n';
const CHOICE = new RegExp(
  `^([ \\t]*#if [^\\n]*\\n${WORDS}[ \\t]*#else[^\\n]*\\n)(${WORDS})([ \\t]*#endif)`,
  'gm',
);
const REF_PARTIAL = /\bref(?=\s+partial\s+struct\b)/g;
const POINTER_CAST = /\*\(\w+\s*\*+\)/g;

/** What the grammar stumbles over, losing all that is around: `ref partial struct`, a choice of words before a type, `*(int*)p`. */
function withoutStumbles(text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ');
  let shown = text;
  if (text.includes('partial')) shown = shown.replace(REF_PARTIAL, blank);
  if (text.includes('#else'))
    shown = shown.replace(
      CHOICE,
      (_, before: string, words: string, end: string) => blank(before) + words + blank(end),
    );
  return text.includes('unsafe') ? shown.replace(POINTER_CAST, blank) : shown;
}

export const CSHARP: LanguageRules = {
  prepare: withoutStumbles,
  definitions: {
    namespace_declaration: 'module',
    file_scoped_namespace_declaration: 'module',
    class_declaration: 'class',
    record_declaration: 'class',
    struct_declaration: 'struct',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    delegate_declaration: 'type',
    method_declaration: 'method',
    constructor_declaration: 'method',
    destructor_declaration: 'method',
    local_function_statement: 'function',
    operator_declaration: operator,
    conversion_operator_declaration: operator,
    property_declaration: property,
    field_declaration: field,
  },
  leading: setOf('attribute_list'),
  visibility,
};
