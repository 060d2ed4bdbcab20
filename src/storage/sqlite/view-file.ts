/**
 * The file beside an index that holds what search made of its rows. It is read whole, in one go, into one buffer; the index
 * knows its digest, so that one that is damaged, half written, or of another index counts as none.
 *
 * In the machine's own byte order: a mark that reads otherwise, the number of parts, their lengths, then the parts, each
 * beginning at a multiple of eight.
 */
import { createHash } from 'node:crypto';
import { readBytesIfPresent, removeFile, writePrivateBytes } from '../../platform/index.ts';

/** Behind the name of the index. */
export const VIEW_FILES = ['-view', '-view.part'] as const;

const MARK = 0x57_4d_56_31;
const STEP = 8;

/** Gives the digest by which it is known when it is read. */
export function writeViewFile(indexFile: string, parts: readonly Uint8Array[]): string {
  const head = new Uint32Array(padded((2 + parts.length) * 4) / 4);
  head.set([MARK, parts.length, ...parts.map(({ byteLength }) => byteLength)]);
  const pieces = [
    new Uint8Array(head.buffer),
    ...parts.flatMap((part) => [part, new Uint8Array(padded(part.byteLength) - part.byteLength)]),
  ];
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  writePrivateBytes(indexFile + VIEW_FILES[0], pieces);
  return digest.digest('hex');
}

/** Undefined if there is none of this digest. */
export function readViewFile(indexFile: string, digest: string): readonly Uint8Array[] | undefined {
  const read = readBytesIfPresent(indexFile + VIEW_FILES[0]);
  if (read === undefined || createHash('sha256').update(read).digest('hex') !== digest) return undefined;
  // Short files share a buffer with others, and numbers must begin at a multiple of their size.
  const bytes = read.byteOffset % STEP === 0 ? read : read.slice();
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  const count = head[1] ?? 0;
  if (head[0] !== MARK) return undefined;
  let at = padded((2 + count) * 4);
  return Array.from(head.subarray(2, 2 + count), (length) => {
    const part = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length);
    at += padded(length);
    return part;
  });
}

export function removeViewFile(indexFile: string): void {
  for (const suffix of VIEW_FILES) removeFile(indexFile + suffix);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / STEP) * STEP;
}
