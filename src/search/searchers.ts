/** Open projects: for each, everything that is worked out once per commit, and a service's vectors where one is configured. */
import type { Forgetful } from '../core/index.ts';
import type { IndexStore, Outline } from '../storage/index.ts';
import type { SearchParts } from './ports.ts';
import type { Filters } from './query/parse-query.ts';
import { createRanker, type Ranker } from './rank/rank.ts';
import { createRemoteSource, type RemoteSource, type RemoteView } from './rank/remote-vectors.ts';
import { createViewLoader, type KeepEffort, type View } from './view/view.ts';

const MOST_MASKS = 16;
/** The outlines of a project of twenty thousand chunks. */
const MOST_OUTLINE_CHARS = 6 * 1024 * 1024;
/** What caching one takes besides its text. */
const CHARS_BESIDE = 200;
/** What a project takes besides its view. */
const BYTES_BESIDE = 64 * 1024;

/** One commit of one project, ready to be asked. */
export interface Searcher {
  readonly ranker: Ranker;
  /** What it takes in memory beside its view. */
  bytes(): number;
  /** What a file of the view defines. */
  outlineOf(path: string): Promise<Outline>;
  /** Which files pass; worked out once per filter. Copy it before narrowing it further. */
  allowed(filters: Filters, work: () => Uint8Array): Uint8Array;
  /** Loaded by the first search for exact text. */
  trigrams(): Promise<ReadonlyMap<number, Uint16Array>>;
}

export interface OpenProject {
  readonly root: string;
  /** No other opened index has it: one that was deleted and made again counts its commits anew. */
  readonly number: number;
  readonly searcher: Searcher;
  readonly remote: RemoteView | undefined;
}

export interface Searchers {
  /** The last commit of each project; a project that is named twice is one project. */
  open(roots: readonly string[]): Promise<OpenProject[]>;
  current(root: string): Promise<Searcher>;
  /** Whether this is still the index that answers for the project. */
  isOpen(project: OpenProject): boolean;
  /** Keeps what was loaded for the next process; false if it cannot be done now. */
  keep(root: string, effort: KeepEffort): Promise<boolean>;
  forget(root: string): void;
}

interface Source extends Forgetful {
  readonly store: IndexStore;
  readonly number: number;
  readonly remote: RemoteSource | undefined;
  /** What it takes in memory; little before it is asked. */
  bytes(): number;
  /** The same object as long as there is no new commit. */
  current(): Promise<Searcher>;
  keep(effort: KeepEffort): Promise<boolean>;
}

/** `retired`: a project's answers no longer come from any view but this one; from none if it was forgotten. */
export function createSearchers(
  parts: SearchParts,
  retired: (root: string, current?: View) => void,
): Searchers {
  // An LRU cache: an index in memory is megabytes.
  const sources = new Map<string, Source>();
  let opened = 0;
  const forget = (root: string): void => {
    const source = sources.get(root);
    if (source !== undefined) parts.memory.drop(source);
    sources.delete(root);
    retired(root);
  };
  const openSource = async (root: string): Promise<Source> => {
    const store = await parts.store(root);
    const known = sources.get(root);
    const source =
      known?.store === store
        ? known
        : createSource(store, { number: ++opened, parts, forget: () => forget(root) });
    if (source !== known) {
      if (known !== undefined) parts.memory.drop(known);
      sources.set(root, source);
    }
    return source;
  };
  const use = (roots: readonly string[]): void => {
    for (const root of roots) {
      const source = sources.get(root);
      if (source !== undefined) parts.memory.use(source, source.bytes());
    }
  };
  const current = async (root: string): Promise<{ readonly source: Source; readonly searcher: Searcher }> => {
    const source = await openSource(root);
    return { source, searcher: await source.current() };
  };
  return {
    async open(roots) {
      const projects = await Promise.all(
        [...new Set(roots)].map(async (root) => {
          const { source, searcher } = await current(root);
          retired(root, searcher.ranker.view);
          const remote = await source.remote?.of(searcher.ranker.view);
          return { root, number: source.number, searcher, remote };
        }),
      );
      use(roots);
      return projects;
    },
    async current(root) {
      const { searcher } = await current(root);
      use([root]);
      return searcher;
    },
    isOpen: ({ root, number }) => sources.get(root)?.number === number,
    async keep(root, effort) {
      const isKept = await (await openSource(root)).keep(effort);
      use([root]);
      return isKept;
    },
    forget,
  };
}

function createSource(
  store: IndexStore,
  {
    number,
    parts,
    forget,
  }: { readonly number: number; readonly parts: SearchParts; readonly forget: () => void },
): Source {
  const views = createViewLoader(store);
  let nextAheadMs = 0;
  const mayReadAhead = (): boolean => {
    const now = parts.clock.elapsed();
    if (!store.isDistant || now < nextAheadMs) return false;
    nextAheadMs = now + AHEAD_EVERY_MS;
    return true;
  };
  let searcher: Searcher | undefined;
  return {
    store,
    number,
    forget,
    remote: parts.remote === undefined ? undefined : createRemoteSource(store, parts.remote),
    bytes: () => BYTES_BESIDE + views.bytes() + (searcher?.bytes() ?? 0),
    keep: (effort) => views.keep(effort),
    async current() {
      const view = await views.current();
      if (searcher?.ranker.view !== view) searcher = createSearcher(store, view, { ...parts, mayReadAhead });
      return searcher;
    },
  };
}

type SearcherParts = Pick<SearchParts, 'encoder' | 'languageKind'> & Pick<Outlines, 'mayReadAhead'>;

function createSearcher(
  store: IndexStore,
  view: View,
  { encoder, languageKind, mayReadAhead }: SearcherParts,
): Searcher {
  const masks = new Map<string, Uint8Array>();
  const outlines = cacheOutlines({
    readAll: (paths) => store.outlinesOf(paths),
    paths: () => view.segments.flatMap(({ files }) => files.map(({ path }) => path)),
    mayReadAhead,
  });
  let trigrams: Promise<ReadonlyMap<number, Uint16Array>> | undefined;
  return {
    ranker: createRanker(view, encoder(), (language) => languageKind(language) === 'code'),
    trigrams: () => (trigrams ??= store.trigrams()),
    bytes: outlines.chars,
    outlineOf: outlines.of,
    allowed(filters, work) {
      const key = JSON.stringify(filters);
      const known = masks.get(key) ?? work();
      if (masks.size >= MOST_MASKS) masks.clear();
      masks.set(key, known);
      return known;
    },
  };
}

/** Reading ahead costs as much as some hundred questions, and each commit has outlines of its own. */
const AHEAD_EVERY_MS = 60_000;
const AHEAD_AT_ONCE = 500;

interface Outlines {
  readonly readAll: (paths: readonly string[]) => Promise<readonly Outline[]>;
  /** All there are. */
  readonly paths: () => readonly string[];
  /** Where each read is a round trip, now and then. */
  readonly mayReadAhead: () => boolean;
}

interface CachedOutlines {
  of(path: string): Promise<Outline>;
  /** What it takes, about. */
  chars(): number;
}

/** The same few files are shown again and again. */
function cacheOutlines({ readAll, paths: allPaths, mayReadAhead }: Outlines): CachedOutlines {
  const known = new Map<string, Outline>();
  let chars = 0;
  let batches = 0;
  let batch: { readonly paths: string[]; readonly all: Promise<readonly Outline[]> } | undefined;
  const remember = (path: string, outline: Outline): void => {
    if (known.has(path)) return;
    known.set(path, outline);
    chars += outline.size + CHARS_BESIDE;
    for (const [oldest, { size }] of known) {
      if (chars <= MOST_OUTLINE_CHARS) break;
      known.delete(oldest);
      chars -= size + CHARS_BESIDE;
    }
  };
  async function readAhead(): Promise<void> {
    const paths = allPaths().filter((path) => !known.has(path));
    for (let at = 0; at < paths.length; at += AHEAD_AT_ONCE) {
      const some = paths.slice(at, at + AHEAD_AT_ONCE);
      const outlines = await readAll(some);
      const size = outlines.reduce((sum, one) => sum + one.size + CHARS_BESIDE, 0);
      if (chars + size > MOST_OUTLINE_CHARS) return;
      for (const [place, outline] of outlines.entries()) remember(some[place] ?? '', outline);
    }
  }
  const of = async (path: string): Promise<Outline> => {
    const remembered = known.get(path);
    if (remembered !== undefined) return remembered;
    if (batch === undefined) {
      const paths: string[] = [];
      // Batch all look-ups of this tick.
      const all = Promise.resolve().then(() => {
        batch = undefined;
        batches += 1;
        // A command asks once. What is not there in time is read when it is shown.
        if (batches > 1 && mayReadAhead()) readAhead().catch(() => {});
        return readAll(paths);
      });
      batch = { paths, all };
    }
    const at = batch.paths.push(path) - 1;
    const found = (await batch.all)[at];
    if (found === undefined) throw new RangeError('There are fewer outlines than were asked for.');
    remember(path, found);
    return found;
  };
  return { of, chars: () => chars };
}
