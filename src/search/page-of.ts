/** Which part of what is found is shown: as the query says, or the arguments beside it. */
import { AppError } from '../core/index.ts';
import { quoteForeign } from '../text/index.ts';
import { readCursor } from './cursor.ts';
import type { SearchRequest } from './hit.ts';
import { requireOne, type WrittenPage } from './parse-query.ts';

export interface LimitRange {
  readonly usual: number;
  readonly most: number;
}

export interface AskedPage {
  readonly from: number;
  readonly limit: number;
}

export function pageOf(
  written: WrittenPage,
  request: Pick<SearchRequest, 'limit' | 'cursor'>,
  range: LimitRange,
): AskedPage {
  const cursor =
    written.cursor === undefined ? request.cursor : requireOne('cursor', written.cursor, request.cursor);
  return { from: readCursor(cursor), limit: limitOf(written.limit, request.limit, range) };
}

function limitOf(
  written: string | undefined,
  given: number | undefined,
  { usual, most }: LimitRange,
): number {
  if (written === undefined) return Math.max(1, Math.min(most, given ?? usual));
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
