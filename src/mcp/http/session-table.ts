/** Sessions by id: idle ones end after a time, and there is a cap, so that clients which never say goodbye leave no leak. */
import type { Clock } from '../../core/index.ts';

export interface Session {
  readonly id: string;
  /** Whether anybody listens or waits for an answer; a busy session is not idle. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export interface SessionTableOptions {
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly clock: Clock;
}

export interface SessionTable<S extends Session> {
  readonly size: number;
  /** The session, whose idle time starts anew. */
  get(id: string): S | undefined;
  /** False if there is no room: every session is busy. */
  add(session: S): boolean;
  remove(id: string): void;
  close(): Promise<void>;
}

export function createSessionTable<S extends Session>({
  maxSessions,
  idleMs,
  clock,
}: SessionTableOptions): SessionTable<S> {
  // A Map keeps the order of insertion, so moving a used session to the end keeps the oldest first.
  const sessions = new Map<string, { readonly session: S; usedAt: number }>();
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

  function makeRoom(): boolean {
    if (sessions.size < maxSessions) return true;
    for (const [id, entry] of sessions) {
      if (entry.session.isBusy()) continue;
      drop(id);
      return true;
    }
    return false;
  }

  return {
    get size() {
      return sessions.size;
    },
    get(id) {
      const entry = sessions.get(id);
      if (entry === undefined) return undefined;
      entry.usedAt = clock.elapsed();
      sessions.delete(id);
      sessions.set(id, entry);
      return entry.session;
    },
    add(session) {
      if (!makeRoom()) return false;
      sessions.set(session.id, { session, usedAt: clock.elapsed() });
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
