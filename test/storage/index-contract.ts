/** What every engine's index store does. Written against the port only. */
import { expect, test } from 'vitest';
import type { Definition } from '../../src/core/index.ts';
import {
  renderOutline,
  unpackVectors,
  type EmbeddedFile,
  type FileVectors,
  type IndexedFile,
  type IndexStore,
  type ParsedEntry,
  type UnembeddedFile,
} from '../../src/storage/index.ts';
import { openWordKernel } from '../../src/kernel/index.ts';
import { pathWords } from '../../src/indexing/analyze-file.ts';
import { chunksWith } from '../support/indexed-words.ts';
import { plainTrigrams } from '../support/plain-tokens.ts';

export function indexedFile(
  path: string,
  words: readonly string[],
  { definitions = [], vectors }: { definitions?: readonly Definition[]; vectors?: FileVectors } = {},
): IndexedFile {
  const kernel = openWordKernel();
  const text = words.join('\n');
  const { stem, folder, folders } = pathWords(path);
  let from = 0;
  const chunks = words.map((word, at) => {
    const place = { startLine: at + 1, endLine: at + 1, from, to: from + word.length };
    from = place.to + 1;
    return place;
  });
  return {
    path,
    sizeBytes: 10,
    mtimeMs: 1.5,
    hash: `hash of ${words.join()}`,
    analysis: 'a1',
    language: 'typescript',
    lines: words.length,
    plainBy: 0,
    chunks: chunks.length,
    definitions: definitions.length,
    outline: renderOutline(definitions),
    terms: kernel.packFile({
      text,
      chunks,
      names: definitions.map(({ name, startLine, endLine }) => ({ name, weight: 10, startLine, endLine })),
      solidLines: words.length,
      stem,
      folders: folders.join(' '),
      own: `${folder} ${stem}`,
      place: stem,
    }).terms,
    trigrams: kernel.packTrigrams(text),
    vectors: vectors && {
      model: vectors.model,
      dimensions: vectors.dimensions,
      packed: new Uint8Array([
        ...new Uint8Array(vectors.rows.buffer, vectors.rows.byteOffset, vectors.rows.byteLength),
        ...new Uint8Array(vectors.scales.buffer, vectors.scales.byteOffset, vectors.scales.byteLength),
      ]),
    },
  };
}

function parsedEntry(
  { path, hash, analysis }: IndexedFile,
  found: Partial<Pick<ParsedEntry, 'definitions' | 'rows'>>,
): ParsedEntry {
  const note = { parser: 'p1', failure: undefined, errorShare: 0.5 };
  return { path, hash, analysis, note, definitions: undefined, rows: undefined, ...found };
}

/** A row for the file, then one for each text. */
function embedded(file: UnembeddedFile | undefined, model: string, texts: readonly string[]): EmbeddedFile {
  const rows = Int8Array.from({ length: (texts.length + 1) * 4 }, (_, at) => at - 3);
  const scales = Float32Array.from({ length: texts.length + 1 }, (_, at) => at + 0.5);
  return {
    fileId: file?.id ?? 0,
    path: file?.path ?? '',
    digests: texts.map((text) => new TextEncoder().encode(text.padEnd(16))),
    vectors: { model, dimensions: 4, rows, scales },
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
    expect(await chunksWith(store, 'http')).toMatchObject([{ path: 'src/a.ts', startLine: 1, endLine: 1 }]);
    expect((await chunksWith(store, 'page')).map(({ path }) => path).toSorted()).toEqual([
      'b.ts',
      'src/a.ts',
    ]);
  });

  test('a file that is written again leaves nothing of its old words', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['old', 'older'])] });

    await store.commit({ written: [indexedFile('a.ts', ['new'])] });

    expect(await chunksWith(store, 'older')).toEqual([]);
    expect(await chunksWith(store, 'new')).toHaveLength(1);
    expect(await store.stats()).toMatchObject({ files: 1, chunks: 1 });
  });

  test('a removed file is gone altogether', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['word'])] });

    await store.commit({ removed: ['a.ts', 'never-there.ts'] });

    expect(await store.stats()).toMatchObject({ files: 0, chunks: 0, definitions: 0 });
    expect(await chunksWith(store, 'word')).toEqual([]);
  });

  test('a touched file keeps its id, its words and its generation', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['word'])] });
    const before = await store.files();
    const [entry] = await store.manifest();
    if (entry === undefined) throw new Error('nothing was written');

    await store.commit({ touched: [{ ...entry, mtimeMs: 2, sizeBytes: 11 }] });

    expect(await store.manifest()).toEqual([{ ...entry, mtimeMs: 2, sizeBytes: 11 }]);
    expect((await store.files()).files).toEqual(before.files);
    expect(await chunksWith(store, 'word')).toHaveLength(1);
  });

  test('a file that is written again has a new id, and what it held under the old one is gone', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['word'])] });
    const [before] = (await store.files()).files;
    await store.commit({ written: [indexedFile('a.ts', ['other'])] });
    const { generation, files } = await store.files();

    expect(files).toMatchObject([{ path: 'a.ts', generation }]);
    expect(files[0]?.id).not.toBe(before?.id);
    expect(await store.contents([before?.id ?? 0])).toEqual([]);
    expect(await store.generation()).toBe(generation);
  });

  test('vectors and trigrams come back as they were given', async () => {
    const store = await open();
    const vectors = {
      model: 'm1',
      dimensions: 2,
      rows: Int8Array.from([1, -2, 127, -127]),
      scales: Float32Array.from([0.5, 0.25]),
    };
    await store.commit({ written: [indexedFile('a.ts', ['word'], { vectors })] });
    const [file] = (await store.files()).files;
    const [found] = await store.vectors([file?.id ?? 0]);

    expect(found).toMatchObject({ model: 'm1', dimensions: 2 });
    expect(unpackVectors(found?.packed ?? new Uint8Array(), 2)).toEqual({
      rows: vectors.rows,
      scales: vectors.scales,
    });
    expect((await store.trigrams()).get(file?.id ?? 0)).toEqual(plainTrigrams('word'));
  });

  test('a view that was kept comes back byte for byte until it is forgotten; commits leave it alone', async () => {
    const store = await open();
    const { generation } = await store.commit({ written: [indexedFile('a.ts', ['word'])] });
    const parts = [Uint8Array.of(1, 2, 3), new Uint8Array(), new Uint8Array(10_000).fill(7)];

    const before = await store.keptView();
    const isKept = await store.keepView({ generation, parts });
    await store.commit({ written: [indexedFile('b.ts', ['word'])] });
    const kept = await store.keptView();
    await store.forgetView();

    expect([before, isKept]).toEqual([undefined, true]);
    expect(kept?.generation).toBe(generation);
    expect(kept?.parts.map((part) => [...part])).toEqual(parts.map((part) => [...part]));
    // Numbers lie where typed arrays may begin.
    expect(kept?.parts.every(({ byteOffset }) => byteOffset % 8 === 0)).toBe(true);
    expect(await store.keptView()).toBeUndefined();
  });

  test('every commit is a new generation, and skips replace the ones before', async () => {
    const store = await open();
    const first = await store.commit({ skips: [{ path: 'x.png', reason: 'binary', detail: undefined }] });

    const second = await store.commit({
      skips: [
        { path: 'y.log', reason: 'ignored', detail: '.gitignore:1 *.log' },
        {
          path: 'z.ts',
          reason: 'generated',
          detail: '@generated',
          seen: { sizeBytes: 7, mtimeMs: 1_700_000_000_123.25, analysis: '1 none' },
        },
      ],
    });

    expect(second.generation).toBe(first.generation + 1);
    expect(await store.skips()).toEqual([
      { path: 'y.log', reason: 'ignored', detail: '.gitignore:1 *.log' },
      {
        path: 'z.ts',
        reason: 'generated',
        detail: '@generated',
        seen: { sizeBytes: 7, mtimeMs: 1_700_000_000_123.25, analysis: '1 none' },
      },
    ]);
    expect((await store.stats()).bySkipReason).toEqual([
      { reason: 'generated', count: 1 },
      { reason: 'ignored', count: 1 },
    ]);
  });

  const total: Definition = {
    name: 'total',
    kind: 'method',
    container: 'Cart',
    signature: 'private total(): number',
    doc: undefined,
    visibility: 'private',
    startLine: 1,
    endLine: 1,
  };

  test('what a parser found takes the place of the definitions; the file keeps its id unless its rows change', async () => {
    const store = await open();
    const files = [indexedFile('a.ts', ['word']), indexedFile('b.ts', ['old'])];
    await store.commit({ written: files });
    const before = (await store.files()).files;
    const [a, b] = files.map((file) => parsedEntry(file, { definitions: [total] }));
    if (a === undefined || b === undefined) throw new Error('nothing to write');

    await store.commit({ parsed: [a, { ...b, rows: indexedFile('b.ts', ['new']) }] });

    const after = (await store.files()).files;
    expect(await store.definitionsOf('a.ts')).toEqual([total]);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.id).not.toBe(before[1]?.id);
    expect(await chunksWith(store, 'new')).toHaveLength(1);
    expect(await store.unparsed('p1')).toEqual([]);
    expect((await store.unparsed('p2')).map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
    expect(await store.stats()).toMatchObject({
      definitions: 1,
      parsed: [{ language: 'typescript', exact: 2, failed: 0, errorShare: 0.5 }],
    });
  });

  test('what a parser found in other bytes counts for nothing', async () => {
    const store = await open();
    const old = indexedFile('a.ts', ['old']);
    await store.commit({ written: [indexedFile('a.ts', ['new'])] });

    await store.commit({
      parsed: [
        parsedEntry(old, { definitions: [total], rows: old }),
        parsedEntry(indexedFile('gone.ts', ['x']), { rows: old }),
      ],
    });

    expect(await chunksWith(store, 'old')).toEqual([]);
    expect(await store.definitionsOf('a.ts')).toEqual([]);
    expect(await store.stats()).toMatchObject({ files: 1, parsed: [] });
  });

  test('a failure, and a file not read whole, is noted until it is written again; what it had stays', async () => {
    const store = await open();
    const file = indexedFile('a.ts', ['word'], { definitions: [total] });
    const broken = indexedFile('b.ts', ['word']);
    await store.commit({ written: [file, broken] });
    const note = { parser: 'p1', failure: 'timed out', errorShare: 0 };

    // The note of the other says that half of it was read.
    await store.commit({ parsed: [{ ...parsedEntry(file, {}), note }, parsedEntry(broken, {})] });
    const misread = await store.misread();
    await store.commit({ removed: ['b.ts'] });
    const [noted, again] = [await store.parseFailures(), await store.unparsed('p1', 'failed')];
    await store.commit({ touched: [{ ...file, mtimeMs: 2 }] });
    const touched = await store.parseFailures();
    const definitions = await store.definitionsOf('a.ts');
    await store.commit({ written: [indexedFile('a.ts', ['other'])] });

    expect(misread).toEqual([{ path: 'b.ts', errorShare: 0.5 }]);
    expect(noted).toEqual([{ path: 'a.ts', failure: 'timed out' }]);
    expect(again).toMatchObject([{ path: 'a.ts', language: 'typescript' }]);
    expect(touched).toEqual(noted);
    expect(definitions).toEqual([total]);
    expect(await store.parseFailures()).toEqual([]);
    expect(await store.unparsed('p1')).toHaveLength(1);
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

  test('is sound after all of it', async () => {
    const store = await open();
    for (let turn = 0; turn < 20; turn++) {
      await store.commit({ written: [indexedFile(`f${turn % 3}.ts`, [`word${turn} shared`, 'shared'])] });
      await store.commit({ removed: [`f${(turn + 1) % 3}.ts`] });
    }

    expect(await store.isSound()).toBe(true);
  });

  test('vectors of a service stand beside a file, and count as long as it is the same', async () => {
    const store = await open();
    await store.commit({
      written: [indexedFile('a.ts', ['one', 'two']), indexedFile('b.ts', ['three']), indexedFile('c.ts', [])],
    });
    const before = await store.generation();
    const waiting = await store.unembedded('m1');
    const [a, b] = waiting;
    await store.commitEmbeddings([embedded(a, 'm1', ['one', 'two'])]);

    expect(waiting.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
    expect((await store.unembedded('m1')).map(({ path }) => path)).toEqual(['b.ts']);
    expect(await store.unembedded('m2')).toHaveLength(2);
    expect(await store.embeddingState('m1')).toEqual({ stamp: 1, files: 2, embedded: 1, dimensions: 4 });
    expect(await store.embeddingState('m2')).toMatchObject({ embedded: 0, dimensions: undefined });
    // A search by words has nothing to load anew.
    expect(await store.generation()).toBe(before);
    const [packed, ...more] = await store.embeddings('m1', [a?.id ?? 0, b?.id ?? 0]);
    expect(more).toEqual([]);
    expect(packed).toMatchObject({ fileId: a?.id, model: 'm1', dimensions: 4 });
    expect(unpackVectors(packed?.packed ?? new Uint8Array(), 4).rows).toEqual(
      embedded(a, 'm1', ['one', 'two']).vectors.rows,
    );

    await store.commit({ written: [indexedFile('a.ts', ['one', 'other'])] });

    expect((await store.unembedded('m1')).map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
    // What was made of its old text is there when the same text is found again.
    expect(await store.embeddingAt('m1', 'a.ts')).toEqual(embedded(a, 'm1', ['one', 'two']));
    expect(await store.embeddingAt('m1', 'b.ts')).toBeUndefined();
  });

  test('vectors of a file that was written meanwhile, or cut otherwise, are not taken', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['one']), indexedFile('b.ts', ['two'])] });
    const [a, b] = await store.unembedded('m1');
    await store.commit({ written: [indexedFile('a.ts', ['another'])] });

    await store.commitEmbeddings([embedded(a, 'm1', ['one']), embedded(b, 'm1', ['two', 'three'])]);

    expect(await store.embeddingState('m1')).toMatchObject({ embedded: 0 });
    expect(await store.unembedded('m1')).toHaveLength(2);
  });

  test('of other models, and of files that are gone, nothing is kept', async () => {
    const store = await open();
    await store.commit({ written: [indexedFile('a.ts', ['one']), indexedFile('b.ts', ['two'])] });
    const [a, b] = await store.unembedded('m1');
    await store.commitEmbeddings([
      embedded(a, 'm1', ['one']),
      embedded(a, 'm2', ['one']),
      embedded(b, 'm2', ['two']),
    ]);
    await store.commit({ removed: ['b.ts'] });

    const models = await store.embeddedModels();
    const vanished = [await store.vanishedEmbeddings('m1'), await store.vanishedEmbeddings('m2')];
    await store.keepEmbeddingsOf('m2');

    expect(models).toEqual(['m1', 'm2']);
    expect(vanished).toEqual([[], ['b.ts']]);
    expect(await store.vanishedEmbeddings('m2')).toEqual([]);
    expect(await store.embeddedModels()).toEqual(['m2']);
    expect(await store.embeddingAt('m2', 'b.ts')).toBeUndefined();
    expect(await store.embeddingState('m2')).toMatchObject({ files: 1, embedded: 1 });
  });
}
