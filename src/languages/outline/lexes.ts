/** How strings and comments are written, language by language, as far as brackets and layout depend on it. */
import { isWord } from './head.ts';
import type { BlockComment, LexRules, Stretch, StringRule } from './lex-rules.ts';

const SLASH_STAR: BlockComment = { open: '/*', close: '*/', nests: false };
const NESTED_SLASH_STAR: BlockComment = { open: '/*', close: '*/', nests: true };

const DOUBLE = oneLine('"');
const SINGLE = oneLine("'");
const TRIPLE_DOUBLE = many('"""');
const TRIPLE_SINGLE = many("'''");

function oneLine(quote: string): StringRule {
  return { open: quote, close: quote, escapes: true, multiline: false };
}

function many(open: string, close = open, escapes = true): StringRule {
  return { open, close, escapes, multiline: true };
}

function slashes(strings: readonly StringRule[], more: Partial<LexRules> = {}): LexRules {
  return { lineComments: ['//'], blockComments: [SLASH_STAR], strings, ...more };
}

function hashes(strings: readonly StringRule[], more: Partial<LexRules> = {}): LexRules {
  return { lineComments: ['#'], blockComments: [], strings, ...more };
}

const TEMPLATE: StringRule = { open: '`', close: '`', escapes: true, multiline: true, interpolates: true };
const SHELL_HEREDOC = /<<-?\s*\\?["']?([A-Za-z_]\w*)/y;
const RUBY_HEREDOC = /<<[~-]?["'`]?([A-Z_]\w*)/y;
const POD = { open: /^=(?:pod|head|begin|over|item|for|encoding)\b/, close: /^=cut\b/ };

export const LEX = {
  c: slashes([DOUBLE, SINGLE], { special: cSpecial, specialChars: `"'` }),
  plain: slashes([DOUBLE, SINGLE]),
  javascript: slashes([DOUBLE, SINGLE, TEMPLATE], { special: regexLiteral, specialChars: '/' }),
  java: slashes([TRIPLE_DOUBLE, DOUBLE, SINGLE]),
  scala: slashes([TRIPLE_DOUBLE, DOUBLE], { blockComments: [NESTED_SLASH_STAR] }),
  kotlin: slashes([TRIPLE_DOUBLE, DOUBLE, SINGLE], { blockComments: [NESTED_SLASH_STAR] }),
  swift: slashes([TRIPLE_DOUBLE, DOUBLE], {
    blockComments: [NESTED_SLASH_STAR],
    special: swiftRaw,
    specialChars: '"',
  }),
  dart: slashes([TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE], { blockComments: [NESTED_SLASH_STAR] }),
  csharp: slashes([TRIPLE_DOUBLE, DOUBLE, SINGLE], { special: verbatim, specialChars: '"' }),
  go: slashes([DOUBLE, SINGLE, many('`', '`', false)]),
  rust: slashes([many('"')], {
    blockComments: [NESTED_SLASH_STAR],
    special: rustSpecial,
    specialChars: `"'`,
  }),
  // A multi-line string in Zig is a line that begins with two backslashes.
  zig: { lineComments: ['//', '\\\\'], blockComments: [], strings: [DOUBLE, SINGLE] },
  php: {
    lineComments: ['//', '#'],
    blockComments: [SLASH_STAR],
    strings: [DOUBLE, SINGLE],
    special: (line, at) => (line[at + 1] === '[' ? { at: at + 1 } : undefined),
    specialChars: '#',
    heredoc: /<<<\s*["']?([A-Za-z_]\w*)/y,
  },
  css: { lineComments: [], blockComments: [SLASH_STAR], strings: [DOUBLE, SINGLE] },
  // `url(//host)` is no comment.
  scss: slashes([DOUBLE, SINGLE], { special: cssUrl, specialChars: '/' }),
  graphql: hashes([TRIPLE_DOUBLE, DOUBLE]),
  hcl: {
    lineComments: ['#', '//'],
    blockComments: [SLASH_STAR],
    strings: [DOUBLE],
    heredoc: /<<[-~]?([A-Za-z_]\w*)/y,
  },
  json: slashes([DOUBLE]),
  python: hashes([TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE]),
  ruby: hashes([DOUBLE, SINGLE], {
    heredoc: RUBY_HEREDOC,
    lineBlock: { open: /^=begin\b/, close: /^=end\b/ },
    special: wordHash,
    specialChars: '#',
  }),
  elixir: hashes([TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE]),
  erlang: {
    lineComments: ['%'],
    blockComments: [],
    strings: [DOUBLE, SINGLE],
    special: charDollar,
    specialChars: '$',
  },
  haskell: {
    lineComments: ['--'],
    blockComments: [{ open: '{-', close: '-}', nests: true }],
    strings: [DOUBLE],
  },
  ocaml: {
    lineComments: [],
    blockComments: [{ open: '(*', close: '*)', nests: true }],
    strings: [many('"'), many('{|', '|}', false)],
    // '"' is a character, not the beginning of a string.
    special: (line, at) => (line[at + 1] === '"' && line[at + 2] === "'" ? { at: at + 3 } : undefined),
    specialChars: "'",
  },
  lua: {
    lineComments: ['--'],
    blockComments: [
      { open: '--[[', close: ']]', nests: false },
      { open: '--[=[', close: ']=]', nests: false },
    ],
    strings: [DOUBLE, SINGLE, many('[[', ']]', false), many('[=[', ']=]', false)],
  },
  shell: hashes([DOUBLE, SINGLE], { special: wordHash, specialChars: '#', heredoc: SHELL_HEREDOC }),
  powershell: hashes([many('@"', '"@', false), many("@'", "'@", false), DOUBLE, SINGLE], {
    blockComments: [{ open: '<#', close: '#>', nests: false }],
  }),
  julia: hashes([TRIPLE_DOUBLE, DOUBLE], { blockComments: [{ open: '#=', close: '=#', nests: true }] }),
  r: hashes([DOUBLE, SINGLE, oneLine('`')]),
  perl: hashes([DOUBLE, SINGLE], {
    special: wordHash,
    specialChars: '#',
    heredoc: /<<~?["']?([A-Z_]\w*)/y,
    lineBlock: POD,
  }),
  nix: hashes([many('"'), many("''", "''", false)], { blockComments: [SLASH_STAR] }),
} as const satisfies Readonly<Record<string, LexRules>>;

/** `#` begins a comment only at the beginning of a word: not in `${x#y}`, `$#` or `#{…}`. */
function wordHash(line: string, at: number): Stretch | undefined {
  const before = at === 0 ? ' ' : line[at - 1];
  return before === ' ' || before === '\t' || before === ';' ? undefined : { at: at + 1 };
}

/** Erlang's `$"` is a character. */
function charDollar(line: string, at: number): Stretch {
  return { at: line[at + 1] === '\\' ? at + 3 : at + 2 };
}

function cssUrl(line: string, at: number): Stretch | undefined {
  return line[at - 1] === ':' || line[at - 1] === '(' ? { at: at + 2 } : undefined;
}

/** `1'000` in C++, and raw strings: `R"x(…)x"`. */
function cSpecial(line: string, at: number): Stretch | undefined {
  if (line[at] === "'") return at > 0 && /[0-9a-fA-F]/.test(line[at - 1] ?? '') ? { at: at + 1 } : undefined;
  if (line[at - 1] !== 'R') return undefined;
  const open = line.indexOf('(', at);
  if (open === -1 || open - at > 17) return undefined;
  return { at: open + 1, until: `)${line.slice(at + 1, open)}"` };
}

/** C#'s `@"…"`, over as many lines as it takes. */
function verbatim(line: string, at: number): Stretch | undefined {
  const before = line.slice(Math.max(0, at - 2), at);
  return before.endsWith('@') || before === '@$' ? { at: at + 1, until: '"', doubles: true } : undefined;
}

function swiftRaw(line: string, at: number): Stretch | undefined {
  const count = hashesBefore(line, at);
  if (count === 0) return undefined;
  const quote = line.startsWith('"""', at) ? '"""' : '"';
  return { at: at + quote.length, until: quote + '#'.repeat(count) };
}

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

function hashesBefore(line: string, at: number): number {
  let count = 0;
  while (count < 16 && line[at - count - 1] === '#') count++;
  return count;
}

const BEFORE_REGEX = '(,=:[!&|?{;+-*%~^';
const WORD_BEFORE_REGEX =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/;

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
