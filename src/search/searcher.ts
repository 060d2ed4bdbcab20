/** One project's index, ready to be asked: everything that is worked out once per commit. */
import type { StaticEncoder } from '../embedding/index.ts';
import type { IndexStore, Outline } from '../storage/index.ts';
import type { Filters } from './parse-query.ts';
import { createRanker, type Ranker } from './rank.ts';
import { createViewLoader, type KeepEffort } from './view.ts';

const MOST_MASKS = 16;
const MOST_REMEMBERED = 2_000;

export interface Searcher {
  readonly ranker: Ranker;
  /** What a file of the view defines. */
  outlineOf(path: string): Promise<Outline>;
  /** Which files pass; worked out once per filter. */
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
          // Callers narrow it further: what is kept stays whole.
          return known.slice();
        },
      };
      return searcher;
    },
  };
}

type ReadAll = (paths: readonly string[]) => Promise<readonly Outline[]>;

/** The files that are shown are often the same few. Those that are asked for at once are read at once. */
function remembering(readAll: ReadAll): (path: string) => Promise<Outline> {
  const known = new Map<string, Promise<Outline>>();
  let asked: { readonly paths: string[]; readonly all: ReturnType<ReadAll> } | undefined;
  const read = async (path: string): Promise<Outline> => {
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
    return found;
  };
  return (path) => {
    const remembered = known.get(path);
    if (remembered !== undefined) return remembered;
    const [oldest] = known.keys();
    if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    const found = read(path);
    known.set(path, found);
    found.catch(() => known.delete(path));
    return found;
  };
}
