import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createMemorySpaces,
  openMemoryStore,
  type KeyMaker,
  type MemorySpaces,
  type MemoryStore,
} from '../../src/storage/index.ts';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';
import { sumOf } from '../../src/storage/memory-rows.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { describeMemory } from './memory-contract.ts';
import { describeSpaces } from './memory-spaces-contract.ts';
import { makeEntry, OPEN_GATE, PLAIN_KEYS } from './memory-entries.ts';
import { FIXED_CLOCK, openNotes, NOTES, recordingLogger } from './notes-store.ts';

async function openIn(folder: TempFolder, keyMaker: KeyMaker = PLAIN_KEYS): Promise<MemoryStore> {
  const store = await openMemoryStore({
    absPath: folder.join('memory.db'),
    backupDir: folder.join('backups'),
    keyMaker,
    gate: OPEN_GATE,
    clock: FIXED_CLOCK,
    logger: recordingLogger(),
  });
  onTestFinished(() => store.close());
  return store;
}

describeMemory('SQLite', () => {
  const folder = tempFolder();
  return {
    empty: () => openIn(folder),
    reopen: () => openIn(folder),
    copyPath: () => folder.join('copy.db'),
  };
});

describeSpaces('SQLite', () => {
  const folder = tempFolder();
  const open = async (): Promise<MemorySpaces> =>
    createMemorySpaces({
      dataDir: folder.path,
      keyMaker: () => PLAIN_KEYS,
      gate: OPEN_GATE,
      clock: FIXED_CLOCK,
      logger: recordingLogger(),
    });
  return { empty: open, reopen: open };
});

test('a memory that is not used is let go of, but not by a timer that is late: then the work that holds it was held up too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let elapsed = 0;
  const spaces = createMemorySpaces({
    dataDir: tempFolder().path,
    keyMaker: () => PLAIN_KEYS,
    gate: OPEN_GATE,
    clock: { ...FIXED_CLOCK, elapsed: () => elapsed },
    logger: recordingLogger(),
    idleMs: 30_000,
  });
  onTestFinished(() => spaces.close());
  const store = await spaces.open('own-0123456789abcdef');

  elapsed = 600_000;
  vi.advanceTimersByTime(30_000);
  await store.save(makeEntry('late'));
  elapsed += 30_000;
  vi.advanceTimersByTime(30_000);
  await Promise.resolve();

  await expect(store.list({ limit: 1 })).rejects.toThrow('after it had been closed');
  expect(await (await spaces.open('own-0123456789abcdef')).list({ limit: 5 })).toHaveLength(1);
});

async function filled(folder: TempFolder): Promise<void> {
  const store = await openIn(folder);
  for (let index = 0; index < 200; index++)
    await store.save(makeEntry(`id-${index}`, { content: `${index} `.repeat(index % 20 === 0 ? 3000 : 60) }));
  await store.revise('id-7', (entry) => ({ ...entry, summary: 'edited' }));
  await store.remove(['id-8'], 'me');
  await store.addIdentity({ identity: '/p/.git', name: 'p', since: 1 });
  await store.close();
}

test('a page of rubbish in the middle costs only what stood on it; the file is kept', async () => {
  const folder = tempFolder();
  await filled(folder);
  const bytes = readFileSync(folder.join('memory.db'));
  bytes.fill(0xa5, 30 * 4096, 31 * 4096);
  writeFileSync(folder.join('memory.db'), bytes);

  const store = await openIn(folder);

  const found = await store.list({ limit: 1000 });
  expect(found.length).toBeGreaterThan(150);
  expect(await store.verify()).toBe(true);
  expect((await store.get('id-7'))?.entry.summary).toBe('edited');
  expect((await store.log(1))[0]?.action).toBe('salvage');
  expect(await store.identities()).toHaveLength(1);
  expect(readdirSync(folder.path)).toContain('memory.db.damaged-20260131T235959Z');
});

test('a file whose head is gone gives back everything behind it', async () => {
  const folder = tempFolder();
  await filled(folder);
  const bytes = readFileSync(folder.join('memory.db'));
  bytes.fill(0, 0, 4096);
  writeFileSync(folder.join('memory.db'), bytes);

  const store = await openIn(folder);

  expect(await store.list({ limit: 1000 })).toHaveLength(199);
  expect(await store.list({ limit: 1000, inBin: true })).toHaveLength(1);
});

test('a text changed behind our back is not handed out', async () => {
  const folder = tempFolder();
  const store = await openIn(folder);
  await store.save(makeEntry('a', { content: 'pay the invoice to account one' }));
  await store.save(makeEntry('b'));
  await store.close();
  const bytes = readFileSync(folder.join('memory.db'));
  bytes.write('two', bytes.indexOf('account one') + 8);
  writeFileSync(folder.join('memory.db'), bytes);

  const again = await openIn(folder);

  expect((await again.list({ limit: 9 })).map(({ entry }) => entry.id)).toEqual(['b']);
});

test('deleted text is gone from the file once it is purged', async () => {
  const folder = tempFolder();
  const store = await openIn(folder);
  await store.save(makeEntry('keep', { content: 'x'.repeat(5000) }));
  await store.save(makeEntry('a', { content: `heliotrope ${'y'.repeat(9000)}` }));
  await store.remove(['a'], 'me');
  await store.purge({ before: Number.MAX_SAFE_INTEGER }, 'me');
  await store.close();

  expect(readFileSync(folder.join('memory.db')).includes('heliotrope')).toBe(false);
});

test('other words for the same entries are made when the maker of keys changes', async () => {
  const folder = tempFolder();
  const store = await openIn(folder);
  await store.save(makeEntry('a', { content: 'alpha' }));
  await store.close();

  const again = await openIn(folder, {
    version: 'plain-2',
    keysOf: (entry) => ({ ...PLAIN_KEYS.keysOf(entry), body: 'omega' }),
  });

  expect(await again.byWords(['alpha'], { limit: 1 })).toHaveLength(0);
  expect(await again.byWords(['omega'], { limit: 1 })).toHaveLength(1);
});

test('a file is copied before its schema changes, and only then', async () => {
  const folder = tempFolder();
  const backupDir = folder.join('backups');
  const open = (migrations = NOTES) => openNotes(folder.join('notes.db'), { migrations, backupDir });
  (await open(NOTES.slice(0, 1))).close();
  (await open()).close();
  (await open()).close();

  expect(readdirSync(backupDir)).toEqual(['notes.db.v1-20260131T235959Z.db']);
  const copy = await openNotes(folder.join('backups', 'notes.db.v1-20260131T235959Z.db'), {
    migrations: NOTES.slice(0, 1),
  });
  expect((await copy.verify()).kind).toBe('sound');
  copy.close();
});

/** A store on a clock that can be set. */
async function onClock(folder: TempFolder, clock: { now: number }): Promise<MemoryStore> {
  const store = await openMemoryStore({
    absPath: folder.join('memory.db'),
    backupDir: folder.join('backups'),
    keyMaker: PLAIN_KEYS,
    gate: OPEN_GATE,
    clock: { now: () => clock.now, elapsed: () => 0 },
    logger: recordingLogger(),
  });
  onTestFinished(() => store.close());
  return store;
}

const DAY = 24 * 3600 * 1000;
const START = Date.UTC(2026, 0, 31);

test('R181 what was saved last is listed first, although the clock has gone back', async () => {
  const store = await openIn(tempFolder());
  await store.save(makeEntry('a', { createdAt: START }));
  await store.save(makeEntry('b', { createdAt: START + 40 * 365 * DAY }));
  await store.save(makeEntry('c', { createdAt: START - DAY }));

  const found = await store.list({ kinds: ['checkpoint'], limit: 9 });

  expect(found.map(({ entry }) => entry.id)).toEqual(['c', 'b', 'a']);
  expect(found.map(({ entry }) => entry.createdAt)).toContain(START - DAY);
});

test('R181 that order is kept by a backup that is restored', async () => {
  const folder = tempFolder();
  const store = await openIn(folder);
  for (const [index, id] of ['a', 'b', 'c'].entries())
    await store.save(makeEntry(id, { createdAt: START - index * DAY }));
  await store.backupTo(folder.join('copy.db'));

  await store.restoreFrom(folder.join('copy.db'));

  expect((await store.list({ limit: 9 })).map(({ entry }) => entry.id)).toEqual(['c', 'b', 'a']);
});

test('R181 a clock that jumps forty years ahead once does not empty the bin', async () => {
  const folder = tempFolder();
  const clock = { now: START };
  const store = await onClock(folder, clock);
  await store.save(makeEntry('a'));
  await store.remove(['a'], 'me');

  clock.now = START + 40 * 365 * DAY;
  const ahead = await store.expireBin(30 * DAY, 'waymark');
  clock.now = START + 2 * DAY;
  const back = await store.expireBin(30 * DAY, 'waymark');

  expect([ahead, back]).toEqual([0, 0]);
  expect(await store.undo('a', 'me')).toBe(true);
});

test('what the store has seen in the bin for thirty days is gone', async () => {
  const clock = { now: START };
  const store = await onClock(tempFolder(), clock);
  await store.save(makeEntry('a'));
  await store.remove(['a'], 'me');
  const gone: number[] = [];

  for (let day = 1; day <= 31; day++) {
    clock.now = START + day * DAY;
    gone.push(await store.expireBin(30 * DAY, 'waymark'));
  }

  expect(gone.indexOf(1)).toBe(29);
  expect(await store.get('a')).toBeUndefined();
});

test('R181 one row that cannot be shown does not keep the others from being listed', async () => {
  const folder = tempFolder();
  const store = await openIn(folder);
  await store.save(makeEntry('a'));
  await store.save(makeEntry('b'));
  await store.close();
  const database = (await loadDriver()).connect(folder.join('memory.db'), { readOnly: false, timeout: 0 });
  database.exec(`UPDATE entry SET deleted_at = 9223372036854775807 WHERE id = 'a'`);
  database.close();

  const again = await openIn(folder);

  expect((await again.list({ limit: 9 })).map(({ entry }) => entry.id)).toEqual(['b']);
});

test('a save whose key was stored as it is by an older build is known as a repetition', async () => {
  const folder = tempFolder();
  const before = await openIn(folder);
  await before.save(makeEntry('old'), { saveKey: 'key-1' });
  await before.close();
  const driver = await loadDriver();
  const database = driver.connect(folder.join('memory.db'), { readOnly: false, timeout: 0 });
  const [row] = database.prepare("SELECT doc FROM entry WHERE id = 'old'").all();
  const doc = String(row?.['doc']);
  const sum = sumOf('entry', ['old', doc, undefined, 'key-1']);
  database.prepare("UPDATE entry SET save_key = 'key-1', sum = ? WHERE id = 'old'").run(sum);
  database.close();

  const store = await openIn(folder);
  const again = await store.save(makeEntry('new'), { saveKey: 'key-1' });

  expect([again.repeated, again.stored.entry.id]).toEqual([true, 'old']);
  expect(await store.list({ limit: 10 })).toHaveLength(1);
});
