/** Rust. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import { setOf, type FoundDefinition, type LanguageRules } from './rules.ts';

/** `impl Display for Cache<T>` is called after the type. */
function implementation(node: Node): FoundDefinition | undefined {
  const type = node.childForFieldName('type');
  if (type === null) return undefined;
  return { kind: 'impl', name: bareType(type) };
}

/** `struct Token(pub u64);` has no body, only a longer head. */
function struct(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (name === null) return undefined;
  return { kind: 'struct', name, body: body?.type === 'field_declaration_list' ? body : null };
}

function bareType(type: Node): string {
  const inner = type.type === 'generic_type' ? type.childForFieldName('type') : type;
  return (inner ?? type).text;
}

/** Of an `impl`, methods belong to the type, not to the block. */
function associated(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const block = node.parent?.parent;
  if (name === null) return undefined;
  const type = block?.type === 'impl_item' ? block.childForFieldName('type') : null;
  return {
    kind: type === null ? 'function' : 'method',
    name,
    container: type === null ? undefined : bareType(type),
  };
}

function visibility({ signature }: { signature: string }): Visibility {
  if (!signature.startsWith('pub')) return 'private';
  return /^pub\s*\(/.test(signature) ? 'internal' : 'public';
}

export const RUST: LanguageRules = {
  definitions: {
    function_item: associated,
    function_signature_item: 'function',
    struct_item: struct,
    union_item: 'struct',
    enum_item: 'enum',
    trait_item: 'trait',
    impl_item: implementation,
    mod_item: 'module',
    macro_definition: 'macro',
    const_item: 'constant',
    static_item: 'variable',
    type_item: 'type',
    associated_type: 'type',
  },
  leading: setOf('attribute_item'),
  visibility,
};
