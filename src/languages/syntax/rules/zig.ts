/** Zig. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind, Visibility } from '../../../core/index.ts';
import { childOf, isInside, unquoted, type FoundDefinition, type LanguageRules } from './rules.ts';

const CONTAINERS: Readonly<Record<string, DefinitionKind>> = {
  struct_declaration: 'struct',
  union_declaration: 'struct',
  opaque_declaration: 'struct',
  enum_declaration: 'enum',
  error_set_declaration: 'enum',
};

/** `const Arena = struct { … }` is a struct. */
function variable(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'identifier');
  const value = node.namedChildren.at(-1);
  if (name === undefined || value === undefined || isImport(value)) return undefined;
  const kind = CONTAINERS[value.type];
  if (kind !== undefined)
    return { kind, name, body: value.children.find((child) => child.type === '{') ?? value };
  if (isInside(node, 'block')) return undefined;
  const isConstant = node.children.some((child) => child.type === 'const');
  return { kind: isConstant ? 'constant' : 'variable', name, body: null };
}

function isImport(value: Node): boolean {
  return /^@import\b/.test(value.text);
}

function testCase(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'string', 'identifier');
  return name === undefined
    ? undefined
    : { kind: 'function', name: unquoted(name.text), body: childOf(node, 'block') };
}

function visibility({ signature }: { signature: string }): Visibility {
  return /^(?:pub|export)\b/.test(signature) ? 'public' : 'private';
}

export const ZIG: LanguageRules = {
  definitions: {
    function_declaration: 'function',
    variable_declaration: variable,
    test_declaration: testCase,
  },
  visibility,
};
