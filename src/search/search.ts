/** Search as a service: parse, find in each project, merge, show. */
import { AppError, type Definition } from '../core/index.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { Weights } from './features.ts';
import { firstQuestion } from './first-question.ts';
import { findInProject, type FoundFile } from './find-in-project.ts';
import type { Detail, Hit, SearchAnswer, SearchRequest } from './hit.ts';
import { parseQuery, requireKind, type ParsedQuery } from './parse-query.ts';
import type { SearchParts } from './ports.ts';
import { createSearcherSource, type Searcher, type SearcherSource } from './searcher.ts';
import { readSimilar } from './similar.ts';
import { chooseSnippet } from './snippet.ts';
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
const LINES: Readonly<Record<Detail, number>> = { locations: 1, snippets: 12, full: 200 };
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
      const { roots, signal = NEVER, detail = 'snippets' } = request;
      const limit = Math.max(1, Math.min(MOST_HITS, request.limit ?? DEFAULT_LIMIT));
      const query = parseQuery(request.query, toFilters(request));
      requireSomething(query, request);
      const searchers = await Promise.all(
        roots.map(async (root) => ({ root, searcher: await searcher(root) })),
      );
      const key = JSON.stringify([
        query,
        request.similarTo,
        searchers.map((one) => [one.root, one.searcher.ranker.view.generation]),
      ]);
      const found =
        cache.get(key) ??
        cache.set(key, await findEverywhere(searchers, { query, request, weights, signal }, parts));
      const from = readCursor(request.cursor);
      const shown = found.files.slice(from, from + limit);
      const hits = (await Promise.all(shown.map((file) => show(file, detail, parts)))).filter(
        (hit) => hit !== undefined,
      );
      return {
        hits,
        matched: found.files.length,
        next: from + limit < found.files.length ? writeCursor(from + limit) : undefined,
        isPartial: found.isPartial,
        files: searchers.reduce((sum, one) => sum + one.searcher.ranker.view.liveFiles, 0),
        ms: parts.clock.elapsed() - started,
      };
    },
  };
}

interface Found {
  readonly files: readonly FoundFile[];
  readonly isPartial: boolean;
}

async function findEverywhere(
  searchers: readonly { readonly root: string; readonly searcher: Searcher }[],
  {
    query,
    request,
    weights,
    signal,
  }: {
    readonly query: ParsedQuery;
    readonly request: SearchRequest;
    readonly weights: Weights;
    readonly signal: AbortSignal;
  },
  parts: SearchParts,
): Promise<Found> {
  const all = await Promise.all(
    searchers.map(({ root, searcher }) => {
      const similar =
        request.similarTo === undefined
          ? undefined
          : readSimilar(request.similarTo, root, searcher.ranker.view, parts);
      return findInProject(
        {
          root,
          searcher,
          query,
          weights,
          signal,
          ...(similar === undefined ? {} : { question: similar.question }),
        },
        parts,
      ).then((found) => ({ ...found, files: found.files.filter(({ path }) => path !== similar?.path) }));
    }),
  );
  return {
    files: all.flatMap(({ files }) => files).sort((a, b) => b.score - a.score),
    isPartial: all.some(({ isPartial }) => isPartial),
  };
}

/** The file as it is now, not as it was indexed; nothing if it is gone. */
async function show(file: FoundFile, detail: Detail, parts: SearchParts): Promise<Hit | undefined> {
  const text = parts.readText(file.root, file.path);
  if (text === undefined) return undefined;
  const isSame = text.hash === file.hash;
  // Of a file that changed since, only its words are known; where they are now is looked for in all of it.
  const definitions: readonly Definition[] = isSame ? await file.definitions() : [];
  const best = file.chunk();
  const chunk = isSame ? best : { startLine: 1, endLine: text.lines.length };
  const snippet = chooseSnippet({
    lines: text.lines,
    chunk,
    definitions,
    question: file.question,
    rarity: file.rarity,
    maxLines: LINES[detail],
    ...(file.matches === undefined || !isSame ? {} : { matches: file.matches }),
  });
  const { definition, startLine, endLine } = snippet;
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
    lines: text.lines.slice(startLine - 1, endLine),
    isCut: definition !== undefined && definition.startLine >= startLine && definition.endLine > endLine,
    more: best.more,
    score: file.score,
    reasons: file.reasons(),
  };
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
