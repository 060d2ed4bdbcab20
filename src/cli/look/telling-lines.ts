/** Of the lines of a hit, the few that say why it is one. Pure. */
import type { Hit } from '../../search/index.ts';
import { spansOf } from '../highlight.ts';

export interface ShownLine {
  readonly number: number;
  readonly text: string;
}

const CONTINUES_COMMENT = /^\s*(?:\*|"""|''')/;
const CLOSES = /^\s*[)\]}]+[;,]?\s*$/;
/** What a definition's own line is worth, in words that were looked for. */
const DEFINITION = 2.5;
const BAD_START = 0.9;

/** The window with most of what was looked for, and the line that defines it; of equal ones the first. */
export function tellingLines(hit: Hit, words: readonly string[], most: number): readonly ShownLine[] {
  const lines = hit.lines.map((text, at): ShownLine => ({ number: hit.startLine + at, text }));
  if (lines.length <= most) return trimmed(lines);
  const found = lines.map(({ text }) => wordsOn(text, words));
  const defining = definingLine(hit);
  let best = { from: 0, worth: Number.NEGATIVE_INFINITY };
  for (let from = 0; from + most <= lines.length; from++) {
    const seen = new Set(found.slice(from, from + most).flat());
    const hasDefinition = defining >= from && defining < from + most;
    const first = lines[from]?.text ?? '';
    const isBad = first.trim() === '' || CONTINUES_COMMENT.test(first) || CLOSES.test(first);
    const worth = seen.size + (hasDefinition ? DEFINITION : 0) - (isBad ? BAD_START : 0);
    if (worth > best.worth) best = { from, worth };
  }
  return trimmed(lines.slice(best.from, best.from + most));
}

function wordsOn(text: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => spansOf(text, [word]).length > 0);
}

/** From 0; -1 where it is not among the lines. */
function definingLine({ lines, definition }: Hit): number {
  if (definition === undefined) return -1;
  const { name, signature } = definition;
  const start = signature.trim().slice(0, 20);
  const at = start === '' ? -1 : lines.findIndex((line) => line.trim().startsWith(start));
  return at !== -1 ? at : lines.findIndex((line) => line.includes(name) && !CONTINUES_COMMENT.test(line));
}

/** Blank lines at either end say nothing. */
function trimmed(lines: readonly ShownLine[]): readonly ShownLine[] {
  const from = lines.findIndex(({ text }) => text.trim() !== '');
  const to = lines.findLastIndex(({ text }) => text.trim() !== '');
  return from === -1 ? lines.slice(0, 1) : lines.slice(from, to + 1);
}
