/** Where an answer ended. Opaque to clients, who only hand it back. */
import { AppError } from '../core/index.ts';

const CURSOR = /^after-(\d{1,6})$/;

export function cursorAfter(from: number): string {
  return `after-${from}`;
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const from = CURSOR.exec(cursor)?.[1];
  if (from !== undefined) return Number(from);
  throw new AppError('bad_argument', 'This cursor is not one that an answer gave.', {
    hint: 'Leave cursor out to begin at the first result; put quotes around text that has a colon.',
  });
}
