/**
 * The exact pass: parses files that are searchable by their outline, and replaces it with what the parser found, some files at a
 * time. A file that cannot be parsed keeps its outline, with the reason beside it.
 */
import { AppError, type Clock, type Definition, type Logger } from '../core/index.ts';
import {
  isParsable,
  mergeDefinitions,
  PARSER_ID,
  type ExactParser,
  type ParseOutcome,
  type ParseRequest,
  type ParserPool,
} from '../languages/index.ts';
import type { IndexStore, ParsedEntry, UnparsedFile } from '../storage/index.ts';
import type { Analyzer, ReadText } from './analyze-file.ts';
import type { IdleTask } from './idle-queue.ts';
import { whileLocked, type TryLock } from './open-indexes.ts';
import { readUnchanged } from './read-files.ts';
import type { IndexProgress } from './reconcile.ts';

export interface ExactParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: TryLock;
  readonly analyzer: () => Analyzer;
  readonly clock: Clock;
  readonly parsers: ParserPool;
}

export interface ExactOptions {
  readonly signal: AbortSignal;
  /** First called when it is known how much there is to do, last when all of it is done. */
  readonly onProgress?: (progress: IndexProgress) => void;
  /** What failed before is tried again; otherwise it rests until the file changes. */
  readonly retry?: 'failed';
  /** Paths that were tried just now. */
  readonly except?: ReadonlySet<string>;
  /** Only these: an answer waits for them. */
  readonly only?: ReadonlySet<string>;
  /** A parser that the caller has leased; otherwise the pass leases one. */
  readonly parser?: ExactParser;
}

export interface ExactOutcome {
  /** Files that were parsed, and that could not be. */
  readonly exact: number;
  readonly failed: number;
  readonly ms: number;
}

export type ExactPass = (root: string, options: ExactOptions) => Promise<ExactOutcome>;

/** Few commits, because searches load again what each one changed; but a pass that is killed has lost little. */
const BATCH_FILES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_MS = 5_000;

interface Waiting {
  readonly entry: UnparsedFile;
  readonly file: ReadText;
}

/** The passes of a project that run, and the files that those for an answer have claimed: others leave them out. */
interface Passes {
  count: number;
  readonly claimed: Set<string>;
}

export function createExactPass(parts: ExactParts): ExactPass {
  const running = new Map<string, Passes>();

  async function beside(
    root: string,
    only: ExactOptions['only'],
    pass: (claimed: ReadonlySet<string>) => Promise<ExactOutcome>,
  ): Promise<ExactOutcome> {
    const passes = running.get(root) ?? { count: 0, claimed: new Set<string>() };
    running.set(root, passes);
    passes.count += 1;
    for (const path of only ?? []) passes.claimed.add(path);
    try {
      return await pass(only === undefined ? passes.claimed : new Set());
    } catch (thrown) {
      for (const path of only ?? []) passes.claimed.delete(path);
      throw thrown;
    } finally {
      passes.count -= 1;
      if (passes.count === 0) running.delete(root);
    }
  }

  return async (root, options) => {
    if (options.parser !== undefined) return parseAll(parts, { root, parser: options.parser }, options);
    const { parser, release } = parts.parsers.take(options.only === undefined ? 'low' : 'usual');
    let sizeBytes = 0;
    const onProgress: ExactOptions['onProgress'] = (step) => {
      sizeBytes = step.doneBytes;
      options.onProgress?.(step);
    };
    try {
      return await beside(root, options.only, (claimed) =>
        parseAll(parts, { root, parser, claimed }, { ...options, onProgress }),
      );
    } finally {
      release(sizeBytes);
    }
  };
}

interface ParseWith {
  readonly root: string;
  readonly parser: ExactParser;
  /** Files that are left out, also those that are added meanwhile. */
  readonly claimed?: ReadonlySet<string>;
}

async function parseAll(
  parts: ExactParts,
  { root, parser, claimed }: ParseWith,
  { signal, retry, except, only, onProgress }: ExactOptions,
): Promise<ExactOutcome> {
  const startedAt = parts.clock.elapsed();
  const store = await parts.openStore(root);
  const analyzer = parts.analyzer();
  const files = (await store.unparsed(PARSER_ID, retry))
    .filter(({ path, language, analysis }) => {
      const isAsked = except?.has(path) !== true && only?.has(path) !== false;
      return isParsable(language) && analysis === analyzer.id && isAsked;
    })
    .toSorted(byLanguageAndSize);
  const waiting = new Map<string, Waiting>();
  const tally = { exact: 0, failed: 0 };
  const progress = { done: 0, total: files.length, doneBytes: 0, totalBytes: bytesOf(files) };
  let batch: ParsedEntry[] = [];
  let batchBytes = 0;
  let committedAt = startedAt;

  function* requests(): Generator<ParseRequest> {
    for (const entry of files) {
      progress.done += 1;
      progress.doneBytes += entry.sizeBytes;
      const isClaimed = claimed?.has(entry.path) === true;
      const file = isClaimed ? undefined : readUnchanged(root, entry, analyzer, parts.clock);
      if (file === undefined) continue;
      waiting.set(entry.path, { entry, file });
      yield { path: entry.path, language: entry.language, text: file.text };
    }
  }

  function toEntry({ entry, file }: Waiting, outcome: ParseOutcome): ParsedEntry {
    const { path, hash, analysis } = entry;
    const known = { path, hash, analysis };
    // What another parser found is neither the outline nor what this one says.
    const isOutline = !entry.isParsedOtherwise;
    if (outcome.kind === 'failed') {
      const note = { parser: PARSER_ID, failure: outcome.detail, errorShare: 0 };
      if (isOutline) return { ...known, note, definitions: undefined, rows: undefined };
      return { ...known, note, definitions: file.outline(), rows: analyzer.rows(file, file.outline()) };
    }
    const note = { parser: PARSER_ID, failure: undefined, errorShare: outcome.errorShare };
    const definitions = mergeDefinitions(file.outline, outcome);
    const hasRows = isOutline && hasSameShape(file.outline(), definitions);
    const rows = hasRows ? undefined : analyzer.rows(file, definitions);
    return { ...known, note, definitions, rows, facts: outcome.facts };
  }

  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await whileLocked(
      () => parts.tryLock(root),
      signal,
      () => store.commit({ parsed: batch }),
    );
    batch = [];
    batchBytes = 0;
    committedAt = parts.clock.elapsed();
    onProgress?.({ ...progress });
  };

  if (files.length === 0) return { ...tally, ms: 0 };
  onProgress?.({ ...progress });
  for await (const outcome of parser.parse(requests(), signal, progress.totalBytes)) {
    if (outcome.kind === 'failed' && outcome.detail === 'parser does not start') {
      // The fault is not in the files: nothing is noted of them, nor of those before that it seemed to be in.
      throw new AppError(
        'parser_unavailable',
        'Files could not be parsed: the processes for it do not start.',
        {
          hint: 'Everything is searchable by its outline. Run `waymark index --exact` again; if it stays so, install Waymark again.',
        },
      );
    }
    const found = waiting.get(outcome.path);
    waiting.delete(outcome.path);
    if (found === undefined) continue;
    batch.push(toEntry(found, outcome));
    tally[outcome.kind === 'failed' ? 'failed' : 'exact'] += 1;
    batchBytes += found.entry.sizeBytes;
    const isFull = batch.length >= BATCH_FILES || batchBytes >= BATCH_BYTES;
    if (isFull || parts.clock.elapsed() - committedAt >= BATCH_MS) await flush();
  }
  await flush();
  onProgress?.({ ...progress });
  return { ...tally, ms: Math.round(parts.clock.elapsed() - startedAt) };
}

/**
 * One language after the other: a child that knows few grammars takes less memory. The largest files first: at the end no
 * child works alone on one of them.
 */
function byLanguageAndSize(a: UnparsedFile, b: UnparsedFile): number {
  return Number(a.language > b.language) - Number(a.language < b.language) || b.sizeBytes - a.sizeBytes;
}

/** Words, chunks and vectors depend on nothing else of a definition. */
function hasSameShape(a: readonly Definition[], b: readonly Definition[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return (
        one.name === other?.name &&
        one.kind === other.kind &&
        one.startLine === other.startLine &&
        one.endLine === other.endLine
      );
    })
  );
}

function bytesOf(files: readonly UnparsedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

export interface ExactTaskParts {
  readonly parse: ExactPass;
  readonly openStore: (root: string) => Promise<IndexStore>;
  /** Nothing is left to parse: the index stays as it is until files change. */
  readonly onSettled?: (root: string) => Promise<unknown>;
  /** An answer waits for files of it: the rest comes behind. */
  readonly isBlocked?: (root: string) => boolean;
  readonly logger: Logger;
}

/** The exact passes of a server, for its idle queue. */
export function createExactTask({
  parse,
  openStore,
  onSettled,
  isBlocked = () => false,
  logger,
}: ExactTaskParts): IdleTask {
  /** The commit after which nothing was left to parse. */
  const doneAt = new Map<string, number>();
  return {
    async run(root, signal) {
      try {
        const before = await (await openStore(root)).generation();
        if (before === doneAt.get(root)) return 'done';
        const { exact, failed, ms } = await parse(root, { signal });
        if (exact + failed > 0) {
          logger.info('files were parsed exactly', { root, exact, failed, ms });
          return 'again';
        }
        doneAt.set(root, before);
        await onSettled?.(root);
        return 'done';
      } catch (thrown) {
        if (signal.aborted) return 'done';
        const reason = thrown instanceof Error ? thrown.message : 'unknown';
        // The parser would not start for the next file either.
        const isResting = thrown instanceof AppError && thrown.code === 'parser_unavailable';
        logger.warn('files could not be parsed exactly', { root, reason, isResting });
        return isResting ? { restMs: Infinity } : 'done';
      }
    },
    isBlocked,
    forget: (root) => void doneAt.delete(root),
  };
}
