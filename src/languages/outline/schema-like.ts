/** GraphQL, Protobuf, HCL and style sheets: named blocks in braces. */
import type { BraceRules } from './braces.ts';
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
  type Place,
} from './declaration.ts';
import {
  SLASH_STAR,
  DOUBLE,
  SINGLE,
  TRIPLE_DOUBLE,
  slashes,
  hashes,
  type LexRules,
  type Stretch,
} from './lex-rules.ts';

const GRAPHQL_LEX: LexRules = hashes([TRIPLE_DOUBLE, DOUBLE]);
const PLAIN_LEX: LexRules = slashes([DOUBLE, SINGLE]);
const HCL_LEX: LexRules = {
  lineComments: ['#', '//'],
  blockComments: [SLASH_STAR],
  strings: [DOUBLE],
  heredoc: /<<[-~]?([A-Za-z_]\w*)/y,
};
const CSS_LEX: LexRules = { lineComments: [], blockComments: [SLASH_STAR], strings: [DOUBLE, SINGLE] };
// `url(//host)` is no comment.
const SCSS_LEX: LexRules = slashes([DOUBLE, SINGLE], { special: cssUrl, specialChars: '/' });

const GRAPHQL: HeadRules = {
  modifiers: words('extend'),
  keywords: keywords({
    type: keyword('type', TOP),
    interface: keyword('interface', TOP),
    input: keyword('struct', TOP),
    enum: keyword('enum', TOP),
    union: keyword('type', TOP),
    scalar: keyword('type', TOP),
    directive: keyword('macro', TOP, /\s+(?<name>@\w+)/y),
    fragment: keyword('function', TOP),
    query: keyword('function', TOP),
    mutation: keyword('function', TOP),
    subscription: keyword('function', TOP),
    schema: { kind: 'section', scopes: TOP, name: /\s*\{/y, called: 'schema' },
  }),
  // A field with arguments is a resolver, which people look for by name.
  other: (line, at, place) => {
    const name = place.scope === SCOPE.member ? /^(\w+)\s*\(/.exec(line.slice(at, at + 200))?.[1] : undefined;
    return name === undefined ? undefined : { name, kind: 'method' };
  },
};

export const GRAPHQL_LIKE: BraceRules = { lex: GRAPHQL_LEX, head: GRAPHQL, newlineEnds: true };

const PROTOBUF: HeadRules = {
  modifiers: words('export local'),
  keywords: keywords({
    message: keyword('struct', ANYWHERE),
    enum: keyword('enum', ANYWHERE),
    service: keyword('interface', TOP),
    rpc: keyword('method', SCOPE.member),
    extend: keyword('impl', ANYWHERE, /\s+(?<name>[\w.]+)/y),
    oneof: keyword('section', SCOPE.member),
    package: keyword('module', TOP, /\s+(?<name>[\w.]+)/y),
  }),
};

export const PROTOBUF_LIKE: BraceRules = { lex: PLAIN_LEX, head: PROTOBUF, newlineEnds: false };

const HCL_BLOCK = /^([\w-]+)((?:\s+(?:"[^"]*"|[\w-]+)){0,4})\s*\{/;

const HCL: HeadRules = {
  modifiers: words(''),
  keywords: keywords({}),
  other: (line, at, place) => {
    if (place.scope !== SCOPE.top) return undefined;
    const match = HCL_BLOCK.exec(line.slice(at, at + 400));
    if (match?.[1] === undefined) return topAssignment(line, at);
    const labels = [...(match[2] ?? '').matchAll(/[\w./-]+/g)].map((label) => label[0]);
    return { name: labels.length === 0 ? match[1] : labels.join('.'), kind: 'section' };
  },
};

function topAssignment(line: string, at: number): Found | undefined {
  const name = /^([\w-]+)\s*=(?!=)/.exec(line.slice(at, at + 200))?.[1];
  return name === undefined ? undefined : { name, kind: 'section' };
}

export const HCL_LIKE: BraceRules = { lex: HCL_LEX, head: HCL, newlineEnds: true };

const STYLE: HeadRules = {
  modifiers: words(''),
  keywords: keywords({}),
  other: styleAt,
};

function styleAt(line: string, at: number, place: Place): Found | undefined {
  if ((place.scope & OUTSIDE) === 0) return undefined;
  const text = line.slice(at, at + 300);
  const rule = /^@(mixin|function|keyframes|layer|font-face|container|property)\s+([\w-]+)?/.exec(text);
  if (rule !== null) {
    const isCallable = rule[1] === 'mixin' || rule[1] === 'function';
    return { name: rule[2] ?? rule[1] ?? '', kind: isCallable ? 'function' : 'section', needsBody: true };
  }
  const variable = /^([$@][\w-]+)\s*:/.exec(text)?.[1];
  if (variable !== undefined) return { name: variable, kind: 'variable' };
  if (place.scope !== SCOPE.top) return undefined;
  const selector = /^[.#:%&\w*[][^{;]*/.exec(text)?.[0].trim();
  return selector === undefined || text.startsWith('@')
    ? undefined
    : { name: selector.replace(/,$/, ''), kind: 'section', needsBody: true };
}

export const CSS_LIKE: BraceRules = { lex: CSS_LEX, head: STYLE, newlineEnds: false };
export const SCSS_LIKE: BraceRules = { lex: SCSS_LEX, head: STYLE, newlineEnds: false };

function cssUrl(line: string, at: number): Stretch | undefined {
  return line[at - 1] === ':' || line[at - 1] === '(' ? { at: at + 2 } : undefined;
}
