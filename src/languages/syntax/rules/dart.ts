/** Dart: a signature and the body behind it are two nodes side by side. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import { childOf, isInside, setOf, type FoundDefinition, type LanguageRules } from './rules.ts';

function callable(node: Node): FoundDefinition | undefined {
  const name = nameOf(node);
  if (name === undefined) return undefined;
  const outer =
    node.parent?.type === 'method_signature' || node.parent?.type === 'declaration' ? node.parent : node;
  const next = outer.nextNamedSibling;
  const body = next?.type === 'function_body' ? next : undefined;
  return { kind: 'function', name, range: outer, until: body, body: body ?? null };
}

/** Of `Cart.fromJson` the last word; of `operator ==` the sign. */
function nameOf(node: Node): Node | string | undefined {
  if (node.type === 'operator_signature') return /\boperator\s*(\S+?)\s*\(/.exec(node.text)?.[1];
  const field = node.childForFieldName('name');
  return field ?? node.namedChildren.filter((child) => child.type === 'identifier').at(-1);
}

/** Constants outside of classes; fields are too many and too like each other. */
function constant(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'identifier');
  if (name === undefined || isInside(node, 'class_body', 'function_body', 'block')) return undefined;
  return { kind: 'constant', name, body: null };
}

function typeAlias(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'type_identifier');
  return name === undefined ? undefined : { kind: 'type', name, body: null };
}

function mixin(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name') ?? childOf(node, 'identifier');
  return name === null || name === undefined
    ? undefined
    : { kind: 'trait', name, body: childOf(node, 'class_body') };
}

function visibility({ name }: { name: string }): Visibility {
  return name.startsWith('_') ? 'private' : 'public';
}

export const DART: LanguageRules = {
  definitions: {
    class_definition: 'class',
    mixin_declaration: mixin,
    extension_declaration: 'impl',
    enum_declaration: 'enum',
    type_alias: typeAlias,
    function_signature: callable,
    getter_signature: callable,
    setter_signature: callable,
    operator_signature: callable,
    constructor_signature: callable,
    constant_constructor_signature: callable,
    factory_constructor_signature: callable,
    redirecting_factory_constructor_signature: callable,
    static_final_declaration: constant,
  },
  leading: setOf('annotation'),
  visibility,
};
