/** Vectors as they are stored: a byte per dimension and one scale per row. */

export interface QuantizedVector {
  readonly values: Int8Array;
  /** `values[d] * scale` is the vector's number. */
  readonly scale: number;
}

const MOST = 127;

export function quantize(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (let d = 0; d < vector.length; d++) {
    const value = Math.abs(vector[d] ?? 0);
    if (value > largest) largest = value;
  }
  const values = new Int8Array(vector.length);
  if (largest === 0) return { values, scale: 0 };
  // Rounded to what is stored, so that every reader computes with the same number.
  const scale = Math.fround(largest / MOST);
  for (let d = 0; d < vector.length; d++) values[d] = Math.round((vector[d] ?? 0) / scale);
  return { values, scale };
}
