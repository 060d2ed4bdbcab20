/** How wide a text is on a terminal, and how it is cut to fit. Pure. */

// oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
const COLORS = /\u001b\[[\d;]*m/g;
/** Combining marks take no column of their own. */
const MARK = /\p{M}/u;
/** East Asian wide forms and pictures take two. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const PLAIN = /^[ -~]*$/;

/** Columns, colours not counted. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const char of text.replaceAll(COLORS, '')) width += widthOfChar(char);
  return width;
}

function widthOfChar(char: string): number {
  if (MARK.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

export type CutPlace = 'start' | 'middle' | 'end';

/** At most so wide, with … where something is missing: text at its end, paths in the middle, where they differ least. */
export function fit(text: string, width: number, place: CutPlace = 'middle'): string {
  if (widthOf(text) <= width) return text;
  if (width < 2) return '…'.slice(0, width);
  const chars = [...text];
  const head = place === 'end' ? width - 1 : place === 'start' ? 0 : Math.floor((width - 1) / 3);
  const tail = width - 1 - head;
  return `${takeColumns(chars, head)}…${[...takeColumns(chars.toReversed(), tail)].toReversed().join('')}`;
}

function takeColumns(chars: readonly string[], width: number): string {
  let taken = '';
  let used = 0;
  for (const char of chars) {
    used += widthOfChar(char);
    if (used > width) break;
    taken += char;
  }
  return taken;
}

/** Cut at the end. */
export function cut(text: string, width: number = NARROW): string {
  return fit(text, width, 'end');
}

/** Cells of the given widths, cut in the middle so that the row fits. */
export function row(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, at) => {
      const width = widths[at] ?? NARROW;
      const shown = fit(cell, width);
      return at === cells.length - 1 ? shown : shown + ' '.repeat(width - widthOf(shown));
    })
    .join('  ')
    .trimEnd();
}

/** Words in lines of at most this width, all but the first indented. A longer word stands whole on a line of its own. */
export function wrap(text: string, indent: string, width: number = NARROW): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const room = width - indent.length;
    if (last !== '' && widthOf(last) + 1 + widthOf(word) > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line, index) => (index === 0 ? line : indent + line)).join('\n');
}

/** A row whose last cell, two spaces behind the others, does not fit: its words go on below it, and one long word is cut in the middle. */
export function hang(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const start = line.lastIndexOf('  ') + 2;
  const [before, last] = [line.slice(0, start), line.slice(start)];
  if (start < 2 || widthOf(before) > width / 1.2) return fit(line, width, 'end');
  return last.includes(' ')
    ? before + wrap(last, ' '.repeat(start), width)
    : before + fit(last, width - widthOf(before));
}

export function mapLines(text: string, change: (line: string) => string): string {
  return text.split('\n').map(change).join('\n');
}

/** What nearly every terminal has. */
export const NARROW = 80;
