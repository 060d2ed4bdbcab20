/**
 * Every row of every ordinary table, read page by page. The trees that lead to the pages are not needed, so a broken one
 * costs nothing but its own rows.
 */
import { viewOf, type PageSource } from './page-source.ts';
import { readRecord, readVarint, type RawValue } from './record.ts';

const TABLE_LEAF = 0x0d;
const FILE_HEADER_BYTES = 100;
const LEAF_HEADER_BYTES = 8;

export interface RawRow {
  readonly rowid: number;
  readonly values: readonly RawValue[];
}

export function* scanRows(pages: PageSource): Iterable<RawRow> {
  for (let number = 1; number <= pages.pageCount; number++) {
    const page = pages.page(number);
    if (page !== undefined) yield* rowsOfPage(pages, page, number === 1 ? FILE_HEADER_BYTES : 0);
  }
}

function* rowsOfPage(pages: PageSource, page: Uint8Array, start: number): Iterable<RawRow> {
  if (page[start] !== TABLE_LEAF || page.length < start + LEAF_HEADER_BYTES) return;
  const view = viewOf(page);
  const cells = view.getUint16(start + 3);
  for (let cell = 0; cell < cells; cell++) {
    const pointer = start + LEAF_HEADER_BYTES + 2 * cell;
    if (pointer + 2 > page.length) return;
    const row = readCell(pages, page, view.getUint16(pointer));
    if (row !== undefined) yield row;
  }
}

function readCell(pages: PageSource, page: Uint8Array, at: number): RawRow | undefined {
  const size = readVarint(page, at);
  const rowid = size === undefined ? undefined : readVarint(page, size.next);
  if (size === undefined || rowid === undefined) return undefined;
  const payload = readPayload(pages, page, rowid.next, size.value);
  const values = payload === undefined ? undefined : readRecord(payload);
  return values === undefined ? undefined : { rowid: rowid.value, values };
}

/** A row that does not fit into its page goes on in a chain of others. */
function readPayload(pages: PageSource, page: Uint8Array, at: number, size: number): Uint8Array | undefined {
  const local = localBytes(size, pages.usableBytes);
  if (at + local > page.length) return undefined;
  if (local === size) return page.subarray(at, at + size);
  // A damaged size must not make us ask for the memory it names.
  if (size > pages.pageCount * pages.usableBytes || at + local + 4 > page.length) return undefined;
  const payload = new Uint8Array(size);
  payload.set(page.subarray(at, at + local));
  let filled = local;
  let next = viewOf(page).getUint32(at + local);
  // Each further page adds something, so a chain that runs in a circle ends as well.
  while (filled < size) {
    const more = pages.page(next);
    if (more === undefined || more.length < pages.usableBytes) return undefined;
    const piece = more.subarray(4, Math.min(pages.usableBytes, 4 + size - filled));
    payload.set(piece, filled);
    filled += piece.length;
    next = viewOf(more).getUint32(0);
  }
  return payload;
}

/** How much of a row stays in its leaf: SQLite's own formula. */
function localBytes(size: number, usable: number): number {
  const most = usable - 35;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}
