/** Instances on one database, some killed, some cut off, while the database itself dies: what was acknowledged is there, once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../src/platform/index.ts';
import { createPostgresStorage, type IndexStore, type Storage } from '../../../src/storage/index.ts';
import { createDatabase } from '../../../src/storage/postgres/database.ts';
import { silentLogger } from '../../../src/text/index.ts';
import { indexedFile } from '../../storage/index-contract.ts';
import { OPEN_GATE, PLAIN_KEYS } from '../../storage/memory-entries.ts';
import type { PostgresServer } from '../../support/postgres-server.ts';

export const ROOT = '/srv/shop';
export const SPACE = 'shop-0123456789abcdef';
export const TENANT = 'campaign';
/** In each commit. */
export const FILES = 20;

export interface CampaignOptions {
  readonly server: PostgresServer;
  /** The bundled instance program. */
  readonly program: string;
  readonly instances: number;
  readonly kills: number;
  readonly cuts: number;
  readonly stops: number;
  /** Writers whose lock is cut before they commit. */
  readonly fenced: number;
}

export interface CampaignOutcome {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly commits: number;
  /** Looks at an index that saw half a commit. */
  readonly torn: number;
  readonly looks: number;
  /** From the moment when none leads, because the one that did was killed or cut off, until one does. */
  readonly takeOverMs: readonly number[];
  /** Commits of writers whose lock was cut. */
  readonly unfenced: number;
}

interface Instance {
  readonly child: ChildProcess;
  isLeading: boolean;
}

export async function runPostgresCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const { server, program, instances: count, kills, cuts, stops } = options;
  const url = await server.newDatabase();
  const acknowledged: string[] = [];
  let [commits, started] = [0, 0];
  const lead = timeWithoutLead(() => running.some(({ isLeading }) => isLeading));
  const start = (): Instance => {
    const child = spawn(process.execPath, [program, url, `i${(started += 1)}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const instance: Instance = { child, isLeading: false };
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [what, id = ''] = line.split(' ');
      if (what === 'saved') acknowledged.push(id);
      else if (what === 'committed') commits += 1;
      else {
        instance.isLeading = what === 'leads';
        lead.look();
      }
    });
    return instance;
  };
  const storage = openStorage(url);
  const admin = createDatabase(url, silentLogger, { mostConnections: 1 });
  const running = Array.from({ length: count }, start);
  const looking = new AbortController();
  const looks = lookForTears(await storage.indexes.open(ROOT), looking.signal);

  async function kill(turn: number): Promise<void> {
    // Every other time the one that leads.
    const leading = running.findIndex(({ isLeading }) => isLeading);
    const at = turn % 2 === 0 && leading >= 0 ? leading : turn % running.length;
    running[at]?.child.kill('SIGKILL');
    running[at] = start();
    lead.look();
    await lead.isTaken();
  }
  async function cut(): Promise<void> {
    await admin.all(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'waymark'
         AND datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 3`,
    );
  }
  async function stop(): Promise<void> {
    await server.stop('immediate');
    await server.start();
    // Without the database none can lead.
    lead.startAnew();
  }

  try {
    await untilMore(() => acknowledged.length, 20);
    const most = Math.max(kills, cuts, stops);
    for (let turn = 0; turn < most; turn += 1) {
      // Spread over the whole run, each at its own pace.
      if (isDue(turn, kills, most)) await kill(turn);
      if (isDue(turn, cuts, most)) await cut();
      if (isDue(turn, stops, most)) await stop();
      await delay(100);
    }
    const [saves, done] = [acknowledged.length, commits];
    await untilMore(() => acknowledged.length, saves + 20);
    await untilMore(() => commits, done + 2);
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    looking.abort();
  }
  const { torn, seen } = await looks;
  const store = await storage.memory.open(SPACE);
  const kept = new Map<string, number>();
  for (const { entryId, action } of await store.log(10_000_000))
    if (action === 'save') kept.set(entryId, (kept.get(entryId) ?? 0) + 1);
  const found = (await store.list({ limit: 10_000_000 })).map(({ entry }) => entry.id);
  const there = new Set(found);
  const unfenced = await countUnfenced(storage, admin, options.fenced);
  await storage.close();
  await admin.close();
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((id) => !there.has(id)).length,
    doubled: found.length - there.size + [...kept.values()].filter((times) => times > 1).length,
    commits,
    torn,
    looks: seen,
    takeOverMs: lead.takenMs,
    unfenced,
  };
}

/** A leader that was cut off counts until it has noticed: that is what it says by `lost`. */
function timeWithoutLead(isLed: () => boolean): {
  readonly takenMs: readonly number[];
  look(): void;
  isTaken(): Promise<void>;
  startAnew(): void;
} {
  const takenMs: number[] = [];
  let since: number | undefined = Infinity;
  return {
    takenMs,
    look() {
      if (!isLed()) since ??= performance.now();
      else if (since !== undefined) {
        if (Number.isFinite(since)) takenMs.push(performance.now() - since);
        since = undefined;
      }
    },
    async isTaken() {
      const until = performance.now() + 30_000;
      while (since !== undefined && performance.now() < until) await delay(2);
    },
    startAnew() {
      if (since !== undefined && Number.isFinite(since)) since = performance.now();
    },
  };
}

function isDue(turn: number, times: number, most: number): boolean {
  return Math.floor(((turn + 1) * times) / most) > Math.floor((turn * times) / most);
}

function openStorage(url: string): Storage {
  return createPostgresStorage({
    url,
    tenant: TENANT,
    nameOf: (root) => ({ project: root, tree: root }),
    keyMaker: () => PLAIN_KEYS,
    gate: OPEN_GATE,
    keepsSource: false,
    workFolder: '',
    clock: systemClock,
    logger: silentLogger,
  });
}

async function untilMore(count: () => number, least: number): Promise<void> {
  const until = performance.now() + 60_000;
  while (count() < least) {
    if (performance.now() > until) throw new Error(`only ${count()} of ${least} after a minute`);
    await delay(10);
  }
}

async function lookForTears(store: IndexStore, signal: AbortSignal): Promise<{ torn: number; seen: number }> {
  let [torn, seen] = [0, 0];
  while (!signal.aborted) {
    const found = await store.files().catch(() => undefined);
    if (found !== undefined && found.files.length > 0) {
      seen += 1;
      const marks = new Set(found.files.map(({ hash }) => hash));
      if (marks.size > 1 || found.files.length !== FILES) torn += 1;
    }
    await delay(20);
  }
  return { torn, seen };
}

async function countUnfenced(
  storage: Storage,
  admin: ReturnType<typeof createDatabase>,
  writers: number,
): Promise<number> {
  const root = '/srv/fenced';
  const store = await storage.indexes.open(root);
  for (let writer = 0; writer < writers; writer += 1) {
    // The database ends what it was told to end a moment later.
    let lock = await storage.indexes.tryWriterLock(root);
    for (let tries = 0; lock === undefined && tries < 100; tries += 1) {
      await delay(10);
      lock = await storage.indexes.tryWriterLock(root);
    }
    if (lock === undefined) throw new Error('a lock that was cut is not free after a second');
    // Locks of one number are those of trees; each connection has one of two.
    const cut = admin.all(
      `SELECT pg_terminate_backend(pid) FROM (SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1) held`,
    );
    // Half of them commit before the client has heard of it.
    if (writer % 2 === 0) await cut;
    await store.commit({ written: [indexedFile(`f${writer}.ts`, ['word'])] }).catch(() => {});
    await cut;
    await lock.release();
  }
  // Those that were faster than the cut held the lock while they committed; those that came after it must have written nothing.
  const late = (await store.manifest()).filter(({ path }) => Number(/\d+/.exec(path)?.[0]) % 2 === 0);
  return late.length;
}
