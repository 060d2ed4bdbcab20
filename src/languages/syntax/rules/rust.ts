/** Rust. */
import type { Node } from 'web-tree-sitter';
import type { Visibility } from '../../../core/index.ts';
import { setOf, type FoundDefinition, type FoundImport, type LanguageRules } from './rules.ts';

const MOST_USES = 200;

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

/** `use a::{b, c::d}` is two: `a::b` and `a::c::d`. */
function used(node: Node): FoundImport[] {
  const argument = node.childForFieldName('argument');
  return argument === null
    ? []
    : paths(argument, '')
        .slice(0, MOST_USES)
        .map((specifier) => ({ specifier }));
}

function paths(node: Node, prefix: string): string[] {
  const join = (text: string): string => (prefix === '' ? text : `${prefix}::${text}`);
  if (node.type === 'use_list') return node.namedChildren.flatMap((child) => paths(child, prefix));
  if (node.type === 'use_as_clause') return paths(node.childForFieldName('path') ?? node, prefix);
  if (node.type === 'use_wildcard') return [join(node.text.replace(/\s/g, ''))];
  if (node.type !== 'scoped_use_list')
    return [node.text === 'self' && prefix !== '' ? prefix : join(node.text.replace(/\s/g, ''))];
  const path = node.childForFieldName('path')?.text ?? '';
  const list = node.childForFieldName('list');
  return list === null ? [] : paths(list, path === '' ? prefix : join(path));
}

/** `mod store;` names a file beside this one. */
function submodule(node: Node): FoundImport[] {
  const name = node.childForFieldName('name')?.text;
  return name === undefined || node.childForFieldName('body') !== null
    ? []
    : [{ specifier: `self::${name}` }];
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
  references: `
(identifier) @name
(field_identifier) @name
(type_identifier) @type
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(macro_invocation macro: (identifier) @call)
`,
  imports: { use_declaration: used, mod_item: submodule },
  leading: setOf('attribute_item'),
  visibility,
};
