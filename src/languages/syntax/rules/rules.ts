/** How a language is read from its syntax tree: which nodes define something, and what. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind, Visibility } from '../../../core/index.ts';

export interface FoundDefinition {
  readonly kind: DefinitionKind;
  /** A node, when the name stands in the text as it is; otherwise a name of our own making. */
  readonly name: Node | string;
  /** When the head itself says what it belongs to. Otherwise it is what stands around it. */
  readonly container?: string | undefined;
  /** The container is a name space, not a type: a function in it stays a function. */
  readonly isQualified?: boolean;
  /** Where its signature ends; by default its field `body`. */
  readonly body?: Node | null | undefined;
  /** The lines it covers, when they are not those of the node itself. */
  readonly range?: Node | undefined;
  /** Behind the last of several nodes that are one definition together. */
  readonly until?: Node | undefined;
}

export type Define = (node: Node) => FoundDefinition | readonly FoundDefinition[] | undefined;

export interface LanguageRules {
  /** By node type. A bare kind means: the name is in the field `name`. */
  readonly definitions: Readonly<Record<string, DefinitionKind | Define>>;
  /** Patterns with @d, where not every node of these types defines something. */
  readonly patterns?: string;
  /** Nodes around a declaration that belong to it: `export`, decorators, templates. */
  readonly wrappers?: ReadonlySet<string>;
  /** Nodes before or at the beginning of a declaration that are no part of its signature: attributes, annotations. */
  readonly leading?: ReadonlySet<string>;
  /** The same, for nodes whose type does not tell. */
  leads?(node: Node): boolean;
  /** Hides what the grammar stumbles over. Every character and line must stay where it is. */
  prepare?(text: string): string;
  /** The documentation, where it is not the comment above; as text with its signs. */
  doc?(node: Node): string | undefined;
  visibility?(found: { name: string; signature: string; kind: DefinitionKind }): Visibility | undefined;
  /** Several definitions of one name that follow each other are one: clauses of a function. */
  readonly joinsClauses?: boolean;
  /** Nodes reach over comments that speak about what follows. */
  readonly trimsComments?: boolean;
}

/** For a node whose name is in a field. */
export function named(kind: DefinitionKind, field = 'name'): Define {
  return (node) => {
    const name = node.childForFieldName(field);
    return name === null ? undefined : { kind, name };
  };
}

/** The first child of one of these types. */
export function childOf(node: Node | null | undefined, ...types: readonly string[]): Node | undefined {
  if (node === null || node === undefined) return undefined;
  return node.namedChildren.find((child) => types.includes(child.type));
}

/** Follows a path of node types, taking the first child of each type. */
export function descend(node: Node | null | undefined, ...path: readonly string[]): Node | undefined {
  let at: Node | undefined = node ?? undefined;
  for (const type of path) at = childOf(at, type);
  return at;
}

/** Walks from the root, because tree-sitter finds `parent` by searching from the root. */
export function isInside(node: Node, ...types: readonly string[]): boolean {
  for (let at: Node | null = node.tree.rootNode; at !== null && at.id !== node.id;) {
    if (types.includes(at.type)) return true;
    at = at.childWithDescendant(node);
  }
  return false;
}

export function unquoted(text: string): string {
  return text.replace(/^["'`<]|["'`>]$/g, '');
}

export function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

const WORDS: readonly (readonly [RegExp, Visibility])[] = [
  [/\bprotected\s+internal\b|\bprotected\b/, 'protected'],
  [/\b(?:private|fileprivate)\b/, 'private'],
  [/\binternal\b/, 'internal'],
  [/\b(?:public|open)\b/, 'public'],
];

/** By the words before the name. */
export function visibilityByWord(signature: string, name: string): Visibility | undefined {
  const at = signature.indexOf(name);
  const head = at === -1 ? signature : signature.slice(0, at);
  return WORDS.find(([pattern]) => pattern.test(head))?.[1];
}
