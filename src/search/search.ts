/** Search as a service: parse, find in each project, merge, show. */
import { AppError, HIT_LIMITS } from '../core/index.ts';
import type { IndexStore } from '../storage/index.ts';
import { analyze, createStopwatch, type Analysis } from './show/analyze.ts';
import type { Weights } from './rank/features.ts';
import { createFoundCache } from './found-cache.ts';
import { firstQuestion } from './show/first-question.ts';
import { findInProject, notesOf, type FoundFile, type FoundInProject } from './find-in-project.ts';
import type { EncoderNote, Hit, SearchAnswer, SearchRequest } from './show/hit.ts';
import { parseQuery, type ParsedQuery } from './query/parse-query.ts';
import { toFilters } from './query/request-filters.ts';
import { pageOf, type LimitRange } from './query/page-of.ts';
import type { SearchParts } from './ports.ts';
import { createRemoteSource, type RemoteSource, type RemoteView } from './view/remote-source.ts';
import { createSearcherSource, type Searcher, type SearcherSource } from './searcher.ts';
import { readSimilar } from './query/similar.ts';
import type { KeepEffort } from './view/view.ts';
import { countMatches, showMatches } from './show/show-matches.ts';
import { shapeOf, showPage, type Page } from './show/show-page.ts';
import { WEIGHTS } from './rank/weights.ts';

export interface Search {
  run(request: SearchRequest): Promise<SearchAnswer>;
  /** The same search, with what each of its steps did. Nothing is cached. */
  analyze(request: SearchRequest): Promise<Analysis>;
  /** The commit a project's answers come from now, loaded if need be. */
  searcher(root: string): Promise<Searcher>;
  /** A question about a project that its own code answers; undefined for one without definitions. */
  firstQuestion(root: string): Promise<string | undefined>;
  /**
   * Keeps what was made of a project's index, so that the next process answers at once; `whole` is for when the index has come
   * to rest. False if it could not be done: somebody is writing the index just now, or there is no room.
   */
  keep(root: string, effort: KeepEffort): Promise<boolean>;
  /** Forgets what is in memory of a project. */
  forget(root: string): void;
}

const MOST_OPEN = 8;
/** What is said of the nearest where nothing is near enough. */
const NEAREST = { from: 0, limit: 3, shape: shapeOf({ detail: 'locations' }) } as const;
const NO_PAGE: Page = { hits: [], next: undefined, isOutdated: false };
const NEVER = new AbortController().signal;

export function createSearch(parts: SearchParts, weights: Weights = WEIGHTS): Search {
  const open = new Map<string, OpenSource>();
  const cache = createFoundCache<Found>();
  let opened = 0;
  const forget = (root: string): void => {
    open.delete(root);
    cache.retire(root);
  };
  const openSource = async (root: string): Promise<OpenSource> => {
    const store = await parts.store(root);
    const known = open.get(root);
    // An index that was deleted and made again is another one, whatever the numbers of its commits.
    const source =
      known?.store === store
        ? known
        : {
            store,
            number: ++opened,
            ...createSearcherSource(store, parts.encoder),
            remote: parts.remote === undefined ? undefined : createRemoteSource(store, parts.remote),
          };
    open.delete(root);
    open.set(root, source);
    const [oldest] = open.keys();
    // The one asked longest ago makes room: an index in memory is megabytes.
    if (open.size > MOST_OPEN && oldest !== undefined) forget(oldest);
    return source;
  };

  /** A project that is named twice is one project. */
  const openAll = (roots: readonly string[]): Promise<OpenProject[]> =>
    Promise.all(
      [...new Set(roots)].map(async (root) => {
        const source = await openSource(root);
        const searcher = await source.current();
        cache.retire(root, searcher.ranker.view);
        const remote = await source.remote?.of(searcher.ranker.view);
        return { root, number: source.number, searcher, remote };
      }),
    );

  return {
    async analyze(request) {
      const { signal = NEVER } = request;
      const watch = createStopwatch(parts.clock);
      const { page, ...query } = parseQuery(request.query, toFilters(request));
      const { from, limit } = pageOf(page, request, HIT_LIMITS.analyze);
      requireSomething(query, request);
      watch.lap('read the query');
      const searchers = await openAll(request.roots);
      watch.lap('load the index');
      const all = await findEverywhere(searchers, { query, request, weights, signal, scores: 'own' }, parts);
      watch.lap('find');
      const { files } = merge(all, query);
      const { hits } = await showPage(files, { from, limit, shape: shapeOf(request) }, parts);
      watch.lap('read and show');
      return analyze({
        query,
        weights,
        projects: searchers.map(({ root, searcher }, at) => ({ root, searcher, found: all[at] })),
        hits,
        laps: watch.laps,
      });
    },
    searcher: async (root) => (await openSource(root)).current(),
    async firstQuestion(root) {
      const { ranker, outlineOf } = await (await openSource(root)).current();
      return firstQuestion(ranker.view, async (path) => (await outlineOf(path)).all());
    },
    async keep(root, effort) {
      try {
        return await (await openSource(root)).keep(effort);
      } catch (thrown) {
        // It would only have saved time.
        if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return false;
        throw thrown;
      }
    },
    forget,
    async run(request) {
      const started = parts.clock.elapsed();
      const { signal = NEVER } = request;
      const { page: written, ...query } = parseQuery(request.query, toFilters(request));
      const everyMatch = isExact(query) ? request.everyMatch : undefined;
      const asked = pageOf(
        written,
        request,
        everyMatch === undefined ? HIT_LIMITS.search : matchLimits(everyMatch),
      );
      requireSomething(query, request);
      const searchers = await openAll(request.roots);
      const key = JSON.stringify([
        query,
        request.similarTo,
        everyMatch,
        searchers.map((one) => [one.number, one.searcher.ranker.view.generation, one.remote?.key]),
      ]);
      // Committing a file changes nothing in the index: what is changed is asked for anew.
      const { changed, branch } = query.filters;
      const kept = changed || branch !== undefined ? undefined : cache.get(key);
      const find = async (): Promise<Found> =>
        merge(await findEverywhere(searchers, { query, request, weights, signal, everyMatch }, parts), query);
      const show = ({ files }: Found): Promise<Page> =>
        everyMatch === undefined
          ? showPage(files, { ...asked, shape: shapeOf(request) }, parts)
          : showMatches(files, asked, parts);
      const showNearest = async ({ files }: Found): Promise<readonly Hit[]> => {
        const { hits } = await showPage(files, NEAREST, parts);
        return hits.map((hit) => ({ ...hit, lines: [] }));
      };
      let found = kept ?? (await find());
      const isFar = (found.aboveFloor ?? 0) < 0;
      let page: Page = isFar ? NO_PAGE : await show(found);
      // Files may change while the index stays: exact text that was found in them then may be gone.
      if (kept !== undefined && page.isOutdated) {
        found = await find();
        page = await show(found);
      }
      // Not one of an index that was put aside meanwhile: it would be kept for nobody.
      const isCurrent = searchers.every((one) => open.get(one.root)?.number === one.number);
      if (found !== kept && !found.isPassing && isCurrent)
        cache.set(key, found, new Map(searchers.map(({ root, searcher }) => [root, searcher.ranker.view])));
      const { hits, next } = page;
      return {
        hits,
        nearest: isFar ? await showNearest(found) : [],
        aboveFloor: found.aboveFloor,
        next,
        matched: isFar ? 0 : found.files.length,
        matchedLines: everyMatch === undefined ? undefined : countMatches(found.files),
        isPartial: found.isPartial,
        isGuess: found.isGuess && hits.length > 0,
        words: found.words,
        encoderNotes: found.encoderNotes,
        files: searchers.reduce((sum, one) => sum + one.searcher.ranker.view.liveFiles, 0),
        passed: found.passed,
        ms: parts.clock.elapsed() - started,
      };
    },
  };
}

interface OpenSource extends SearcherSource {
  readonly store: IndexStore;
  /** No other source has it. */
  readonly number: number;
  readonly remote: RemoteSource | undefined;
}

interface OpenProject {
  readonly root: string;
  readonly number: number;
  readonly searcher: Searcher;
  readonly remote: RemoteView | undefined;
}

interface Found {
  readonly files: readonly FoundFile[];
  readonly aboveFloor: number | undefined;
  readonly isPartial: boolean;
  readonly isGuess: boolean;
  readonly words: readonly string[];
  /** Files that the filters let through. */
  readonly passed: number;
  readonly encoderNotes: readonly EncoderNote[];
  /** The same question may find other files in a moment: a service did not answer. */
  readonly isPassing: boolean;
}

interface FindOptions {
  readonly query: ParsedQuery;
  readonly request: SearchRequest;
  readonly weights: Weights;
  readonly signal: AbortSignal;
  readonly scores?: 'own';
  readonly everyMatch?: SearchRequest['everyMatch'];
}

async function findEverywhere(
  searchers: readonly OpenProject[],
  { query, request, weights, signal, scores, everyMatch }: FindOptions,
  parts: SearchParts,
): Promise<readonly FoundInProject[]> {
  const similar =
    request.similarTo === undefined
      ? undefined
      : readSimilar(
          {
            place: request.similarTo,
            words: query.words,
            projects: searchers.map(({ root, searcher }) => ({ root, view: searcher.ranker.view })),
          },
          parts,
        );
  const question = similar === undefined ? {} : { question: similar.question };
  const own = {
    ...(scores === undefined ? {} : { scores }),
    ...(everyMatch === undefined ? {} : { everyMatch }),
  };
  const all = await Promise.all(
    searchers.map(({ root, searcher, remote }) =>
      findInProject({ root, searcher, remote, query, weights, signal, ...own, ...question }, parts),
    ),
  );
  // What was asked about is like itself.
  return all.map((found) => ({
    ...found,
    files: found.files.filter(({ root, path }) => root !== similar?.root || path !== similar.path),
  }));
}

function merge(all: readonly FoundInProject[], query: ParsedQuery): Found {
  return {
    files: mergeFiles(all),
    aboveFloor: heightOf(all),
    isPartial: all.some(({ isPartial }) => isPartial),
    isGuess: all.every(({ isGuess }) => isGuess),
    passed: all.reduce((sum, { passedFiles }) => sum + passedFiles, 0),
    encoderNotes: notesOf(all),
    isPassing: all.some(({ remote }) => remote?.isPassing === true),
    words: [...new Set([...query.phrases, ...all.flatMap((one) => one.question.words)])],
  };
}

/** Of the highest; undefined if one cannot be told, which may be near. */
function heightOf(all: readonly FoundInProject[]): number | undefined {
  let height: number | undefined;
  for (const { files, aboveFloor } of all) {
    if (files.length === 0) continue;
    if (aboveFloor === undefined) return undefined;
    height = Math.max(height ?? aboveFloor, aboveFloor);
  }
  return height;
}

function mergeFiles(all: readonly FoundInProject[]): readonly FoundFile[] {
  const [first, ...others] = all;
  // One project's files are in order.
  if (first === undefined || others.length === 0) return first?.files ?? [];
  const seen = new Set<string>();
  return all
    .flatMap(({ files }) => files)
    .sort((a, b) => b.score - a.score)
    .filter(({ root, path }) => {
      // A project inside of another one has files that are found twice.
      const absPath = `${root}/${path}`;
      if (seen.has(absPath)) return false;
      seen.add(absPath);
      return true;
    });
}

function isExact({ phrases, pattern }: ParsedQuery): boolean {
  return phrases.length > 0 || pattern !== undefined;
}

function matchLimits(everyMatch: 'in-time' | 'complete'): LimitRange {
  return everyMatch === 'complete' ? { usual: Infinity, most: Infinity } : HIT_LIMITS.matches;
}

function requireSomething(
  { words, phrases, pattern, filters }: ParsedQuery,
  { similarTo }: SearchRequest,
): void {
  const isEmpty =
    !/[\p{L}\p{N}_]/u.test(words) &&
    phrases.length === 0 &&
    pattern === undefined &&
    filters.symbols.length === 0;
  if (!isEmpty || similarTo !== undefined) return;
  throw new AppError('bad_argument', 'The query holds no word to look for.', {
    hint: 'Ask in words, name a symbol, or put exact text in double quotes.',
  });
}
