/** Small numbers in few bytes: seven bits at a time, the high bit says that more follow. */
import { AppError } from '../core/index.ts';

const FIRST_BYTES = 1024;

export class ByteWriter {
  private bytes = new Uint8Array(FIRST_BYTES);
  private at = 0;

  /** Takes whole numbers from 0 to 2³² - 1. */
  number(value: number): void {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest > 127) {
      this.bytes[this.at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.at++] = rest;
  }

  /** Ascending numbers, as their number and the gaps between them. */
  ascending(values: ArrayLike<number>): void {
    this.number(values.length);
    let last = 0;
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0;
      this.number(value - last);
      last = value;
    }
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.at);
  }

  private reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

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

  /** A count of things that follow, each of one byte at least. */
  count(): number {
    const count = this.number();
    return count <= this.bytes.length - this.at ? count : this.cut();
  }

  private cut(): never {
    throw new AppError('storage_damaged', 'A row of the index is cut.', {
      hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
    });
  }
}
