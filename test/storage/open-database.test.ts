import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { contentsOf, modesIn, withForeignHands } from './database-files.ts';
import { addNote, NOTES, noteCount, openNotes } from './notes-store.ts';
import { useWriterProgram } from './writer-program.ts';

const writerProgram = useWriterProgram();

describe('files', () => {
  test('are readable by their owner only, even with umask 000', async () => {
    const folder = tempFolder();
    const writer = writerProgram.start(['stay-open', folder.join('deep', 'store', 'notes.db')], {
      umask: '000',
    });

    await writer.untilLines(1);

    expect(modesIn(folder.join('deep'))['.']).toBe('700');
    expect(modesIn(folder.join('deep', 'store'))).toEqual({
      '.': '700',
      'notes.db': '600',
      'notes.db-shm': '600',
      'notes.db-wal': '600',
      'notes.db.lock': '600',
    });
  });

  test('are made private when they were not', async () => {
    const folder = tempFolder();
    mkdirSync(folder.join('store'));
    const first = await openNotes(folder.join('store', 'notes.db'));
    first.close();
    chmodSync(folder.join('store'), 0o755);
    chmodSync(folder.join('store', 'notes.db'), 0o644);

    const store = await openNotes(folder.join('store', 'notes.db'));

    expect(modesIn(folder.join('store'))).toMatchObject({ '.': '700', 'notes.db': '600' });
    store.close();
  });
});

describe('settings', () => {
  test.each([
    ['full', 2],
    ['normal', 1],
  ] as const)(
    'durability %s, write-ahead log and safeguards hold from the second opening on',
    async (durability, level) => {
      const path = tempFolder().join('notes.db');
      (await openNotes(path, { durability })).close();

      const store = await openNotes(path, { durability, busyTimeoutMs: 1234 });

      const setting = (name: string): unknown =>
        Object.values(store.read((tx) => tx.get(`PRAGMA ${name}`)) ?? {})[0];
      expect(setting('synchronous')).toBe(level);
      expect(setting('journal_mode')).toBe('wal');
      expect(setting('foreign_keys')).toBe(1);
      expect(setting('trusted_schema')).toBe(0);
      expect(setting('busy_timeout')).toBe(1234);
      store.close();
    },
  );
});

describe('migrations', () => {
  test('run once and in order', async () => {
    const path = tempFolder().join('notes.db');
    const first = await openNotes(path, { migrations: NOTES.slice(0, 1) });
    await first.write((tx) => addNote(tx, 'kept'));
    first.close();

    const store = await openNotes(path);

    expect(noteCount(store)).toBe(1);
    expect(store.read((tx) => tx.get('PRAGMA user_version'))).toEqual({ user_version: 2 });
    store.close();
  });

  test('that are numbered wrongly are a bug', async () => {
    const path = tempFolder().join('notes.db');

    const opening = openNotes(path, { migrations: NOTES.slice(1) });

    await expect(opening).rejects.toMatchObject({ code: 'internal' });
  });

  test('that throw leave the version and the tables before them', async () => {
    const path = tempFolder().join('notes.db');
    const broken = {
      version: 3,
      name: 'broken',
      up: 'CREATE TABLE half_done (id INTEGER); SELECT * FROM nowhere',
    };

    const opening = openNotes(path, { migrations: [...NOTES, broken] });

    await expect(opening).rejects.toMatchObject({ code: 'internal' });
    const store = await openNotes(path);
    expect(store.read((tx) => tx.get('PRAGMA user_version'))).toEqual({ user_version: 2 });
    expect(
      store.read((tx) => tx.get(`SELECT name FROM sqlite_schema WHERE name = 'half_done'`)),
    ).toBeUndefined();
    store.close();
  });

  test('killed midway leave the version and the tables before them', async () => {
    const path = tempFolder().join('notes.db');
    const writer = writerProgram.start(['hang-in-migration', path]);
    await writer.untilLines(1);

    writer.kill();
    await writer.ended;

    const store = await openNotes(path);
    expect(writer.lines()).toEqual(['inside']);
    expect(store.read((tx) => tx.get('PRAGMA user_version'))).toEqual({ user_version: 2 });
    expect(store.read((tx) => tx.get('SELECT value FROM counter'))).toEqual({ value: 0 });
    expect(await store.verify()).toEqual({ kind: 'sound' });
    store.close();
  });

  test('wanted by two processes at once succeed in both', async () => {
    const path = tempFolder().join('notes.db');
    const writers = [0, 1].map(() => writerProgram.start(['open-once', path]));
    await Promise.all(writers.map((writer) => writer.untilLines(1)));

    for (const writer of writers) writer.goAhead();
    const endings = await Promise.all(writers.map((writer) => writer.ended));

    expect(endings).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    const store = await openNotes(path);
    expect(noteCount(store)).toBe(2);
    store.close();
  });
});

describe('files that are not ours to change', () => {
  test('a newer schema is refused and stays as it is, byte for byte', async () => {
    const folder = tempFolder();
    const newer = { version: 3, name: 'later', up: 'CREATE TABLE later (id INTEGER)' };
    (await openNotes(folder.join('notes.db'), { migrations: [...NOTES, newer] })).close();
    const before = readFileSync(folder.join('notes.db'));

    const opening = openNotes(folder.join('notes.db'), { onDamage: 'rebuild' });

    await expect(opening).rejects.toMatchObject({
      code: 'storage_newer',
      hint: expect.stringContaining('Update'),
    });
    expect(readFileSync(folder.join('notes.db')).equals(before)).toBe(true);
  });

  test('a newer schema that is still in the log is refused too', async () => {
    const folder = tempFolder();
    (await openNotes(folder.join('notes.db'))).close();
    const newer = { version: 3, name: 'later', up: 'CREATE TABLE later (id INTEGER)' };
    const holder = await openNotes(folder.join('notes.db'), { migrations: [...NOTES, newer] });
    const main = readFileSync(folder.join('notes.db'));
    const log = readFileSync(folder.join('notes.db-wal'));
    const copy = tempFolder();
    writeFileSync(copy.join('notes.db'), main);
    writeFileSync(copy.join('notes.db-wal'), log);
    holder.close();

    const opening = openNotes(copy.join('notes.db'), { onDamage: 'rebuild' });

    await expect(opening).rejects.toMatchObject({ code: 'storage_newer' });
    expect(readFileSync(copy.join('notes.db')).equals(main)).toBe(true);
    expect(readFileSync(copy.join('notes.db-wal')).equals(log)).toBe(true);
  });

  test.each([
    ['with its own mark', 'PRAGMA application_id = 42'],
    ['without a mark', 'CREATE TABLE theirs (id INTEGER)'],
    ['with only a version', 'PRAGMA user_version = 7'],
    ['in write-ahead mode', 'PRAGMA journal_mode = WAL; CREATE TABLE theirs (id INTEGER)'],
  ])('a database of another application %s is refused and nothing appears beside it', async (_, sql) => {
    const folder = tempFolder();
    await withForeignHands(folder.join('notes.db'), sql);
    const before = contentsOf(folder.path);

    const opening = openNotes(folder.join('notes.db'), { onDamage: 'rebuild' });

    await expect(opening).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(contentsOf(folder.path)).toEqual(before);
  });

  test('an empty file is taken', async () => {
    const folder = tempFolder({ 'notes.db': '' });

    const store = await openNotes(folder.join('notes.db'));

    expect(noteCount(store)).toBe(0);
    store.close();
  });

  test('a directory in place of the file is an answer in our own words', async () => {
    const folder = tempFolder();
    mkdirSync(folder.join('notes.db'));

    const opening = openNotes(folder.join('notes.db'));

    await expect(opening).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: 'The store notes.db cannot be read or written.',
    });
  });

  test('a file in place of the directory is an answer in our own words', async () => {
    const folder = tempFolder({ store: 'a file' });

    const opening = openNotes(folder.join('store', 'notes.db'));

    await expect(opening).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});

describe('closing', () => {
  test('moves everything into the main file', async () => {
    const folder = tempFolder();
    const store = await openNotes(folder.join('notes.db'));
    await store.write((tx) => addNote(tx, 'kept'));

    store.close();

    const log = statSync(folder.join('notes.db-wal'), { throwIfNoEntry: false });
    expect(log?.size ?? 0).toBe(0);
    const copy = tempFolder();
    writeFileSync(copy.join('notes.db'), readFileSync(folder.join('notes.db')));
    const reopened = await openNotes(copy.join('notes.db'));
    expect(noteCount(reopened)).toBe(1);
    reopened.close();
  });

  test('twice is fine, and does not wait for others who read', async () => {
    const path = tempFolder().join('notes.db');
    const store = await openNotes(path);
    const other = await openNotes(path);

    const closeTwice = (): void => {
      store.close();
      store.close();
    };
    other.read((tx) => {
      tx.get('SELECT count(*) FROM note');
      closeTwice();
      return 'done';
    });

    expect(noteCount(other)).toBe(0);
    other.close();
  });

  test('makes every later use a clear error', async () => {
    const store = await openNotes(tempFolder().join('notes.db'));
    store.close();

    expect(() => store.read((tx) => tx.get('SELECT 1'))).toThrow(/used after it had been closed/);
    expect(() => store.write((tx) => addNote(tx, 'late'))).toThrow(/used after it had been closed/);
    expect(() => store.verify()).toThrow(/used after it had been closed/);
  });

  test('inside a transaction is refused and the store stays usable', async () => {
    const store = await openNotes(tempFolder().join('notes.db'));

    await expect(store.write(() => store.close())).rejects.toThrow(/closed inside a transaction/);

    await store.write((tx) => addNote(tx, 'fine'));
    expect(noteCount(store)).toBe(1);
    store.close();
  });
});
