/** JSON with comments and trailing commas, read by `jsonc-parser`: the tree with positions, or the first mistake. */
import { getNodeValue, printParseErrorCode, visit, type Node, type NodeType } from 'jsonc-parser';

/** A node of the tree. A member of an object is a `property` whose children are the key and the value. */
export type JsoncNode = Node;

export interface JsoncProblem {
  /** Offset of the first character that is wrong. */
  readonly at: number;
  /** What had to be there instead. */
  readonly expected: string;
}

export type JsoncResult =
  | { readonly kind: 'tree'; readonly root: JsoncNode }
  | { readonly kind: 'problem'; readonly problem: JsoncProblem };

/**
 * A value nested deeper than `maxDepth` is a mistake: the parser is recursive, and a hostile file would overflow its stack.
 * `parseTree` is not used: it reads the text once more, and clients keep files of many megabytes.
 */
export function parseJsonc(text: string, maxDepth: number): JsoncResult {
  const tree = createTree();
  const problem = readTokens(text, maxDepth, tree);
  if (problem !== undefined) return { kind: 'problem', problem };
  const root = tree.root();
  if (root === undefined) return { kind: 'problem', problem: { at: 0, expected: VALUE } };
  return { kind: 'tree', root };
}

/** The node as a plain value; objects have no prototype, so that `__proto__` is a key like any other. */
export function jsoncValue(node: JsoncNode): unknown {
  return getNodeValue(node);
}

const KEY = 'a key in double quotes';
const VALUE = 'a value';

/** Thrown out of the visitor: it has no other way to stop. */
class Stop extends Error {
  readonly problem: JsoncProblem;
  constructor(problem: JsoncProblem) {
    super(problem.expected);
    this.problem = problem;
  }
}

interface Tree {
  begin(type: NodeType, offset: number): void;
  /** A value that is whole; of a property it is the last part. */
  add(node: Node): void;
  end(until: number): void;
  root(): JsoncNode | undefined;
}

type Growing = { -readonly [Field in keyof Node]: Node[Field] };

function createTree(): Tree {
  const open: Growing[] = [];
  let root: Node | undefined;
  const add = (node: Node): void => {
    const parent = open.at(-1);
    if (parent === undefined) {
      root = node;
      return;
    }
    parent.children?.push(node);
    if (parent.type !== 'property' || parent.children?.length !== 2) return;
    parent.length = node.offset + node.length - parent.offset;
    open.pop();
  };
  return {
    add,
    begin(type, offset) {
      const node: Growing = { type, offset, length: 0, children: [] };
      if (type === 'property') open.at(-1)?.children?.push(node);
      open.push(node);
    },
    end(until) {
      const node = open.pop();
      if (node === undefined) return;
      node.length = until - node.offset;
      add(node);
    },
    root: () => root,
  };
}

function literal(value: unknown, offset: number, length: number): Node {
  const kind = typeof value;
  const type = kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'null';
  return { type, offset, length, value };
}

function readTokens(text: string, maxDepth: number, tree: Tree): JsoncProblem | undefined {
  const open: ('}' | ']')[] = [];
  let expected = VALUE;
  const fail = (problem: JsoncProblem): never => {
    throw new Stop(problem);
  };
  const begin = (close: '}' | ']', at: number): void => {
    if (open.length === maxDepth) fail({ at, expected: `at most ${maxDepth} levels of nesting` });
    open.push(close);
    expected = close === '}' ? KEY : VALUE;
  };
  const endValue = (): void => {
    const close = open.at(-1);
    expected = close === undefined ? 'the end of the file' : `"," or "${close}"`;
  };
  const end = (at: number): void => {
    // At the end of the file the parser closes what is still open.
    if (text[at] !== open.at(-1)) fail({ at, expected });
    open.pop();
    tree.end(at + 1);
    endValue();
  };
  try {
    visit(
      text,
      {
        onObjectBegin(at) {
          begin('}', at);
          tree.begin('object', at);
        },
        onArrayBegin(at) {
          begin(']', at);
          tree.begin('array', at);
        },
        onObjectProperty(key, at, length) {
          expected = '":"';
          tree.begin('property', at);
          tree.add(literal(key, at, length));
        },
        onSeparator: (character) => {
          expected = character === ',' && open.at(-1) === '}' ? KEY : VALUE;
        },
        onLiteralValue(value, at, length) {
          tree.add(literal(value, at, length));
          endValue();
        },
        onObjectEnd: end,
        onArrayEnd: end,
        onError: (code, at, length) =>
          fail(tokenProblem(text, printParseErrorCode(code), { at, length }) ?? { at, expected }),
      },
      { allowTrailingComma: true },
    );
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Stop) return thrown.problem;
    throw thrown;
  }
}

/** A backslash, alone unless it begins an escape that JSON knows. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?/g;

/** What is wrong inside one token; undefined if it is a sound token in the wrong place. */
function tokenProblem(
  text: string,
  code: string,
  { at, length }: { readonly at: number; readonly length: number },
): JsoncProblem | undefined {
  const token = text.slice(at, at + length);
  switch (code) {
    case 'UnexpectedEndOfComment':
      return { at, expected: '"*/" for the comment that begins here' };
    case 'UnexpectedEndOfString':
      return {
        at: at + length,
        expected: `the string's closing quote${at + length < text.length ? ' on the same line' : ''}`,
      };
    case 'InvalidCharacter':
      return {
        at: at + token.search(/\p{Cc}/u),
        expected: "the string's closing quote on the same line",
      };
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return { at: at + firstBadEscape(token), expected: 'an escape that JSON knows' };
    default:
      return undefined;
  }
}

function firstBadEscape(token: string): number {
  for (const { 0: escape, index } of token.matchAll(ESCAPE)) if (escape.length === 1) return index;
  return 0;
}
