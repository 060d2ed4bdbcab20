/** Kills a writer at random moments; after each kill everything it acknowledged must be there and the store must be sound. */
import { noteCount, openNotes } from '../storage/notes-store.ts';
import { startWriter } from './storage-process.ts';

export interface KillOptions {
  readonly program: string;
  readonly absPath: string;
  readonly kills: number;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly missing: number;
  /** Committed but killed before the acknowledgement: allowed, at most one per kill. */
  readonly unacknowledged: number;
  /** Kills after which the store could not be opened or was not sound. */
  readonly unsound: number;
  readonly slowestReopenMs: number;
}

const MOST_ACKS = 120;
const MOST_DELAY_MS = 12;

export async function runKills({ program, absPath, kills }: KillOptions): Promise<KillReport> {
  const acknowledged = new Set<number>();
  let unsound = 0;
  let missing = 0;
  let rows = 0;
  let slowestReopenMs = 0;
  for (let done = 0; done < kills; done += 1) {
    for (const id of await acksBeforeKill(program, absPath, done)) acknowledged.add(id);
    const before = performance.now();
    const store = await openNotes(absPath);
    slowestReopenMs = Math.max(slowestReopenMs, Math.round(performance.now() - before));
    if (store.verify().kind !== 'sound') unsound += 1;
    const found = new Set(store.read((tx) => tx.all('SELECT id FROM note')).map((row) => Number(row['id'])));
    missing = [...acknowledged].filter((id) => !found.has(id)).length;
    rows = noteCount(store);
    store.close();
  }
  const unacknowledged = rows - acknowledged.size;
  return { kills, acknowledged: acknowledged.size, missing, unacknowledged, unsound, slowestReopenMs };
}

/** Every fifth kill comes while the writer opens the store, the others while it writes. */
async function acksBeforeKill(program: string, absPath: string, turn: number): Promise<readonly number[]> {
  const writer = startWriter(program, ['write-forever', absPath]);
  if (turn % 5 === 4) await delay(40 + Math.random() * 80);
  else await writer.untilLines(Math.ceil(Math.random() * MOST_ACKS));
  await delay(Math.random() * MOST_DELAY_MS);
  writer.kill();
  const { stderr } = await writer.ended;
  if (stderr !== '') throw new Error(`The writer complained:\n${stderr}`);
  return writer.lines().map(Number);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
