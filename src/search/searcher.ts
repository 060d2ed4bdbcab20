/** One project's index, ready to be asked: everything that is worked out once per commit. */
import type { StaticEncoder } from '../embedding/index.ts';
import type { IndexStore } from '../storage/index.ts';
import { createRanker, type Ranker } from './rank.ts';
import { createViewLoader } from './view.ts';

export interface Searcher {
  readonly ranker: Ranker;
  /** Loaded by the first search for exact text. */
  trigrams(): Promise<ReadonlyMap<number, Uint16Array>>;
}

export interface SearcherSource {
  /** For the last commit; the same one as long as there is no new one. */
  current(): Promise<Searcher>;
}

export function createSearcherSource(
  store: IndexStore,
  encoder: () => StaticEncoder | undefined,
): SearcherSource {
  const views = createViewLoader(store);
  let searcher: Searcher | undefined;
  return {
    async current() {
      const view = await views.current();
      if (searcher?.ranker.view === view) return searcher;
      let trigrams: Promise<ReadonlyMap<number, Uint16Array>> | undefined;
      searcher = {
        ranker: createRanker(view, encoder()),
        trigrams: () => (trigrams ??= store.trigrams()),
      };
      return searcher;
    },
  };
}
