/** JSON with comments and trailing commas, read by `jsonc-parser`: the tree with positions, or the first mistake. */
import { getNodeValue, parseTree, printParseErrorCode, visit, type Node } from 'jsonc-parser';

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

/** A value nested deeper than `maxDepth` is a mistake: the parser is recursive, and a hostile file would overflow its stack. */
export function parseJsonc(text: string, maxDepth: number): JsoncResult {
  const problem = findProblem(text, maxDepth);
  if (problem !== undefined) return { kind: 'problem', problem };
  const root = parseTree(text, [], { allowTrailingComma: true });
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

function findProblem(text: string, maxDepth: number): JsoncProblem | undefined {
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
    endValue();
  };
  try {
    visit(
      text,
      {
        onObjectBegin: (at) => begin('}', at),
        onArrayBegin: (at) => begin(']', at),
        onObjectProperty: () => {
          expected = '":"';
        },
        onSeparator: (character) => {
          expected = character === ',' && open.at(-1) === '}' ? KEY : VALUE;
        },
        onLiteralValue: endValue,
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
