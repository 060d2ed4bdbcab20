/** The first sentence of a definition's documentation, without the signs that make it a comment. */
import { leadingCommentStart } from './leading-comment.ts';

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
