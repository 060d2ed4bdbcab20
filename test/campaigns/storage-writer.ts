/** The other process in storage tests. `storage-writer.mjs MODE PATH [COUNT]`; each acknowledgement is a line on stdout. */
import { writeSync } from 'node:fs';
import { AppError } from '../../src/core/index.ts';
import type { Migration } from '../../src/storage/sqlite/migrate.ts';
import { addNote, NOTES, noteCount, openNotes, recordingLogger } from '../storage/notes-store.ts';

const [mode = '', absPath = '', count = '0'] = process.argv.slice(2);

// Straight to the descriptor: a buffered line could be lost with the process although its row was committed, or the reverse.
const say = (line: string): void => void writeSync(1, `${line}\n`);

/** Writes notes until killed. */
async function writeForever(): Promise<void> {
  const store = await openNotes(absPath);
  for (;;)
    say(String(await store.write((tx) => addNote(tx, `note ${Math.random()} of process ${process.pid}`))));
}

/** Reads a number and writes its successor, over and over, beside others who do the same. */
async function countUp(times: number): Promise<void> {
  const store = await openNotes(absPath);
  say('ready');
  await goAhead();
  const startedAt = Date.now();
  let longestMs = 0;
  for (let done = 0; done < times; done += 1) {
    const before = performance.now();
    await store.write((tx) => {
      const value = Number(tx.get('SELECT value FROM counter')?.['value']);
      addNote(tx, `count ${value + 1}`);
      tx.run('UPDATE counter SET value = ?', value + 1);
    });
    longestMs = Math.max(longestMs, performance.now() - before);
  }
  const endedAt = Date.now();
  store.close();
  say(JSON.stringify({ startedAt, endedAt, longestMs: Math.round(longestMs) }));
}

/** Opens at the same moment as others, writes one note, and reports what was there and what was logged. */
async function openOnce(): Promise<void> {
  say('ready');
  await goAhead();
  const logger = recordingLogger();
  const store = await openNotes(absPath, { onDamage: 'rebuild', logger });
  await store.write((tx) => addNote(tx, `opened by ${process.pid}`));
  const notes = noteCount(store);
  store.close();
  say(JSON.stringify({ notes, warnings: logger.warnings.length }));
}

/** Opens and closes again and again, with one write each time. */
async function openOften(times: number): Promise<void> {
  say('ready');
  await goAhead();
  for (let done = 0; done < times; done += 1) {
    const store = await openNotes(absPath);
    await store.write((tx) => addNote(tx, `visit ${done}`));
    store.close();
  }
  say('done');
}

/** Never gets out of its third migration. */
async function hangInMigration(): Promise<void> {
  const endless: Migration = {
    version: 3,
    name: 'endless',
    up: (tx) => {
      tx.script('CREATE TABLE half_done (id INTEGER) STRICT; DROP TABLE counter');
      say('inside');
      for (;;);
    },
  };
  await openNotes(absPath, { migrations: [...NOTES, endless] });
}

/** Opens, writes and stays open until its input ends. */
async function stayOpen(): Promise<void> {
  const store = await openNotes(absPath);
  await store.write((tx) => addNote(tx, 'still here'));
  say('ready');
  await goAhead();
  store.close();
}

/** Holds the write lock until killed. */
async function writeEndlessly(): Promise<void> {
  const store = await openNotes(absPath);
  await store.write((tx) => {
    addNote(tx, 'never committed');
    say('inside');
    for (;;);
  });
}

/** Opens after whatever happened, checks everything, and reports what is there. */
async function report(): Promise<void> {
  const before = performance.now();
  const store = await openNotes(absPath);
  const openMs = Math.round(performance.now() - before);
  const found = store.read((tx) =>
    tx.get('SELECT count(*) AS count, coalesce(max(id), 0) AS highest FROM note'),
  );
  const sound = (await store.verify()).kind === 'sound';
  store.close();
  say(JSON.stringify({ ...found, sound, openMs }));
}

function goAhead(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('data', () => {
      process.stdin.destroy();
      resolve();
    });
  });
}

const MODES: Readonly<Record<string, () => Promise<void>>> = {
  'write-forever': writeForever,
  'write-endlessly': writeEndlessly,
  'count-up': () => countUp(Number(count)),
  'open-once': openOnce,
  'open-often': () => openOften(Number(count)),
  'hang-in-migration': hangInMigration,
  'stay-open': stayOpen,
  report,
};

const run = MODES[mode];
if (run === undefined) throw new AppError('bad_argument', `There is no mode ${mode}.`);
await run();
