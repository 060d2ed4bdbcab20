/** C and C++: a header may be either, so both are read by the same rules. */
import type { BraceRules } from './braces.ts';
import {
  callableAt,
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
import { DOUBLE, SINGLE, slashes, type LexRules, type Stretch } from './lex-rules.ts';

const C_LEX: LexRules = slashes([DOUBLE, SINGLE], { special: cSpecial, specialChars: `"'` });

// Attributes and export macros may stand between `class` and the name; the name is the last word before `:`, `{` or the end.
const TYPE =
  /\s+(?:class\s+|struct\s+)?(?:[A-Z][A-Z0-9_]*(?:\([^()]*\))?\s+)?(?<name>[A-Za-z_]\w*)(?:<[^;{]*>)?\s*(?:final\s*)?(?=[:{]|$)/y;
const NAMESPACE = /\s+(?<name>[A-Za-z_][\w:]*)\s*(?:\{|$)/y;
const CONCEPT = /\s+(?<name>[A-Za-z_]\w*)\s*=/y;
const TYPEDEF_BODY = /^\s*(?:struct|enum|union)\b\s*(\w*)\s*(?:\{|$)/;
const TYPEDEF_NAME = /(?:\(\s*\*\s*(\w+)\s*\)\s*\(|(\w+)\s*(?:\[\w*\]\s*)?;)/;
const GLOBAL_CONSTANT = /^(?:const|constexpr|constinit)\b[^=(;{]*?\b([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*[={]/;
const MACRO_DEFINITION = /^([A-Z][A-Z0-9_]+)\(\s*(\w+)\s*(?:,\s*(\w+))?/;

const HEAD: HeadRules = {
  modifiers: words(
    'static inline virtual explicit friend extern constexpr consteval template typename __inline __forceinline _Noreturn export public private protected',
  ),
  keywords: keywords({
    class: keyword('class', OUTSIDE, TYPE),
    struct: keyword('struct', OUTSIDE | SCOPE.body, TYPE),
    union: keyword('struct', OUTSIDE, TYPE),
    enum: keyword('enum', OUTSIDE, TYPE),
    namespace: keyword('module', TOP, NAMESPACE),
    concept: keyword('type', TOP, CONCEPT),
    using: keyword('type', OUTSIDE, CONCEPT),
  }),
  other,
};

export const C_LIKE: BraceRules = {
  lex: C_LEX,
  head: HEAD,
  decorator: /^\s*\[\[/,
  lineAbove: /^(?:template\s*<[^;{]*>|[A-Za-z_][\w:<>*&, ]*[\w>*&])$/,
  newlineEnds: false,
  preprocessor: true,
};

function other(line: string, at: number, place: Place): Found | undefined {
  if ((place.scope & OUTSIDE) === 0) return undefined;
  const text = line.slice(at);
  if (text.startsWith('typedef ')) return typedefAt(text.slice(8));
  if (text.startsWith('template')) return undefined;
  const constant = GLOBAL_CONSTANT.exec(line.slice(place.indent).replace(/^static\s+/, ''))?.[1];
  if (constant !== undefined && !text.includes('(')) return { name: constant, kind: 'constant' };
  const macro = MACRO_DEFINITION.exec(text);
  // PHP_FUNCTION(name), TEST(Suite, Name): the macro makes the function, its argument names it.
  if (macro?.[2] !== undefined && place.scope !== SCOPE.member) {
    const name = macro[1]?.startsWith('TEST') === true ? (macro[3] ?? macro[2]) : macro[2];
    return { name, kind: 'function', needsBody: true };
  }
  return functionAt(line, at, place);
}

function functionAt(line: string, at: number, place: Place): Found | undefined {
  const callable = callableAt(line, at, '::');
  if (callable === undefined) return undefined;
  const { name, qualifier, before } = callable;
  const isConstructor =
    before === '' && (qualifier !== undefined || name.replace('~', '') === place.container);
  // A name alone at the margin is a function whose type stands above it, if a body follows.
  const needsBody = before === '' && !isConstructor;
  if (needsBody && (place.scope === SCOPE.member || place.indent > 0)) return undefined;
  return { name, kind: 'function', container: qualifier, needsBody };
}

function typedefAt(rest: string): Found | undefined {
  const body = TYPEDEF_BODY.exec(rest);
  if (body !== null) {
    const kind = rest.trimStart().startsWith('enum') ? 'enum' : 'struct';
    return { name: body[1] ?? '', kind, lateName: true, needsBody: true };
  }
  const match = TYPEDEF_NAME.exec(rest);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? undefined : { name, kind: 'type' };
}

/** `1'000` in C++, and raw strings: `R"x(…)x"`. */
function cSpecial(line: string, at: number): Stretch | undefined {
  if (line[at] === "'") return at > 0 && /[0-9a-fA-F]/.test(line[at - 1] ?? '') ? { at: at + 1 } : undefined;
  if (line[at - 1] !== 'R') return undefined;
  const open = line.indexOf('(', at);
  if (open === -1 || open - at > 17) return undefined;
  return { at: open + 1, until: `)${line.slice(at + 1, open)}"` };
}
