/** What every engine's index store does. Written against the port only. */
import { expect, test } from 'vitest';
import type { IndexedFile, IndexStore } from '../../src/storage/index.ts';

export function indexedFile(
  path: string,
  words: readonly string[],
  more: Partial<IndexedFile> = {},
): IndexedFile {
  return {
    path,
    sizeBytes: 10,
    mtimeMs: 1.5,
    hash: `hash of ${words.join()}`,
    language: 'typescript',
    lines: words.length,
    definitions: [],
    chunks: words.map((tokens, index) => ({ startLine: index + 1, endLine: index + 1, tokens })),
    ...more,
  };
}

export function indexStoreContract(open: () => Promise<IndexStore>): void {
  test('a committed file is in the manifest and found by its words', async () => {
    const store = await open();

    await store.commit({
      written: [indexedFile('src/a.ts', ['parse http url', 'render page']), indexedFile('b.ts', ['page'])],
    });

    expect(await store.manifest()).toMatchObject([
      { path: 'b.ts' },
      { path: 'src/a.ts', sizeBytes: 10, mtimeMs: 1.5 },
    ]);
    expect(await store.findChunks(['http'], 5)).toMatchObject([
      { path: 'src/a.ts', startLine: 1, endLine: 1 },
    ]);
    expect((await store.findChunks(['page'], 5)).map(({ path }) => path).toSorted()).toEqual([
      'b.ts',
      'src/a.ts',
    ]);
  });

  test('a file that is written again leaves nothing of its old words', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['old', 'older'])] });

    await store.commit({ written: [indexedFile('a.ts', ['new'])] });

    expect(await store.findChunks(['old', 'older'], 5)).toEqual([]);
    expect(await store.findChunks(['new'], 5)).toHaveLength(1);
    expect(await store.stats()).toMatchObject({ files: 1, chunks: 1 });
  });

  test('a removed file is gone altogether', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['word'])] });

    await store.commit({ removed: ['a.ts', 'never-there.ts'] });

    expect(await store.stats()).toMatchObject({ files: 0, chunks: 0, definitions: 0 });
    expect(await store.findChunks(['word'], 5)).toEqual([]);
  });

  test('a moved file keeps its chunks under its new path', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['word']), indexedFile('b.ts', ['other'])] });

    await store.commit({
      moved: [{ from: 'a.ts', to: { path: 'b.ts', sizeBytes: 11, mtimeMs: 2, hash: 'h' } }],
    });

    expect(await store.manifest()).toEqual([{ path: 'b.ts', sizeBytes: 11, mtimeMs: 2, hash: 'h' }]);
    expect(await store.findChunks(['word'], 5)).toMatchObject([{ path: 'b.ts' }]);
    expect(await store.findChunks(['other'], 5)).toEqual([]);
  });

  test('every commit is a new generation, and skips replace the ones before', async () => {
    const store = await open();
    const first = await store.commit({ skips: [{ path: 'x.png', reason: 'binary', detail: undefined }] });

    const second = await store.commit({
      skips: [{ path: 'y.log', reason: 'ignored', detail: '.gitignore:1 *.log' }],
    });

    expect(second.generation).toBe(first.generation + 1);
    expect(await store.skips()).toEqual([{ path: 'y.log', reason: 'ignored', detail: '.gitignore:1 *.log' }]);
    expect((await store.stats()).bySkipReason).toEqual([{ reason: 'ignored', count: 1 }]);
  });

  test('definitions come back as they were given, in order', async () => {
    const store = await open();
    const definition = {
      name: 'parse',
      kind: 'function',
      container: undefined,
      signature: 'function parse()',
      doc: 'Parses.',
      startLine: 1,
      endLine: 3,
    } as const;

    await store.commit({ written: [indexedFile('a.ts', ['parse'], { definitions: [definition] })] });

    expect(await store.definitionsOf('a.ts')).toEqual([definition]);
    expect(await store.definitionsOf('b.ts')).toEqual([]);
  });

  test.each(['"', "' OR 1=1", 'a AND b', 'NEAR(a b)', '*', 'x"y', '-', ''])(
    'words such as %j are words, not operators',
    async (word) => {
      const store = await open();
      await store.commit({ written: [indexedFile('a.ts', ['plain words'])] });

      expect(await store.findChunks([word], 5)).toEqual([]);
    },
  );

  test('is sound after all of it', async () => {
    const store = await open();
    for (let turn = 0; turn < 20; turn++) {
      await store.commit({ written: [indexedFile(`f${turn % 3}.ts`, [`word${turn} shared`, 'shared'])] });
      await store.commit({ removed: [`f${(turn + 1) % 3}.ts`] });
    }

    expect(await store.isSound()).toBe(true);
  });
}
