/** Three processes open the same store at the same moment; every second round they find it damaged. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteCount, openNotes } from '../storage/notes-store.ts';
import { startWriter } from './storage-process.ts';

export interface OpeningOptions {
  readonly program: string;
  readonly folder: string;
  readonly rounds: number;
}

export interface OpeningReport {
  readonly rounds: number;
  readonly complaints: readonly string[];
  /** Notes that were acknowledged and are not in the store. */
  readonly lostNotes: number;
  /** Rounds in which the damaged file was not moved aside exactly once, or a fresh one was. */
  readonly wrongCopies: number;
}

const PROCESSES = [0, 1, 2];

export async function runOpenings({ program, folder, rounds }: OpeningOptions): Promise<OpeningReport> {
  const complaints: string[] = [];
  let lostNotes = 0;
  let wrongCopies = 0;
  for (let round = 0; round < rounds; round += 1) {
    const store = join(folder, String(round));
    const isDamaged = round % 2 === 1;
    mkdirSync(store);
    if (isDamaged) writeFileSync(join(store, 'notes.db'), 'no database '.repeat(1000));
    complaints.push(...(await openTogether(program, join(store, 'notes.db'))));
    lostNotes += PROCESSES.length - (await countNotes(join(store, 'notes.db')));
    const copies = readdirSync(store).filter((name) => /\.damaged-\w+$/.test(name)).length;
    if (copies !== (isDamaged ? 1 : 0)) wrongCopies += 1;
  }
  return { rounds, complaints, lostNotes, wrongCopies };
}

async function openTogether(program: string, absPath: string): Promise<readonly string[]> {
  const writers = PROCESSES.map(() => startWriter(program, ['open-once', absPath]));
  await Promise.all(writers.map((writer) => writer.untilLines(1)));
  for (const writer of writers) writer.goAhead();
  const endings = await Promise.all(writers.map((writer) => writer.ended));
  return endings.map((end) => end.stderr).filter((text) => text !== '');
}

async function countNotes(absPath: string): Promise<number> {
  const store = await openNotes(absPath);
  const count = noteCount(store);
  store.close();
  return count;
}
