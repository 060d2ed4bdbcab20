/** The vectors of a segment's files, loaded beside it: they are rows as they are, with nothing to be made of them. */
import { createVectorTable, type VectorTable } from '../../embedding/index.ts';
import { packedCount, type IndexStore, type PackedVectors } from '../../storage/index.ts';
import type { Segment } from './segment.ts';

export interface SegmentVectors {
  readonly model: string;
  readonly chunks: VectorTable;
  readonly files: VectorTable;
  readonly paths: VectorTable;
}

const LOAD_BATCH = 500;

/** None unless every file that counts has them, of one model: half of an opinion would rank the other half last. */
export async function loadVectors(
  store: IndexStore,
  { files, chunkOffsets }: Pick<Segment, 'files' | 'chunkOffsets'>,
  counts: (fileId: number) => boolean,
): Promise<SegmentVectors | undefined> {
  const generation = await store.generation();
  let tables: SegmentVectors | undefined;
  const set = (file: number, { model, dimensions, packed }: PackedVectors): boolean => {
    tables ??= {
      model,
      chunks: createVectorTable(dimensions, chunkOffsets.at(-1) ?? 0),
      files: createVectorTable(dimensions, files.length),
      paths: createVectorTable(dimensions, files.length),
    };
    if (model !== tables.model) return false;
    const first = chunkOffsets[file] ?? 0;
    const count = (chunkOffsets[file + 1] ?? 0) - first;
    if (packedCount(packed, dimensions) !== count + 2) return false;
    tables.paths.copyRows(file, packed, { from: 0, count: 1 });
    tables.files.copyRows(file, packed, { from: 1, count: 1 });
    tables.chunks.copyRows(first, packed, { from: 2, count });
    return true;
  };
  let missing = 0;
  // In the order in which they were written, which is how they lie.
  const inOrder = files.map(({ id }, file) => ({ id, file })).sort((a, b) => a.id - b.id);
  for (let from = 0; from < inOrder.length; from += LOAD_BATCH) {
    const batch = inOrder.slice(from, from + LOAD_BATCH);
    const places = new Map(batch.map(({ id, file }) => [id, file]));
    for (const vectors of await store.vectors([...places.keys()])) {
      const file = places.get(vectors.fileId);
      if (file === undefined) continue;
      if (!set(file, vectors)) return undefined;
      places.delete(vectors.fileId);
    }
    for (const id of places.keys()) if (counts(id)) missing += 1;
  }
  // What was taken away while this was loading is gone from the next view too.
  if (missing > 0 && generation === (await store.generation())) return undefined;
  return tables;
}
