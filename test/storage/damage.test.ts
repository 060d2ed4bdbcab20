import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { addNote, noteCount, openNotes, recordingLogger } from './notes-store.ts';
import { useWriterProgram } from './writer-program.ts';

const writerProgram = useWriterProgram();
const COPY = 'notes.db.damaged-20260131T235959Z';

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  [
    'random bytes',
    (path) => writeFileSync(path, Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 7919) % 251))),
  ],
  ['a few bytes', (path) => writeFileSync(path, 'not a database')],
  ['a truncated file', (path) => truncateSync(path, 4096 + 1000)],
  [
    'a zeroed header page',
    (path) => writeFileSync(path, Buffer.concat([Buffer.alloc(4096), readFileSync(path).subarray(4096)])),
  ],
  ['a garbled schema page', (path) => writeFileSync(path, garbledAfterHeader(readFileSync(path)))],
];

function garbledAfterHeader(file: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 100), Buffer.alloc(3996, 0xa5), file.subarray(4096)]);
}

/** In a folder where nothing was ever open, as a process of a later day finds it. */
async function damagedNotes(damage: (path: string) => void): Promise<TempFolder> {
  const [made, found] = [tempFolder(), tempFolder()];
  const store = await openNotes(made.join('notes.db'));
  await store.write((tx) => Array.from({ length: 50 }, (_, i) => addNote(tx, `note ${i}`)));
  store.close();
  copyFileSync(made.join('notes.db'), found.join('notes.db'));
  damage(found.join('notes.db'));
  return found;
}

describe.each(DAMAGES)('%s', (_, damage) => {
  test('is moved aside unchanged and the store starts anew', async () => {
    const folder = await damagedNotes(damage);
    const damaged = readFileSync(folder.join('notes.db'));
    const logger = recordingLogger();

    const store = await openNotes(folder.join('notes.db'), { onDamage: 'rebuild', logger });

    expect(readFileSync(folder.join(COPY)).equals(damaged)).toBe(true);
    expect(noteCount(store)).toBe(0);
    expect(await store.verify()).toEqual({ kind: 'sound' });
    expect(logger.warnings).toEqual([
      { message: 'A damaged store was moved aside.', fields: { store: 'notes.db', copy: folder.join(COPY) } },
    ]);
    store.close();
  });

  test('is moved aside unchanged and refused, naming the copy', async () => {
    const folder = await damagedNotes(damage);
    const damaged = readFileSync(folder.join('notes.db'));

    const opening = openNotes(folder.join('notes.db'), { onDamage: 'refuse' });

    await expect(opening).rejects.toMatchObject({
      code: 'storage_damaged',
      message: expect.stringContaining(folder.join(COPY)),
    });
    expect(readFileSync(folder.join(COPY)).equals(damaged)).toBe(true);
  });
});

describe('quarantine', () => {
  test('takes the log along, so that the copy can be salvaged as a whole', async () => {
    const folder = tempFolder({
      'notes.db': 'not a database',
      'notes.db-wal': 'its log',
      'notes.db-shm': 'its map',
    });

    const store = await openNotes(folder.join('notes.db'), { onDamage: 'rebuild' });

    expect(readFileSync(folder.join(`${COPY}-wal`), 'utf8')).toBe('its log');
    store.close();
  });

  test('never overwrites an earlier copy', async () => {
    const folder = tempFolder({ 'notes.db': 'second damage', [COPY]: 'first damage' });

    const store = await openNotes(folder.join('notes.db'), { onDamage: 'rebuild' });

    expect(readFileSync(folder.join(COPY), 'utf8')).toBe('first damage');
    expect(readFileSync(folder.join(`${COPY}-2`), 'utf8')).toBe('second damage');
    store.close();
  });

  test('happens once when two processes meet the damage at the same moment, and both go on with one fresh store', async () => {
    const folder = tempFolder({ 'notes.db': 'not a database' });
    const writers = [0, 1].map(() => writerProgram.start(['open-once', folder.join('notes.db')]));
    await Promise.all(writers.map((writer) => writer.untilLines(1)));

    for (const writer of writers) writer.goAhead();
    const endings = await Promise.all(writers.map((writer) => writer.ended));

    expect(endings.map((end) => end.stderr)).toEqual(['', '']);
    const copies = readdirSync(folder.path).filter((name) => /damaged-\w+$/.test(name));
    expect(copies).toHaveLength(1);
    const store = await openNotes(folder.join('notes.db'));
    expect(noteCount(store)).toBe(2);
    store.close();
  });

  test('waits until the file is not in use: a store in use is refused and stays where it is', async () => {
    const folder = tempFolder();
    const user = writerProgram.start(['stay-open', folder.join('notes.db')]);
    await user.untilLines(1);
    writeFileSync(folder.join('notes.db'), 'not a database');
    writeFileSync(folder.join('notes.db-wal'), '');

    const opening = openNotes(folder.join('notes.db'), { onDamage: 'rebuild', busyTimeoutMs: 50 });

    await expect(opening).rejects.toMatchObject({
      code: 'storage_damaged',
      hint: 'Close the other Waymark processes and try again.',
    });
    expect(readdirSync(folder.path).filter((name) => name.includes('damaged'))).toEqual([]);
    user.kill();
    await user.ended;
    const store = await openNotes(folder.join('notes.db'), { onDamage: 'rebuild' });
    expect(noteCount(store)).toBe(0);
    store.close();
  });

  test('damage deep in the file is met by the full check', async () => {
    const folder = await damagedNotes((path) => {
      const file = readFileSync(path);
      file.fill(0xa5, 4096, 8192);
      writeFileSync(path, file);
    });
    const quick = await openNotes(folder.join('notes.db'));
    expect((await quick.verify()).kind).toBe('damaged');
    quick.close();

    const store = await openNotes(folder.join('notes.db'), { onDamage: 'rebuild', check: 'full' });

    expect(readdirSync(folder.path)).toContain(COPY);
    expect(await store.verify()).toEqual({ kind: 'sound' });
    store.close();
  });

  test('an unusable lock is not taken for damage of the store', async () => {
    const folder = tempFolder({ 'notes.db.lock': 'not a database' });

    const opening = openNotes(folder.join('notes.db'), { onDamage: 'rebuild' });

    await expect(opening).rejects.toMatchObject({
      code: 'storage_unavailable',
      hint: expect.stringContaining('notes.db.lock'),
    });
  });
});
