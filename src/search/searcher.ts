/** One project's index, ready to be asked: everything that is worked out once per commit. */
import type { StaticEncoder } from '../embedding/index.ts';
import type { IndexStore, Outline } from '../storage/index.ts';
import type { Filters } from './query/parse-query.ts';
import { createRanker, type Ranker } from './rank/rank.ts';
import { createViewLoader, type KeepEffort } from './view/view.ts';

const MOST_MASKS = 16;
/** The outlines of a project of twenty thousand chunks. */
const MOST_REMEMBERED_CHARS = 6 * 1024 * 1024;
/** What remembering one takes besides its text. */
const CHARS_BESIDE = 200;

export interface Searcher {
  readonly ranker: Ranker;
  /** What a file of the view defines. */
  outlineOf(path: string): Promise<Outline>;
  /** Which files pass; worked out once per filter. Whoever narrows it further does so with a copy. */
  allowed(filters: Filters, work: () => Uint8Array): Uint8Array;
  /** Loaded by the first search for exact text. */
  trigrams(): Promise<ReadonlyMap<number, Uint16Array>>;
}

export interface SearcherSource {
  /** For the last commit; the same one as long as there is no new one. */
  current(): Promise<Searcher>;
  /** Keeps what was loaded for the next process, if that does not have it already; false if it cannot be done just now. */
  keep(effort: KeepEffort): Promise<boolean>;
}

export function createSearcherSource(
  store: IndexStore,
  encoder: () => StaticEncoder | undefined,
): SearcherSource {
  const views = createViewLoader(store);
  let searcher: Searcher | undefined;
  return {
    keep: (effort) => views.keep(effort),
    async current() {
      const view = await views.current();
      if (searcher?.ranker.view === view) return searcher;
      const masks = new Map<string, Uint8Array>();
      let trigrams: Promise<ReadonlyMap<number, Uint16Array>> | undefined;
      searcher = {
        ranker: createRanker(view, encoder()),
        trigrams: () => (trigrams ??= store.trigrams()),
        outlineOf: remembering((paths) => store.outlinesOf(paths)),
        allowed(filters, work) {
          const key = JSON.stringify(filters);
          const known = masks.get(key) ?? work();
          if (masks.size >= MOST_MASKS) masks.clear();
          masks.set(key, known);
          return known;
        },
      };
      return searcher;
    },
  };
}

type ReadAll = (paths: readonly string[]) => Promise<readonly Outline[]>;

/** The files that are shown are often the same few. Those that are asked for at once are read at once. */
function remembering(readAll: ReadAll): (path: string) => Promise<Outline> {
  const known = new Map<string, Outline>();
  let chars = 0;
  let asked: { readonly paths: string[]; readonly all: ReturnType<ReadAll> } | undefined;
  const remember = (path: string, outline: Outline): void => {
    if (known.has(path)) return;
    known.set(path, outline);
    chars += outline.size + CHARS_BESIDE;
    for (const [oldest, { size }] of known) {
      if (chars <= MOST_REMEMBERED_CHARS) break;
      known.delete(oldest);
      chars -= size + CHARS_BESIDE;
    }
  };
  return async (path) => {
    const remembered = known.get(path);
    if (remembered !== undefined) return remembered;
    if (asked === undefined) {
      const paths: string[] = [];
      // By then everybody has asked who asks in this turn.
      const all = Promise.resolve().then(() => {
        asked = undefined;
        return readAll(paths);
      });
      asked = { paths, all };
    }
    const at = asked.paths.push(path) - 1;
    const found = (await asked.all)[at];
    if (found === undefined) throw new RangeError('There are fewer outlines than were asked for.');
    remember(path, found);
    return found;
  };
}
