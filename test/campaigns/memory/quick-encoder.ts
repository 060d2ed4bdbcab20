/** Vectors of the usual size in no time: where a process is started for each kill, loading the model would take longest. */
const DIMENSIONS = 256;

export const QUICK_ENCODER = {
  id: 'quick',
  dimensions: DIMENSIONS,
  encode(text: string): Float32Array {
    const vector = new Float32Array(DIMENSIONS);
    for (let at = 0; at < text.length; at++) {
      const place = (text.charCodeAt(at) * 31 + at) % DIMENSIONS;
      vector[place] = (vector[place] ?? 0) + 1;
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  },
} as const;
