/** Lines that fit a terminal of 80 columns. Pure. */
import { sep } from 'node:path';
import { escapeControl } from '../../text/index.ts';

export const COLUMNS = 80;

/** The home directory as `~`. */
export function shortPath(absPath: string, home: string): string {
  return escapeControl(absPath.startsWith(home + sep) ? `~${absPath.slice(home.length)}` : absPath);
}

/** Cut in the middle, where paths differ least. */
export function fit(text: string, width: number): string {
  if (text.length <= width) return text;
  const head = Math.floor((width - 1) / 3);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

/** Cut at the end. */
export function cut(text: string, width: number = COLUMNS): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** Words in lines of at most this width, all but the first indented. */
export function wrap(text: string, indent: string, width: number = COLUMNS): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const room = width - indent.length;
    if (last !== '' && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line, index) => (index === 0 ? line : indent + line)).join('\n');
}

/** Columns of equal width per column, cut so that the row fits. */
export function row(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => fit(cell, widths[index] ?? COLUMNS).padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd();
}
