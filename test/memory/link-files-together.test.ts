/** R144 several processes that keep one memory in step with its files, kills between two steps, and clones that meet the same file. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTextFolder } from '../../src/platform/index.ts';
import {
  deleteEntries,
  linkFiles,
  linkTo,
  moveFrom,
  saveFact,
  syncFiles,
  syncIfLinked,
  type LinkFolder,
  type Memory,
} from '../../src/memory/index.ts';
import { QUICK_ENCODER } from '../campaigns/memory/quick-encoder.ts';
import { startWriter } from '../campaigns/storage-process.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../support/plain-memory.ts';
import { collectEnds, tempFolder, type TempFolder } from '../support/temp-folder.ts';

const { onEnd, end } = collectEnds();
let program: BundledEntry;
beforeAll(async () => {
  program = await bundleEntry('test/campaigns/markdown/sync-program.ts');
  onEnd(() => program.remove());
});
afterAll(end);

const FOLDER = '.waymark/memory';

function open(dataDir: string): Memory {
  const memory = openPlainMemory(dataDir, QUICK_ENCODER);
  onEnd(() => memory.close());
  return memory;
}

const folderOf = (repository: TempFolder): LinkFolder =>
  openTextFolder(repository.join(FOLDER), repository.path);

const contents = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.list(ROOT, { limit: 1_000 })).map(({ entry }) => entry.content).toSorted();

function filesOf(repository: TempFolder): ReadonlyMap<string, string> {
  const folder = folderOf(repository);
  return new Map(folder.list().map((path) => [path, folder.read(path) ?? '']));
}

const NEW_FILES = Array.from({ length: 12 }, (_, at) => `Marker ${at} stands here.`);

function repositoryWith(texts: readonly string[]): TempFolder {
  const repository = tempFolder({}, onEnd);
  repository.write(
    Object.fromEntries(texts.map((text, at) => [`${FOLDER}/facts/new-${at}.md`, `${text}\n`])),
  );
  return repository;
}

test('R144 two that bring one memory in step at the same time take in each new file once', async () => {
  const dataDir = tempFolder({}, onEnd).path;
  const repository = repositoryWith(NEW_FILES);
  const [one, two] = [open(dataDir), open(dataDir)];

  await Promise.all([one, two, one].map((memory) => syncFiles(memory, ROOT, folderOf(repository))));

  expect(await contents(one)).toEqual(NEW_FILES.toSorted());
  expect(filesOf(repository).size).toBe(NEW_FILES.length);
});

test('R144 an entry that is forgotten while its edited file is taken in ends no run, and the edit comes back with the next', async () => {
  const memory = open(tempFolder({}, onEnd).path);
  const repository = repositoryWith(NEW_FILES);
  await syncFiles(memory, ROOT, folderOf(repository));
  const [path = ''] = folderOf(repository).list();
  const folder = folderOf(repository);
  folder.write(path, `${folder.read(path)?.trimEnd()}\nA person adds this.\n`);
  const forgetting: Memory = {
    ...memory,
    async get(root, id) {
      const found = await memory.get(root, id);
      await deleteEntries(memory, root, [id], 'agent');
      return found;
    },
  };

  await syncFiles(forgetting, ROOT, folder);
  expect(await contents(memory)).toHaveLength(NEW_FILES.length - 1);
  await syncFiles(memory, ROOT, folder);

  expect(await contents(memory)).toContainEqual(expect.stringContaining('A person adds this.'));
  expect(await contents(memory)).toHaveLength(NEW_FILES.length);
  expect(filesOf(repository).size).toBe(NEW_FILES.length);
});

test('R144 a run that ends before a new file has its id makes no second entry of it', async () => {
  const memory = open(tempFolder({}, onEnd).path);
  const repository = repositoryWith(NEW_FILES);
  const dying: LinkFolder = {
    ...folderOf(repository),
    write() {
      throw new Error('killed');
    },
  };

  await expect(syncFiles(memory, ROOT, dying)).rejects.toThrow('killed');
  await syncFiles(memory, ROOT, folderOf(repository));

  expect(await contents(memory)).toEqual(NEW_FILES.toSorted());
  expect(filesOf(repository).size).toBe(NEW_FILES.length);
});

test('R144 clones that take in the same new file, or the same conflict, give it the same id: git has nothing to merge', async () => {
  const conflict = 'Before.\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n';
  const clones = [repositoryWith([...NEW_FILES, conflict]), repositoryWith([...NEW_FILES, conflict])];

  for (const clone of clones) await syncFiles(open(tempFolder({}, onEnd).path), ROOT, folderOf(clone));

  const [first, second] = clones.map(filesOf);
  expect(first?.size).toBe(NEW_FILES.length + 2);
  expect(first).toEqual(second);
});

test('R144 a clone that has more of a new file when it first sees it gives it the same id; the same path elsewhere has another', async () => {
  const ids: (string | undefined)[] = [];
  for (const [name, text] of [
    ['shop', 'Ports start at 4000.'],
    ['shop', 'Ports start at 4000.\nNot below.'],
    ['shop', 'Ports start at 5000.'],
    ['other', 'Ports start at 4000.'],
  ] as const) {
    const memory = openPlainMemory(tempFolder({}, onEnd).path, QUICK_ENCODER, {
      placeOf: (root) => ({ root, name, identity: root, folder: '' }),
    });
    onEnd(() => memory.close());
    await syncFiles(memory, ROOT, folderOf(repositoryWith([text])));
    ids.push((await memory.list(ROOT, { limit: 1 }))[0]?.entry.id);
  }

  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(3);
});

test('R144 of two clones that share one memory, one has the files: those of the other do not take back what changes', async () => {
  const clones = [repositoryWith([]), repositoryWith([])];
  const [here = tempFolder(), there = tempFolder()] = clones;
  const memory = openPlainMemory(tempFolder({}, onEnd).path, QUICK_ENCODER, {
    placeOf: (root) => ({ root, name: 'clone', identity: root, folder: '' }),
    openFiles: (root) => openTextFolder(`${root}/${FOLDER}`, root),
  });
  onEnd(() => memory.close());
  const { entry } = await saveFact(memory, here.path, AUTHOR, {
    text: 'Ports start at 4000.',
    scope: 'project',
  });
  await linkFiles(memory, here.path, true);
  await syncIfLinked(memory, here.path);
  const [[path = '', text = ''] = []] = filesOf(here);
  there.write({ [`${FOLDER}/${path}`]: text });
  await linkTo(memory, there.path, here.path);

  here.write({ [`${FOLDER}/${path}`]: text.replace('4000', '5000') });
  await syncIfLinked(memory, here.path);
  await syncIfLinked(memory, there.path);
  expect((await memory.get(there.path, entry.id)).entry.content).toBe('Ports start at 5000.');

  await linkFiles(memory, there.path, true);
  there.write({ [`${FOLDER}/${path}`]: text.replace('4000', '6000') });
  await syncIfLinked(memory, there.path);
  await syncIfLinked(memory, here.path);
  expect((await memory.get(here.path, entry.id)).entry.content).toBe('Ports start at 6000.');

  const moved = repositoryWith([]);
  moved.write({ [`${FOLDER}/${path}`]: text.replace('4000', '7000') });
  await moveFrom(memory, moved.path, there.path);
  await syncIfLinked(memory, moved.path);
  expect((await memory.get(moved.path, entry.id)).entry.content).toBe('Ports start at 7000.');
});

test('R144 what a person writes while files are brought in step is not written over', async () => {
  const memory = open(tempFolder({}, onEnd).path);
  const repository = repositoryWith(['First text.']);
  const path = 'facts/new-0.md';
  const folder = folderOf(repository);
  await syncFiles(memory, ROOT, folder);
  const stood = folder.read(path) ?? '';
  folder.write(path, stood.replace('First', 'Second'));
  let reads = 0;
  const busy: LinkFolder = {
    ...folder,
    read(name) {
      const text = folder.read(name);
      reads += 1;
      // Between the last look at the file and what is written of it.
      if (reads === 2) writeFileSync(repository.join(FOLDER, path), stood.replace('First', 'Third'));
      return text;
    },
  };

  await syncFiles(memory, ROOT, busy);
  await syncFiles(memory, ROOT, folder);

  expect(await contents(memory)).toEqual(['Third text.']);
  expect(folder.read(path)).toContain('Third text.');
  const [entry] = await memory.list(ROOT, { limit: 1 });
  const versions = await (await memory.storeOf(ROOT)).versions(entry?.entry.id ?? '');
  expect(versions.map(({ content }) => content)).toEqual(['Second text.', 'First text.']);
});

test('R144 a process that is killed while it has the turn lets go of it', async () => {
  const dataDir = tempFolder({}, onEnd).path;
  const repository = repositoryWith(NEW_FILES);
  const holder = startWriter(program.absPath, [dataDir, repository.path, 'hold']);
  await holder.untilLines(1);
  const memory = open(dataDir);

  const meanwhile = await syncFiles(memory, ROOT, folderOf(repository));
  holder.kill();
  await holder.ended;
  const afterwards = await syncFiles(memory, ROOT, folderOf(repository));

  expect(meanwhile).toBeUndefined();
  expect(afterwards).toMatchObject({ taken: NEW_FILES.length });
});
