/** Lines on a terminal: as many as the window has, none wider than it; what stands at the end of an answer stays. */
import { countOf } from '../../text/index.ts';
import type { Output } from '../output.ts';
import { fit, wrap } from './width.ts';

interface Lines {
  readonly text: string;
  readonly value: unknown;
  /** Everything, however long. */
  readonly isAll: boolean;
}

/** A sentence about the whole: tests to run, what could not be seen. */
const LAST = /^(?:tests\b|not seen|more uses|\d+ files? (?:was|were) parsed)/;
/** A sentence about a symbol: what is cut off its end may be what to type next. */
const SENTENCE = /^(?:\d+ |no (?:sure|known) )/;
const MOST_LAST_ROWS = 6;
/** The line that was typed, what is said below, and the next prompt. */
const OTHER_ROWS = 4;

export function showLines(output: Output, { text, value, isAll }: Lines): void {
  const { window } = output;
  if (window === undefined) return output.answer(text, value);
  const { columns, rows } = window;
  const lines = text.split('\n');
  const isLast = (line: string): boolean => LAST.test(line);
  const fitted = (line: string): readonly string[] =>
    SENTENCE.test(line) ? wrap(line, '  ', columns).split('\n') : [fit(line, columns, 'end')];
  const shown = alignNumbers(lines.filter((line) => !isLast(line))).flatMap(fitted);
  const last = lines.filter(isLast).flatMap((line) => wrap(line, '  ', columns).split('\n'));
  const kept = isAll ? last : last.slice(0, MOST_LAST_ROWS);
  const room = isAll ? Infinity : Math.max(1, rows - OTHER_ROWS - kept.length);
  const left = Math.max(0, shown.length - room) + last.length - kept.length;
  output.answer([...shown.slice(0, room), ...kept].join('\n'), value);
  if (left > 0) output.talk(output.talkPaint.dim(`${countOf(left, 'more line')}; --all shows all`));
}

/** `  3 interface` below `  125 function`: numbers of lines stand in one column. */
function alignNumbers(lines: readonly string[]): readonly string[] {
  const numbers = lines.map((line) => /^ +(\d+) /.exec(line)?.[1]?.length ?? 0);
  const width = Math.max(0, ...numbers);
  return lines.map((line, at) => {
    const own = numbers[at] ?? 0;
    return own === 0 ? line : `${' '.repeat(width - own)}${line}`;
  });
}
