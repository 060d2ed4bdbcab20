/** PHP. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import {
  childOf,
  setOf,
  unquoted,
  visibilityByWord,
  type FoundDefinition,
  type LanguageRules,
} from './rules.ts';

function constants(node: Node): FoundDefinition[] {
  return node.namedChildren
    .filter((child) => child.type === 'const_element')
    .flatMap((element) => {
      const name = childOf(element, 'name');
      return name === undefined ? [] : [{ kind: 'constant' as const, name, body: null }];
    });
}

/** `define('MAIL_LIMIT', 10)`. */
function defined(node: Node): FoundDefinition | undefined {
  if (node.childForFieldName('function')?.text !== 'define') return undefined;
  const name = node.childForFieldName('arguments')?.namedChild(0)?.namedChild(0);
  return name?.type === 'string' || name?.type === 'encapsed_string'
    ? { kind: 'constant', name: unquoted(name.text), body: null }
    : undefined;
}

function visibility({ signature, name }: { signature: string; name: string }): Visibility {
  return visibilityByWord(signature, name) ?? 'public';
}

export const PHP: LanguageRules = {
  definitions: {
    namespace_definition: 'module',
    class_declaration: 'class',
    interface_declaration: 'interface',
    trait_declaration: 'trait',
    enum_declaration: 'enum',
    function_definition: 'function',
    method_declaration: 'method',
    const_declaration: constants,
    function_call_expression: defined,
  },
  leading: setOf('attribute_list'),
  visibility,
};
