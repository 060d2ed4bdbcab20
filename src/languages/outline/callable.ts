/** A function named by what stands before its parameter list: `static Map<String, T> find(…)`. By hand, so it is linear. */
import { isWord, skipSpace } from './head.ts';

export interface Callable {
  readonly name: string;
  /** `Store` in `Store::open(…)`. */
  readonly qualifier: string | undefined;
  /** What stands before the name: a return type, or nothing for a constructor. */
  readonly before: string;
}

const NOT_NAMES: ReadonlySet<string> = new Set(
  'if for while switch catch return sizeof new else do throw synchronized using lock foreach when assert yield await defined typeof nameof decltype alignof static_assert super this base case delete goto'.split(
    ' ',
  ),
);
const NOT_TYPES: ReadonlySet<string> = new Set(
  'return new else throw case delete goto await yield if for while import package using typedef'.split(' '),
);
const TYPE_CHARS = ' \t<>,.[]?&*:~@';

/** `separator` is what a qualified name is written with. */
export function callableAt(line: string, at: number, separator: '::' | '.'): Callable | undefined {
  const paren = line.indexOf('(', at);
  if (paren === -1) return undefined;
  const end = behindNameOf(line, at, paren);
  let start = end;
  while (start > at && isWord(line.charCodeAt(start - 1))) start--;
  if (start === end) return operatorAt(line, at);
  const name = line.slice(start, end);
  if (name === 'operator') return operatorAt(line, at);
  if (NOT_NAMES.has(name) || isDigit(name)) return undefined;
  const tilde = line[start - 1] === '~' ? 1 : 0;
  const qualifierStart = qualifierFrom(line, at, start - tilde, separator);
  const before = line.slice(at, qualifierStart).trim();
  if (!isTypeText(before)) return undefined;
  const qualifier = line.slice(qualifierStart, Math.max(qualifierStart, start - tilde - separator.length));
  return {
    name: tilde === 1 ? `~${name}` : name,
    qualifier: qualifier === '' ? undefined : lastName(qualifier, separator),
    before,
  };
}

/** Just behind the name, looking back from the bracket over white space and type parameters. */
function behindNameOf(line: string, at: number, paren: number): number {
  let end = paren;
  while (end > at && isSpace(line.charCodeAt(end - 1))) end--;
  if (line[end - 1] !== '>') return end;
  let open = 0;
  while (end > at) {
    end--;
    if (line[end] === '>') open++;
    else if (line[end] === '<' && --open === 0) break;
  }
  while (end > at && isSpace(line.charCodeAt(end - 1))) end--;
  return end;
}

function qualifierFrom(line: string, at: number, end: number, separator: string): number {
  let start = end;
  while (start > at && line.startsWith(separator, start - separator.length)) {
    let word = behindNameOf(line, at, start - separator.length);
    const before = word;
    while (word > at && isWord(line.charCodeAt(word - 1))) word--;
    if (word === before) break;
    start = word;
  }
  return start;
}

function operatorAt(line: string, at: number): Callable | undefined {
  const match = /\b(?:([A-Za-z_]\w*)::)?operator\s*([^\s\w(]{1,3}|\(\)|\[\])\s*\(/.exec(
    line.slice(at, at + 300),
  );
  if (match === null) return undefined;
  return {
    name: `operator${match[2] ?? ''}`,
    qualifier: match[1],
    before: line.slice(at, at + match.index).trim(),
  };
}

function isTypeText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!isWord(text.charCodeAt(at)) && !TYPE_CHARS.includes(text.charAt(at))) return false;
  }
  const end = text.search(/[^\w]/);
  return !NOT_TYPES.has(end === -1 ? text : text.slice(0, end)) && !text.endsWith('.') && !text.endsWith(',');
}

function lastName(qualifier: string, separator: string): string {
  const bare = qualifier.replace(/<.*$/, '');
  const at = bare.lastIndexOf(separator);
  return at === -1 ? bare : bare.slice(at + separator.length);
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

function isDigit(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** Column behind the bracket that closes the one at `open`, or -1 when it stays open on this line. */
export function behindClosing(line: string, open: number): number {
  let count = 0;
  for (let at = open; at < line.length; at++) {
    const char = line[at];
    if (char === '(' || char === '[' || char === '{') count++;
    else if ((char === ')' || char === ']' || char === '}') && --count === 0) return skipSpace(line, at + 1);
  }
  return -1;
}
