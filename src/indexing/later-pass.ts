/** What the passes behind the fast one share: they add to what is indexed, some files at a time, and let others write between. */
import type { Clock } from '../core/index.ts';
import type { IndexStore, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { lockWithin } from './lock-within.ts';

export interface LaterPassParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: (root: string) => Promise<WriterLock | undefined>;
  readonly analyzer: () => Analyzer;
  readonly clock: Clock;
}

/** Waits for the writer's lock, however long another one has it. Throws the signal's reason when it is aborted. */
export async function whileLocked(
  tryLock: () => Promise<WriterLock | undefined>,
  signal: AbortSignal,
  write: () => Promise<unknown>,
): Promise<void> {
  const lock = await lockWithin(tryLock, Infinity, signal);
  try {
    await write();
  } finally {
    lock?.release();
  }
}
