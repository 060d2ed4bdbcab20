/** What turns text into vectors, if there is one; and vectors as they are stored. Pure. */
export interface Encoder {
  readonly id: string;
  readonly dimensions: number;
  /** Of length one, or zero if the text says nothing. */
  encode(text: string): Float32Array;
}

export function quantise(vector: Float32Array): Int8Array {
  return Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * 127))));
}

/** The cosine of two stored vectors, near enough. */
export function similarity(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum / (127 * 127);
}
