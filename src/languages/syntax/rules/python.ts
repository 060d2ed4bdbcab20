/** Python. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import { isInside, setOf, type FoundDefinition, type LanguageRules } from './rules.ts';

const NAMES_NOTHING = /^__(?!all__$)/;

/** Globals, and constants of a class: fields are too many and too like each other. */
function assignment(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('left');
  if (name?.type !== 'identifier' || node.parent?.type !== 'expression_statement') return undefined;
  if (node.childForFieldName('right') === null || isInside(node, 'function_definition', 'lambda'))
    return undefined;
  const isConstant = name.text === name.text.toUpperCase();
  if (NAMES_NOTHING.test(name.text) || (!isConstant && isInside(node, 'class_definition'))) return undefined;
  // In a branch it is set, not defined.
  if (isInside(node, 'if_statement', 'for_statement', 'while_statement', 'with_statement', 'try_statement'))
    return undefined;
  return { kind: isConstant ? 'constant' : 'variable', name, body: null };
}

function typeAlias(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('left')?.descendantsOfType('identifier')[0];
  return name === undefined ? undefined : { kind: 'type', name, body: null };
}

function docstring(node: Node): string | undefined {
  const first = node.childForFieldName('body')?.namedChild(0);
  const text = first?.type === 'expression_statement' ? first.namedChild(0) : undefined;
  return text?.type === 'string'
    ? text.namedChildren.find((child) => child.type === 'string_content')?.text
    : undefined;
}

function visibility({ name }: { name: string }): Visibility {
  if (/^__\w+__$/.test(name)) return 'public';
  return name.startsWith('_') ? 'private' : 'public';
}

export const PYTHON: LanguageRules = {
  definitions: {
    function_definition: 'function',
    class_definition: 'class',
    type_alias_statement: typeAlias,
    assignment,
  },
  wrappers: setOf('decorated_definition'),
  leading: setOf('decorator'),
  doc: docstring,
  visibility,
};
