/** Swift. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind, Visibility } from '../../../core/index.ts';
import {
  childOf,
  isInside,
  setOf,
  visibilityByWord,
  type FoundDefinition,
  type LanguageRules,
} from './rules.ts';

const KINDS: Readonly<Record<string, DefinitionKind>> = {
  class: 'class',
  actor: 'class',
  struct: 'struct',
  enum: 'enum',
  extension: 'impl',
};

function type(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const word = node.childForFieldName('declaration_kind')?.text ?? '';
  return name === null
    ? undefined
    : { kind: KINDS[word] ?? 'class', name: name.type === 'type_identifier' ? name : name.text };
}

function always(called: string): (node: Node) => FoundDefinition {
  return (node) => ({
    kind: 'method',
    name: called,
    body: node.childForFieldName('body') ?? childOf(node, 'computed_property') ?? null,
  });
}

/** Values outside of types and functions; inside types what is computed. */
function property(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name')?.childForFieldName('bound_identifier');
  if (name === null || name === undefined || isInside(node, 'function_body', 'statements')) return undefined;
  const computed = childOf(node, 'computed_property');
  if (isInside(node, 'class_body', 'enum_class_body', 'protocol_body'))
    return computed === undefined ? undefined : { kind: 'method', name, body: computed };
  const isFixed = childOf(node, 'value_binding_pattern')?.text === 'let';
  return { kind: isFixed ? 'constant' : 'variable', name, body: null };
}

function visibility({ signature, name }: { signature: string; name: string }): Visibility {
  // `private(set)` restricts only who may change it.
  return visibilityByWord(signature.replace(/\b\w+\(set\)/g, ''), name) ?? 'internal';
}

/** Inside of types the grammar knows no conditions of the compiler: all branches are read. */
function withoutConditions(text: string): string {
  return text.replace(/^[ \t]*#(?:if|elseif|else|endif|error|warning)\b.*$/gm, (line) =>
    ' '.repeat(line.length),
  );
}

export const SWIFT: LanguageRules = {
  prepare: withoutConditions,
  definitions: {
    class_declaration: type,
    protocol_declaration: 'interface',
    function_declaration: 'function',
    protocol_function_declaration: 'function',
    init_declaration: always('init'),
    subscript_declaration: always('subscript'),
    property_declaration: property,
    typealias_declaration: 'type',
    macro_declaration: 'macro',
  },
  leading: setOf('attribute'),
  visibility,
};
