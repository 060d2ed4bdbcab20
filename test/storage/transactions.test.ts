import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../src/core/index.ts';
import { loadDriver, toStorageError } from '../../src/storage/sqlite/driver.ts';
import type { SqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import type { WriteTx } from '../../src/storage/sqlite/transactions.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { addNote, noteCount, openNotes } from './notes-store.ts';

async function notes(path = tempFolder().join('notes.db'), busyTimeoutMs = 20): Promise<SqliteStore> {
  const store = await openNotes(path, { busyTimeoutMs });
  onTestFinished(() => store.close());
  return store;
}

describe('a write', () => {
  test('returns what its work returns and is kept', async () => {
    const store = await notes();

    const id = await store.write((tx) => addNote(tx, 'first'));

    expect(id).toBe(1);
    expect(noteCount(store)).toBe(1);
  });

  test('that throws leaves nothing behind and passes the error on', async () => {
    const store = await notes();
    const mistake = new Error('of the caller');

    const writing = store.write((tx) => {
      addNote(tx, 'never');
      throw mistake;
    });

    await expect(writing).rejects.toThrow(mistake);
    expect(noteCount(store)).toBe(0);
  });

  test('keeps blobs, nulls and numbers as they are', async () => {
    const store = await notes();
    await store.write((tx) => tx.script('CREATE TABLE value (a BLOB, b TEXT, c REAL)'));

    await store.write((tx) =>
      tx.run('INSERT INTO value VALUES (?, ?, ?)', new Uint8Array([1, 0, 255]), null, 0.5),
    );

    const row = store.read((tx) => tx.get('SELECT a, b, c FROM value'));
    expect(row).toEqual({ a: new Uint8Array([1, 0, 255]), b: null, c: 0.5 });
  });
});

describe('misuse', () => {
  test('a write inside a write is refused, and the outer one is undone', async () => {
    const store = await notes();

    const nesting = store.write((tx) => {
      addNote(tx, 'outer');
      void store.write((inner) => addNote(inner, 'inner'));
    });

    await expect(nesting).rejects.toThrow(/started inside another write/);
    expect(noteCount(store)).toBe(0);
  });

  test('asynchronous work is refused by the compiler and at run time, and undone', async () => {
    const store = await notes();
    let late: Promise<unknown> = Promise.resolve();

    const writing = store.write(
      // @ts-expect-error -- a promise is not an acceptable result
      (tx) => (late = Promise.resolve().then(() => addNote(tx, 'late'), undefined)),
    );

    await expect(writing).rejects.toThrow(/asynchronous work/);
    await expect(late).rejects.toThrow(/after its transaction had ended/);
    expect(noteCount(store)).toBe(0);
  });

  test('a handle kept beyond its transaction does nothing', async () => {
    const store = await notes();
    const kept: WriteTx[] = [];
    await store.write((tx) => void kept.push(tx));

    expect(() => kept[0]?.run('DELETE FROM note')).toThrow(/after its transaction had ended/);
    expect(() => kept[0]?.script('DELETE FROM note')).toThrow(/after its transaction had ended/);
  });

  test('a read cannot write, not even through a query', async () => {
    const store = await notes();

    const sneaking = (): unknown =>
      store.read((tx) => tx.all(`INSERT INTO note (body) VALUES ('x') RETURNING id`));

    expect(sneaking).toThrow(/A read on notes\.db tried to write/);
    await store.write((tx) => addNote(tx, 'writing works again'));
    expect(noteCount(store)).toBe(1);
  });

  test('a faulty statement is a bug told without its text', async () => {
    const store = await notes();

    const asking = (): unknown => store.read((tx) => tx.get('SELECT secret FROM nowhere'));

    expect(asking).toThrow(
      expect.objectContaining({ code: 'internal', message: 'The store notes.db refused a statement.' }),
    );
  });
});

describe('two connections', () => {
  test('a writer that waits too long is told that the store is busy', async () => {
    const path = tempFolder().join('notes.db');
    const store = await notes(path);
    const holder = (await loadDriver()).connect(path, { readOnly: false, timeout: 0 });
    onTestFinished(() => holder.close());
    holder.exec('BEGIN IMMEDIATE');

    const blocked = store.write((tx) => void addNote(tx, 'blocked'));

    await expect(blocked).rejects.toThrow(expect.objectContaining({ code: 'storage_busy' }));
  });

  test('writes that wait are done in the order they were asked for, and reads go on meanwhile', async () => {
    const path = tempFolder().join('notes.db');
    const store = await notes(path, 10_000);
    const holder = (await loadDriver()).connect(path, { readOnly: false, timeout: 0 });
    onTestFinished(() => holder.close());
    holder.exec('BEGIN IMMEDIATE');

    const writes = ['first', 'second', 'third'].map((body) => store.write((tx) => addNote(tx, body)));
    const seen = [noteCount(store)];
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(noteCount(store));
    holder.exec('ROLLBACK');

    expect(await Promise.all(writes)).toEqual([1, 2, 3]);
    expect(seen).toEqual([0, 0]);
    const bodies = store.read((tx) => tx.all('SELECT body FROM note ORDER BY id'));
    expect(bodies.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
  });

  test('a write that is cancelled while it waits leaves nothing behind, and the next one has its turn', async () => {
    const path = tempFolder().join('notes.db');
    const store = await notes(path, 10_000);
    const holder = (await loadDriver()).connect(path, { readOnly: false, timeout: 0 });
    onTestFinished(() => holder.close());
    holder.exec('BEGIN IMMEDIATE');
    const cancel = new AbortController();

    const cancelled = store.write((tx) => addNote(tx, 'cancelled'), cancel.signal);
    const next = store.write((tx) => addNote(tx, 'next'));
    cancel.abort();

    await expect(cancelled).rejects.toThrow();
    holder.exec('ROLLBACK');
    expect(await next).toBe(1);
    expect(noteCount(store)).toBe(1);
  });

  test('a reader sees the last commit while another writes', async () => {
    const path = tempFolder().join('notes.db');
    const [one, other] = [await notes(path), await notes(path)];

    const seen = await one.write((tx) => {
      addNote(tx, 'not yet');
      return noteCount(other);
    });

    expect(seen).toBe(0);
    expect(noteCount(other)).toBe(1);
  });
});

describe('error codes', () => {
  test.each([
    [5, 'storage_busy'],
    [517, 'storage_busy'],
    [6, 'storage_busy'],
    [11, 'storage_damaged'],
    [267, 'storage_damaged'],
    [26, 'storage_damaged'],
    [13, 'storage_unavailable'],
    [8, 'storage_unavailable'],
    [1032, 'storage_unavailable'],
    [10, 'storage_unavailable'],
    [778, 'storage_unavailable'],
    [14, 'storage_unavailable'],
    [1, 'internal'],
    [19, 'internal'],
  ])('SQLite %i becomes %s and stays the cause', (errcode, code) => {
    const cause = Object.assign(new Error('driver text'), { errcode });

    const error = toStorageError(cause, 'notes.db');

    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code, cause });
    expect(String(error)).not.toContain('driver text');
  });

  test.each([
    ['database is locked', 'storage_busy'],
    ['database disk image is malformed', 'storage_damaged'],
    ['attempt to write a readonly database', 'storage_unavailable'],
    ['something never heard of', 'internal'],
  ])('an SQLite error without a number is known by its text: %s', (text, code) => {
    const cause = Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR' });

    const error = toStorageError(cause, 'notes.db');

    expect(error).toMatchObject({ code, cause });
    expect(String(error)).not.toContain(text);
  });

  test('a full disk met by the file system is the same as one met by SQLite', () => {
    const cause = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'open' });

    expect(toStorageError(cause, 'notes.db')).toMatchObject({ code: 'storage_unavailable', cause });
  });
});
