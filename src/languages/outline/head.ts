/** Reads the head of a declaration on one line: modifiers, then a keyword with its name, or a language's own way. */
import type { DefinitionKind } from '../../core/index.ts';

/** Where a line stands. A head names the places it may stand in, as a sum of these. */
export const SCOPE = {
  /** In the file itself or in a namespace. */
  top: 1,
  /** Directly in the body of a class, an interface and the like. */
  member: 2,
  /** In the body of a function. */
  body: 4,
  /** In braces that belong to nothing with a name, outside functions. */
  block: 8,
  /** In an object literal that has a name. */
  object: 16,
} as const;
export const ANYWHERE = 31;
/** Not inside functions. */
export const OUTSIDE = SCOPE.top | SCOPE.member | SCOPE.block;
export const TOP = SCOPE.top | SCOPE.block;

export interface Found {
  readonly name: string;
  readonly kind: DefinitionKind;
  /** When the head itself says what it belongs to: `func (s *Store) Open()`. */
  readonly container?: string | undefined;
  /** Forgotten unless a body follows. */
  readonly needsBody?: boolean;
  /** The name stands behind the body: `typedef struct { … } Name;`. */
  readonly lateName?: boolean;
  /** It is a function after all when its body follows an arrow. */
  readonly arrow?: boolean;
}

export interface Keyword {
  readonly kind: DefinitionKind;
  /** Sticky, right after the keyword; groups `name` and, at will, `container`. */
  readonly name: RegExp;
  readonly scopes: number;
  readonly needsBody?: boolean;
  /** For what is always called the same, such as `init`. */
  readonly called?: string;
}

export interface HeadRules {
  readonly modifiers: ReadonlySet<string>;
  readonly keywords: ReadonlyMap<string, readonly Keyword[]>;
  /** Asked when no keyword matched, from behind the modifiers. */
  readonly other?: (line: string, at: number, place: Place) => Found | undefined;
  /** Keywords in any case. */
  readonly foldsCase?: boolean;
}

export interface Place {
  readonly scope: number;
  readonly container: string | undefined;
  /** Column of the first character that is not white space. */
  readonly indent: number;
}

export const NAME = /\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/uy;

export function keyword(kind: DefinitionKind, scopes: number = ANYWHERE, name: RegExp = NAME): Keyword {
  return { kind, name, scopes };
}

export function keywords(
  table: Readonly<Record<string, Keyword | readonly Keyword[]>>,
): ReadonlyMap<string, readonly Keyword[]> {
  return new Map(
    Object.entries(table).map(([word, rules]) => [word, 'kind' in rules ? [rules] : rules] as const),
  );
}

export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

export function matchHead(line: string, rules: HeadRules, place: Place): Found | undefined {
  let at = place.indent;
  for (;;) {
    const end = wordEnd(line, at);
    if (end === at) break;
    const written = line.slice(at, end);
    const word = rules.foldsCase === true ? written.toLowerCase() : written;
    const found = matchKeyword(line, end, rules.keywords.get(word), place.scope);
    if (found !== undefined) return found;
    if (!rules.modifiers.has(word)) break;
    at = skipSpace(line, skipQualifier(line, end));
  }
  return rules.other?.(line, at, place);
}

function matchKeyword(
  line: string,
  at: number,
  candidates: readonly Keyword[] | undefined,
  scope: number,
): Found | undefined {
  for (const { kind, name, scopes, needsBody, called } of candidates ?? []) {
    if ((scopes & scope) === 0) continue;
    name.lastIndex = at;
    const match = name.exec(line);
    const found = called ?? match?.groups?.['name'];
    if (match === null || found === undefined) continue;
    return { name: found, kind, container: match.groups?.['container'], needsBody: needsBody ?? false };
  }
  return undefined;
}

/** Past the `<…>` that opens at `from`; the line's length when it stays open. */
export function behindAngles(line: string, from: number): number {
  let open = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === '<') open++;
    else if (line[at] === '>' && line[at - 1] !== '-' && line[at - 1] !== '=' && --open === 0) return at + 1;
  }
  return line.length;
}

export function wordEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && isWord(line.charCodeAt(at))) at++;
  return at;
}

export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 128
  );
}

export function skipSpace(line: string, from: number): number {
  let at = from;
  while (at < line.length && (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9)) at++;
  return at;
}

/** What may follow a modifier at once: `pub(crate)`, `private[this]`, `extern "C"`, `alignas(8)`, `template <T>`. */
function skipQualifier(line: string, from: number): number {
  const at = skipSpace(line, from);
  if (line[at] === '<') return behindAngles(line, at);
  const close = CLOSERS[line.charAt(at)];
  if (close === undefined) return from;
  const end = line.indexOf(close, at + 1);
  return end === -1 ? from : end + 1;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '"': '"' };
