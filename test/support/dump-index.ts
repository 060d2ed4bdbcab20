/** Everything an index holds, as plain values: two indexes are the same if and only if their dumps are. */
import { createHash } from 'node:crypto';
import type { IndexStore } from '../../src/storage/index.ts';
import { unpackTerms } from './unpack-terms.ts';

export interface IndexDump {
  readonly files: readonly unknown[];
  readonly definitions: readonly unknown[];
  readonly skips: readonly unknown[];
  readonly stats: unknown;
  /** What search reads of each file. */
  readonly found: readonly unknown[];
}

/**
 * What may differ between two indexes of the same tree is left out: the generation, which counts commits; and the time of a
 * file that was so new that it is read again. To cover something more that a store holds, add it here.
 */
export async function dumpIndex(store: IndexStore): Promise<IndexDump> {
  const manifest = await store.manifest();
  const definitions: unknown[] = [];
  for (const { path } of manifest) definitions.push({ path, definitions: await store.definitionsOf(path) });
  const { generation: _commits, ...stats } = await store.stats();
  return {
    files: manifest.map(({ path, sizeBytes, hash }) => ({ path, sizeBytes, hash })),
    definitions,
    skips: [...(await store.skips())].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    stats,
    found: await rowsOf(store),
  };
}

/** A digest of every packed row: a bit that differs in words, vectors or trigrams shows. */
async function rowsOf(store: IndexStore): Promise<readonly unknown[]> {
  const { files } = await store.files();
  const contents = await store.contents(files.map(({ id }) => id));
  const allVectors = await store.vectors(files.map(({ id }) => id));
  const trigrams = await store.trigrams();
  return files.map(({ id, path, language, lines }) => {
    const content = contents.find(({ fileId }) => fileId === id);
    const vectors = allVectors.find(({ fileId }) => fileId === id);
    const digest = createHash('sha256')
      .update(content?.terms ?? '')
      .update(vectors?.packed ?? '')
      .update(vectors?.model ?? '')
      .update(String(trigrams.get(id)));
    const chunks = content === undefined ? 0 : unpackTerms(content.terms).chunks.length;
    return { path, language, lines, chunks, rows: digest.digest('hex') };
  });
}

/** Where two dumps differ, in a few words; undefined if they are the same. */
export function firstDifference(a: IndexDump, b: IndexDump): string | undefined {
  for (const part of ['files', 'definitions', 'skips', 'found'] as const) {
    const [left, right] = [a[part], b[part]];
    const length = Math.max(left.length, right.length);
    for (let at = 0; at < length; at++) {
      const [one, other] = [JSON.stringify(left[at]), JSON.stringify(right[at])];
      if (one !== other)
        return `${part}[${at}]: ${String(one).slice(0, 300)} | ${String(other).slice(0, 300)}`;
    }
  }
  const [left, right] = [JSON.stringify(a.stats), JSON.stringify(b.stats)];
  return left === right ? undefined : `stats: ${left} | ${right}`;
}
