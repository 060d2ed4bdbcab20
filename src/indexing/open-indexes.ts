/** The indexes that this process has open, the writer's lock of each, and clearing one. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../core/index.ts';
import type { IndexStore, StoreLock } from '../storage/index.ts';

export interface OpenIndexes {
  /** Creates the index if there is none. It stays open: opening one costs more than most queries. */
  open(root: string): Promise<IndexStore>;
  /** Throws `not_found` if there is none. */
  existing(root: string): Promise<IndexStore>;
  /** Deletes the index, or empties it where another process has it open. False if there was none. */
  clear(root: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface OpenIndexesParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: TryLock;
  /** Whether a project has an index: asking must not make one. */
  readonly hasIndex: (root: string) => Promise<boolean>;
  /** False if there is none; throws `storage_busy` if another process has it open. */
  readonly removeIndex: (root: string) => Promise<boolean>;
}

/** The writer's lock; undefined if another process holds it. */
export type TryLock = (root: string) => Promise<StoreLock | undefined>;

export function createOpenIndexes({
  openStore,
  tryLock,
  hasIndex,
  removeIndex,
}: OpenIndexesParts): OpenIndexes {
  const opened = new Map<string, Promise<IndexStore>>();

  function open(root: string): Promise<IndexStore> {
    const known = opened.get(root) ?? openStore(root);
    opened.set(root, known);
    // A store that could not be opened is tried again at the next call.
    known.catch(() => opened.delete(root));
    return known;
  }

  async function closeOne(root: string): Promise<void> {
    const store = opened.get(root);
    opened.delete(root);
    await store?.then(
      (one) => one.close(),
      () => {},
    );
  }

  return {
    open,
    async existing(root) {
      if (await hasIndex(root)) return open(root);
      throw new AppError('not_found', `There is no index of ${root}.`, {
        hint: `Run \`waymark index ${root}\` first.`,
      });
    },
    async clear(root) {
      if (!(await hasIndex(root))) return false;
      const lock = await tryLock(root);
      if (lock === undefined) {
        throw new AppError('storage_busy', `Another process is indexing ${root}.`, {
          hint: 'Wait for it to finish, then clear again.',
        });
      }
      try {
        await closeOne(root);
        return await removeIndex(root).catch(async (thrown: unknown) => {
          if (!(thrown instanceof AppError) || thrown.code !== 'storage_busy') throw thrown;
          await emptyStore(await open(root));
          return true;
        });
      } finally {
        await lock.release();
      }
    },
    async close() {
      await Promise.all([...opened.keys()].map(closeOne));
    },
  };
}

async function emptyStore(store: IndexStore): Promise<void> {
  await store.forgetView();
  await store.keepEmbeddingsOf('');
  await store.commit({ removed: (await store.manifest()).map(({ path }) => path), skips: [] });
}

const RETRY_MS = 50;

/** Polls for the lock; undefined if another process holds it all the while. Throws the signal's reason when it is aborted. */
export async function lockWithin(
  tryLock: () => Promise<StoreLock | undefined>,
  ms: number,
  signal: AbortSignal,
): Promise<StoreLock | undefined> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    signal.throwIfAborted();
    const lock = await tryLock();
    if (lock !== undefined || waitedMs >= ms) return lock;
    await delay(RETRY_MS, undefined, { signal });
  }
}

/** Waits for the lock as long as it takes. Throws the signal's reason when it is aborted. */
export async function whileLocked(
  tryLock: () => Promise<StoreLock | undefined>,
  signal: AbortSignal,
  write: () => Promise<unknown>,
): Promise<void> {
  const lock = await lockWithin(tryLock, Infinity, signal);
  try {
    await write();
  } finally {
    await lock?.release();
  }
}
