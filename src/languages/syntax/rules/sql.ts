/** SQL: what a CREATE statement creates. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind } from '../../../core/index.ts';
import { childOf, type Define, type LanguageRules } from './rules.ts';

function created(kind: DefinitionKind): Define {
  return (node) => {
    const reference = childOf(node, 'object_reference');
    const name = node.childForFieldName('column') ?? reference?.childForFieldName('name') ?? reference;
    if (name === null || name === undefined) return undefined;
    const bare = /^["`[](.*)["`\]]$/.exec(name.text)?.[1];
    const range = node.parent?.type === 'statement' ? node.parent : node;
    const container = node.type === 'create_index' ? undefined : reference?.childForFieldName('schema')?.text;
    return { kind, name: bare ?? name, container, isQualified: true, range, body: bodyOf(node) };
  };
}

function bodyOf(node: Node): Node | null {
  return childOf(node, 'create_query', 'function_body') ?? null;
}

export const SQL: LanguageRules = {
  definitions: {
    create_table: created('struct'),
    create_view: created('type'),
    create_materialized_view: created('type'),
    create_type: created('type'),
    create_index: created('section'),
    create_function: created('function'),
    create_trigger: created('function'),
    create_schema: created('module'),
  },
};
