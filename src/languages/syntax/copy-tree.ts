/**
 * Copies a syntax tree out of the memory of the runtime. To ask the runtime for type, field and place of every node takes as
 * long as parsing; to read its memory takes a fifth of that. The layout is that of the one runtime that is pinned in package.json:
 * `Subtree`, `SubtreeHeapData` and `TSLanguage` of tree-sitter's C sources. A test compares it with what the runtime says.
 */
import type { Language, Tree } from 'web-tree-sitter';
import type { SyntaxNode } from '../facts/syntax-node.ts';

export interface RuntimeMemory {
  readonly buffer: ArrayBuffer;
}

interface OpenNode extends SyntaxNode {
  children: readonly SyntaxNode[];
}

interface NodeTypes {
  readonly names: readonly string[];
  readonly isNamed: readonly boolean[];
  /** Punctuation tells nothing that the nodes around it do not, and is half of all nodes. */
  readonly isPunctuation: readonly boolean[];
  readonly fields: readonly (string | null | undefined)[];
}

const NONE: never[] = [];
const ERROR_SYMBOL = 0xffff;
/** Of a subtree in its parent's list of children. */
const SUBTREE = 8;
const HEAP = { padding: 4, size: 16, childCount: 36, symbol: 40, flags: 44, production: 66 } as const;
const LANGUAGE = { mostAliases: 36, fieldSlices: 64, fieldEntries: 68, aliases: 84 } as const;

export type CopyTree = (tree: Tree) => SyntaxNode | undefined;

export function createTreeCopier(memory: RuntimeMemory, language: Language): CopyTree {
  const names = language.types.map(asKey);
  const types: NodeTypes = {
    names,
    isNamed: names.map((_, id) => language.nodeTypeIsNamed(id)),
    isPunctuation: names.map((name, id) => !language.nodeTypeIsNamed(id) && !/^[A-Za-z]/.test(name ?? '')),
    fields: language.fields.map((name) => (name === null ? null : asKey(name))),
  };
  return (tree) => copyTree(memory, types, tree);
}

/** As V8 keeps names of properties and constants: two of those differ if they are not the same object, without a look at their letters. */
function asKey(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}

function copyTree({ buffer }: RuntimeMemory, types: NodeTypes, tree: Tree): SyntaxNode | undefined {
  const [bytes, halves, words] = [new Uint8Array(buffer), new Uint16Array(buffer), new Uint32Array(buffer)];
  // For what is read once. The loop below reads without calls: of so many V8 inlines few (`QUICK_COMPILER_FLAGS`).
  const half = (at: number): number => halves[at >> 1] ?? 0;
  const word = (at: number): number => words[at >> 2] ?? 0;
  // The id of a node is the address of its subtree; behind that of the root stands the language.
  const root = tree.rootNode.id;
  const language = word(root + SUBTREE);
  const mostAliases = half(language + LANGUAGE.mostAliases);
  const slices = word(language + LANGUAGE.fieldSlices);
  const entries = word(language + LANGUAGE.fieldEntries);
  const aliases = word(language + LANGUAGE.aliases);

  /** Those whose parent is not complete yet. A list that grows node by node takes four times the memory of one of its length. */
  const open: SyntaxNode[] = [];

  /** Places are bytes of UTF-16. Returns where it ends; children of hidden nodes are those of what is around them. */
  function copy(
    at: number,
    from: number,
    alias: number,
    given: number,
    around: OpenNode | undefined,
  ): number {
    const first = bytes[at] ?? 0;
    const isInline = (first & 1) === 1;
    const heap = isInline ? 0 : (words[at >> 2] ?? 0);
    const symbol = (isInline ? bytes[at + 1] : halves[(heap + HEAP.symbol) >> 1]) ?? 0;
    const start = from + ((isInline ? bytes[at + 6] : words[(heap + HEAP.padding) >> 2]) ?? 0);
    const end = start + ((isInline ? bytes[at + 7] : words[(heap + HEAP.size) >> 2]) ?? 0);
    const isVisible = isInline ? (first & 2) !== 0 : ((bytes[heap + HEAP.flags] ?? 0) & 1) !== 0;
    const count = isInline ? 0 : (words[(heap + HEAP.childCount) >> 2] ?? 0);
    let field = given;
    let node: OpenNode | undefined;
    if (alias !== 0 || isVisible) {
      const id = alias === 0 ? symbol : alias;
      if (count === 0 && types.isPunctuation[id] === true) return end;
      const isError = id === ERROR_SYMBOL;
      node = {
        type: isError ? 'ERROR' : (types.names[id] ?? ''),
        isNamed: isError || types.isNamed[id] === true,
        field: field === 0 ? undefined : (types.fields[field] ?? undefined),
        start: start >> 1,
        end: end >> 1,
        parent: around,
        children: NONE,
      };
      field = 0;
    }
    if (count === 0) {
      if (node !== undefined) open.push(node);
      return end;
    }
    const into = node ?? around;
    const firstChild = open.length;
    const production = halves[(heap + HEAP.production) >> 1] ?? 0;
    const aliasAt = production === 0 || mostAliases === 0 ? 0 : aliases + production * mostAliases * 2;
    const slice = slices === 0 ? 0 : slices + production * 4;
    const firstEntry = slice === 0 ? 0 : (halves[slice >> 1] ?? 0);
    const lastEntry = slice === 0 ? 0 : firstEntry + (halves[(slice + 2) >> 1] ?? 0);
    let next = from;
    let position = 0;
    for (let child = heap - count * SUBTREE; child < heap; child += SUBTREE) {
      const flags = bytes[child] ?? 0;
      const isExtra =
        (flags & 1) === 1
          ? (flags & 8) !== 0
          : ((bytes[(words[child >> 2] ?? 0) + HEAP.flags] ?? 0) & 4) !== 0;
      let childAlias = 0;
      let childField = 0;
      if (!isExtra) {
        if (aliasAt !== 0) childAlias = halves[(aliasAt >> 1) + position] ?? 0;
        childField = field;
        for (let entry = firstEntry; entry < lastEntry; entry++) {
          const entryAt = entries + entry * 4;
          if (bytes[entryAt + 2] !== position || bytes[entryAt + 3] !== 0) continue;
          childField = halves[entryAt >> 1] ?? 0;
          break;
        }
        position++;
      }
      next = copy(child, next, childAlias, childField, into);
    }
    if (node === undefined) return end;
    if (open.length > firstChild) {
      node.children = open.slice(firstChild);
      open.length = firstChild;
    }
    open.push(node);
    return end;
  }

  copy(root, 0, 0, 0, undefined);
  return open[0];
}
