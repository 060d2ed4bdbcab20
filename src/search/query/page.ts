/** Which part of what is found is shown: limit and cursor, as the query or its arguments give them. */
import { AppError, HIT_LIMITS } from '../../core/index.ts';
import { quoteForeign } from '../../text/index.ts';
import type { SearchRequest } from '../show/hit.ts';
import { requireOne, type WrittenPage } from './parse-query.ts';

export interface LimitRange {
  readonly usual: number;
  readonly most: number;
}

export interface AskedPage extends CursorPlace {
  readonly limit: number;
}

export function pageOf(
  written: WrittenPage,
  request: Pick<SearchRequest, 'limit' | 'cursor'>,
  range: LimitRange,
): AskedPage {
  const cursor =
    written.cursor === undefined ? request.cursor : requireOne('cursor', written.cursor, request.cursor);
  return { ...readCursor(cursor), limit: limitOf(written.limit, request.limit, range) };
}

function limitOf(
  written: string | undefined,
  given: number | undefined,
  { usual, most }: LimitRange,
): number {
  if (written === undefined) {
    if (given === undefined || given <= most) return Math.max(1, given ?? usual);
    throw new AppError('bad_argument', `\`limit\` is a number from 1 to ${most} here, not ${given}.`, {
      hint: `Ask again with limit ${most}, and go on with the cursor; detail: locations lists up to ${HIT_LIMITS.matches.most} lines of "exact text" or a /regex/.`,
    });
  }
  const number = /^\d{1,6}$/.test(written) ? Number(written) : 0;
  if (number < 1 || number > most) {
    throw new AppError(
      'bad_argument',
      `\`limit:\` is a number from 1 to ${most}, not ${quoteForeign(written)}.`,
      { hint: `Write \`limit:${usual}\`; put quotes around text that has a colon.` },
    );
  }
  requireOne('limit', String(number), given === undefined ? undefined : String(given));
  return number;
}

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
