import { describe, expect, test } from 'vitest';
import { runContention } from '../campaigns/storage-contention-campaign.ts';
import { runKills } from '../campaigns/storage-kill-campaign.ts';
import { runOpenings } from '../campaigns/storage-opening-campaign.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { addNote, noteCount, openNotes } from './notes-store.ts';
import { useWriterProgram } from './writer-program.ts';

const writerProgram = useWriterProgram();

describe('several processes', () => {
  test('two writers that read first lose nothing and meet no lock error', async () => {
    const absPath = tempFolder().join('notes.db');

    const report = await runContention({ program: writerProgram.absPath(), absPath, transactions: 300 });

    expect(report).toMatchObject({ counted: 600, rows: 600, sound: true, complaints: [] });
  });

  test('a writer killed at random moments keeps every acknowledged row in a sound store', async () => {
    const absPath = tempFolder().join('notes.db');

    const report = await runKills({ program: writerProgram.absPath(), absPath, kills: 8 });

    expect(report).toMatchObject({ kills: 8, missing: 0, unsound: 0 });
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.unacknowledged).toBeLessThanOrEqual(8);
  });

  test('opening and reading do not wait for a long write, writing gives up in time, and all is well once it dies', async () => {
    const absPath = tempFolder().join('notes.db');
    const writer = writerProgram.start(['write-endlessly', absPath]);
    await writer.untilLines(1);

    const store = await openNotes(absPath, { busyTimeoutMs: 20 });

    expect(noteCount(store)).toBe(0);
    await expect(store.write((tx) => addNote(tx, 'blocked'))).rejects.toThrow(
      expect.objectContaining({ code: 'storage_busy' }),
    );
    writer.kill();
    await writer.ended;
    await store.write((tx) => addNote(tx, 'free'));
    expect(noteCount(store)).toBe(1);
    store.close();
  });

  test('processes that meet at a fresh or a damaged store all get in, and damage is moved aside once', async () => {
    const report = await runOpenings({
      program: writerProgram.absPath(),
      folder: tempFolder().path,
      rounds: 4,
    });

    expect(report).toEqual({ rounds: 4, complaints: [], lostNotes: 0, wrongCopies: 0 });
  });

  test('opening and closing at the same time as others always works', async () => {
    const absPath = tempFolder().join('notes.db');
    const writers = [0, 1].map(() => writerProgram.start(['open-often', absPath, '60']));
    await Promise.all(writers.map((writer) => writer.untilLines(1)));

    for (const writer of writers) writer.goAhead();
    const endings = await Promise.all(writers.map((writer) => writer.ended));

    expect(endings.map((end) => end.stderr)).toEqual(['', '']);
    const store = await openNotes(absPath);
    expect(noteCount(store)).toBe(120);
    expect(await store.verify()).toEqual({ kind: 'sound' });
    store.close();
  });
});
