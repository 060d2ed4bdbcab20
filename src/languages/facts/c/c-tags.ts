/** C and C++: structs, unions, classes and enums, the names that `typedef` gives them, and their constants. */
import {
  C_NAMES,
  declaredBy,
  lastName,
  ownerIn,
  parametersOf,
  pathOf,
  TAGS,
  type TypeExpr,
  typeOf,
} from './c-expressions.ts';
import { TAG } from './c-macros.ts';
import { classOf, type Collector } from '../collector.ts';
import type { FactDefinition, Scope } from '../facts.ts';
import { childOf, fieldOf, fieldsOf, namedOf, type SyntaxNode, walkChildren } from '../syntax-node.ts';

export interface Tags {
  /** Returns what its members belong to; `named` is that of a tag without a name. */
  readTag(node: SyntaxNode, scope: Scope, named?: FactDefinition): FactDefinition | undefined;
  readTypedef(node: SyntaxNode, scope: Scope): void;
  /** `struct { int x; } name;`: the members are those of the one variable. */
  readNameless(tag: SyntaxNode, declarator: SyntaxNode | undefined, scope: Scope): void;
}

export interface TagParts {
  readonly facts: Collector;
  readonly isCpp: boolean;
  walk(node: SyntaxNode, scope: Scope): void;
}

export function createTags({ facts, isCpp, walk }: TagParts): Tags {
  const { textOf } = facts;
  const type = (node: SyntaxNode | undefined) => typeOf(node, textOf);

  function walkAll(node: SyntaxNode | undefined, scope: Scope): void {
    walkChildren(node, scope, walk);
  }

  function walkFields(node: SyntaxNode, scope: Scope, ...fields: readonly string[]): void {
    for (const child of node.children)
      if (child.field !== undefined && fields.includes(child.field)) walk(child, scope);
  }

  /** A tag, with or without what is in it. Returns what its members belong to. */
  function readTag(node: SyntaxNode, scope: Scope, named?: FactDefinition): FactDefinition | undefined {
    const [name, body] = [fieldOf(node, 'name'), fieldOf(node, 'body')];
    const isForward = body === undefined && node.parent !== undefined && isAlone(node);
    if (name !== undefined && body === undefined && !isForward) {
      walkTagName(name, scope);
      return undefined;
    }
    const definition = name === undefined ? named : defineTag(node, name, scope);
    if (definition === undefined) {
      if (node.type === 'enum_specifier' && body !== undefined)
        readEnumerators(body, scope, { owner: undefined, isScoped: false });
      else walkAll(body, scope);
      return undefined;
    }
    readBases(node, definition, scope);
    if (body === undefined) return definition;
    const inner = facts.openScope(scope, node.type === 'enum_specifier' ? 'type' : 'class', definition);
    definition.inner ??= inner;
    if (node.type === 'enum_specifier')
      readEnumerators(body, scope, { owner: definition, isScoped: isScopedEnum(node) });
    else for (const child of body.children) walk(child, inner);
    return definition;
  }

  function isScopedEnum(node: SyntaxNode): boolean {
    return childOf(node, 'class', 'struct') !== undefined;
  }

  /** `struct name;` declares; elsewhere it is used. */
  function isAlone({ parent, field }: SyntaxNode): boolean {
    if (
      parent?.type === 'translation_unit' ||
      parent?.type === 'declaration_list' ||
      parent?.type === 'template_declaration'
    )
      return true;
    return (
      (parent?.type === 'declaration' || parent?.type === 'field_declaration') &&
      field === 'type' &&
      fieldOf(parent, 'declarator') === undefined
    );
  }

  function walkTagName(name: SyntaxNode, scope: Scope): void {
    if (name.type !== 'type_identifier') return walk(name, scope);
    facts.use(name, { kind: 'type', scope, of: TAG });
  }

  function defineTag(node: SyntaxNode, written: SyntaxNode, scope: Scope): FactDefinition | undefined {
    const path = pathOf(written, textOf);
    const name = lastName(written);
    if (path === undefined || name === undefined) return undefined;
    if (written.type === 'template_type') walkFields(written, scope, 'arguments');
    const kind = node.type === 'enum_specifier' ? 'enum' : 'class';
    const definition = facts.define({ kind, scope, name, node, more: { ownerName: ownerIn(path) } });
    facts.bind(scope, `struct ${definition.name}`, { definition });
    if (isCpp) facts.bind(scope, definition.name, { definition });
    const owner = classOf(scope);
    if (owner !== undefined && isCpp) facts.addMember(owner, definition);
    return definition;
  }

  function readBases(node: SyntaxNode, definition: FactDefinition, scope: Scope): void {
    for (const base of namedOf(childOf(node, 'base_class_clause'))) {
      const path = pathOf(base, textOf);
      if (path !== undefined) definition.bases.push({ kind: 'name', name: path });
      walk(base, scope);
    }
  }

  /** Constants are names of what is around an enum, unless it is a class of its own. */
  function readEnumerators(
    body: SyntaxNode,
    scope: Scope,
    { owner, isScoped }: { readonly owner: FactDefinition | undefined; readonly isScoped: boolean },
  ): void {
    const made: TypeExpr | undefined = owner && {
      kind: 'type',
      name: owner.name,
      ...(isCpp ? {} : { of: 'struct' }),
    };
    const around = isCpp && !isScoped ? classOf(scope) : undefined;
    for (const each of namedOf(body)) {
      const name = each.type === 'enumerator' ? fieldOf(each, 'name') : undefined;
      if (name === undefined) {
        walk(each, scope);
        continue;
      }
      const definition = facts.define({ kind: 'value', scope, name, node: each, more: { type: made } });
      if (around !== undefined) facts.addMember(around, definition, { type: made });
      if (owner !== undefined) facts.addMember(owner, definition, { type: made });
      if (!isScoped) facts.bind(scope, definition.name, { definition });
      walkFields(each, scope, 'value');
    }
  }

  function readTypedef(node: SyntaxNode, scope: Scope): void {
    const is = fieldOf(node, 'type');
    const isTag = is !== undefined && TAGS.has(is.type);
    for (const [at, declarator] of fieldsOf(node, 'declarator').entries()) {
      const declared = declaredBy(declarator);
      if (declared === undefined || !C_NAMES.has(declared.name.type)) continue;
      const definition = facts.define({ kind: 'type', scope, name: declared.name, node });
      facts.bind(scope, definition.name, { definition });
      const owner = classOf(scope);
      if (owner !== undefined && isCpp) facts.addMember(owner, definition);
      const isNamed = !isTag || fieldOf(is, 'name') !== undefined;
      const alias = isNamed ? type(is) : undefined;
      if (alias !== undefined)
        definition.aliases.push(
          declared.isPointerToFunction || declared.parameters !== undefined
            ? { ...alias, wrap: 'Func' }
            : alias,
        );
      if (isTag && !isNamed && at === 0) readTag(is, scope, definition);
      walkAll(
        declared.parameters ?? (declared.isPointerToFunction ? parametersOf(declarator) : undefined),
        scope,
      );
    }
    if (is !== undefined && !(isTag && fieldOf(is, 'name') === undefined)) walk(is, scope);
  }

  function readNameless(tag: SyntaxNode, declarator: SyntaxNode | undefined, scope: Scope): void {
    const name = declaredBy(
      declarator?.type === 'init_declarator' ? fieldOf(declarator, 'declarator') : declarator,
    )?.name;
    const owner = classOf(scope);
    const written = name === undefined ? '' : textOf(name);
    const definition =
      owner?.members.get(written)?.definitions[0] ?? scope.names.get(written)?.definitions[0];
    readTag(tag, scope, definition);
  }

  return { readTag, readTypedef, readNameless };
}
