/** A line of code with colours: what was looked for first, then comments, strings and keywords, as far as one line tells. Pure. */
import { shade, spansOf, type Shade } from '../highlight.ts';
import type { Paint } from './theme.ts';

const KEYWORDS = new Set(
  (
    'abstract as async await break case catch class const continue def default defer delete do elif else enum except export ' +
    'extends extern final finally fn for foreach from fun func function go if impl implements import in include instanceof ' +
    'interface internal is lambda let loop match mod module mut namespace new not object operator or override package pass ' +
    'private protected pub public raise readonly record ref require return sealed select self static struct super switch ' +
    'template this throw throws trait try type typedef typeof union unless unsafe use using val var virtual void volatile ' +
    'when where while with yield and begin end then nil null None True False true false undefined'
  ).split(' '),
);
/** Where `#` begins a comment, which it does not in C or CSS. */
const HASH =
  /^(?:python|ruby|shell|bash|perl|r|yaml|toml|make|makefile|dockerfile|elixir|julia|powershell|php|nix)$/;
const DASHES = /^(?:sql|lua|haskell|elm|ada)$/;
const TOKEN =
  /\/\/.*|\/\*.*?(?:\*\/|$)|#.*|--.*|"""(?:.*?""")?|'''(?:.*?''')?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?|[A-Za-z_]\w*|[^\sA-Za-z_]/g;
/** A line in the middle of a comment over several. */
const INSIDE_COMMENT = /^\s*\*(?:[\s/]|$)/;
/** What is no code: colours would mislead. */
const PROSE = /^(?:markdown|rst|text|asciidoc|json|csv)$/;

export interface LineLook {
  readonly words: readonly string[];
  readonly language: string;
  readonly paint: Paint;
}

export function colorLine(line: string, { words, language, paint }: LineLook): string {
  const marked = spansOf(line, words).map(([from, to]): Shade => ({ from, to, paint: paint.mark }));
  const shades = PROSE.test(language) ? [] : syntaxOf(line, language, paint);
  // What was looked for stays visible in the middle of a string.
  const parts = shades.flatMap((one) => without(one, marked));
  return shade(
    line,
    [...marked, ...parts].sort((a, b) => a.from - b.from),
  );
}

function syntaxOf(line: string, language: string, paint: Paint): readonly Shade[] {
  if (INSIDE_COMMENT.test(line)) return [{ from: 0, to: line.length, paint: paint.comment }];
  const shades: Shade[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(line); found !== null; found = TOKEN.exec(line)) {
    const [text] = found;
    const color = paintOf(text, language, paint);
    if (color === undefined) {
      // Only its first character was looked at.
      if (/^(?:#|--)/.test(text)) TOKEN.lastIndex = found.index + 1;
      continue;
    }
    shades.push({ from: found.index, to: found.index + text.length, paint: color });
  }
  return shades;
}

function paintOf(text: string, language: string, paint: Paint): Shade['paint'] | undefined {
  if (text.startsWith('//') || text.startsWith('/*')) return HASH.test(language) ? undefined : paint.comment;
  if (text.startsWith('#')) return HASH.test(language) ? paint.comment : undefined;
  if (text.startsWith('--')) return DASHES.test(language) ? paint.comment : undefined;
  if (text.length > 1 && /^["'`]/.test(text)) return paint.string;
  return KEYWORDS.has(text) ? paint.keyword : undefined;
}

/** What is left of a span beside others. */
function without({ from, to, paint }: Shade, others: readonly Shade[]): readonly Shade[] {
  const left: Shade[] = [];
  let at = from;
  for (const other of others) {
    if (other.to <= at || other.from >= to) continue;
    if (other.from > at) left.push({ from: at, to: other.from, paint });
    at = other.to;
  }
  if (at < to) left.push({ from: at, to, paint });
  return left;
}
