/** JavaScript and TypeScript, with and without JSX. */
import type { BraceRules } from './braces.ts';
import {
  ANYWHERE,
  behindClosing,
  type Found,
  type HeadRules,
  isWord,
  keyword,
  keywords,
  OUTSIDE,
  type Place,
  SCOPE,
  skipSpace,
  TOP,
  wordEnd,
  words,
} from './declaration.ts';
import { DOUBLE, SINGLE, slashes, type LexRules, type Stretch, type StringRule } from './lex-rules.ts';

const TEMPLATE: StringRule = { open: '`', close: '`', escapes: true, multiline: true, interpolates: true };
const BEFORE_REGEX = '(,=:[!&|?{;+-*%~^';
const WORD_BEFORE_REGEX =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/;
const JAVASCRIPT_LEX: LexRules = slashes([DOUBLE, SINGLE, TEMPLATE], {
  special: regexLiteral,
  specialChars: '/',
});

const FUNCTION = /\s*\*?\s*(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\s*[(<]/uy;
const CLASS = /\s+(?!extends\b|implements\b)(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/uy;
const NAMESPACE = /\s+["']?(?<name>[\p{L}_$@][\p{L}\p{N}_$.@/-]*)["']?/uy;
const CONST_ENUM = /\s+enum\s+(?<name>[\w$]+)/y;
const TYPE_ALIAS = /\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\s*[=<]/uy;

const VARIABLE = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]*)?=?/uy;
const ASSIGNED = /(?<path>[\p{L}_$][\p{L}\p{N}_$.]*)\s*=(?![=>])\s*/uy;
const MEMBER = /(?:(?:get|set)\s+)?\*?\s*(?<name>[#\p{L}_$][\p{L}\p{N}_$]*)\s*\??\s*/uy;
const LITERAL_MEMBER = /['"](?<name>[\w$-]{1,80})['"]\s*/y;
const VALUE_IS_FUNCTION = /(?:async\s*)?(?:function\b|[\w$]+\s*=>)/y;
const NOT_MEMBERS = words(
  'if for while switch catch return function new do else try throw await yield case super',
);
const EXPORTS = words('exports module.exports');

const HEAD: HeadRules = {
  modifiers: words(
    'export default declare abstract async public private protected static readonly override accessor global',
  ),
  keywords: keywords({
    function: keyword('function', ANYWHERE, FUNCTION),
    class: keyword('class', ANYWHERE, CLASS),
    interface: keyword('interface', OUTSIDE),
    enum: keyword('enum', OUTSIDE),
    type: keyword('type', TOP, TYPE_ALIAS),
    namespace: keyword('module', TOP, NAMESPACE),
    module: keyword('module', TOP, NAMESPACE),
    const: keyword('enum', TOP, CONST_ENUM),
  }),
  other,
};

export const SCRIPT_LIKE: BraceRules = {
  lex: JAVASCRIPT_LEX,
  head: HEAD,
  decorator: /^\s*@[\w$]/,
  newlineEnds: true,
};

function other(line: string, at: number, place: Place): Found | undefined {
  const word = line.slice(at, wordEnd(line, at));
  if (word === 'const' || word === 'let' || word === 'var')
    return variableAt(line, at + word.length, word, place);
  if (place.scope === SCOPE.member || place.scope === SCOPE.object) return memberAt(line, at, place.scope);
  if ((place.scope & TOP) === 0) return undefined;
  return assignedAt(line, at) ?? defaultAt(line, at);
}

function variableAt(line: string, from: number, word: string, place: Place): Found | undefined {
  const at = skipSpace(line, from);
  VARIABLE.lastIndex = at;
  const name = VARIABLE.exec(line)?.[1];
  if (name === undefined || name === 'enum') return undefined;
  const equals = line.indexOf('=', at + name.length);
  const value = equals === -1 ? '' : line.slice(skipSpace(line, equals + 1));
  if (isFunctionValue(value)) return { name, kind: 'function', needsBody: place.scope === SCOPE.body };
  if (place.scope === SCOPE.body || /^(?:require\s*\(|await import\()/.test(value)) return undefined;
  const isNested = place.scope !== SCOPE.top;
  if (isNested)
    return /^(?:async\s*)?\(/.test(value) ? { name, kind: 'function', needsBody: true } : undefined;
  return { name, kind: word === 'const' ? 'constant' : 'variable', arrow: /^(?:async\s*)?[(<]/.test(value) };
}

/** `x.y = function`, `exports.y = (…) =>`, `module.exports = {`. */
function assignedAt(line: string, at: number): Found | undefined {
  ASSIGNED.lastIndex = at;
  const path = ASSIGNED.exec(line)?.groups?.['path'];
  if (path === undefined) return undefined;
  const value = line.slice(ASSIGNED.lastIndex);
  if (EXPORTS.has(path)) return value === '{' ? { name: 'exports', kind: 'constant' } : undefined;
  const parts = path
    .split('.')
    .filter((part) => part !== 'prototype' && part !== 'module' && part !== 'exports');
  const name = parts.at(-1);
  if (name === undefined || !path.includes('.') || /^require\s*\(/.test(value)) return undefined;
  // `exports.Route = Route` only passes on what is defined elsewhere.
  if (value.startsWith(name) && /^;?$/.test(value.slice(name.length))) return undefined;
  const container = parts.at(-2);
  if (isFunctionValue(value)) return { name, kind: 'function', container };
  if (/^class\b/.test(value)) return { name, kind: 'class', container };
  return path.startsWith('exports.') || path.startsWith('module.exports.')
    ? { name, kind: 'constant', container, arrow: value.startsWith('(') }
    : undefined;
}

/** `export default {` and `export default function (`: modifiers were skipped, so look back. */
function defaultAt(line: string, at: number): Found | undefined {
  if (!/^\s*export\s+default\s/.test(line)) return undefined;
  const rest = line.slice(at);
  if (/^(?:function|class)\b/.test(rest))
    return { name: 'default', kind: rest.startsWith('c') ? 'class' : 'function' };
  return rest === '{' ? { name: 'default', kind: 'constant' } : undefined;
}

function memberAt(line: string, at: number, scope: number): Found | undefined {
  const pattern = line[at] === '"' || line[at] === "'" ? LITERAL_MEMBER : MEMBER;
  pattern.lastIndex = at;
  const name = pattern.exec(line)?.groups?.['name'];
  if (name === undefined || NOT_MEMBERS.has(name)) return undefined;
  const next = pattern.lastIndex;
  const char = line[next];
  // In an object a call is not a method; only a body tells.
  if (char === '(' || char === '<') return { name, kind: 'function', needsBody: scope === SCOPE.object };
  if (char === ':' && scope === SCOPE.object) return valueAt(line, next + 1, name);
  if (char !== '=' && char !== ':') return undefined;
  const equals = line.indexOf('=', next);
  return equals === -1 || line[equals + 1] === '>' ? undefined : valueAt(line, equals + 1, name);
}

function valueAt(line: string, from: number, name: string): Found | undefined {
  return isFunctionValue(line.slice(skipSpace(line, from))) ? { name, kind: 'method' } : undefined;
}

function isFunctionValue(value: string): boolean {
  VALUE_IS_FUNCTION.lastIndex = 0;
  if (VALUE_IS_FUNCTION.test(value)) return true;
  const open = /^(?:async\s*)?(?:<[^>()]*>\s*)?\(/.exec(value)?.[0].length;
  if (open === undefined) return false;
  const behind = behindClosing(value, open - 1);
  return behind !== -1 && (value.startsWith('=>', behind) || /^:[^=]*=>/.test(value.slice(behind)));
}

/** JavaScript's `/…/`, told from a division by what stands before it. */
function regexLiteral(line: string, at: number): Stretch | undefined {
  const next = line[at + 1];
  if (next === '/' || next === '*') return undefined;
  let before = at - 1;
  while (before >= 0 && (line[before] === ' ' || line[before] === '\t')) before--;
  if (before >= 0 && !mayPrecedeRegex(line, before)) return { at: at + 1 };
  let inClass = false;
  for (let end = at + 1; end < line.length; end++) {
    const char = line[end];
    if (char === '\\') end++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return { at: end + 1 };
  }
  return { at: at + 1 };
}

function mayPrecedeRegex(line: string, before: number): boolean {
  if (BEFORE_REGEX.includes(line.charAt(before))) return true;
  if (line[before] === '>') return line[before - 1] === '=';
  return (
    isWord(line.charCodeAt(before)) &&
    WORD_BEFORE_REGEX.test(line.slice(Math.max(0, before - 12), before + 1))
  );
}
