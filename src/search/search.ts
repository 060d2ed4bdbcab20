/** Search as a service: parse, find in each project, merge, show. */
import { AppError, HIT_LIMITS } from '../core/index.ts';
import { findEverywhere, mergeFound, type Found } from './find.ts';
import type { SearchParts } from './ports.ts';
import {
  pageOf,
  parseQuery,
  readAsText,
  toFilters,
  type LimitRange,
  type ParsedQuery,
  type WrittenQuery,
} from './query/parse-query.ts';
import type { Weights } from './rank/features.ts';
import { WEIGHTS } from './rank/weights.ts';
import { createSearchers, type Searcher } from './searchers.ts';
import { analyze, createStopwatch, type Analysis } from './show/analyze.ts';
import { firstQuestions, type FirstQuestion } from './show/first-question.ts';
import type { Hit, SearchAnswer, SearchRequest } from './show/hit.ts';
import { countMatches, showMatches } from './show/matches.ts';
import { shapeOf, showPage, type Page } from './show/page.ts';
import { showReport } from './show/report-page.ts';
import { showReranked, type RerankedPage } from './show/rerank.ts';
import type { KeepEffort, View } from './view/view.ts';

export interface Search {
  run(request: SearchRequest): Promise<SearchAnswer>;
  /** The same search, with what each of its steps did. Nothing is cached. */
  analyze(request: SearchRequest): Promise<Analysis>;
  /** The commit a project's answers come from now, loaded if need be. */
  searcher(root: string): Promise<Searcher>;
  /** A question about a project that its own code answers; undefined for one without definitions. */
  firstQuestions(root: string): Promise<readonly FirstQuestion[]>;
  /**
   * Keeps what was made of a project's index, so that the next process answers at once; `whole` is for when the index has come
   * to rest. False if it could not be done: the index is being written, or there is no room.
   */
  keep(root: string, effort: KeepEffort): Promise<boolean>;
  /** Forgets what is in memory of a project. */
  forget(root: string): void;
}

/** What is said of the nearest where nothing is near enough. */
const NEAREST = { from: 0, limit: 3, shape: shapeOf({ detail: 'locations' }) } as const;
const NO_PAGE: Page = { hits: [], next: undefined, isOutdated: false };
const NEVER = new AbortController().signal;
const NOTHING_MATCHES = 'Nothing matches the query as it is written.';
const IN_TOO_MANY = 'What is in quotes stands in too many files to tell them apart.';

/** A short text in quotes, as in most error messages: not even all files that hold it were looked at, and words beside it say more. */
function narrowsNothing(
  { everyMatch }: SearchRequest,
  { phrases, pattern, words }: WrittenQuery,
  { isPartial }: SearchAnswer,
): boolean {
  const hasWordsBeside = pattern === undefined && words !== phrases.join(' ');
  return isPartial && everyMatch === undefined && phrases.length > 0 && hasWordsBeside;
}

export function createSearch(parts: SearchParts, weights: Weights = WEIGHTS): Search {
  const cache = createFoundCache();
  const searchers = createSearchers(parts, cache.retire);

  const parse = (request: SearchRequest): WrittenQuery =>
    parseQuery(request.query, toFilters(request), {
      isLanguage: (name) => parts.languagesNamed(name).length > 0,
    });

  async function run(request: SearchRequest): Promise<SearchAnswer> {
    const written = parse(request);
    const { mayBeText, isTextIfRefused } = written;
    if (!mayBeText && !isTextIfRefused) return answer(request, written);
    const first = await answer(request, written).catch(refusalOf);
    const isFound = (one: SearchAnswer): boolean => one.matched + one.nearest.length > 0;
    const isWide = !(first instanceof AppError) && narrowsNothing(request, written, first);
    if (!(first instanceof AppError) && !isWide && (isFound(first) || !mayBeText)) return first;
    // What looked like syntax was pasted text, or does not apply here: the words are there all the same.
    const plain = await answer(request, readAsText(request.query, toFilters(request)));
    if (!isFound(plain)) {
      if (first instanceof AppError) throw first;
      return first;
    }
    const why = isWide ? IN_TOO_MANY : first instanceof AppError ? first.message : NOTHING_MATCHES;
    return { ...plain, notes: [...written.notes, `${why} Searched by its words.`, ...plain.notes] };
  }

  async function answer(request: SearchRequest, written: WrittenQuery): Promise<SearchAnswer> {
    const started = parts.clock.elapsed();
    const { signal = NEVER } = request;
    const { page: writtenPage, notes, mayBeText: _, isTextIfRefused: __, ...query } = written;
    const everyMatch = isExact(query) ? request.everyMatch : undefined;
    const asked = pageOf(
      writtenPage,
      request,
      everyMatch === undefined ? HIT_LIMITS.search : matchLimits(everyMatch),
    );
    requireSomething(query, request);
    const projects = await searchers.open(request.roots);
    const key = JSON.stringify([
      query,
      request.similarTo,
      everyMatch,
      projects.map((one) => [one.number, one.searcher.ranker.view.generation, one.remote?.key]),
    ]);
    const find = async (): Promise<Found> =>
      mergeFound(
        await findEverywhere(
          projects,
          { query, request, weights, signal, client: request.client, everyMatch },
          parts,
        ),
        query,
      );
    const show = ({ files }: Found): Promise<RerankedPage> => {
      if (everyMatch !== undefined) return showMatches(files, asked, parts);
      const showSome = query.isPasted && request.similarTo === undefined ? showReport : showPage;
      const showAt = (place: Pick<typeof asked, 'from' | 'limit'>): Promise<Page> =>
        showSome(files, { ...place, shape: shapeOf(request) }, parts);
      // Exact text, a filter's name and code that is like other code have an order of their own.
      const isQuestion = !isExact(query) && request.similarTo === undefined && query.words !== '';
      if (parts.reranker === undefined || !isQuestion) return showAt(asked);
      return showReranked({ question: query.words, asked, show: showAt }, parts.reranker);
    };
    // A commit changes what is uncommitted without changing the index: such answers are not cached.
    const { changed, branch } = query.filters;
    const cached = changed || branch !== undefined ? undefined : cache.get(key);
    let found = cached ?? (await find());
    const isFar = (found.aboveFloor ?? 0) < 0;
    let page: RerankedPage = isFar ? NO_PAGE : await show(found);
    // Files may change while the index stays: exact text that was found in them then may be gone.
    if (cached !== undefined && page.isOutdated) {
      found = await find();
      page = await show(found);
    }
    // Not an answer from an index that was closed meanwhile: it could never be asked for.
    if (found !== cached && !found.isPassing && projects.every(searchers.isOpen))
      cache.set(key, found, new Map(projects.map(({ root, searcher }) => [root, searcher.ranker.view])));
    const { hits, next } = page;
    return {
      hits,
      nearest: isFar ? await showNearest(found, parts) : [],
      aboveFloor: found.aboveFloor,
      next,
      matched: isFar ? 0 : (page.matched ?? found.files.length),
      isOfPlaces: page.matched !== undefined,
      matchedLines: everyMatch === undefined ? undefined : countMatches(found.files),
      isPartial: found.isPartial,
      isGuess: found.isGuess && hits.length > 0,
      words: found.words,
      notes: [...notes, ...found.mended, ...(page.note === undefined ? [] : [page.note])],
      encoderNotes: found.encoderNotes,
      files: projects.reduce((sum, one) => sum + one.searcher.ranker.view.liveFiles, 0),
      passed: found.passed,
      ms: parts.clock.elapsed() - started,
    };
  }

  return {
    run,
    async analyze(request) {
      const { signal = NEVER } = request;
      const watch = createStopwatch(parts.clock);
      const { page, notes: _, mayBeText: __, isTextIfRefused: ___, ...query } = parse(request);
      const { from, limit } = pageOf(page, request, HIT_LIMITS.analyze);
      requireSomething(query, request);
      watch.lap('read the query');
      const projects = await searchers.open(request.roots);
      watch.lap('load the index');
      const all = await findEverywhere(
        projects,
        { query, request, weights, signal, client: request.client, scores: 'own' },
        parts,
      );
      watch.lap('find');
      const { files } = mergeFound(all, query);
      const show = query.isPasted && request.similarTo === undefined ? showReport : showPage;
      const { hits } = await show(files, { from, limit, shape: shapeOf(request) }, parts);
      watch.lap('read and show');
      return analyze({
        query,
        weights,
        projects: projects.map(({ root, searcher }, at) => ({
          root,
          view: searcher.ranker.view,
          found: all[at],
        })),
        hits,
        laps: watch.laps,
      });
    },
    searcher: searchers.current,
    async firstQuestions(root) {
      const { ranker, outlineOf } = await searchers.current(root);
      return firstQuestions(ranker.view, async (path) => (await outlineOf(path)).all());
    },
    async keep(root, effort) {
      try {
        return await searchers.keep(root, effort);
      } catch (thrown) {
        // It would only have saved time.
        if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return false;
        throw thrown;
      }
    },
    forget: searchers.forget,
  };
}

/** What a caller can mend; anything else is thrown on. */
function refusalOf(thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.code === 'bad_argument') return thrown;
  throw thrown;
}

/** Places without their code. */
async function showNearest({ files }: Found, parts: SearchParts): Promise<readonly Hit[]> {
  const { hits } = await showPage(files, NEAREST, parts);
  return hits.map((hit) => ({ ...hit, lines: [] }));
}

const MOST_CACHED = 4;

interface FoundCache {
  get(key: string): Found | undefined;
  /** `views`: what it was found in, by project. */
  set(key: string, found: Found, views: ReadonlyMap<string, View>): void;
  /** Drops what was found in another view of the project than this one; without one, all that was found in it. */
  retire(root: string, current?: View): void;
}

/**
 * A few recent rankings: the next page, or the same question again. A ranking keeps its view in memory, which is megabytes: so
 * it is evicted as soon as another view answers.
 */
function createFoundCache(): FoundCache {
  const cached = new Map<string, { readonly found: Found; readonly views: ReadonlyMap<string, View> }>();
  return {
    get: (key) => cached.get(key)?.found,
    set(key, found, views) {
      const [oldest] = cached.keys();
      if (cached.size >= MOST_CACHED && oldest !== undefined) cached.delete(oldest);
      cached.set(key, { found, views });
    },
    retire(root, current) {
      for (const [key, { views }] of cached) {
        const view = views.get(root);
        if (view !== undefined && view !== current) cached.delete(key);
      }
    },
  };
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
    words === '' && phrases.length === 0 && pattern === undefined && filters.symbols.length === 0;
  if (!isEmpty || similarTo !== undefined) return;
  throw new AppError('bad_argument', 'The query is empty.', {
    hint: 'Ask in words, name a symbol, or put exact text in double quotes.',
  });
}
