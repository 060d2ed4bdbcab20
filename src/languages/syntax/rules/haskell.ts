/** Haskell: a signature and the clauses below it are one definition. */
import type { Node } from 'web-tree-sitter';
import { childOf, isInside, type FoundDefinition, type LanguageRules } from './rules.ts';

function binding(node: Node): FoundDefinition | undefined {
  // `Parser a <+> Parser b = …` has its name in the middle.
  const name = node.childForFieldName('name') ?? childOf(node, 'infix')?.childForFieldName('operator');
  if (name === null || name === undefined || isInside(node, 'local_binds', 'let', 'let_in', 'do'))
    return undefined;
  // A field of a record has the same node type as a function type.
  if (!/^(?:declarations|class_declarations|instance_declarations)$/.test(node.parent?.type ?? ''))
    return undefined;
  const operator = /^\((.*)\)$/.exec(name.text)?.[1];
  return { kind: 'function', name: operator?.trim() ?? name, body: node.childForFieldName('match') };
}

function instance(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  if (name === null) return undefined;
  const patterns = node.childForFieldName('patterns')?.text ?? '';
  return {
    kind: 'impl',
    name: /^\w+$/.test(patterns) ? `${name.text} ${patterns}` : name,
    body: node.childForFieldName('declarations'),
  };
}

function header(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('module');
  return name === null ? undefined : { kind: 'module', name, body: node.childForFieldName('exports') };
}

function typeClass(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  return name === null ? undefined : { kind: 'trait', name, body: node.childForFieldName('declarations') };
}

export const HASKELL: LanguageRules = {
  definitions: {
    header,
    data_type: 'type',
    newtype: 'type',
    type_synomym: 'type',
    type_family: 'type',
    class: typeClass,
    instance,
    signature: binding,
    function: binding,
    bind: binding,
  },
  joinsClauses: true,
};
