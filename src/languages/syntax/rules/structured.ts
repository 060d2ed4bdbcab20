/** Configuration and style sheets: their sections are their definitions, and nothing refers to anything. */
import type { Node } from 'web-tree-sitter';
import { childOf, unquoted, type FoundDefinition, type LanguageRules } from './rules.ts';

function keyed(node: Node): FoundDefinition | undefined {
  const key = node.childForFieldName('key') ?? childOf(node, 'bare_key', 'dotted_key', 'quoted_key');
  return key === null || key === undefined
    ? undefined
    : { kind: 'section', name: unquoted(key.text), body: null };
}

/** Only the outermost keys: a file of data has a hundred thousand others. */
export const JSON_RULES: LanguageRules = {
  definitions: { pair: keyed },
  patterns: '(document (object (pair) @d))',
};

export const YAML: LanguageRules = {
  definitions: { block_mapping_pair: keyed },
  patterns: '(document (block_node (block_mapping (block_mapping_pair) @d)))',
  trimsComments: true,
};

export const TOML: LanguageRules = {
  definitions: { pair: keyed, table: keyed, table_array_element: keyed },
  patterns: '(document (pair) @d)\n(table) @d\n(table_array_element) @d',
  trimsComments: true,
};

/** `resource "aws_s3_bucket" "pictures"` is `aws_s3_bucket.pictures`; `locals` is itself. */
function hclBlock(node: Node): FoundDefinition | undefined {
  const labels = node.namedChildren
    .filter((child) => child.type === 'string_lit')
    .map((label) => unquoted(label.text));
  const name = labels.length > 0 ? labels.join('.') : childOf(node, 'identifier')?.text;
  return name === undefined
    ? undefined
    : { kind: 'section', name, body: childOf(node, 'block_start') ?? null };
}

export const HCL: LanguageRules = {
  definitions: { block: hclBlock },
  patterns: '(config_file (body (block) @d))',
};

function ruleSet(node: Node): FoundDefinition | undefined {
  const selectors = childOf(node, 'selectors');
  const first = selectors?.text.split(/,\s*/, 1)[0];
  return first === undefined
    ? undefined
    : { kind: 'section', name: first, body: childOf(node, 'block') ?? null };
}

function keyframes(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'keyframes_name');
  return name === undefined
    ? undefined
    : { kind: 'section', name, body: childOf(node, 'keyframe_block_list') };
}

/** `@layer components`, `@font-face`. */
function atRule(node: Node): FoundDefinition | undefined {
  const body = childOf(node, 'block');
  if (body === undefined) return undefined;
  const query = node.namedChildren.find((child) => child.type.endsWith('_query'))?.text;
  const name = query ?? childOf(node, 'at_keyword')?.text.slice(1);
  return name === undefined ? undefined : { kind: 'section', name, body };
}

export const CSS: LanguageRules = {
  definitions: { rule_set: ruleSet, keyframes_statement: keyframes, at_rule: atRule },
  patterns: '(stylesheet (rule_set) @d)\n(keyframes_statement) @d\n(stylesheet (at_rule) @d)',
};
