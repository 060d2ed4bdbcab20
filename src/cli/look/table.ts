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
const LEAST_TEXT = 16;

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

/** Takes from the widest column that may be cut; from text before paths, which say nothing without their ends. */
function shrink(wanted: readonly number[], columns: readonly Column[], room: number): readonly number[] {
  const widths = [...wanted];
  const widest = (cut: CutPlace | undefined, least: number): number =>
    columns.reduce((best, column, at) => {
      const mayGive = column.cut !== undefined && (cut === undefined || column.cut === cut);
      return mayGive && (widths[at] ?? 0) > Math.max(least, widths[best] ?? 0) ? at : best;
    }, -1);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const text = widest('end', LEAST_TEXT);
    const from = text === -1 ? widest(undefined, LEAST) : text;
    if (from === -1) break;
    widths[from] = (widths[from] ?? 0) - 1;
  }
  return widths;
}
