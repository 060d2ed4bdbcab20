/** Where an answer ended. Opaque to clients, who only hand it back. */
import { AppError } from '../../core/index.ts';

const CURSOR = /^after-(\d{1,6})(?:\.(\d{1,9}))?$/;

/** So many files, and of the next one the lines up to this one. */
export interface CursorPlace {
  readonly from: number;
  readonly line: number;
}

export function cursorAfter(from: number, line = 0): string {
  return line === 0 ? `after-${from}` : `after-${from}.${line}`;
}

export function readCursor(cursor: string | undefined): CursorPlace {
  if (cursor === undefined) return { from: 0, line: 0 };
  const [, from, line = '0'] = CURSOR.exec(cursor) ?? [];
  if (from !== undefined) return { from: Number(from), line: Number(line) };
  throw new AppError('bad_argument', 'This cursor is not one that an answer gave.', {
    hint: 'Leave cursor out to begin at the first result; put quotes around text that has a colon.',
  });
}
