/** Everything an index holds, as plain values: two indexes are the same if and only if their dumps are. */
import type { IndexStore } from '../../src/storage/index.ts';

export interface IndexDump {
  readonly files: readonly unknown[];
  readonly definitions: readonly unknown[];
  readonly skips: readonly unknown[];
  readonly stats: unknown;
  /** What the words of the files find. */
  readonly found: readonly unknown[];
}

const MOST_FOUND = 100_000;

/**
 * What may differ between two indexes of the same tree is left out: the generation, which counts commits; and the time of a
 * file that was so new that it is read again. To cover something more that a store holds, add it here.
 */
export async function dumpIndex(store: IndexStore, words: readonly string[]): Promise<IndexDump> {
  const manifest = await store.manifest();
  const definitions: unknown[] = [];
  for (const { path } of manifest) definitions.push({ path, definitions: await store.definitionsOf(path) });
  const { generation: _commits, ...stats } = await store.stats();
  const found: unknown[] = [];
  for (const word of words) found.push({ word, chunks: await chunksWith(store, word) });
  return {
    files: manifest.map(({ path, sizeBytes, hash }) => ({ path, sizeBytes, hash })),
    definitions,
    skips: [...(await store.skips())].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    stats,
    found,
  };
}

/** In the order of their places: equal scores have no order of their own. */
async function chunksWith(store: IndexStore, word: string): Promise<readonly unknown[]> {
  const found = await store.findChunks([word], MOST_FOUND);
  return found
    .map(({ path, startLine, endLine, score }) => ({ path, startLine, endLine, score: score.toFixed(6) }))
    .toSorted((a, b) => (a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1));
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
