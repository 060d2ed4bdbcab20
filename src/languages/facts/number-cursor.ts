/** Numbers that were written in few bytes each, to be read one after the other from any place. */

export type Numbers = Uint16Array | Uint32Array;

/** Seven bits to a byte. Throws RangeError where a number is cut or too long. */
export function readNumbers(bytes: Uint8Array): Numbers {
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let at = 0;
  let all = 0;
  while (at < bytes.length) {
    let byte = bytes[at++] ?? cut();
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      if (shift > 28) cut();
      byte = bytes[at++] ?? cut();
      value |= (byte & 127) << shift;
    }
    numbers[count++] = value;
    all |= value;
  }
  const read = numbers.subarray(0, count);
  // Nearly all files have no higher ones.
  return all >>> 0 < 0x10000 ? new Uint16Array(read) : read.slice();
}

export class NumberCursor {
  readonly #numbers: Numbers;
  #at: number;

  constructor(numbers: Numbers, at: number) {
    this.#numbers = numbers;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  next(): number {
    return this.#numbers[this.#at++] ?? cut();
  }

  signed(): number {
    return signedOf(this.next());
  }

  below(most: number): number {
    const value = this.next();
    return value < most ? value : cut();
  }

  /** How many come: each takes one number at least, so that a damaged count asks for no gigabytes. */
  count(): number {
    return this.below(this.#numbers.length - this.#at + 1);
  }

  list<T>(each: (cursor: this) => T): T[] {
    const items: T[] = [];
    for (let left = this.count(); left > 0; left--) items.push(each(this));
    return items;
  }

  skip(count: number): void {
    this.#at += count;
  }
}

export function signedOf(value: number): number {
  return value & 1 ? -(value + 1) / 2 : value / 2;
}

export function cut(): never {
  throw new RangeError('The facts of a file are cut.');
}
