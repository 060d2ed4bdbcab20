/** Facts in two columns, a name and what is so; what does not fit goes on below itself. Pure. */
import { widthOf, wrap } from './width.ts';

/** One longer than the others would push all values away. */
const MOST_NAME = 34;

export function renderRows(
  rows: readonly (readonly [name: string, value: string])[],
  /** Without it nothing is broken: a pipe gets whole lines. */
  columns: number = Infinity,
  paint: (name: string) => string = (name) => name,
): string {
  const width = Math.max(...rows.map(([name]) => Math.min(MOST_NAME, widthOf(name))));
  const indent = ' '.repeat(width + 4);
  return rows
    .map(([name, value]) => {
      const blanks = ' '.repeat(Math.max(0, width - widthOf(name)) + 2);
      return `  ${paint(name)}${blanks}${wrap(value, indent, columns)}`.trimEnd();
    })
    .join('\n');
}
