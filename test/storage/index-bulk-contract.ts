/** What every engine's index store gives of many files at once. Written against the port only. */
import { expect, test } from 'vitest';
import { unpackVectors, type IndexStore } from '../../src/storage/index.ts';
import { indexedFile } from './index-contract.ts';

export function indexBulkContract(open: () => Promise<IndexStore>): void {
  test('the manifest gives every path, time and analysis exactly as it was given', async () => {
    const store = await open();
    const given = [
      ['a b\n"c\',\u0001.ts', 1_794_831_224_828.9004, 'a1'],
      ['ä/🧭.ts', 1_794_831_224_000, 'a1'],
      ['early.ts', 1.000_000_000_000_222, 'a2 with, commas'],
      ['never.ts', -1, 'a1'],
      ['old.ts', -86_400_000.25, ''],
      ['zero.ts', 0, 'a1'],
    ] as const;
    const times = Array.from({ length: 200 }, (_, at) => 1.7e12 + at * 987_654_321.123_456_7);
    const many = times.map((mtimeMs, at) => [`z/${String(at).padStart(3, '0')}.ts`, mtimeMs, 'a1'] as const);
    const wanted = [...given, ...many].map(([path, mtimeMs, analysis], at) => {
      return { path, sizeBytes: at * 1000, mtimeMs, hash: `hash ${at}`, analysis };
    });
    expect(await store.manifest()).toEqual([]);
    await store.commit({ written: wanted.map((one) => ({ ...indexedFile(one.path, ['word']), ...one })) });

    const byPath = new Map((await store.manifest()).map((entry) => [entry.path, entry]));
    expect(wanted.map(({ path }) => byPath.get(path))).toEqual(wanted);
    expect(byPath.size).toBe(wanted.length);
  });

  test('vectors of many files come back byte for byte, of one model or of several', async () => {
    const store = await open();
    const vectorsOf = (seed: number, model: string) => ({
      model,
      dimensions: 16,
      rows: Int8Array.from({ length: 16 * 2 }, (_, at) => ((seed * 37 + at * 11) % 256) - 128),
      scales: Float32Array.from([seed, 1 / (seed + 1)]),
    });
    const written = (model: string) =>
      Array.from({ length: 40 }, (_, at) =>
        indexedFile(`${model}/${at}.ts`, ['word'], { vectors: vectorsOf(at, model) }),
      );
    const readAll = async () => {
      const { files } = await store.files();
      const found = new Map((await store.vectors(files.map(({ id }) => id))).map((one) => [one.fileId, one]));
      return new Map(files.map(({ id, path }) => [path, found.get(id)]));
    };
    const expectAll = async (models: readonly string[]) => {
      const found = await readAll();
      expect(found.size).toBe(models.length * 40);
      for (const model of models)
        for (let at = 0; at < 40; at++) {
          const one = found.get(`${model}/${at}.ts`);
          const { rows, scales } = vectorsOf(at, model);
          expect(one).toMatchObject({ model, dimensions: 16 });
          expect(unpackVectors(one?.packed ?? new Uint8Array(), 16)).toEqual({ rows, scales });
        }
    };
    await store.commit({ written: written('m1') });
    await expectAll(['m1']);
    await store.commit({ written: written('m2') });
    await expectAll(['m1', 'm2']);
  });
}
