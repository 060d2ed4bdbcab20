/** Java. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import {
  setOf,
  visibilityByWord,
  type FoundDefinition,
  type FoundImport,
  type LanguageRules,
} from './rules.ts';

/** Only constants: fields are too many and too like each other. */
function field(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('declarator')?.childForFieldName('name');
  const isConstant = /\bstatic\b/.test(node.text) && /\bfinal\b/.test(node.text);
  return name === null || name === undefined || !isConstant
    ? undefined
    : { kind: 'constant', name, body: null };
}

function imported(node: Node): FoundImport[] {
  const path = /^import\s+(?:static\s+)?([\w.\s]+?)(\s*\.\s*\*)?\s*;?$/.exec(node.text);
  return path?.[1] === undefined
    ? []
    : [{ specifier: path[1].replace(/\s/g, '') + (path[2] === undefined ? '' : '.*') }];
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
  references: `
(identifier) @name
(type_identifier) @type
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(method_reference (identifier) @call)
(marker_annotation name: (identifier) @type)
(annotation name: (identifier) @type)
`,
  imports: { import_declaration: imported },
  leading: setOf('marker_annotation annotation'),
  visibility,
};
