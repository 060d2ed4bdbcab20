/**
 * The pages of a SQLite file and of its write-ahead log, by number. Nothing here trusts the file: whatever lies outside of
 * it is simply not there.
 */
export interface PageSource {
  readonly usableBytes: number;
  readonly pageCount: number;
  page(number: number): Uint8Array | undefined;
}

const DEFAULT_PAGE_BYTES = 4096;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LOG_MAGICS = [0x377f0682, 0x377f0683];

export function openPages(main: Uint8Array, log: Uint8Array = new Uint8Array()): PageSource {
  const pageBytes = pageSizeOf(main) ?? logPageSize(log) ?? DEFAULT_PAGE_BYTES;
  const newer = committedFrames(log, pageBytes);
  const inMain = Math.ceil(main.length / pageBytes);
  return {
    // The reserved bytes at the end of a page are for extensions that we do not use.
    usableBytes: pageBytes,
    pageCount: Math.max(inMain, ...newer.keys(), 0),
    page(number) {
      const framed = newer.get(number);
      if (framed !== undefined) return framed;
      const start = (number - 1) * pageBytes;
      if (number < 1 || start >= main.length) return undefined;
      return main.subarray(start, start + pageBytes);
    },
  };
}

function pageSizeOf(main: Uint8Array): number | undefined {
  if (main.length < 100) return undefined;
  const stated = viewOf(main).getUint16(16);
  return plausible(stated === 1 ? 65536 : stated);
}

function logPageSize(log: Uint8Array): number | undefined {
  return log.length < LOG_HEADER_BYTES ? undefined : plausible(viewOf(log).getUint32(8));
}

function plausible(size: number): number | undefined {
  return size >= 512 && size <= 65536 && (size & (size - 1)) === 0 ? size : undefined;
}

/**
 * The newest committed state of each page in the log. SQLite would stop at the first frame whose check sum is wrong; here a
 * frame counts if it belongs to this log and a commit follows, because every row has a check sum of its own.
 */
function committedFrames(log: Uint8Array, pageBytes: number): ReadonlyMap<number, Uint8Array> {
  const committed = new Map<number, Uint8Array>();
  if (log.length < LOG_HEADER_BYTES) return committed;
  const view = viewOf(log);
  if (!LOG_MAGICS.includes(view.getUint32(0))) return committed;
  const salts = [view.getUint32(16), view.getUint32(20)] as const;
  let pending = new Map<number, Uint8Array>();
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    if (view.getUint32(at + 8) !== salts[0] || view.getUint32(at + 12) !== salts[1]) continue;
    pending.set(view.getUint32(at), log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes));
    const isCommit = view.getUint32(at + 4) !== 0;
    if (!isCommit) continue;
    for (const [number, page] of pending) committed.set(number, page);
    pending = new Map();
  }
  return committed;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
