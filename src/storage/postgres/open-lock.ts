/**
 * Locks that lie with a connection, as those of SQLite lie with a process: the database frees them when it is gone. A writer
 * commits over the connection that holds its lock, so that it commits nothing once that is lost.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../core/index.ts';
import { systemClock } from '../../platform/index.ts';
import type { StoreLock } from '../index-stores.ts';
import { createDatabase, toQueries, transact, type Queries } from './database.ts';
import { isConnectionLost, isRepeatable, numberColumn, textColumn, type Connection } from './driver.ts';
import type { Space } from './memory-keys.ts';
import { lockWasLost, type Tree } from './tree.ts';

export interface Locks {
  /** Undefined if another holder has it, of this process or another. */
  tryWriter(tree: Tree): Promise<StoreLock | undefined>;
  tryFollower(tree: Tree): Promise<StoreLock | undefined>;
  /** The turn to bring a memory and files in step; undefined if another holder keeps it for longer than `waitMs`. */
  step(space: Space, waitMs: number): Promise<Turn | undefined>;
  /** What this process holds of a tree, or held until it was lost and has not let go of yet. */
  writerOf(tree: Tree): Writer | undefined;
  close(): Promise<void>;
}

export interface Turn {
  release(): Promise<void>;
}

export interface Writer {
  readonly epoch: number;
  /** One transaction after the other, over the connection of the lock. Throws `storage_busy` if that was lost. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** As many projects of one instance can be written at once. */
const MOST_WRITERS = 4;
const MOST_ATTEMPTS = 10;
/** Steps of so many memories at once; the others wait for a connection. */
const MOST_STEPS = 2;
const STEP_POLL_MS = 25;

export function createLocks(url: string, logger: Logger): Locks {
  const writers = createDatabase(url, logger, { mostConnections: MOST_WRITERS });
  const steps = createDatabase(url, logger, { mostConnections: MOST_STEPS });
  /** Followers hold their locks for hours: one connection holds all of this process. */
  const followers = createDatabase(url, logger, { mostConnections: 1 });
  const held = new Map<number, Writer>();
  const asked = new Set<string>();
  let session: Promise<Connection> | undefined;
  const followed = new Map<string, AbortController>();
  const tryLocks = batched(GATHER_MS, async (keys) => tryAll(await followerSession(), keys));

  async function followerSession(): Promise<Connection> {
    session ??= followers.hold().then(({ connection }) => {
      connection.onLost(() => {
        session = undefined;
        const lost = [...followed.values()];
        followed.clear();
        for (const one of lost) one.abort();
      });
      return connection;
    });
    session.catch(() => (session = undefined));
    return session;
  }

  /** One at a time for each name: a connection that holds a lock gets it again. */
  async function alone<T>(name: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    if (asked.has(name)) return undefined;
    asked.add(name);
    try {
      return await work();
    } finally {
      asked.delete(name);
    }
  }

  async function tryStep({ tenant, space }: Space): Promise<Turn | undefined> {
    const { connection, letGo } = await steps.hold();
    const key = numberOf(`waymark step ${tenant} ${space}`);
    try {
      if (await tryLock(connection, key)) return { release: () => unlock(connection, key).finally(letGo) };
      letGo();
      return undefined;
    } catch (thrown) {
      // It may hold the lock: it must not be lent again.
      connection.close();
      letGo();
      throw thrown;
    }
  }

  return {
    writerOf: ({ tree }) => held.get(tree),
    tryWriter: (tree) =>
      alone(`writer ${tree.tree}`, async () => {
        if (held.has(tree.tree)) return undefined;
        const { connection, letGo } = await writers.hold();
        try {
          const key = lockKey('writer', tree);
          if (!(await tryLock(connection, key))) {
            letGo();
            return undefined;
          }
          const writer = createWriter(connection, await nextEpoch(connection, tree));
          const lost = new AbortController();
          connection.onLost(() => lost.abort());
          held.set(tree.tree, writer);
          return {
            lost: lost.signal,
            async release() {
              if (held.get(tree.tree) !== writer) return;
              held.delete(tree.tree);
              await writer.settled();
              await unlock(connection, key);
              letGo();
            },
          };
        } catch (thrown) {
          // It may hold the lock: it must not be lent again.
          connection.close();
          letGo();
          throw thrown;
        }
      }),
    tryFollower: (tree) =>
      alone(`follower ${tree.tree}`, async () => {
        const key = lockKey('follower', tree);
        if (followed.has(key)) return undefined;
        const connection = (await tryLocks(key)).get(key);
        if (connection === undefined) return undefined;
        if (connection.isLost()) throw lockWasLost();
        const lost = new AbortController();
        followed.set(key, lost);
        return {
          lost: lost.signal,
          async release() {
            if (followed.get(key) !== lost) return;
            followed.delete(key);
            await unlock(connection, key);
          },
        };
      }),
    async step(space, waitMs) {
      const until = systemClock.elapsed() + waitMs;
      for (;;) {
        const turn = await tryStep(space);
        if (turn !== undefined || systemClock.elapsed() >= until) return turn;
        await delay(STEP_POLL_MS);
      }
    },
    async close() {
      await steps.close();
      await writers.close();
      await followers.close();
      (await session?.catch(() => undefined))?.close();
    },
  };
}

/** Projects that wait for a leader ask again and again: so many of them ask together. */
const GATHER_MS = 25;

/** The first call is made at once; those that come within `ms` of one are made together. */
function batched<T>(ms: number, work: (keys: readonly string[]) => Promise<T>): (key: string) => Promise<T> {
  let next: { readonly keys: string[]; readonly done: Promise<T> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (key) => {
    if (next === undefined) {
      const keys: string[] = [];
      const done = last.then(() => {
        next = undefined;
        last = delay(ms, undefined, { ref: false });
        return work(keys);
      });
      next = { keys, done };
    }
    next.keys.push(key);
    return next.done;
  };
}

/** Which of them it got, and over which connection they are held. */
async function tryAll(
  connection: Connection,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Connection>> {
  const { rows } = await connection.run(
    'SELECT key::text AS key FROM unnest($1::bigint[]) AS t (key) WHERE pg_try_advisory_lock(key)',
    [keys],
  );
  return new Map(rows.map((row) => [textColumn(row, 'key'), connection]));
}

interface SettlingWriter extends Writer {
  settled(): Promise<unknown>;
}

function createWriter(connection: Connection, epoch: number): SettlingWriter {
  let last: Promise<unknown> = Promise.resolve();
  return {
    epoch,
    settled: () => last,
    write(work) {
      const done = last.then(() => writeOver(connection, work));
      last = done.catch(() => {});
      return done;
    },
  };
}

async function writeOver<T>(connection: Connection, work: (queries: Queries) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(connection, 'BEGIN', () => work(toQueries(connection)));
    } catch (thrown) {
      if (isConnectionLost(thrown)) throw lockWasLost();
      if (attempt >= MOST_ATTEMPTS || !isRepeatable(thrown)) throw thrown;
    }
  }
}

async function tryLock(connection: Connection, key: string): Promise<boolean> {
  const { rows } = await connection.run('SELECT pg_try_advisory_lock($1::bigint) AS got', [key]);
  return rows[0]?.['got'] === true;
}

/** A connection that is lost has let go of it already. */
async function unlock(connection: Connection, key: string): Promise<void> {
  await connection.run('SELECT pg_advisory_unlock($1::bigint)', [key]).catch(() => connection.close());
}

async function nextEpoch(connection: Connection, { tenant, tree }: Tree): Promise<number> {
  const { rows } = await connection.run(
    'UPDATE tree SET epoch = epoch + 1 WHERE tenant_id = $1 AND id = $2 RETURNING epoch',
    [tenant, tree],
  );
  const [row] = rows;
  if (row === undefined) throw lockWasLost();
  return numberColumn(row, 'epoch');
}

function lockKey(kind: 'writer' | 'follower', { tenant, tree }: Tree): string {
  return numberOf(`waymark ${kind} ${tenant} ${tree}`);
}

/** Locks have numbers instead of names. */
function numberOf(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
