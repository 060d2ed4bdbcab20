/** What is shown of a definition besides its name: the comment above it, the first sentence of that, and its signature. */

const COMMENT_LINE =
  /^\s*(?:\/\/|\/\*|\*|#(?:[\s#:!'|]|$)|--|;|%|\(\*|\{-|<!--|<#|'''?\s|"""|"[^"]+"\s*$|REM\s)/;
// Bounds the search for the start of a block, so that a block without one does not make every definition quadratic.
const MOST_BLOCK_LINES = 120;

const MAY_END_BLOCK = /[/>})\]#"t]$/;
const BLOCK_ENDS: readonly (readonly [end: string, begin: string])[] = [
  ['*/', '/*'],
  ['-->', '<!--'],
  ['-}', '{-'],
  ['*)', '(*'],
  ['#>', '<#'],
  [']]', '--[['],
  ['=#', '#='],
  ['"""', '"""'],
  ['=cut', '=head'],
];

export function isCommentLine(line: string): boolean {
  return COMMENT_LINE.test(line);
}

/** The first line of the comment above `startLine`, or `startLine` when there is none. 1-based. */
export function leadingCommentStart(lines: readonly string[], startLine: number): number {
  let first = behindGap(lines, startLine);
  while (first > 1 && startLine - first < MOST_BLOCK_LINES) {
    const above = lines[first - 2] ?? '';
    const blockStart = blockAbove(lines, first - 1);
    if (blockStart !== undefined) first = blockStart;
    else if (above.length < 2_000 && isCommentLine(above)) first--;
    else break;
  }
  return first;
}

/** A `/** … *\/` block with one blank line below still documents what follows. */
function behindGap(lines: readonly string[], startLine: number): number {
  const isGap = startLine > 2 && (lines[startLine - 2] ?? '').trim() === '';
  if (!isGap || !(lines[startLine - 3] ?? '').trimEnd().endsWith('*/')) return startLine;
  const begin = blockAbove(lines, startLine - 2);
  if (begin === undefined || begin === 1) return startLine;
  return /^\s*\/\*\*(?!\*)/.test((lines[begin - 1] ?? '').slice(0, 200)) ? begin : startLine;
}

/** Where the block that ends on `line` begins. */
function blockAbove(lines: readonly string[], line: number): number | undefined {
  const text = (lines[line - 1] ?? '').trimEnd();
  // Letters and digits end no block, and most lines end so or with one of `{ } ; ,`.
  if (!MAY_END_BLOCK.test(text)) return undefined;
  const pair = BLOCK_ENDS.find(([end]) => text.endsWith(end));
  if (pair === undefined) return undefined;
  const [end, begin] = pair;
  for (let at = line; at > 0 && line - at < MOST_BLOCK_LINES; at--) {
    const candidate = (lines[at - 1] ?? '').slice(0, 200).trimStart();
    const opensHere = candidate.startsWith(begin) && !(at === line && begin === end && candidate === end);
    if (opensHere) return at;
    // The end of an earlier block: this one has no beginning of its own line.
    if (at < line && end !== begin && candidate.endsWith(end)) return undefined;
  }
  return undefined;
}

const MOST_CHARS = 200;
const MOST_LINES = 12;
const OPENING =
  /^(?:\/\*+!?|\/\/[/!]?|\*+(?!\/)|#+[:'|]?(?![\w[])|--\[\[|---?\s?\|?|;+|%+|\(\*+|\{-\s?\|?|<!--|<#|"""|'''|\.\.\s)\s?/;
const CLOSING = /\s*(?:\*+\/|\*\)|-\}|-->|#>|\]\]|"""|''')$/;
// Notes to tools and rulers are no documentation.
const NOT_PROSE =
  /^(?:[-=*#_~/+]{3,}|#!|eslint|oxlint|prettier|@ts-|biome|istanbul|c8 |noqa|type:|pylint|mypy|ruff|nolint|go:|swiftlint|region|endregion|MARK:|TODO|FIXME|[\w.!]+(?:\([^)]*\))?$|-\*-|frozen_string_literal|rubocop|shellcheck|vim:|<\/?(?:summary|remarks)>$)/i;
const TAG =
  /^(?:[@\\](?!brief|summary|doc\b)|:param|:return|Args:|Returns:|Parameters|#+ |```|<param|<returns|=over)/;
const XML_TAG = /<\/?[a-zA-Z][^<>]{0,60}>/g;

export function docSentence(lines: readonly string[], startLine: number): string | undefined {
  const first = leadingCommentStart(lines, startLine);
  return first === startLine ? undefined : sentenceOf(lines, first, startLine - 1);
}

/** The first sentence in the comment lines `first` to `last`, both included. */
export function sentenceOf(lines: readonly string[], first: number, last: number): string | undefined {
  let text = '';
  for (let line = first; line <= last && line < first + MOST_LINES; line++) {
    const bare = bareText(lines[line - 1] ?? '');
    if (text === '' && (bare === '' || NOT_PROSE.test(bare))) continue;
    if (bare === '' || TAG.test(bare)) break;
    text += (text === '' ? '' : ' ') + bare;
    const end = sentenceEnd(text);
    if (end !== -1 || text.length > MOST_CHARS) return cut(end === -1 ? text : text.slice(0, end));
  }
  return text === '' ? undefined : cut(text);
}

function bareText(line: string): string {
  const text = line
    .slice(0, MOST_CHARS * 2)
    .trim()
    .replace(OPENING, '')
    .replace(CLOSING, '')
    .trim();
  const bare = text.replace(/^"(.*)"$/, '$1').replace(/^[@\\](?:brief|summary|doc)\s+/, '');
  return bare.includes('<') ? bare.replace(XML_TAG, '').trim() : bare;
}

/** Just behind the first full stop that ends a sentence. */
function sentenceEnd(text: string): number {
  for (let at = text.indexOf('. '); at !== -1; at = text.indexOf('. ', at + 1)) {
    if (!/(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Dr)|\b[A-Z])$/.test(text.slice(Math.max(0, at - 8), at)))
      return at + 1;
  }
  return text.endsWith('.') ? text.length : -1;
}

function cut(text: string): string | undefined {
  const bare = text.trim();
  // No words at all, or code that was commented out.
  if (!/\p{L}/u.test(bare) || /(?:[{};]|\bdo)$/.test(bare)) return undefined;
  return bare.length <= MOST_CHARS ? bare : `${bare.slice(0, MOST_CHARS - 1).trimEnd()}…`;
}

export const MOST_SIGNATURE_CHARS = 200;
const MOST_SIGNATURE_LINES = 12;

/** A declaration on one line: the declaring line, and those after it while its brackets are open. */
export function signatureAt(lines: readonly string[], headLine: number): string {
  let signature = '';
  let open = 0;
  for (let line = headLine; line < headLine + MOST_SIGNATURE_LINES; line++) {
    const text = (lines[line - 1] ?? '').slice(0, MOST_SIGNATURE_CHARS * 2).trim();
    const glue = signature === '' || signature.endsWith('(') || /^[)\]>]/.test(text) ? '' : ' ';
    signature += glue + text;
    open += bracketsLeftOpen(text);
    if (open <= 0 || signature.length >= MOST_SIGNATURE_CHARS) break;
  }
  const bare = signature.replace(/,\)/, ')');
  return (bare.endsWith('{') ? bare.slice(0, -1).trimEnd() : bare).slice(0, MOST_SIGNATURE_CHARS);
}

function bracketsLeftOpen(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91) open++;
    else if (code === 41 || code === 93) open--;
  }
  return open;
}
