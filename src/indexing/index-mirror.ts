/** What the index holds, kept in memory, so that a look at the files can be compared without reading it again. */
import type { Skip } from '../core/index.ts';
import type { IndexBatch, IndexStore, ManifestEntry } from '../storage/index.ts';

export interface IndexMirror {
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  skips(): readonly Skip[];
  /** Reads the index again if somebody else committed since; says whether it did. */
  sync(store: IndexStore): Promise<boolean>;
  /** Our own commit, which is known without reading it. */
  apply(batch: IndexBatch, generation: number): void;
}

export function createIndexMirror(): IndexMirror {
  let entries = new Map<string, ManifestEntry>();
  let skips: readonly Skip[] = [];
  let generation: number | undefined;

  return {
    get entries() {
      return entries;
    },
    skips: () => skips,
    async sync(store) {
      const now = await store.generation();
      if (now === generation) return false;
      const [manifest, left] = await Promise.all([store.manifest(), store.skips()]);
      entries = new Map(manifest.map((entry) => [entry.path, entry]));
      skips = left;
      // As of before it was read: what came in between is read again the next time.
      generation = now;
      return true;
    },
    apply(batch, now) {
      for (const path of batch.removed ?? []) entries.delete(path);
      for (const entry of batch.touched ?? []) entries.set(entry.path, entry);
      for (const { path, sizeBytes, mtimeMs, hash, analysis } of batch.written ?? [])
        entries.set(path, { path, sizeBytes, mtimeMs, hash, analysis });
      skips = batch.skips ?? skips;
      const isNext = generation !== undefined && now <= generation + 1;
      generation = isNext ? now : undefined;
    },
  };
}
