/** Elixir: everything is a call, and some calls define. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind } from '../../../core/index.ts';
import { childOf, type FoundDefinition, type LanguageRules } from './rules.ts';

const MODULES: Readonly<Record<string, DefinitionKind>> = {
  defmodule: 'module',
  defprotocol: 'interface',
  defimpl: 'impl',
};
const FUNCTIONS: Readonly<Record<string, DefinitionKind>> = {
  def: 'function',
  defp: 'function',
  defdelegate: 'function',
  defmacro: 'macro',
  defmacrop: 'macro',
  defguard: 'macro',
  defguardp: 'macro',
};
const LEADING = /^(?:doc|spec|impl|deprecated|since|typedoc)$/;
const NOT_CONSTANTS =
  /^(?:moduledoc|behaviour|derive|enforce_keys|dialyzer|compile|optional_callbacks|before_compile|on_load|external_resource)$/;

function call(node: Node): FoundDefinition | undefined {
  const word = node.childForFieldName('target')?.text ?? '';
  const first = childOf(node, 'arguments')?.namedChild(0);
  const body = childOf(node, 'do_block') ?? null;
  if (first === null || first === undefined) return undefined;
  if (MODULES[word] !== undefined) return { kind: MODULES[word], name: first, body };
  const kind = FUNCTIONS[word];
  if (kind === undefined) return undefined;
  const name = functionName(first);
  return name === undefined ? undefined : { kind, name, body };
}

/** In `lookup(name) when is_binary(name)`, `now` and `a <~> b`. */
function functionName(head: Node): Node | undefined {
  if (head.type === 'identifier') return head;
  if (head.type === 'call') return head.childForFieldName('target') ?? undefined;
  if (head.type !== 'binary_operator') return undefined;
  const isGuarded = head.childForFieldName('operator')?.text === 'when';
  const left = head.childForFieldName('left');
  return isGuarded
    ? left === null
      ? undefined
      : functionName(left)
    : (head.childForFieldName('operator') ?? undefined);
}

function attribute(node: Node): FoundDefinition | undefined {
  const operand = node.childForFieldName('operand');
  const name = attributeName(node);
  if (operand?.type !== 'call' || name === undefined || LEADING.test(name) || NOT_CONSTANTS.test(name))
    return undefined;
  if (node.parent?.type !== 'do_block') return undefined;
  const value = childOf(operand, 'arguments')?.namedChild(0);
  if (!/^(?:type|typep|opaque|callback|macrocallback)$/.test(name))
    return { kind: 'constant', name: operand.childForFieldName('target') ?? name, body: null };
  const left = value?.childForFieldName('left');
  const target = left?.type === 'call' ? left.childForFieldName('target') : left;
  if (target === null || target === undefined) return undefined;
  return { kind: name.includes('callback') ? 'function' : 'type', name: target, body: null };
}

function attributeName(node: Node): string | undefined {
  if (node.type !== 'unary_operator' || node.childForFieldName('operator')?.text !== '@') return undefined;
  return node.childForFieldName('operand')?.childForFieldName('target')?.text;
}

function leads(node: Node): boolean {
  return LEADING.test(attributeName(node) ?? '');
}

function doc(node: Node): string | undefined {
  if (MODULES[node.childForFieldName('target')?.text ?? ''] !== undefined) {
    const block = childOf(node, 'do_block');
    return docText(block?.namedChildren.find((child) => attributeName(child) === 'moduledoc'));
  }
  for (
    let before = node.previousNamedSibling;
    before !== null && leads(before);
    before = before.previousNamedSibling
  ) {
    if (/^(?:doc|typedoc)$/.test(attributeName(before) ?? '')) return docText(before);
  }
  return undefined;
}

function docText(attributeNode: Node | undefined): string | undefined {
  return attributeNode?.descendantsOfType('quoted_content')[0]?.text;
}

export const ELIXIR: LanguageRules = {
  definitions: { call, unary_operator: attribute },
  leads,
  doc,
  joinsClauses: true,
  visibility: ({ signature }) =>
    /^def\w*p\b/.test(signature) ? 'private' : signature.startsWith('def') ? 'public' : undefined,
};
