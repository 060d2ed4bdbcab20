/** Search as a service: parse, find in each project, merge, show. */
import { AppError, type Definition } from '../core/index.ts';
import { readCursor, cursorAfter } from './cursor.ts';
import type { Weights } from './features.ts';
import { firstQuestion } from './first-question.ts';
import { findInProject, type FoundFile } from './find-in-project.ts';
import type { Detail, Hit, SearchAnswer, SearchRequest } from './hit.ts';
import { parseQuery, requireKind, type ParsedQuery } from './parse-query.ts';
import type { SearchParts } from './ports.ts';
import { createSearcherSource, type Searcher, type SearcherSource } from './searcher.ts';
import { readSimilar } from './similar.ts';
import { chooseSnippet, type Snippet } from './snippet.ts';
import { WEIGHTS } from './weights.ts';

export interface Search {
  run(request: SearchRequest): Promise<SearchAnswer>;
  /** The commit a project's answers come from now, loaded if need be. */
  searcher(root: string): Promise<Searcher>;
  /** A question about a project that its own code answers; undefined for one without definitions. */
  firstQuestion(root: string): Promise<string | undefined>;
  /** Forgets what is in memory of a project. */
  forget(root: string): void;
}

const DEFAULT_LIMIT = 10;
const MOST_HITS = 50;
const MOST_LINES = 200;
const LINES: Readonly<Record<Detail, number>> = { locations: MOST_LINES, snippets: 12, full: MOST_LINES };
const MOST_OPEN = 8;
const MOST_CACHED = 32;
const NEVER = new AbortController().signal;

export function createSearch(parts: SearchParts, weights: Weights = WEIGHTS): Search {
  const open = new Map<string, Promise<SearcherSource>>();
  const cache = createFoundCache();
  const searcher = async (root: string): Promise<Searcher> => {
    const known =
      open.get(root) ?? parts.store(root).then((store) => createSearcherSource(store, parts.encoder));
    open.delete(root);
    open.set(root, known);
    known.catch(() => open.delete(root));
    const [oldest] = open.keys();
    // The one asked longest ago makes room: an index in memory is megabytes.
    if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
    return (await known).current();
  };

  return {
    searcher,
    async firstQuestion(root) {
      const { ranker, definitionsOf } = await searcher(root);
      return firstQuestion(ranker.view, definitionsOf);
    },
    forget: (root) => void open.delete(root),
    async run(request) {
      const started = parts.clock.elapsed();
      const { signal = NEVER } = request;
      const limit = Math.max(1, Math.min(MOST_HITS, request.limit ?? DEFAULT_LIMIT));
      const query = parseQuery(request.query, toFilters(request));
      requireSomething(query, request);
      const from = readCursor(request.cursor);
      const searchers = await Promise.all(
        // A project that is named twice is one project.
        [...new Set(request.roots)].map(async (root) => ({ root, searcher: await searcher(root) })),
      );
      const key = JSON.stringify([
        query,
        request.similarTo,
        searchers.map((one) => [one.root, one.searcher.ranker.view.generation]),
      ]);
      const found =
        cache.get(key) ??
        cache.set(key, await findEverywhere(searchers, { query, request, weights, signal }, parts));
      const page = await showPage(found.files, { from, limit, shape: shapeOf(request) }, parts);
      return {
        ...page,
        matched: found.files.length,
        isPartial: found.isPartial,
        isGuess: found.isGuess && page.hits.length > 0,
        words: found.words,
        files: searchers.reduce((sum, one) => sum + one.searcher.ranker.view.liveFiles, 0),
        ms: parts.clock.elapsed() - started,
      };
    },
  };
}

interface Found {
  readonly files: readonly FoundFile[];
  readonly isPartial: boolean;
  readonly isGuess: boolean;
  readonly words: readonly string[];
}

interface FindOptions {
  readonly query: ParsedQuery;
  readonly request: SearchRequest;
  readonly weights: Weights;
  readonly signal: AbortSignal;
}

async function findEverywhere(
  searchers: readonly { readonly root: string; readonly searcher: Searcher }[],
  { query, request, weights, signal }: FindOptions,
  parts: SearchParts,
): Promise<Found> {
  const similar =
    request.similarTo === undefined
      ? undefined
      : readSimilar(
          request.similarTo,
          searchers.map(({ root, searcher }) => ({ root, view: searcher.ranker.view })),
          parts,
        );
  const question = similar === undefined ? {} : { question: similar.question };
  const all = await Promise.all(
    searchers.map(({ root, searcher }) =>
      findInProject({ root, searcher, query, weights, signal, ...question }, parts),
    ),
  );
  const isAsked = ({ root, path }: FoundFile): boolean => root === similar?.root && path === similar.path;
  return {
    files: all
      .flatMap(({ files }) => files)
      .filter((file) => !isAsked(file))
      .sort((a, b) => b.score - a.score),
    isPartial: all.some(({ isPartial }) => isPartial),
    isGuess: all.every(({ isGuess }) => isGuess),
    words: [...new Set([...query.phrases, ...all.flatMap((one) => one.question.words)])],
  };
}

interface Shape {
  readonly detail: Detail;
  readonly maxLines: number;
}

function shapeOf({ detail = 'snippets', lines }: SearchRequest): Shape {
  const most = lines === undefined ? LINES[detail] : Math.max(1, Math.min(MOST_LINES, lines));
  return { detail, maxLines: most };
}

/** As many hits as were asked for: a file that is gone makes room for the next one. */
async function showPage(
  files: readonly FoundFile[],
  { from, limit, shape }: { readonly from: number; readonly limit: number; readonly shape: Shape },
  parts: SearchParts,
): Promise<Pick<SearchAnswer, 'hits' | 'next'>> {
  const hits: Hit[] = [];
  let at = from;
  while (hits.length < limit && at < files.length) {
    const some = files.slice(at, at + limit - hits.length);
    const shown = await Promise.all(some.map((file, place) => show(file, at + place + 1, shape, parts)));
    hits.push(...shown.filter((hit) => hit !== undefined));
    at += some.length;
  }
  return { hits, next: at < files.length ? cursorAfter(at) : undefined };
}

/** The file as it is now, not as it was indexed; nothing if it is gone. */
async function show(
  file: FoundFile,
  rank: number,
  { detail, maxLines }: Shape,
  parts: SearchParts,
): Promise<Hit | undefined> {
  const text = parts.readText(file.root, file.path);
  if (text === undefined) return undefined;
  const isSame = text.hash === file.hash;
  if (!isSame && text.lines.length === 0) return undefined;
  // Of a file that changed since, only its words are known; where they are now is looked for in all of it.
  const definitions: readonly Definition[] = isSame ? await file.definitions() : [];
  const best = file.chunk();
  const chunk = isSame ? best : { startLine: 1, endLine: text.lines.length };
  const matches = file.exact?.hash === text.hash ? file.exact.lines : undefined;
  const snippet = chooseSnippet({
    lines: text.lines,
    chunk,
    definitions,
    question: file.question,
    rarity: file.rarity,
    // The place of a match is its line.
    maxLines: detail === 'locations' && matches !== undefined ? 1 : maxLines,
    ...(matches === undefined ? {} : { matches }),
  });
  const { definition, startLine, endLine } = snippet;
  const lines = text.lines.slice(startLine - 1, endLine);
  const telling = detail === 'locations' ? tellingLine(lines, snippet) : 0;
  return {
    root: file.root,
    path: file.path,
    language: file.language,
    startLine,
    endLine,
    definition:
      definition === undefined
        ? undefined
        : {
            name: definition.name,
            kind: definition.kind,
            container: definition.container,
            signature: definition.signature,
          },
    rank,
    lines: detail === 'locations' ? lines.slice(telling, telling + 1) : lines,
    linesFrom: startLine + telling,
    isCut: definition !== undefined && definition.startLine >= startLine && definition.endLine > endLine,
    more: best.more,
    score: file.score,
    reasons: file.reasons(),
  };
}

/** Of a place one line is enough: where the definition begins, or the first that is not blank. */
function tellingLine(lines: readonly string[], { definition, startLine, endLine }: Snippet): number {
  if (definition !== undefined && definition.startLine >= startLine && definition.startLine <= endLine)
    return definition.startLine - startLine;
  const solid = lines.findIndex((line) => line.trim() !== '');
  return Math.max(0, solid);
}

function toFilters(request: SearchRequest): Parameters<typeof parseQuery>[1] {
  const { languages, paths, kinds, symbols } = request;
  return {
    ...(languages === undefined ? {} : { languages }),
    ...(paths === undefined
      ? {}
      : {
          paths: paths.filter((path) => !path.startsWith('!')),
          notPaths: paths.filter((path) => path.startsWith('!')).map((path) => path.slice(1)),
        }),
    ...(kinds === undefined ? {} : { kinds: kinds.map(requireKind) }),
    ...(symbols === undefined ? {} : { symbols }),
  };
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

/** A few recent rankings: the next page, or the same question again. A new commit has new keys. */
function createFoundCache(): { get(key: string): Found | undefined; set(key: string, found: Found): Found } {
  const cached = new Map<string, Found>();
  return {
    get: (key) => cached.get(key),
    set(key, found) {
      const [oldest] = cached.keys();
      if (cached.size >= MOST_CACHED && oldest !== undefined) cached.delete(oldest);
      cached.set(key, found);
      return found;
    },
  };
}
