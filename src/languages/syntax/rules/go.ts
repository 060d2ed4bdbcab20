/** Go. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind, Visibility } from '../../../core/index.ts';
import { isInside, type FoundDefinition, type LanguageRules } from './rules.ts';

const KINDS: Readonly<Record<string, DefinitionKind>> = {
  struct_type: 'struct',
  interface_type: 'interface',
};

function typeSpec(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const type = node.childForFieldName('type');
  if (name === null) return undefined;
  const kind = KINDS[type?.type ?? ''] ?? 'type';
  return { kind, name, range: alone(node), body: kind === 'type' ? null : type?.child(1) };
}

function method(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const receiver = node.childForFieldName('receiver')?.descendantsOfType('type_identifier')[0]?.text;
  return name === null ? undefined : { kind: 'method', name, container: receiver };
}

function values(kind: DefinitionKind): (node: Node) => FoundDefinition[] {
  return (node) => {
    if (isInside(node, 'block')) return [];
    const range = alone(node);
    return node
      .childrenForFieldName('name')
      .flatMap((name) =>
        name.type === 'identifier' && name.text !== '_' ? [{ kind, name, range, body: null }] : [],
      );
  };
}

/** `const x = 1` is its declaration; one of many in brackets stands for itself. */
function alone(spec: Node): Node {
  let declaration = spec.parent;
  if (declaration?.type === 'var_spec_list') declaration = declaration.parent;
  const opens = declaration?.children.some((child) => child.type === '(' || child.type === 'var_spec_list');
  return declaration === null || declaration === undefined || opens === true ? spec : declaration;
}

function visibility({ name }: { name: string }): Visibility {
  return /^\p{Lu}/u.test(name) ? 'public' : 'internal';
}

export const GO: LanguageRules = {
  definitions: {
    function_declaration: 'function',
    method_declaration: method,
    type_spec: typeSpec,
    type_alias: typeSpec,
    const_spec: values('constant'),
    var_spec: values('variable'),
  },
  visibility,
};
