/** Scales a vector to length 1, in place; a zero vector is left unchanged. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let d = 0; d < vector.length; d++) sum += (vector[d] ?? 0) ** 2;
  if (sum === 0) return vector;
  const factor = 1 / Math.sqrt(sum);
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) * factor;
  return vector;
}
