/**
 * JSON for people: strict JSON plus comments and trailing commas, and every value knows where it stood.
 * JSON.parse cannot be used because it has no positions, no comments, and lets the second of two equal keys win.
 */
import { AppError } from '../core/index.ts';
import { describeFound, describeKey } from './describe-found.ts';

interface Placed {
  /** Offset in the text, a byte order mark not counted; `JsonDocument.position` turns it into line and column. */
  readonly at: number;
  /** Offset behind its last character. */
  readonly end: number;
}

export interface JsonScalar extends Placed {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}
export interface JsonArray extends Placed {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}
export interface JsonMember extends Placed {
  readonly key: string;
  readonly value: JsonNode;
}
/** Members are a list and not an object, so that a key like `__proto__` is a name like any other. */
export interface JsonObject extends Placed {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}
export type JsonNode = JsonScalar | JsonArray | JsonObject;

/** Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface JsonDocument {
  readonly root: JsonNode;
  position(at: number): Position;
}

const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const WORD_VALUES: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Parses the text of `file`, which is named in errors; the first mistake is a `bad_config` with line and column. */
export function parseJson(source: string, file: string): JsonDocument {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  let at = 0;

  function fail(expected: string, where: number, found: string = describeCharacter(where)): never {
    const { line, column } = positionIn(text, where);
    throw new AppError('bad_config', `${file}:${line}:${column}: expected ${expected}, found ${found}`, {
      hint: 'Correct the file and run the same command again.',
    });
  }

  /** One character and no more: the file may be a repository's, and its text must not reach a model. */
  function describeCharacter(where: number): string {
    const char = text.codePointAt(where);
    return char === undefined ? 'the end of the file' : describeFound(String.fromCodePoint(char));
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  }

  function skipSpace(): void {
    for (; at < text.length; at++) {
      if (text.startsWith('//', at)) {
        const end = text.indexOf('\n', at);
        at = end === -1 ? text.length : end;
      } else if (text.startsWith('/*', at)) {
        const end = text.indexOf('*/', at + 2);
        if (end === -1) fail('"*/" for the comment that begins here', at);
        at = end + 1;
      } else if (!' \t\r\n'.includes(text.charAt(at))) return;
      if (at >= text.length) return;
    }
  }

  /** Skips space and takes this character if it comes next. */
  function take(char: string): boolean {
    skipSpace();
    if (text[at] !== char) return false;
    at++;
    return true;
  }

  function parseString(): string {
    const start = at++;
    while (text[at] !== '"') {
      if (at >= text.length) fail("the string's closing quote", at);
      if (text.charCodeAt(at) < 0x20) fail("the string's closing quote on the same line", at);
      const escape = text[at] === '\\' ? match(ESCAPE) : text.charAt(at);
      at += escape?.length ?? fail('an escape that JSON knows', at);
    }
    at++;
    // What the loop let through is a valid JSON string, so this neither throws nor yields anything but a string.
    return String(JSON.parse(text.slice(start, at)));
  }

  function parseScalar(): JsonScalar {
    const start = at;
    if (text[at] === '"') return { kind: 'scalar', value: parseString(), at: start, end: at };
    const number = match(NUMBER);
    const word = number ?? match(WORD) ?? '';
    const value = number === undefined ? WORD_VALUES.get(word) : Number(number);
    if (value === undefined) fail('a value', start);
    at += word.length;
    return { kind: 'scalar', value, at: start, end: at };
  }

  /** What stands between brackets: parts with commas between them and, if one likes, after the last. */
  function parseParts<T>(close: string, parsePart: () => T): T[] {
    const parts: T[] = [];
    at++;
    while (!take(close)) {
      parts.push(parsePart());
      if (take(',')) continue;
      if (take(close)) break;
      fail(`"," or "${close}"`, at);
    }
    return parts;
  }

  function parseMember(seen: Set<string>, depth: number): JsonMember {
    const start = at;
    if (text[at] !== '"') fail('a key in double quotes', at);
    const key = parseString();
    if (seen.has(key)) fail('each key only once', start, `${describeKey(key)} again`);
    seen.add(key);
    if (!take(':')) fail('":"', at);
    const value = parseNode(depth);
    return { key, at: start, end: value.end, value };
  }

  function parseNode(depth: number): JsonNode {
    skipSpace();
    const start = at;
    const open = text[at];
    if (open !== '{' && open !== '[') return parseScalar();
    if (depth === MAX_DEPTH) fail(`at most ${MAX_DEPTH} levels of nesting`, start);
    if (open === '[') {
      const items = parseParts(']', () => parseNode(depth + 1));
      return { kind: 'array', items, at: start, end: at };
    }
    const seen = new Set<string>();
    const members = parseParts('}', () => parseMember(seen, depth + 1));
    return { kind: 'object', members, at: start, end: at };
  }

  const root = parseNode(0);
  skipSpace();
  if (at < text.length) fail('the end of the file', at);
  return { root, position: (offset) => positionIn(text, offset) };
}

function positionIn(text: string, at: number): Position {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

/** The node as a plain value, for the checks that do not care where it stood. Objects stay opaque: no setting is one. */
export function toPlain(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  return node.kind === 'array' ? node.items.map(toPlain) : {};
}
