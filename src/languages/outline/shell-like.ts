/** Bash, PowerShell, Perl, R and Nix, whose quoting defies a lexer: read by layout. */
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
import type { IndentRules } from './indents.ts';
import { SLASH_STAR, DOUBLE, SINGLE, oneLine, many, hashes, wordHash, type LexRules } from './lex-rules.ts';

const SHELL_HEREDOC = /<<-?\s*\\?["']?([A-Za-z_]\w*)/y;
const SHELL_LEX: LexRules = hashes([DOUBLE, SINGLE], {
  special: wordHash,
  specialChars: '#',
  heredoc: SHELL_HEREDOC,
});
const POWERSHELL_LEX: LexRules = hashes([many('@"', '"@', false), many("@'", "'@", false), DOUBLE, SINGLE], {
  blockComments: [{ open: '<#', close: '#>', nests: false }],
});
const POD = { open: /^=(?:pod|head|begin|over|item|for|encoding)\b/, close: /^=cut\b/ };
const PERL_LEX: LexRules = hashes([DOUBLE, SINGLE], {
  special: wordHash,
  specialChars: '#',
  heredoc: /<<~?["']?([A-Z_]\w*)/y,
  lineBlock: POD,
});
const R_LEX: LexRules = hashes([DOUBLE, SINGLE, oneLine('`')]);
const NIX_LEX: LexRules = hashes([many('"'), many("''", "''", false)], { blockComments: [SLASH_STAR] });

const CLOSES = /^\s*[)}{\]]/;

const BASH: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    function: keyword('function', ANYWHERE, /\s+(?<name>[\w:.-]+)/y),
    readonly: keyword('constant', TOP, /\s+(?:-\w+\s+)*(?<name>\w+)=/y),
    export: keyword('variable', TOP, /\s+(?<name>\w+)=/y),
    declare: keyword('variable', TOP, /\s+(?:-\w+\s+)*(?<name>\w+)(?==|$)/y),
    alias: keyword('function', TOP, /\s+(?<name>[\w.-]+)=/y),
  }),
  other: (line, at, place) => {
    const text = line.slice(at, at + 200);
    const name = /^([\w:.-]+)\s*\(\)/.exec(text)?.[1];
    if (name !== undefined) return { name, kind: 'function' };
    const constant = place.scope === SCOPE.top ? /^([A-Z][A-Z0-9_]+)=/.exec(text)?.[1] : undefined;
    return constant === undefined ? undefined : { name: constant, kind: 'variable' };
  },
};

export const BASH_LIKE: IndentRules = {
  lex: SHELL_LEX,
  head: BASH,
  closes: CLOSES,
  bracketsContinue: 'none',
};

const POWERSHELL: HeadRules = {
  foldsCase: true,
  modifiers: words('static hidden'),
  keywords: keywords({
    function: keyword('function', ANYWHERE, /\s+(?:global:|script:)?(?<name>[\w-]+)/iy),
    filter: keyword('function', TOP, /\s+(?<name>[\w-]+)/y),
    class: keyword('class', TOP),
    enum: keyword('enum', TOP),
    configuration: keyword('function', TOP),
  }),
  other: (line, at, place) => {
    const text = line.slice(at, at + 200);
    const method =
      place.scope === SCOPE.member ? /^(?:\[[\w.[\]]+\]\s*)?(\w+)\s*\(/.exec(text)?.[1] : undefined;
    if (method !== undefined) return { name: method, kind: 'function' };
    const name = place.scope === SCOPE.top ? /^\$(?:script:|global:)?(\w+)\s*=/i.exec(text)?.[1] : undefined;
    return name === undefined ? undefined : { name, kind: 'variable' };
  },
};

export const POWERSHELL_LIKE: IndentRules = {
  lex: POWERSHELL_LEX,
  head: POWERSHELL,
  closes: CLOSES,
  bracketsContinue: 'round',
};

const PERL: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    sub: keyword('function', ANYWHERE, /\s+(?:(?<container>\w+)::)?(?<name>\w+)/y),
    method: keyword('method', ANYWHERE, /\s+(?<name>\w+)\s*[({]/y),
    package: keyword('module', ANYWHERE, /\s+(?<name>[\w:]+)/y),
    class: keyword('class', TOP, /\s+(?<name>[\w:]+)/y),
    use: keyword('constant', TOP, /\s+constant\s+(?<name>\w+)/y),
    our: keyword('variable', TOP, /\s+[$@%](?<name>\w+)/y),
    has: keyword('variable', TOP, /\s*\(?['"]?\+?(?<name>\w+)['"]?\s*(?:=>|,)/y),
  }),
};

export const PERL_LIKE: IndentRules = { lex: PERL_LEX, head: PERL, closes: CLOSES, bracketsContinue: 'none' };

const R: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    setClass: keyword('class', TOP, /\(\s*["'](?<name>[\w.]+)["']/y),
    setGeneric: keyword('function', TOP, /\(\s*["'](?<name>[\w.]+)["']/y),
    setMethod: keyword('function', TOP, /\(\s*["'](?<name>[\w.]+)["']/y),
  }),
  other: rAssigned,
};

function rAssigned(line: string, at: number, place: Place): Found | undefined {
  const match =
    /^(?:`([^`]+)`|([A-Za-z.][\w.]*))\s*(?:<<?-|=(?!=))\s*(function\b|\\\(|R6Class\b|R6::R6Class\b)?/.exec(
      line.slice(at, at + 300),
    );
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return undefined;
  if (match?.[3] === undefined) return place.scope === SCOPE.top ? { name, kind: 'constant' } : undefined;
  if (match[3].includes('R6')) return { name, kind: 'class' };
  return place.scope === SCOPE.body && line.includes('=') ? undefined : { name, kind: 'function' };
}

export const R_LIKE: IndentRules = { lex: R_LEX, head: R, closes: CLOSES, bracketsContinue: 'round' };

const NIX: HeadRules = {
  modifiers: words(''),
  keywords: keywords({}),
  // The outer attributes of a module, package or flake; deeper ones are values.
  other: (line, at, place) => {
    if ((place.scope & OUTSIDE) === 0 || place.indent > 4) return undefined;
    const match = /^("?[\w.'-]+"?(?:\."[^"]+")?)\s*=(?!=)\s*(.?)/.exec(line.slice(at, at + 300));
    if (match?.[1] === undefined) return undefined;
    const isFunction = /=\s*(?:\w+|\{[^}]*\}|\{)\s*:/.test(line.slice(at, at + 300));
    return { name: match[1].replaceAll('"', ''), kind: isFunction ? 'function' : 'section' };
  },
};

export const NIX_LIKE: IndentRules = {
  lex: NIX_LEX,
  head: NIX,
  closes: /^\s*(?:[)}\]]|in\b)/,
  bracketsContinue: 'none',
};
