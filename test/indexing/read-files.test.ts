import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import { createAnalyzer } from '../../src/indexing/index.ts';
import { type FileToRead, readFiles, type ReadItem } from '../../src/indexing/read-files.ts';
import { systemClock } from '../../src/platform/index.ts';

const FILES = 300;
/** What a thread gets at once. */
const BATCH_FILES = 24;
let root: string;
let files: FileToRead[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-read-')));
  files = Array.from({ length: FILES }, (_, at) => {
    const path = `file${at}.ts`;
    const text = `export function makeThing${at}(): number {\n  return ${at};\n}\n`.repeat(3);
    writeFileSync(join(root, path), text);
    return { path, sizeBytes: text.length, mtimeMs: 1 };
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function readAll(more: object = {}, encoder = true): Promise<Map<string, ReadItem['read']>> {
  const analyzer = createAnalyzer(encoder ? loadStaticEncoder() : undefined);
  const input = {
    root,
    languages: [],
    files,
    analyzer,
    clock: systemClock,
    signal: new AbortController().signal,
  };
  const found = new Map<string, ReadItem['read']>();
  for await (const { file, read } of readFiles({ ...input, threads: 0, ...more })) {
    expect(found.has(file.path)).toBe(false);
    found.set(file.path, read);
  }
  return found;
}

function rowsOf(all: ReadonlyMap<string, ReadItem['read']>): readonly unknown[] {
  return [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, read]) => [path, read.kind === 'read' ? read.content : read]);
}

it.each([true, false])(
  'threads read every file once and make the same rows (encoder: %s)',
  async (encoder) => {
    const alone = await readAll({}, encoder);
    expect(alone.size).toBe(FILES);
    expect(rowsOf(await readAll({ threads: 2 }, encoder))).toEqual(rowsOf(alone));
  },
);

it('reads what threads leave undone: one that fails at once, one that ends after its first answer', async () => {
  const alone = rowsOf(await readAll());
  for (const program of [
    'throw new Error("no")',
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", () => process.exit(0))',
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", () => { parentPort.postMessage({ reads: [] }); process.exit(0); })',
  ]) {
    const absThreadModule = join(root, 'thread.cjs');
    writeFileSync(absThreadModule, program);
    expect(rowsOf(await readAll({ threads: 2, absThreadModule }))).toEqual(alone);
  }
});

it('stops in the middle when it is told to', async () => {
  const stopping = new AbortController();
  const analyzer = createAnalyzer(undefined);
  const input = {
    root,
    languages: [],
    files,
    analyzer,
    clock: systemClock,
    signal: stopping.signal,
    threads: 1,
  };
  let seen = 0;
  await expect(async () => {
    for await (const _ of readFiles(input)) if (++seen === 10) stopping.abort(new Error('enough'));
  }).rejects.toThrow('enough');
  expect(seen).toBe(10);
});

it('stops at once, even while it waits for a thread that never answers', async () => {
  const stopping = new AbortController();
  const absThreadModule = join(root, 'thread.cjs');
  writeFileSync(absThreadModule, 'require("node:worker_threads").parentPort.on("message", () => {})');
  const { signal } = stopping;
  const analyzer = createAnalyzer(undefined);
  const input = { root, languages: [], files, analyzer, clock: systemClock, signal };
  let seen = 0;
  await expect(async () => {
    for await (const _ of readFiles({ ...input, threads: 1, absThreadModule }))
      if (++seen === FILES - BATCH_FILES) void waitTurns().then(() => stopping.abort(new Error('enough')));
  }).rejects.toThrow('enough');
  expect(seen).toBe(FILES - BATCH_FILES);
});

/** So many that idle readers wait. */
async function waitTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

it('reads everything itself where no thread can be made', async () => {
  const alone = rowsOf(await readAll());
  // A path that is not absolute is refused before there is a thread, as one is where the system has none left.
  expect(rowsOf(await readAll({ threads: 2, absThreadModule: 'nowhere.js' }))).toEqual(alone);
});

it('does not analyse what is known', async () => {
  const first = await readAll();
  const [known] = files;
  const read = first.get(known?.path ?? '');
  const knownHash = read?.kind === 'read' ? read.entry.hash : '';
  files = files.slice(0, 2).map((file) => (file === known ? { ...file, knownHash } : file));
  expect([...(await readAll()).values()].map(({ kind }) => kind).sort()).toEqual(['known', 'read']);
});

it('a file that the analysis breaks on is left out with its reason, and the others are read', async () => {
  const own = createAnalyzer(undefined);
  const analyzer = {
    ...own,
    open: (...input: Parameters<typeof own.open>) => {
      if (input[0] === 'file7.ts') throw new RangeError('too deep');
      return own.open(...input);
    },
  };
  const all = await readAll({ analyzer });
  expect(all.get('file7.ts')).toMatchObject({
    kind: 'skip',
    skip: { path: 'file7.ts', reason: 'unreadable', detail: 'could not be analysed: too deep' },
  });
  expect([...all.values()].filter(({ kind }) => kind === 'read')).toHaveLength(FILES - 1);
});
