/** Kills a writer at random moments; after each kill everything it acknowledged must be there and the store must be sound. */
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

interface Found {
  readonly count: number;
  /** Ids count up from 1 and nothing is deleted, so anything below this has to be there. */
  readonly highest: number;
  readonly sound: boolean;
  readonly openMs: number;
}

export async function runKills({ program, absPath, kills }: KillOptions): Promise<KillReport> {
  const acknowledged = new Set<number>();
  let [unsound, missing, rows, slowestReopenMs] = [0, 0, 0, 0];
  for (let done = 0; done < kills; done += 1) {
    for (const id of await acksBeforeKill(program, absPath, done)) acknowledged.add(id);
    const found = await reopen(program, absPath);
    if (found?.sound !== true) unsound += 1;
    const { count, highest, openMs } = found ?? { count: 0, highest: 0, openMs: 0 };
    missing = highest - count + [...acknowledged].filter((id) => id > highest).length;
    rows = count;
    slowestReopenMs = Math.max(slowestReopenMs, openMs);
  }
  const unacknowledged = rows - acknowledged.size;
  return { kills, acknowledged: acknowledged.size, missing, unacknowledged, unsound, slowestReopenMs };
}

/**
 * In a process of its own: any connection that stays behind in this one would keep the log's index alive, and then the
 * next opener takes that over instead of recovering the log, which is what a kill is meant to put to the test.
 */
async function reopen(program: string, absPath: string): Promise<Found | undefined> {
  const checker = startWriter(program, ['report', absPath]);
  const { code } = await checker.ended;
  const [line] = checker.lines();
  return code === 0 && line !== undefined ? toFound(JSON.parse(line)) : undefined;
}

function toFound(parsed: unknown): Found {
  const field = (name: string): unknown =>
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;
  return {
    count: Number(field('count')),
    highest: Number(field('highest')),
    sound: field('sound') === true,
    openMs: Number(field('openMs')),
  };
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
