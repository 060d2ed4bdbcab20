/** What the first bytes of a SQLite file say about it: whose it is, and how long it has to be. Pure. */
import { APPLICATION_ID } from './inspect.ts';

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

export interface StoreHeader {
  readonly isOurs: boolean;
  readonly sizeBytes: number;
}

/** Undefined if the bytes do not begin a SQLite file. */
export function readHeader(head: Uint8Array): StoreHeader | undefined {
  if (
    head.length < HEADER_BYTES ||
    new TextDecoder('latin1').decode(head.subarray(0, MAGIC.length)) !== MAGIC
  )
    return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const stated = view.getUint16(16);
  return {
    isOurs: view.getUint32(68) === APPLICATION_ID,
    sizeBytes: view.getUint32(28) * (stated === 1 ? 65_536 : stated),
  };
}
