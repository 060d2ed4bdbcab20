/** Sessions by id: how long they are kept, and whose makes room for a new one. */
import type { Clock } from '../../core/index.ts';
import type { Exchange } from '../../transport/index.ts';

export interface Session {
  readonly id: string;
  readonly owner: SessionOwner;
  /** Whether a stream is open or a request waits for its answer; a busy session is not idle. */
  isBusy(): boolean;
  close(): Promise<void>;
}

/** Whose session it is, as far as we know. */
export interface SessionOwner {
  /** Whose token it was opened with: to any other it does not exist. */
  readonly principal: string;
  /** Principal and address. */
  readonly source: string;
  /** What the client calls itself. */
  readonly name: string;
}

interface Kept<S extends Session> {
  readonly session: S;
  usedAt: number;
  /** Whether anything came after the handshake. */
  isUsed: boolean;
}

export interface SessionTableOptions {
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly clock: Clock;
}

export interface SessionTable<S extends Session> {
  readonly size: number;
  /** The session, whose idle time starts anew; only to the principal that opened it. */
  get(id: string, principal: string): S | undefined;
  /** False if there is no room: every session is busy. */
  add(session: S): boolean;
  remove(id: string): void;
  close(): Promise<void>;
}

/** Sessions by id. Idle ones end after a time, and there is a cap: clients that never say goodbye leave no leak. */
export function createSessionTable<S extends Session>({
  maxSessions,
  idleMs,
  clock,
}: SessionTableOptions): SessionTable<S> {
  // A Map keeps the order of insertion, so moving a used session to the end keeps the least recently used first.
  const sessions = new Map<string, Kept<S>>();
  const timer = setInterval(sweep, Math.min(30_000, Math.max(250, idleMs / 4)));
  timer.unref();

  function drop(id: string): void {
    const entry = sessions.get(id);
    sessions.delete(id);
    void entry?.session.close();
  }

  /** Ends what has been idle for too long. */
  function sweep(): void {
    const now = clock.elapsed();
    for (const [id, entry] of sessions) {
      if (entry.session.isBusy()) entry.usedAt = now;
      else if (now - entry.usedAt >= idleMs) drop(id);
    }
  }

  /** The idle session that goes: of the client with the most, so that no number of one client's pushes out another's. */
  function findVictim(): string | undefined {
    const counts = new Map<string, number>();
    const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const { session } of sessions.values()) for (const key of keysOf(session.owner)) count(key);
    let victim: { readonly id: string; readonly weight: readonly number[] } | undefined;
    for (const [id, { session, isUsed }] of sessions) {
      if (session.isBusy()) continue;
      // Programs on one machine share its address; there the name they give tells them apart, and whether they did anything.
      const weight = [...keysOf(session.owner).map((key) => counts.get(key) ?? 0), isUsed ? 0 : 1];
      if (victim === undefined || isHeavier(weight, victim.weight)) victim = { id, weight };
    }
    return victim?.id;
  }

  function makeRoom(): boolean {
    if (sessions.size < maxSessions) return true;
    const victim = findVictim();
    if (victim !== undefined) drop(victim);
    return victim !== undefined;
  }

  return {
    get size() {
      return sessions.size;
    },
    get(id, principal) {
      const entry = sessions.get(id);
      if (entry === undefined || entry.session.owner.principal !== principal) return undefined;
      entry.usedAt = clock.elapsed();
      entry.isUsed = true;
      sessions.delete(id);
      sessions.set(id, entry);
      return entry.session;
    },
    add(session) {
      if (!makeRoom()) return false;
      sessions.set(session.id, { session, usedAt: clock.elapsed(), isUsed: false });
      return true;
    },
    remove: (id) => void sessions.delete(id),
    async close() {
      clearInterval(timer);
      const open = [...sessions.values()].map(({ session }) => session.close());
      sessions.clear();
      await Promise.all(open);
    },
  };
}

export function ownerOf({ principal, clientKey }: Exchange): Omit<SessionOwner, 'name'> {
  return { principal: principal.id, source: clientKey };
}

function keysOf({ source, name }: SessionOwner): readonly [string, string] {
  return [source, `${source}\0${name}`];
}

/** By the first number that differs. */
function isHeavier(weight: readonly number[], than: readonly number[]): boolean {
  const at = weight.findIndex((value, index) => value !== than[index]);
  return at !== -1 && (weight[at] ?? 0) > (than[at] ?? 0);
}
