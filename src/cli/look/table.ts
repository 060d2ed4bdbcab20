/** Rows in columns. On a terminal they fit its width, and no word is broken: what has no room ends with …; a pipe gets all. Pure. */
import { fit, widthOf, type CutPlace } from './width.ts';

export interface Column {
  readonly header?: string;
  readonly align?: 'left' | 'right';
  /** Where a cell is cut when the row has no room: without it the column keeps its width. */
  readonly cut?: CutPlace;
  readonly paint?: ((text: string) => string) | undefined;
}

interface TableLayout {
  /** Columns of the terminal; undefined in a pipe, where nothing is cut. */
  readonly width: number | undefined;
  readonly indent?: string;
  readonly paintHeader?: ((text: string) => string) | undefined;
}

const GAP = '  ';
/** Less would say nothing. */
const LEAST = 8;

/** Cells are plain text in one line: escaped, without colours. */
export function renderTable(
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  { width, indent = '', paintHeader }: TableLayout,
): string {
  const headers = columns.map(({ header }) => header ?? '');
  const hasHeader = headers.some((header) => header !== '');
  const all = hasHeader ? [headers, ...rows] : rows;
  const wanted = columns.map((_, at) => Math.max(0, ...all.map((row) => widthOf(row[at] ?? ''))));
  const room = width === undefined ? Infinity : width - indent.length - GAP.length * (columns.length - 1);
  const widths = shrink(wanted, columns, room);
  return all
    .map((row, at) => {
      const isHeader = hasHeader && at === 0;
      const cells = columns.map((column, place) => {
        const { align, cut = 'end' } = column;
        const shown = fit(row[place] ?? '', widths[place] ?? 0, cut);
        const blanks = ' '.repeat((widths[place] ?? 0) - widthOf(shown));
        const paint = isHeader ? paintHeader : column.paint;
        const painted = shown === '' ? '' : (paint?.(shown) ?? shown);
        // No blanks behind the last column.
        if (align === 'right') return `${blanks}${painted}`;
        return place === columns.length - 1 ? painted : `${painted}${blanks}`;
      });
      return `${indent}${cells.join(GAP)}`.trimEnd();
    })
    .join('\n');
}

/** Takes from the widest of the columns that may be cut, column by column of the terminal. */
function shrink(wanted: readonly number[], columns: readonly Column[], room: number): readonly number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    let widest = -1;
    columns.forEach(({ cut }, at) => {
      if (cut !== undefined && (widths[at] ?? 0) > Math.max(LEAST, widths[widest] ?? 0)) widest = at;
    });
    if (widest === -1) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}
