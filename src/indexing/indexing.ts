/** The indexing service: starts and joins runs, sees to a fresh index, follows projects while a server runs. */
import { AppError, type Clock, type Logger, type ProjectPlace, type Skip } from '../core/index.ts';
import type { EncoderChoice } from '../embedding/index.ts';
import { createParserPool, isParsable, PARSER_ID, type ExactParserParts } from '../languages/index.ts';
import type { IndexStats, IndexStore } from '../storage/index.ts';
import type { ListOptions } from '../workspace/index.ts';
import type { Analyzer } from './analyze-file.ts';
import {
  createEmbedPass,
  createEmbedTask,
  readEncoderState,
  type EmbedPass,
  type EncoderState,
} from './embed-pass.ts';
import { createExactPass, createExactTask, type ExactPass } from './exact-pass.ts';
import { type Following, createFollowing, type FollowingParts } from './follower.ts';
import { createHistoryPass, createHistoryTask, type HistoryPass } from './history-pass.ts';
import { createIdleQueue } from './idle-queue.ts';
import type { IndexCatalog } from './index-catalog.ts';
import {
  createCompleteRun,
  createIndexer,
  type CompleteRun,
  type IndexOptions,
  type IndexOutcome,
  type RunOptions,
} from './index-run.ts';
import { waitFor, type Job, type JobEnd, type Jobs, type WaitOptions, createJobs } from './jobs.ts';
import { createOpenIndexes, type OpenIndexesParts } from './open-indexes.ts';
import { createParseWaiting, type ParseWaiting } from './parse-waiting.ts';

/** How long a call waits for an index, and what counts as little work. */
export const WAIT_LIMITS = {
  /** Work of at most this much takes seconds: a call waits for it. */
  smallFiles: 3_000,
  smallBytes: 16 * 1024 * 1024,
  /** So few changed files are indexed without a job of their own; they should take no longer than this. */
  fewFiles: 100,
  fewMs: 2_000,
  /** A call that needs the index goes on with what is there after this. */
  needMs: 10_000,
  /** A call that asked for the index; clients give up on an answer after a minute. */
  askedMs: 40_000,
} as const;

/** How an answer from the index relates to the files. */
export type Freshness =
  | { readonly state: 'fresh' }
  /** `percent` is unknown while the work is being counted, and when another process does it. */
  | {
      readonly state: 'updating';
      readonly percent: number | undefined;
      readonly etaMs: number | undefined;
      readonly operationId: string | undefined;
    }
  | { readonly state: 'stale'; readonly why: string }
  /** It was made elsewhere. */
  | {
      readonly state: 'pushed';
      readonly commit: string | undefined;
      readonly ageMs: number;
      /** Whether the text of its files is here. */
      readonly showsLines: boolean;
    }
  | { readonly state: 'missing' };

/** What can be said without looking at the files. */
export type IndexState =
  | Extract<Freshness, { state: 'updating' | 'missing' }>
  | { readonly state: 'indexed' };

export interface EnsureOptions extends Pick<WaitOptions, 'signal' | 'onProgress'> {
  /** False for a project that is only a guess: its index may be read, nothing is written. */
  readonly mayWrite: boolean;
  /** `endless`: waits for much work too, for a process that ends with its answer. */
  readonly wait?: 'limited' | 'endless';
}

export type Ensure = (root: string, options: EnsureOptions) => Promise<Freshness>;

export interface EnsureParts {
  /** Whether a call that needs an index may make one. */
  readonly autoIndex: 'auto' | 'never';
  readonly hasIndex: (root: string) => Promise<boolean>;
  readonly jobs: Jobs;
  readonly following: Following;
}

export function createEnsure({ autoIndex, hasIndex, jobs, following }: EnsureParts): Ensure {
  /** A few changed files are indexed at once; for more there is the job, which reports progress. */
  const isUpToDate = async (root: string): Promise<boolean> => {
    if (!(await hasIndex(root)) || jobs.running(root) !== undefined) return false;
    const state = await following.check(root);
    if (state.kind === 'fresh') return true;
    const isMuch =
      state.kind === 'unknown' || (state.kind === 'changed' && state.count > WAIT_LIMITS.fewFiles);
    return !isMuch && (await following.catchUp(root, WAIT_LIMITS.fewMs)).kind === 'fresh';
  };

  return async (root, { signal, onProgress, mayWrite, wait = 'limited' }) => {
    if (autoIndex === 'never' || !mayWrite) {
      if (!(await hasIndex(root))) return { state: 'missing' };
      if ((await following.check(root)).kind === 'fresh') return { state: 'fresh' };
      return { state: 'stale', why: mayWrite ? 'automatic indexing is off' : 'the project is only a guess' };
    }
    if (await isUpToDate(root)) {
      following.follow(root);
      return { state: 'fresh' };
    }
    const job = jobs.start(root);
    // Never released: the next call needs the index too, even if this caller leaves.
    job.hold();
    const limits =
      wait === 'endless' ? { maxMs: Infinity } : { maxMs: WAIT_LIMITS.needMs, isWorth: isLittle };
    const end = await waitFor(job, { signal, onProgress, ...limits });
    if (end?.kind === 'done' || end?.kind === 'busy') following.follow(root);
    return toFreshness(job, end, await hasIndex(root));
  };
}

function isLittle({ total, totalBytes }: { readonly total: number; readonly totalBytes: number }): boolean {
  return total <= WAIT_LIMITS.smallFiles && totalBytes <= WAIT_LIMITS.smallBytes;
}

/** `end` is undefined while the job runs. */
function toFreshness(job: Job, end: JobEnd | undefined, hasIndex: boolean): Freshness {
  switch (end?.kind) {
    case 'done':
      return { state: 'fresh' };
    case 'busy':
      return { state: 'updating', percent: undefined, etaMs: undefined, operationId: undefined };
    case 'stopped':
      throw new AppError('interrupted', 'Indexing was stopped.', { hint: 'Call again to go on.' });
    case 'failed':
      if (!hasIndex || end.error.facts.fault === 'bug') throw end.error;
      return { state: 'stale', why: end.error.message };
    case undefined:
      return toUpdating(job);
  }
}

export function toUpdating(job: Job): Extract<Freshness, { state: 'updating' }> {
  const progress = job.progress();
  return { state: 'updating', percent: progress?.percent, etaMs: progress?.etaMs, operationId: job.id };
}

/** Which files of a project are indexed. */
export interface IndexScope {
  readonly list: ListOptions;
  /** Empty means every one. */
  readonly languages: readonly string[];
}

export interface IndexingParts
  extends OpenIndexesParts, Pick<FollowingParts, 'tryFollow' | 'mayFollow' | 'openWatch'> {
  readonly analyzer: () => Analyzer;
  readonly encoder: EncoderChoice;
  readonly scopeOf: (root: string) => IndexScope;
  /** Where a project stands in history. */
  readonly placeOf: (root: string) => ProjectPlace;
  /** Whether a call that needs an index may make one. */
  readonly autoIndex: 'auto' | 'never';
  readonly catalog: IndexCatalog;
  /** A followed project came to rest: its index stays as it is until files change. */
  readonly onSettled?: (root: string) => Promise<unknown>;
  readonly newId: () => string;
  /** Other children, limits or grammars than the usual ones. */
  readonly parser?: ExactParserParts | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Beside a file that is in the index: why it is there by its outline only. */
export interface UnparsedNote {
  readonly path: string;
  readonly reason: 'parser_failed';
  readonly detail: string;
}

export interface Indexing {
  /** Brings the index up to date in the foreground. */
  run(root: string, options: RunOptions): Promise<IndexOutcome>;
  /** Parses what is indexed only by its outline. A server does it by itself. */
  readonly parse: ExactPass;
  /** Parses files that an answer needs, unless automatic indexing is off. Waits for little work, not for much. */
  readonly parseWaiting: ParseWaiting['run'];
  /** Reads the commits that are new since it was done last. A server does it by itself. */
  readonly readHistory: HistoryPass;
  /** Gets the vectors of a service for what has none of them yet; undefined without one. A server does it by itself. */
  readonly embed: EmbedPass | undefined;
  /** What makes the vectors of a project's index, and how far it is. Throws `not_found` if there is no index. */
  encoder(root: string): Promise<EncoderState>;
  /**
   * Runs and parses: a file that is read is parsed before it is written, unless there is much to read. What failed to be parsed
   * before is tried again. Nothing is parsed if another process is indexing.
   */
  readonly complete: CompleteRun;
  /** Starts a run in the background, or joins what runs. Hold the job: one without holders may be stopped. */
  start(root: string): Job;
  /**
   * Ensures an index to answer from: waits for little work; much work goes on in the background, and the caller goes on with
   * what is there.
   */
  readonly ensure: Ensure;
  /** A job of this process, running or recently ended. */
  operation(id: string): Job | undefined;
  /** Cheap: looks at no file of the project. */
  state(root: string): Promise<IndexState>;
  /** Throws `not_found` if there is no index. */
  stats(root: string): Promise<IndexStats>;
  /** The index itself. Throws `not_found` if there is none. */
  store(root: string): Promise<IndexStore>;
  skips(root: string): Promise<readonly Skip[]>;
  /** Files that are indexed by their outline only, because they could not be parsed. */
  parseFailures(root: string): Promise<readonly UnparsedNote[]>;
  /** Files that wait for their parser. */
  waitingPaths(root: string): Promise<readonly string[]>;
  scopeOf(root: string): IndexScope;
  /** Forgets all that is indexed; false if nothing was. The project's own files are not touched. */
  clear(root: string): Promise<boolean>;
  readonly catalog: IndexCatalog;
  /** How indexes compare with their files, and keeping them at their files. */
  readonly following: Following;
  close(): Promise<void>;
}

export function createIndexing(parts: IndexingParts): Indexing {
  const { hasIndex, scopeOf, catalog, clock, encoder, logger } = parts;
  const indexes = createOpenIndexes(parts);
  const indexed = indexes.existing;
  const indexer = createIndexer({ ...parts, openStore: indexes.open });
  let tidied: Promise<void> | undefined;
  const run = async (
    root: string,
    options: RunOptions & Pick<IndexOptions, 'parser'>,
  ): Promise<IndexOutcome> => {
    const outcome = await indexer.run(root, { ...scopeOf(root), ...options });
    // Once per process is enough: an index was made or grew, so others may have to make room.
    tidied ??= catalog.tidy('quiet').then(
      () => {},
      (thrown: unknown) =>
        logger.warn('housekeeping failed', { reason: thrown instanceof Error ? thrown.message : 'unknown' }),
    );
    return outcome;
  };
  const jobs = createJobs({ ...parts, run });
  const parsers = createParserPool(parts.parser);
  const parse = createExactPass({ ...parts, parsers, openStore: indexed });
  const waiting = createParseWaiting({
    openStore: indexed,
    parse,
    logger,
    mostBytes: WAIT_LIMITS.smallBytes,
  });
  const exactTask = createExactTask({
    ...parts,
    parse,
    openStore: indexes.open,
    isBlocked: waiting.isBusy,
  });
  const exact = createIdleQueue(exactTask, clock);
  const embed =
    encoder.kind === 'http' ? createEmbedPass({ ...parts, openStore: indexed }, encoder.remote) : undefined;
  const embedTask = embed && createEmbedTask({ embed, isUnsettled: exact.isBusy, logger });
  const embedding = embedTask && createIdleQueue(embedTask, clock);
  const readHistory = createHistoryPass({ ...parts, openStore: indexed });
  const historyTask = createHistoryTask({ read: readHistory, isUnsettled: exact.isBusy, logger });
  const history = createIdleQueue(historyTask, clock);
  const later = [exact, history, ...(embedding === undefined ? [] : [embedding])];
  const following = createFollowing({ ...parts, openStore: indexes.open, run, later });
  const ensure = createEnsure({ ...parts, jobs, following });

  return {
    run,
    parse,
    parseWaiting: async (root, paths, options) =>
      parts.autoIndex === 'never' ? 0 : waiting.run(root, paths, options),
    readHistory,
    embed,
    encoder: async (root) => readEncoderState(await indexed(root), encoder, embedTask?.problem()),
    complete: createCompleteRun({ run, parse, parsers, hasIndex }),
    start: (root) => jobs.start(root),
    operation: (id) => jobs.find(id),
    async state(root) {
      const job = jobs.running(root);
      if (job !== undefined) return toUpdating(job);
      return { state: (await hasIndex(root)) ? 'indexed' : 'missing' };
    },
    scopeOf,
    stats: async (root) => (await indexed(root)).stats(),
    store: indexed,
    skips: async (root) =>
      (await (await indexed(root)).skips()).map(({ path, reason, detail }) => ({ path, reason, detail })),
    parseFailures: async (root) =>
      (await (await indexed(root)).parseFailures()).map(({ path, failure }) => ({
        path,
        reason: 'parser_failed',
        detail: failure,
      })),
    waitingPaths: async (root) =>
      (await (await indexed(root)).unparsed(PARSER_ID))
        .filter(({ language }) => isParsable(language))
        .map(({ path }) => path),
    ensure(root, options) {
      exact.postpone(root);
      return ensure(root, options);
    },
    async clear(root) {
      const job = jobs.running(root);
      job?.stop();
      await job?.ended;
      await following.stop(root);
      await exact.stop(root);
      await history.stop(root);
      await embedding?.stop(root);
      return indexes.clear(root);
    },
    catalog,
    following,
    async close() {
      await following.close();
      await waiting.close();
      await exact.close();
      await history.close();
      await embedding?.close();
      await jobs.close();
      parsers.close();
      await tidied;
      await indexes.close();
    },
  };
}
