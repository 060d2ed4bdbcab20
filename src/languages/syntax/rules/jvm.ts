/** Kotlin and Scala. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind, Visibility } from '../../../core/index.ts';
import {
  childOf,
  descend,
  isInside,
  named,
  setOf,
  visibilityByWord,
  type FoundDefinition,
  type LanguageRules,
} from './rules.ts';

function kotlinClass(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'type_identifier');
  if (name === undefined) return undefined;
  const word = node.children.find((child) => /^(?:class|interface|enum|object)$/.test(child.type))?.type;
  const kind: DefinitionKind = word === 'interface' || word === 'enum' ? word : 'class';
  return { kind, name, body: childOf(node, 'class_body', 'enum_class_body') ?? null };
}

function kotlinCompanion(node: Node): FoundDefinition {
  return {
    kind: 'class',
    name: childOf(node, 'type_identifier') ?? 'Companion',
    body: childOf(node, 'class_body'),
  };
}

/** `fun <T> Flow<T>.ofUser()` is a method of Flow. */
function kotlinFunction(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'simple_identifier');
  if (name === undefined) return undefined;
  const before = name.previousSibling?.type === '.' ? name.previousSibling.previousSibling : null;
  const receiver = before?.descendantsOfType('type_identifier')[0]?.text;
  const body = childOf(node, 'function_body');
  const quoted = /^`(.*)`$/.exec(name.text)?.[1];
  return {
    kind: 'function',
    name: quoted ?? name,
    container: receiver,
    // `= value` belongs to the body, and so does its sign.
    body: body ?? null,
  };
}

/** Outside of classes every value, inside only what never changes. */
function kotlinProperty(node: Node): FoundDefinition | undefined {
  const name = descend(node, 'variable_declaration', 'simple_identifier');
  if (name === undefined || isInside(node, 'function_body', 'lambda_literal', 'anonymous_initializer'))
    return undefined;
  const isConst = /\bconst\b/.test(childOf(node, 'modifiers')?.text ?? '');
  const isFixed = childOf(node, 'binding_pattern_kind')?.text === 'val';
  if (isInside(node, 'class_body') && !isConst) return undefined;
  return { kind: isConst || isFixed ? 'constant' : 'variable', name, body: null };
}

function kotlinAlias(node: Node): FoundDefinition | undefined {
  const name = childOf(node, 'type_identifier');
  return name === undefined ? undefined : { kind: 'type', name, body: null };
}

function openByDefault({ signature, name }: { signature: string; name: string }): Visibility {
  return visibilityByWord(signature, name) ?? 'public';
}

export const KOTLIN: LanguageRules = {
  definitions: {
    class_declaration: kotlinClass,
    object_declaration: kotlinClass,
    companion_object: kotlinCompanion,
    function_declaration: kotlinFunction,
    property_declaration: kotlinProperty,
    type_alias: kotlinAlias,
  },
  leading: setOf('annotation'),
  // The grammar does not know `fun interface`.
  prepare: (text) => text.replace(/\bfun(?=\s+interface\s)/g, '   '),
  visibility: openByDefault,
};

/** Values of a class or object that are part of it, not of a function. */
function scalaValue(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('pattern');
  if (name?.type !== 'identifier' || isInside(node, 'block', 'indented_block', 'function_definition'))
    return undefined;
  return { kind: node.type === 'var_definition' ? 'variable' : 'constant', name, body: null };
}

function scalaExtension(node: Node): FoundDefinition | undefined {
  const type = node.childForFieldName('parameters')?.descendantsOfType('type_identifier')[0]?.text;
  return type === undefined ? undefined : { kind: 'impl', name: type };
}

function scalaGiven(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  return name === null ? undefined : { kind: 'constant', name };
}

export const SCALA: LanguageRules = {
  definitions: {
    class_definition: 'class',
    object_definition: 'class',
    package_object: 'class',
    trait_definition: 'trait',
    enum_definition: 'enum',
    function_definition: 'function',
    function_declaration: 'function',
    val_definition: scalaValue,
    var_definition: scalaValue,
    type_definition: named('type'),
    extension_definition: scalaExtension,
    given_definition: scalaGiven,
  },
  leading: setOf('annotation'),
  visibility: openByDefault,
};
