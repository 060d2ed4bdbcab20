/** Room for the numbers of one query, used again by the next: making lists of numbers takes longer than filling them. */
export class Arena {
  private room = new Float64Array(8192);
  private used = 0;

  /** Zeros, good until it is cleared. */
  take(count: number): Float64Array {
    if (this.used + count > this.room.length) {
      // What was taken before keeps the old room.
      this.room = new Float64Array(2 * (this.room.length + count));
      this.used = 0;
    }
    this.used += count;
    return this.room.subarray(this.used - count, this.used).fill(0);
  }

  clear(): void {
    this.used = 0;
  }
}
