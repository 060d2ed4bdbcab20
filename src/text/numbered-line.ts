/** A line of code as it is shown: its number, a tab, then the line as it stands in the file. Pure. */
import { escapeControlKeepingLines } from './escape-control.ts';

/** A tab costs a model no more than a blank, is what `cat -n` prints, and cannot be taken for indent of the number's width. */
export function renderNumberedLine(number: number, shown: string): string {
  return shown === '' ? String(number) : `${number}\t${shown}`;
}

/** Safe to show, indent and trailing blanks kept; of a very long line the beginning, and how much is missing. */
export function renderCodeLine(line: string, mostChars = Infinity): string {
  if (line.length <= mostChars) return escapeControlKeepingLines(line);
  const end = isHighSurrogate(line.charCodeAt(mostChars - 1)) ? mostChars - 1 : mostChars;
  return `${escapeControlKeepingLines(line.slice(0, end))} … (line cut: ${line.length - end} more characters)`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
