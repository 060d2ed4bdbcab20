/** Rust: structs, unions, enums and traits with what they hold. */
import type { Collector } from '../collector.ts';
import type { FactDefinition, Scope } from '../facts.ts';
import { pathOf, typeAt, typeOf } from './rust-expressions.ts';
import { fieldOf, namedOf, type SyntaxNode, walkChildren } from '../syntax-node.ts';

export interface RustTypeParts {
  readonly facts: Collector;
  walk(node: SyntaxNode, scope: Scope): void;
  readItems(node: SyntaxNode, scope: Scope): void;
  bindTypeParameters(node: SyntaxNode, scope: Scope): void;
}

export type ReadRustType = (node: SyntaxNode, scope: Scope, definition: FactDefinition | undefined) => void;

export function createRustTypes({ facts, walk, readItems, bindTypeParameters }: RustTypeParts): ReadRustType {
  const { textOf } = facts;
  const type = (node: SyntaxNode | undefined) => typeOf(node, textOf);
  const path = (node: SyntaxNode | undefined) => pathOf(node, textOf);

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function walkFields(node: SyntaxNode, scope: Scope, ...fields: readonly string[]): void {
    for (const child of node.children)
      if (child.field !== undefined && fields.includes(child.field)) walk(child, scope);
  }

  function readType(node: SyntaxNode, scope: Scope, definition: FactDefinition | undefined): void {
    if (definition === undefined) return walkAll(node, scope);
    const inner = facts.openScope(scope, node.type === 'trait_item' ? 'class' : 'type', definition);
    definition.inner = inner;
    bindTypeParameters(node, inner);
    const body = fieldOf(node, 'body');
    if (node.type === 'trait_item') {
      facts.bind(inner, 'Self', { type: typeAt(definition.name) });
      for (const bound of namedOf(fieldOf(node, 'bounds'))) {
        const base = path(bound);
        if (base !== undefined) definition.bases.push({ kind: 'name', name: base });
      }
      walkFields(node, inner, 'bounds');
      return body && readItems(body, inner);
    }
    const alias = type(fieldOf(node, 'type'));
    if (alias !== undefined) definition.aliases.push(alias);
    facts.bind(inner, 'Self', { type: typeAt(definition.name) });
    if (node.type === 'enum_item') for (const each of namedOf(body)) readVariant(each, definition, inner);
    else if (body !== undefined) readFields(body, definition, inner);
    walkFields(node, inner, 'type');
  }

  function readFields(body: SyntaxNode, owner: FactDefinition, scope: Scope): void {
    let at = 0;
    for (const each of body.children) {
      if (each.type === 'field_declaration') {
        const name = fieldOf(each, 'name');
        if (name === undefined) continue;
        const what = { type: type(fieldOf(each, 'type')) };
        facts.addMember(owner, facts.define({ kind: 'field', scope, name, node: each, more: what }), what);
        walkFields(each, scope, 'type');
      } else if (each.field === 'type') {
        owner.members.set(String(at++), { definitions: [], type: type(each) });
        walk(each, scope);
      } else walk(each, scope);
    }
  }

  function readVariant(node: SyntaxNode, owner: FactDefinition, scope: Scope): void {
    const name = fieldOf(node, 'name');
    if (name === undefined) return walk(node, scope);
    const made = typeAt(owner.name);
    const definition = facts.define({
      kind: 'field',
      scope,
      name,
      node,
      more: { returns: [made], type: made },
    });
    facts.addMember(owner, definition, { type: made });
    const body = fieldOf(node, 'body');
    if (body !== undefined) readFields(body, definition, scope);
    walkFields(node, scope, 'value');
  }

  return readType;
}
