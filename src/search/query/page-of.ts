/** Which part of what is found is shown: as the query says, or the arguments beside it. */
import { AppError, HIT_LIMITS } from '../../core/index.ts';
import { quoteForeign } from '../../text/index.ts';
import { readCursor, type CursorPlace } from './cursor.ts';
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
