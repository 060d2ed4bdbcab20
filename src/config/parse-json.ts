/** The text of a JSON file for people as a tree with positions; the first mistake is a `bad_config` in our own words. */
import { AppError } from '../core/index.ts';
import { parseJsonc, type JsoncNode } from '../text/index.ts';
import { describeFound, describeKey } from './problem.ts';

/** Both count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface JsonDocument {
  readonly root: JsoncNode;
  /** Offsets do not count a byte order mark. */
  position(at: number): Position;
}

const MAX_DEPTH = 32;

/** Strict JSON plus comments and trailing commas. `file` is named in errors. */
export function parseJson(source: string, file: string): JsonDocument {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const position = (at: number): Position => positionIn(text, at);
  const fail = (at: number, expected: string, found: string): never => {
    const { line, column } = position(at);
    throw new AppError('bad_config', `${file}:${line}:${column}: expected ${expected}, found ${found}`, {
      hint: 'Correct the file and run the same command again.',
    });
  };
  const result = parseJsonc(text, MAX_DEPTH);
  if (result.kind === 'problem') {
    const { at, expected } = result.problem;
    return fail(at, expected, describeCharacter(text, at));
  }
  const again = findRepeatedKey(result.root);
  if (again !== undefined)
    return fail(again.offset, 'each key only once', `${describeKey(String(again.value))} again`);
  return { root: result.root, position };
}

/** One character and no more: the file may be a repository's, and its text must not reach a model. */
function describeCharacter(text: string, at: number): string {
  const char = text.codePointAt(at);
  return char === undefined ? 'the end of the file' : describeFound(String.fromCodePoint(char));
}

/** Parsers let the last of two equal keys win, and the user would not see that the first has no effect. */
function findRepeatedKey(node: JsoncNode): JsoncNode | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) return key;
    seen.add(key?.value);
    const inner = findRepeatedKey(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function positionIn(text: string, at: number): Position {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
