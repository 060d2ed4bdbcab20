/** SQLite's record format: a row as bytes, and back to values. */
import { viewOf } from './page-source.ts';

export type RawValue = null | number | string | Uint8Array;

export interface Varint {
  readonly value: number;
  readonly next: number;
}

/** Undefined if the bytes end too early. Values beyond 2^53 are of no use here. */
export function readVarint(bytes: Uint8Array, at: number): Varint | undefined {
  let value = 0;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    if (index === 8) return { value: value * 256 + byte, next: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return undefined;
}

/** The values of a record; undefined if it does not hold together. */
export function readRecord(payload: Uint8Array): readonly RawValue[] | undefined {
  const header = readVarint(payload, 0);
  if (header === undefined || header.value > payload.length) return undefined;
  const values: RawValue[] = [];
  let body = header.value;
  for (let at = header.next; at < header.value;) {
    const type = readVarint(payload, at);
    if (type === undefined) return undefined;
    const size = sizeOf(type.value);
    if (size === undefined || body + size > payload.length) return undefined;
    values.push(readValue(payload.subarray(body, body + size), type.value));
    body += size;
    at = type.next;
  }
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function sizeOf(type: number): number | undefined {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return INTEGER_BYTES[type];
}

function readValue(bytes: Uint8Array, type: number): RawValue {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return viewOf(bytes).getFloat64(0);
  if (type < 12) return readInteger(bytes);
  return type % 2 === 0 ? bytes : new TextDecoder().decode(bytes);
}

function readInteger(bytes: Uint8Array): number {
  const [first = 0, ...rest] = bytes;
  return rest.reduce((sum, byte) => sum * 256 + byte, first >= 0x80 ? first - 256 : first);
}
