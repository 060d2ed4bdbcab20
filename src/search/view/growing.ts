/** A list of whole numbers that grows while something is loaded. */
export class GrowingNumbers {
  length = 0;
  private values = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** What was pushed so far, until more is. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }

  /** A copy of exactly what was pushed. */
  done(): Uint32Array {
    return this.values.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint32Array(this.values.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}
