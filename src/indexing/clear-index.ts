/** Takes the index of a project away, or empties it where it is open elsewhere. */
import { AppError } from '../core/index.ts';
import type { IndexStore, WriterLock } from '../storage/index.ts';
import type { OpenStores } from './open-stores.ts';

export interface ClearParts {
  readonly stores: OpenStores;
  readonly tryLock: (root: string) => Promise<WriterLock | undefined>;
  /** False if there is none; throws `storage_busy` if anyone has it open. */
  readonly removeIndex: (root: string) => Promise<boolean>;
}

/** False if there was none. Whatever of this process works on it has ended before. */
export async function clearIndex(
  root: string,
  { stores, tryLock, removeIndex }: ClearParts,
): Promise<boolean> {
  const lock = await tryLock(root);
  if (lock === undefined) {
    throw new AppError('storage_busy', `Another process is indexing ${root}.`, {
      hint: 'Wait for it to finish, then clear again.',
    });
  }
  try {
    await stores.close(root);
    return await removeIndex(root).catch(async (thrown: unknown) => {
      if (!(thrown instanceof AppError) || thrown.code !== 'storage_busy') throw thrown;
      // Another process reads it: it cannot be taken away, but it can be emptied.
      await emptyStore(await stores.open(root));
      return true;
    });
  } finally {
    lock.release();
  }
}

async function emptyStore(store: IndexStore): Promise<void> {
  await store.forgetView();
  await store.keepEmbeddingsOf('');
  await store.commit({ removed: (await store.manifest()).map(({ path }) => path), skips: [] });
}
