/** Haskell, OCaml, Erlang and Scala, read by layout. */
import {
  ANYWHERE,
  keyword,
  keywords,
  OUTSIDE,
  SCOPE,
  TOP,
  words,
  type Found,
  type HeadRules,
} from './declaration.ts';
import type { IndentRules } from './indents.ts';
import {
  NESTED_SLASH_STAR,
  DOUBLE,
  SINGLE,
  TRIPLE_DOUBLE,
  many,
  slashes,
  type LexRules,
  type Stretch,
} from './lex-rules.ts';

const HASKELL_LEX: LexRules = {
  lineComments: ['--'],
  blockComments: [{ open: '{-', close: '-}', nests: true }],
  strings: [DOUBLE],
};
const OCAML_LEX: LexRules = {
  lineComments: [],
  blockComments: [{ open: '(*', close: '*)', nests: true }],
  strings: [many('"'), many('{|', '|}', false)],
  // '"' is a character, not the beginning of a string.
  special: (line, at) => (line[at + 1] === '"' && line[at + 2] === "'" ? { at: at + 3 } : undefined),
  specialChars: "'",
};
const ERLANG_LEX: LexRules = {
  lineComments: ['%'],
  blockComments: [],
  strings: [DOUBLE, SINGLE],
  special: charDollar,
  specialChars: '$',
};
const SCALA_LEX: LexRules = slashes([TRIPLE_DOUBLE, DOUBLE], { blockComments: [NESTED_SLASH_STAR] });

// `data (Ord k) => Map k v`: a context may stand before the name.
const HASKELL_TYPE =
  /\s+(?:family\s+|instance\s+)?(?:\([^)]*\)\s*=>\s*|[A-Z]\w*(?:\s+\w+)?\s*=>\s*)?(?<name>[A-Z][\w']*)/y;
const HASKELL_SIGNATURE = /^(?:\(([^\s)]{1,6})\)|([a-z_][\w']*))(?:\s*,\s*[a-z_][\w']*)*\s*(?:::|∷)/;
const HASKELL_EQUATION = /^([a-z_][\w']*)(?:\s[^:]*?)?(?:=(?![=>])|$)/;
const NOT_HASKELL = words(
  'module import infixl infixr infix foreign deriving where let in case of if then else do',
);

const HASKELL: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    data: keyword('type', TOP, HASKELL_TYPE),
    newtype: keyword('type', TOP, HASKELL_TYPE),
    type: keyword('type', OUTSIDE, HASKELL_TYPE),
    class: keyword('trait', TOP, HASKELL_TYPE),
    instance: keyword('impl', TOP, /\s+(?:.{0,200}?=>\s*)?(?<name>[A-Z][\w'.]*(?: +[A-Z][\w']*)?)/y),
    module: keyword('module', TOP, /\s+(?<name>[A-Z][\w.]*)/y),
    pattern: keyword('function', TOP, /\s+(?<name>[A-Z]\w*)/y),
  }),
  other: (line, at, place) => {
    if ((place.scope & (SCOPE.top | SCOPE.member)) === 0) return undefined;
    const text = line.slice(at, at + 400);
    const signature = HASKELL_SIGNATURE.exec(text);
    const equation = signature ?? (place.scope === SCOPE.top ? HASKELL_EQUATION.exec(text) : null);
    const name = equation?.[2] ?? equation?.[1];
    return name === undefined || NOT_HASKELL.has(name) ? undefined : { name, kind: 'function' };
  },
};

export const HASKELL_LIKE: IndentRules = {
  lex: HASKELL_LEX,
  head: HASKELL,
  closes: /^\s*[)\]}]/,
  bracketsContinue: 'none',
  continues: (line, name) =>
    /^\w/.test(name)
      ? line.startsWith(name) && /^[^\w']/.test(line.slice(name.length))
      : line.includes(` ${name} `) && !line.includes('::'),
};

const OCAML_OPERATOR = /\s+(?:rec\s+)?\(\s*(?<name>[^\s\w)]{1,4})\s*\)/y;
const OCAML_VALUE = /\s+(?:rec\s+|nonrec\s+)?(?:\(\s*)?(?<name>[a-z_][\w']*)/y;
const OCAML_FUNCTION =
  /\s+(?:rec\s+|nonrec\s+)?(?<name>[a-z_][\w']*)(?=\s+[^=:\s]|\s*:[^=]*->|\s*=\s*(?:fun\b|function\b))/y;
const OCAML_TYPE = /\s+(?:nonrec\s+)?(?:\([^)]*\)\s*|[+-]?'\w+\s+)?(?<name>[a-z_][\w']*)/y;
const OCAML_MODULE = /\s+(?:rec\s+)?(?<name>[A-Z]\w*)/y;

const OCAML: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    let: [
      keyword('function', SCOPE.top | SCOPE.member, OCAML_OPERATOR),
      keyword('function', SCOPE.top | SCOPE.member, OCAML_FUNCTION),
      keyword('constant', SCOPE.top | SCOPE.member, OCAML_VALUE),
    ],
    and: [
      keyword('function', SCOPE.top | SCOPE.member, OCAML_FUNCTION),
      keyword('type', SCOPE.top | SCOPE.member, OCAML_TYPE),
    ],
    val: keyword('function', OUTSIDE, /\s+(?!mutable\b)(?:\(\s*)?(?<name>[a-z_][\w']*)/y),
    external: keyword('function', OUTSIDE, OCAML_VALUE),
    type: keyword('type', OUTSIDE, OCAML_TYPE),
    exception: keyword('type', OUTSIDE, OCAML_MODULE),
    module: [
      keyword('interface', ANYWHERE, /\s+type\s+(?<name>\w+)/y),
      keyword('module', ANYWHERE, OCAML_MODULE),
    ],
    class: keyword('class', OUTSIDE, /\s+(?:virtual\s+)?(?:\[[^\]]*\]\s*)?(?<name>[a-z_]\w*)/y),
    method: keyword('method', SCOPE.member, /\s+(?:private\s+|virtual\s+)*(?<name>[a-z_]\w*)/y),
  }),
};

export const OCAML_LIKE: IndentRules = {
  lex: OCAML_LEX,
  head: OCAML,
  closes: /^\s*(?:end\b|in\b|[)\]};]|\|)/,
  bracketsContinue: 'none',
};

const ERLANG: HeadRules = {
  modifiers: words(''),
  keywords: keywords({}),
  other: (line, at, place) => {
    if (place.indent > 0) return undefined;
    const attribute = /^-(record|define|type|opaque|callback|module)\b[\s(]*'?(\w+)/.exec(line);
    if (attribute?.[2] !== undefined)
      return { name: attribute[2], kind: ERLANG_KINDS[attribute[1] ?? ''] ?? 'type' };
    const name = /^([a-z]\w*|'[^']+')\(/.exec(line.slice(at))?.[1];
    return name === undefined ? undefined : { name: name.replaceAll("'", ''), kind: 'function' };
  },
};

const ERLANG_KINDS: Readonly<Record<string, Found['kind']>> = {
  module: 'module',
  record: 'struct',
  define: 'macro',
  callback: 'function',
};

export const ERLANG_LIKE: IndentRules = {
  lex: ERLANG_LEX,
  head: ERLANG,
  closes: /^\s*(?:end\b|[)\]}])/,
  decorator: /^-(?:spec|doc)\b/,
  bracketsContinue: 'none',
  mergesClauses: true,
};

const SCALA_NAME = /\s+`?(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/uy;

const SCALA: HeadRules = {
  modifiers: words(
    'private protected implicit lazy final sealed abstract override case inline transparent opaque open infix erased',
  ),
  keywords: keywords({
    class: keyword('class', ANYWHERE, SCALA_NAME),
    trait: keyword('trait', ANYWHERE, SCALA_NAME),
    object: keyword('class', ANYWHERE, SCALA_NAME),
    enum: keyword('enum', ANYWHERE, SCALA_NAME),
    def: keyword('function', ANYWHERE, /\s+`?(?<name>[\p{L}_$][\p{L}\p{N}_$]*|[^\s\w([:]{1,4})/uy),
    type: keyword('type', OUTSIDE, SCALA_NAME),
    val: keyword('constant', OUTSIDE, SCALA_NAME),
    given: keyword('constant', OUTSIDE, /\s+(?<name>[a-z]\w*)\s*[:([]/y),
    package: keyword('module', TOP, /\s+object\s+(?<name>\w+)/y),
    extension: { kind: 'impl', scopes: OUTSIDE, name: /[\s[].*?:\s*(?<name>[A-Z]\w*)/y },
  }),
};

export const SCALA_LIKE: IndentRules = {
  lex: SCALA_LEX,
  head: SCALA,
  closes: /^\s*(?:[)\]}{]|end\b|with\b|extends\b)/,
  decorator: /^\s*@\w[\w.]*(?:\([^)]*\))?\s*$/,
  bracketsContinue: 'round',
};

/** Erlang's `$"` is a character. */
function charDollar(line: string, at: number): Stretch {
  return { at: line[at + 1] === '\\' ? at + 3 : at + 2 };
}
