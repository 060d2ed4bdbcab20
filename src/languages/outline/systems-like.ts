/** Go, Rust and Zig: a keyword before every declaration. PHP stands here too, for the same reason. */
import type { BraceRules } from './braces.ts';
import {
  ANYWHERE,
  behindAngles,
  keyword,
  keywords,
  OUTSIDE,
  SCOPE,
  TOP,
  words,
  type Found,
  type HeadRules,
} from './declaration.ts';
import {
  SLASH_STAR,
  NESTED_SLASH_STAR,
  DOUBLE,
  SINGLE,
  many,
  slashes,
  hashesBefore,
  type LexRules,
  type Stretch,
} from './lex-rules.ts';

const GO_LEX: LexRules = slashes([DOUBLE, SINGLE, many('`', '`', false)]);
const RUST_LEX: LexRules = slashes([many('"')], {
  blockComments: [NESTED_SLASH_STAR],
  special: rustSpecial,
  specialChars: `"'`,
});
// A multi-line string is a line that begins with two backslashes.
const ZIG_LEX: LexRules = { lineComments: ['//', '\\\\'], blockComments: [], strings: [DOUBLE, SINGLE] };
const PHP_LEX: LexRules = {
  lineComments: ['//', '#'],
  blockComments: [SLASH_STAR],
  strings: [DOUBLE, SINGLE],
  special: (line, at) => (line[at + 1] === '[' ? { at: at + 1 } : undefined),
  specialChars: '#',
  heredoc: /<<<\s*["']?([A-Za-z_]\w*)/y,
};

const GO_FUNC =
  /\s+(?:\(\s*(?:\w+\s+)?\*?\s*(?<container>\w+)(?:\[[^\]]*\])?\s*\)\s*)?(?<name>[\p{L}_][\p{L}\p{N}_]*)\s*[([]/uy;
const GO_TYPE_PARAMETERS = '(?:\\[[^\\]=]*\\])?';

const GO: HeadRules = {
  modifiers: words(''),
  keywords: keywords({
    func: keyword('function', TOP, GO_FUNC),
    type: [
      keyword('struct', ANYWHERE, new RegExp(`\\s+(?<name>\\w+)${GO_TYPE_PARAMETERS}\\s+struct\\b`, 'y')),
      keyword(
        'interface',
        ANYWHERE,
        new RegExp(`\\s+(?<name>\\w+)${GO_TYPE_PARAMETERS}\\s+interface\\b`, 'y'),
      ),
      keyword('type', ANYWHERE),
    ],
    const: keyword('constant', TOP),
    var: keyword('variable', TOP),
  }),
};

function goGroupHead(line: string, word: string): Found | undefined {
  const match = /^([\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]=]*\])?\s*(struct|interface)?\b/u.exec(line);
  const name = match?.[1];
  if (name === undefined || name === '_') return undefined;
  if (word === 'type') return { name, kind: match?.[2] === undefined ? 'type' : goKind(match[2]) };
  return { name, kind: word === 'const' ? 'constant' : 'variable' };
}

function goKind(word: string): 'struct' | 'interface' {
  return word === 'struct' ? 'struct' : 'interface';
}

export const GO_LIKE: BraceRules = {
  lex: GO_LEX,
  head: GO,
  newlineEnds: true,
  group: { open: /^(const|var|type)\s*\(\s*(?:\/\/.*)?$/, head: goGroupHead },
};

// What follows `impl` and its type parameters is read by hand: they may hold anything.
const RUST_PATH = /^(?:&\s*)?(?:'\w+\s+)?(?:mut\s+|dyn\s+)?(?:\w+::)*(\w+)/;

/** `impl<T: Into<U>> Trait for Type<T> where …` is about Type. */
function rustImplAt(line: string, at: number): Found | undefined {
  if (!/^impl\b/.test(line.slice(at, at + 5))) return undefined;
  const rest = line.slice(at + 4);
  const target = rest.indexOf(' for ');
  const from = target === -1 ? (rest.startsWith('<') ? behindAngles(rest, 0) : 0) : target + 5;
  const name = RUST_PATH.exec(rest.slice(from).trimStart())?.[1];
  return name === undefined ? undefined : { name, kind: 'impl' };
}

const RUST: HeadRules = {
  modifiers: words('pub async unsafe extern default const crate'),
  keywords: keywords({
    fn: keyword('function', ANYWHERE, /\s+(?:r#)?(?<name>\w+)\s*[(<]/y),
    struct: keyword('struct', ANYWHERE),
    union: keyword('struct', ANYWHERE, /\s+(?<name>[A-Z]\w*)\s*[<{]/y),
    enum: keyword('enum', ANYWHERE),
    trait: keyword('trait', ANYWHERE),
    mod: { kind: 'module', name: /\s+(?<name>\w+)\s*\{/y, scopes: ANYWHERE },
    type: keyword('type', OUTSIDE),
    const: keyword('constant', OUTSIDE, /\s+(?<name>[A-Z_]\w*)\s*:/y),
    static: keyword('constant', OUTSIDE, /\s+(?:mut\s+)?(?<name>[A-Z_]\w*)\s*:/y),
  }),
  other: (line, at) => {
    const name = line.startsWith('macro_rules!', at) ? /!\s*(\w+)/.exec(line.slice(at))?.[1] : undefined;
    return name === undefined ? rustImplAt(line, at) : { name, kind: 'macro' };
  },
};

export const RUST_LIKE: BraceRules = {
  lex: RUST_LEX,
  head: RUST,
  decorator: /^\s*#\[/,
  newlineEnds: false,
};

const ZIG_TYPE = /\s+@?"?(?<name>\w+)"?\s*(?::[^=]*)?=\s*(?:packed\s+|extern\s+)?/;
const zigType = (word: string): RegExp => new RegExp(`${ZIG_TYPE.source}${word}\\b`, 'y');

const ZIG: HeadRules = {
  modifiers: words('pub export extern inline noinline threadlocal comptime'),
  keywords: keywords({
    fn: keyword('function', ANYWHERE, /\s+@?"?(?<name>\w+)"?\s*\(/y),
    const: [
      keyword('struct', ANYWHERE, zigType('(?:struct|union|opaque)')),
      keyword('enum', ANYWHERE, zigType('(?:enum|error)')),
      keyword('constant', SCOPE.top | SCOPE.member, /\s+@?"?(?<name>\w+)"?\s*(?::[^=]*)?=(?!\s*@import)/y),
    ],
    var: keyword('variable', SCOPE.top),
    test: keyword('function', OUTSIDE, /\s+"?(?<name>[^"{]{1,120}?)"?\s*\{/y),
  }),
};

export const ZIG_LIKE: BraceRules = { lex: ZIG_LEX, head: ZIG, newlineEnds: false };

const PHP: HeadRules = {
  modifiers: words('public private protected static final abstract readonly var'),
  keywords: keywords({
    function: keyword('function', ANYWHERE, /\s+&?\s*(?<name>\w+)\s*\(/y),
    class: keyword('class', ANYWHERE),
    interface: keyword('interface'),
    trait: keyword('trait'),
    enum: keyword('enum'),
    namespace: keyword('module', TOP, /\s+(?<name>[\w\\]+)/y),
    const: keyword('constant', OUTSIDE, /\s+(?:[\w|?\\]+\s+)?(?<name>\w+)\s*=/y),
    define: keyword('constant', TOP, /\s*\(\s*['"](?<name>\w+)['"]/y),
  }),
};

export const PHP_LIKE: BraceRules = { lex: PHP_LEX, head: PHP, decorator: /^\s*#\[/, newlineEnds: false };

/** Raw strings, and the difference between the character `'a'` and the lifetime `'a`. */
function rustSpecial(line: string, at: number): Stretch | undefined {
  if (line[at] === '"') {
    const count = hashesBefore(line, at);
    return line[at - count - 1] === 'r' ? { at: at + 1, until: `"${'#'.repeat(count)}` } : undefined;
  }
  if (line[at + 1] !== '\\') return { at: line[at + 2] === "'" ? at + 3 : at + 1 };
  const end = line.indexOf("'", at + 3);
  return { at: end === -1 ? at + 2 : end + 1 };
}
