/** PHP. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import {
  childOf,
  setOf,
  unquoted,
  visibilityByWord,
  type FoundDefinition,
  type FoundImport,
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

/** `use App\Mail\{Letter, Status as S}` is two. */
function used(node: Node): FoundImport[] {
  const group = childOf(node, 'namespace_use_group');
  const prefix = group === undefined ? '' : `${childOf(node, 'namespace_name')?.text ?? ''}\\`;
  return (group ?? node).namedChildren
    .filter((child) => child.type === 'namespace_use_clause')
    .map((clause) => ({
      specifier: prefix + (childOf(clause, 'qualified_name', 'namespace_name', 'name')?.text ?? ''),
    }));
}

function included(node: Node): FoundImport[] {
  const path = node.descendantsOfType(['string', 'encapsed_string'])[0]?.text;
  return path === undefined ? [] : [{ specifier: unquoted(path) }];
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
  references: `
(name) @name
(function_call_expression function: (name) @call)
(member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @call)
(named_type (name) @type)
(base_clause (name) @type)
(class_interface_clause (name) @type)
`,
  imports: {
    namespace_use_declaration: used,
    require_expression: included,
    require_once_expression: included,
    include_expression: included,
    include_once_expression: included,
  },
  leading: setOf('attribute_list'),
  visibility,
};
