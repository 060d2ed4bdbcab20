/** Java. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import { setOf, visibilityByWord, type FoundDefinition, type LanguageRules } from './rules.ts';

/** Only constants: fields are too many and too like each other. */
function field(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('declarator')?.childForFieldName('name');
  const isConstant = /\bstatic\b/.test(node.text) && /\bfinal\b/.test(node.text);
  return name === null || name === undefined || !isConstant
    ? undefined
    : { kind: 'constant', name, body: null };
}

function visibility({ signature, name }: { signature: string; name: string }): Visibility {
  return visibilityByWord(signature, name) ?? 'internal';
}

export const JAVA: LanguageRules = {
  definitions: {
    class_declaration: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    record_declaration: 'class',
    annotation_type_declaration: 'interface',
    method_declaration: 'method',
    constructor_declaration: 'method',
    compact_constructor_declaration: 'method',
    annotation_type_element_declaration: 'method',
    field_declaration: field,
    constant_declaration: field,
  },
  leading: setOf('marker_annotation annotation'),
  visibility,
};
