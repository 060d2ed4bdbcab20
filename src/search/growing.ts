/** Typed arrays that grow while something is loaded. */

export class GrowingNumbers<A extends Uint8Array | Uint16Array | Uint32Array> {
  length = 0;
  private readonly make: (size: number) => A;
  private values: A;

  constructor(make: (size: number) => A) {
    this.make = make;
    this.values = make(1024);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** So many more, all 0, to be written to before anything else is pushed. */
  room(size: number): A {
    while (this.length + size > this.values.length) this.grow();
    this.length += size;
    // A part of an array of this kind is one of this kind.
    return this.values.subarray(this.length - size, this.length) as A;
  }

  /** What was pushed so far, until more is. */
  view(): A {
    // A part of an array of this kind is one of this kind.
    return this.values.subarray(0, this.length) as A;
  }

  /** A copy of exactly what was pushed. */
  done(): A {
    const exact = this.make(this.length);
    exact.set(this.values.subarray(0, this.length));
    return exact;
  }

  private grow(): void {
    const larger = this.make(this.values.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}

export const growingBytes = (): GrowingNumbers<Uint8Array> =>
  new GrowingNumbers((size) => new Uint8Array(size));
export const growingNumbers = (): GrowingNumbers<Uint32Array> =>
  new GrowingNumbers((size) => new Uint32Array(size));
