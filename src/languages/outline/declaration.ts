/**
 * A declaration: its head is read from one line (modifiers, then a keyword with its name, or a language's own way), and it is kept
 * as a draft until its end is known.
 */
import type { Definition, DefinitionKind } from '../../core/index.ts';
import { docSentence, MOST_SIGNATURE_CHARS, signatureAt } from './doc-comment.ts';

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

/** A function named by what stands before its parameter list: `static Map<String, T> find(…)`. By hand, so it is linear. */
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

/** A definition whose end is not known yet. */
export interface Draft {
  name: string;
  kind: DefinitionKind;
  /** What it stands in, or the name its own head gives. */
  container: Draft | string | undefined;
  /** First line, decorators included. */
  startLine: number;
  /** The line of the declaration itself. */
  headLine: number;
  endLine: number;
  hasBody: boolean;
}

// A generated table of 100,000 constants is one fact, not 100,000.
const MOST_DEFINITIONS = 5_000;

const BODY_SCOPES: Readonly<Partial<Record<DefinitionKind, number>>> = {
  function: SCOPE.body,
  method: SCOPE.body,
  macro: SCOPE.body,
  module: SCOPE.top,
  constant: SCOPE.object,
  variable: SCOPE.object,
  section: SCOPE.block,
};

/** What the lines in its body are. */
export function scopeInside(kind: DefinitionKind): number {
  return BODY_SCOPES[kind] ?? SCOPE.member;
}

export type DocOf = (lines: readonly string[], draft: Draft) => string | undefined;

export function finishDrafts(
  drafts: readonly Draft[],
  lines: readonly string[],
  docOf: DocOf = (all, draft) => docSentence(all, draft.startLine),
): Definition[] {
  const defined = new Set(drafts.filter((draft) => draft.hasBody).map(keyOf));
  const kept = drafts.filter((draft) => draft.name !== '' && (draft.hasBody || !isEcho(draft, defined)));
  kept.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return kept.slice(0, MOST_DEFINITIONS).map((draft) => ({
    name: draft.name.slice(0, MOST_SIGNATURE_CHARS),
    kind: draft.kind,
    container: containerName(draft),
    startLine: draft.startLine,
    endLine: Math.max(draft.endLine, draft.headLine),
    signature: signatureAt(lines, draft.headLine),
    doc: docOf(lines, draft),
  }));
}

/** A prototype or forward declaration of what is defined in the same file. */
function isEcho(draft: Draft, defined: ReadonlySet<string>): boolean {
  return draft.kind !== 'constant' && draft.kind !== 'variable' && defined.has(keyOf(draft));
}

function keyOf(draft: Draft): string {
  return `${containerName(draft) ?? ''} ${draft.name}`;
}

function containerName(draft: Draft): string | undefined {
  const { container } = draft;
  const name = typeof container === 'object' ? container.name : container;
  return name === '' ? undefined : name;
}
