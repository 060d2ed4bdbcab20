/** The indexes that this process has open. They stay so between calls: opening one costs more than most questions to it. */
import { AppError } from '../core/index.ts';
import type { IndexStore } from '../storage/index.ts';

export interface OpenStores {
  /** Makes it if there is none. */
  open(root: string): Promise<IndexStore>;
  /** Throws `not_found` if there is none. */
  existing(root: string): Promise<IndexStore>;
  close(root: string): Promise<void>;
  closeAll(): Promise<void>;
}

export interface OpenStoresParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly hasIndex: (root: string) => boolean;
}

export function createOpenStores({ openStore, hasIndex }: OpenStoresParts): OpenStores {
  const opened = new Map<string, Promise<IndexStore>>();

  const open: OpenStores['open'] = (root) => {
    const known = opened.get(root) ?? openStore(root);
    opened.set(root, known);
    // A store that could not be opened is tried again at the next call.
    known.catch(() => opened.delete(root));
    return known;
  };

  return {
    open,
    async existing(root) {
      if (hasIndex(root)) return open(root);
      throw new AppError('not_found', `There is no index of ${root}.`, {
        hint: `Run \`waymark index ${root}\` first.`,
      });
    },
    async close(root) {
      const store = opened.get(root);
      opened.delete(root);
      await store?.then(
        (one) => one.close(),
        () => {},
      );
    },
    async closeAll() {
      const stores = await Promise.allSettled(opened.values());
      opened.clear();
      for (const store of stores) if (store.status === 'fulfilled') await store.value.close();
    },
  };
}
