/** Small numbers in few bytes: seven bits at a time, the high bit says that more follow. */
import { AppError } from '../core/index.ts';

export class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? this.cut();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.at++] ?? this.cut();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      if (shift > 28) this.cut();
    }
  }

  ascending(): Uint32Array {
    const count = this.number();
    // Each takes a byte at least: a damaged count must not ask for gigabytes.
    if (count > this.bytes.length - this.at) this.cut();
    const values = new Uint32Array(count);
    let last = 0;
    for (let at = 0; at < count; at++) {
      last = (last + this.number()) >>> 0;
      values[at] = last;
    }
    return values;
  }

  private cut(): never {
    throw rowIsCut();
  }
}

/** A row ends before what its length says. */
export function rowIsCut(cause?: unknown): AppError {
  return new AppError('storage_damaged', 'A row of the index is cut.', {
    hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
    cause,
  });
}
