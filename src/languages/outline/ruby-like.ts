/** Languages whose bodies close with `end`: Ruby, Lua, Julia and Elixir. Read by layout. */
import { docSentence, sentenceOf } from './doc-comment.ts';
import {
  ANYWHERE,
  type Draft,
  type Found,
  type HeadRules,
  keyword,
  keywords,
  OUTSIDE,
  type Place,
  SCOPE,
  TOP,
  words,
} from './declaration.ts';
import type { IndentRules } from './indents.ts';
import {
  DOUBLE,
  SINGLE,
  TRIPLE_DOUBLE,
  TRIPLE_SINGLE,
  many,
  hashes,
  wordHash,
  type LexRules,
} from './lex-rules.ts';

const RUBY_HEREDOC = /<<[~-]?["'`]?([A-Z_]\w*)/y;
const RUBY_LEX: LexRules = hashes([DOUBLE, SINGLE], {
  heredoc: RUBY_HEREDOC,
  lineBlock: { open: /^=begin\b/, close: /^=end\b/ },
  special: wordHash,
  specialChars: '#',
});
const LUA_LEX: LexRules = {
  lineComments: ['--'],
  blockComments: [
    { open: '--[[', close: ']]', nests: false },
    { open: '--[=[', close: ']=]', nests: false },
  ],
  strings: [DOUBLE, SINGLE, many('[[', ']]', false), many('[=[', ']=]', false)],
};
const JULIA_LEX: LexRules = hashes([TRIPLE_DOUBLE, DOUBLE], {
  blockComments: [{ open: '#=', close: '=#', nests: true }],
});
const ELIXIR_LEX: LexRules = hashes([TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE]);

const PATH = /\s+(?<name>[A-Z][\w:.]*)/y;
const ENDS = /^\s*(?:end\b|[)\]}]|rescue\b|ensure\b|else\b|after\b|catch\b|do\b)/;

const RUBY: HeadRules = {
  modifiers: words('private protected public private_class_method module_function memoize'),
  keywords: keywords({
    class: keyword('class', ANYWHERE, PATH),
    module: keyword('module', ANYWHERE, PATH),
    def: keyword(
      'function',
      ANYWHERE,
      /\s+(?:(?:self|(?<container>[A-Z]\w*))\.)?(?<name>[A-Za-z_]\w*[?!=]?|\[\]=?|[=<>!~+*/%&|^-]{1,3}@?)/y,
    ),
    attr_reader: keyword('method', SCOPE.member, /\s+:(?<name>\w+)/y),
    attr_accessor: keyword('method', SCOPE.member, /\s+:(?<name>\w+)/y),
    scope: keyword('method', SCOPE.member, /\s+:(?<name>\w+)/y),
    define_method: keyword('method', ANYWHERE, /[\s(]+:(?<name>\w+[?!]?)/y),
    task: keyword('function', ANYWHERE, /\s+:?["']?(?<name>\w+)/y),
  }),
  other: rubyConstant,
};

function rubyConstant(line: string, at: number, place: Place): Found | undefined {
  const match = /^([A-Z]\w*)\s*=(?![=~>])\s*(Struct\.new|Class\.new|Data\.define)?/.exec(line.slice(at));
  if (match?.[1] === undefined || place.scope === SCOPE.body) return undefined;
  return { name: match[1], kind: match[2] === undefined ? 'constant' : 'class' };
}

export const RUBY_LIKE: IndentRules = { lex: RUBY_LEX, head: RUBY, closes: ENDS, bracketsContinue: 'none' };

const LUA: HeadRules = {
  modifiers: words('local'),
  keywords: keywords({
    function: keyword('function', ANYWHERE, /\s+(?:(?<container>[\w.]*\w)[.:])?(?<name>\w+)\s*\(/y),
    type: keyword('type', TOP, /\s+(?<name>\w+)\s*=/y),
  }),
  other: (line, at, place) => {
    const match = /^(?:(\w+)\.)?(\w+)\s*=(?!=)\s*(function\b|require\b|\{|\S)?/.exec(line.slice(at));
    const name = match?.[2];
    if (name === undefined || match?.[3] === 'require') return undefined;
    if (match?.[3] === 'function') return { name, kind: 'function', container: match[1] };
    const isLocal = at > place.indent;
    return place.scope === SCOPE.top && (isLocal || match?.[1] !== undefined)
      ? { name, kind: isLocal ? 'variable' : 'constant', container: match?.[1] }
      : undefined;
  },
};

export const LUA_LIKE: IndentRules = { lex: LUA_LEX, head: LUA, closes: ENDS, bracketsContinue: 'none' };

const JULIA_NAME = /\s+(?:(?<container>[A-Z]\w*)\.)?(?<name>[\p{L}_][\p{L}\p{N}_!]*)/uy;

const JULIA: HeadRules = {
  modifiers: words('mutable abstract primitive export'),
  keywords: keywords({
    function: keyword('function', ANYWHERE, JULIA_NAME),
    macro: keyword('macro', ANYWHERE, JULIA_NAME),
    struct: keyword('struct', ANYWHERE, JULIA_NAME),
    type: keyword('type', TOP, JULIA_NAME),
    module: keyword('module', ANYWHERE, JULIA_NAME),
    const: keyword('constant', OUTSIDE, JULIA_NAME),
  }),
  other: (line, at, place) => {
    const annotated = /^@\w+\s+(?:function|(?:mutable )?(struct))\s+(\w[\w!]*)/.exec(
      line.slice(at, at + 200),
    );
    if (annotated?.[2] !== undefined)
      return { name: annotated[2], kind: annotated[1] === undefined ? 'function' : 'struct' };
    if ((place.scope & OUTSIDE) === 0) return undefined;
    const match =
      /^(?:([A-Z]\w*)\.)?([\p{L}_][\p{L}\p{N}_!]*)(?:\{[^}]*\})?\([^=]*\)(?:\s*where\b[^=]*)?(?:::[\w{}, ]+)?\s*=(?!=)/u.exec(
        line.slice(at, at + 400),
      );
    return match?.[2] === undefined ? undefined : { name: match[2], kind: 'function', container: match[1] };
  },
};

export const JULIA_LIKE: IndentRules = {
  lex: JULIA_LEX,
  head: JULIA,
  closes: ENDS,
  decorator: /^\s*@(?:inline|noinline|generated|kwdef|eval|propagate_inbounds)\s*$/,
  bracketsContinue: 'all',
};

const DEF = /\s+(?<name>[a-z_]\w*[?!]?)/y;

const ELIXIR: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    defmodule: keyword('module', ANYWHERE, PATH),
    defprotocol: keyword('interface', ANYWHERE, PATH),
    defimpl: keyword('impl', ANYWHERE, PATH),
    def: keyword('function', ANYWHERE, DEF),
    defp: keyword('function', ANYWHERE, DEF),
    defguard: keyword('function', ANYWHERE, DEF),
    defguardp: keyword('function', ANYWHERE, DEF),
    defdelegate: keyword('function', ANYWHERE, DEF),
    defmacro: keyword('macro', ANYWHERE, DEF),
    defmacrop: keyword('macro', ANYWHERE, DEF),
    test: keyword('function', ANYWHERE, /\s+"(?<name>[^"]+)"/y),
    describe: keyword('module', ANYWHERE, /\s+"(?<name>[^"]+)"/y),
  }),
  other: (line, at) => {
    if (line[at] !== '@') return undefined;
    const match = /^@(type|typep|opaque|callback)\s+([a-z_]\w*)/.exec(line.slice(at));
    if (match?.[2] === undefined) return elixirConstant(line, at);
    return { name: match[2], kind: match[1] === 'callback' ? 'function' : 'type' };
  },
};

const NOT_CONSTANTS = words(
  'spec doc moduledoc typedoc impl behaviour derive enforce_keys tag moduletag describetag',
);

function elixirConstant(line: string, at: number): Found | undefined {
  const name = /^@([a-z_]\w*)\s+\S/.exec(line.slice(at))?.[1];
  return name === undefined || NOT_CONSTANTS.has(name) ? undefined : { name, kind: 'constant' };
}

const DOC = /^\s*@(?:doc|typedoc)\s+(?:~[sS])?("""|")(.*)$/;
const MODULE_DOC = /^\s*@moduledoc\s+(?:~[sS])?("""|")(.*)$/;

/** `@doc` stands among the attributes above a function, `@moduledoc` below a module's head. */
function elixirDoc(lines: readonly string[], draft: Draft): string | undefined {
  const isModule = draft.kind === 'module' || draft.kind === 'interface';
  const first = isModule ? draft.headLine + 1 : draft.startLine;
  const last = isModule ? Math.min(draft.headLine + 12, draft.endLine) : draft.headLine;
  for (let line = first; line <= last; line++) {
    const match = (isModule ? MODULE_DOC : DOC).exec(lines[line - 1] ?? '');
    if (match?.[1] === '"') return sentenceOf([(match[2] ?? '').replace(/"\s*$/, '')], 1, 1);
    if (match !== null) return sentenceOf(lines, line + 1, line + 8);
  }
  return isModule ? undefined : docSentence(lines, draft.startLine);
}

export const ELIXIR_LIKE: IndentRules = {
  lex: ELIXIR_LEX,
  head: ELIXIR,
  closes: ENDS,
  decorator: /^\s*@(?:doc|spec|impl|typedoc|deprecated|since|tag|dialyzer)\b/,
  bracketsContinue: 'all',
  mergesClauses: true,
  docOf: elixirDoc,
};
