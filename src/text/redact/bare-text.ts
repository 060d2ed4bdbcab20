/**
 * Text that is written inside of something: with a number before each line, as tools and agents show a file, or escaped, as
 * JSON and code hold it. A secret is one without that, too: the lines behind it, and the way back to each of their places.
 */

/** `12→`, `12:`, `12|`, `12 |`, a tab, `L12:`, `>  12 |`: what `cat -n`, `grep -n`, editors and agents write. */
const NUMBER = String.raw`[ \t>*+-]{0,12}L?\d{1,7}(?:→|:|\t|[ \t]{0,2}[|│])[ \t]?`;
const NUMBERED_LINE = new RegExp(String.raw`(?:^|[\n\r]|["'](?=[ \t]{0,8}\d{1,7}→))${NUMBER}`, 'g');
const ESCAPE = /\\["'n\\]/g;
/** What is put there by writing a text inside of another, and that inside of a third. */
const WRAPPING = new RegExp(
  String.raw`(?:\\{1,7}r)?(\\{1,7}n)(?:${NUMBER})?|\\{1,7}(["'/\\])|(?<=^|[\n\r]|[^\\]["'])${NUMBER}`,
  'g',
);

export interface BareText {
  readonly text: string;
  /** Where a place of the bare text is in the text that came in. */
  placeOf(at: number): number;
}

/** Only of lines that are written inside of something; undefined if there is none. */
export function bareText(text: string): BareText | undefined {
  const lines = wrappedLines(text);
  if (lines.length === 0) return undefined;
  const pieces: string[] = [];
  /** Where each piece begins: in the bare text, and in the other. */
  const bareStarts: number[] = [];
  const starts: number[] = [];
  let length = 0;
  const take = (piece: string, from: number): void => {
    if (piece === '') return;
    pieces.push(piece);
    bareStarts.push(length);
    starts.push(from);
    length += piece.length;
  };
  for (const { from, to } of lines) {
    let done = from;
    const line = text.slice(from, to);
    for (const found of line.matchAll(WRAPPING)) {
      const at = from + found.index;
      take(text.slice(done, at), done);
      if (found[1] !== undefined) take('\n', at);
      else if (found[2] !== undefined) take(found[2], at + found[0].length - 1);
      done = at + found[0].length;
    }
    take(text.slice(done, to), done);
  }
  return {
    text: pieces.join(''),
    placeOf(at) {
      const piece = lastUpTo(bareStarts, at);
      return (starts[piece] ?? 0) + at - (bareStarts[piece] ?? 0);
    },
  };
}

interface Range {
  readonly from: number;
  to: number;
}

/** Whole lines with their breaks, in order; those that follow each other as one. */
function wrappedLines(text: string): readonly Range[] {
  const found = [...linesWith(text, NUMBERED_LINE), ...linesWith(text, ESCAPE)];
  const lines: Range[] = [];
  for (const { from, to } of found.toSorted((a, b) => a.from - b.from)) {
    const last = lines.at(-1);
    if (last === undefined || from > last.to) lines.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return lines;
}

/** The lines that this pattern finds something in. */
function linesWith(text: string, pattern: RegExp): readonly Range[] {
  const lines: Range[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const end = found.index + found[0].length;
    const to = text.indexOf('\n', end);
    lines.push({
      from: text.lastIndexOf('\n', end - 1) + 1,
      to: to === -1 ? text.length : to + 1,
    });
    if (to === -1) break;
    // The break itself may belong to the next match.
    pattern.lastIndex = to;
  }
  return lines;
}

/** The last place whose value is not above this one, in rising values. */
function lastUpTo(values: readonly number[], most: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
