/** The vectors of one file, and how they are packed. */

/** One row for the path, one for the file, then one per chunk. */
export interface FileVectors {
  /** What made them: vectors of different makers are never compared. */
  readonly model: string;
  readonly dimensions: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** Rows as they are; scales behind them. */
export function packVectors({ rows, scales }: FileVectors): Uint8Array {
  const packed = new Uint8Array(rows.byteLength + scales.byteLength);
  packed.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  packed.set(new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength), rows.byteLength);
  return packed;
}

/** How many there are. */
export function packedCount(packed: Uint8Array, dimensions: number): number {
  return packed.byteLength / (dimensions + 4);
}

export function unpackVectors(packed: Uint8Array, dimensions: number): Pick<FileVectors, 'rows' | 'scales'> {
  const count = packedCount(packed, dimensions);
  const scales = new Float32Array(count);
  // Byte by byte: they need not lie where such numbers may begin.
  new Uint8Array(scales.buffer).set(packed.subarray(count * dimensions));
  return { rows: new Int8Array(packed.buffer, packed.byteOffset, count * dimensions), scales };
}
