/** Indexing as a service: bring a project's index up to date, keep it so, and say what is in it. */
import { AppError, type Clock, type Logger, type Skip } from '../core/index.ts';
import type { EncoderChoice } from '../embedding/index.ts';
import type { ListOptions } from '../platform/index.ts';
import type { IndexStats, IndexStore, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { createBackground, type Job } from './background.ts';
import { createEmbedPass, type EmbedPass } from './embed-pass.ts';
import { createEmbedQueue } from './embed-queue.ts';
import { readEncoderState, type EncoderState } from './encoder-state.ts';
import {
  createExactPass,
  openParser,
  type ExactOutcome,
  type ExactPass,
  type ExactParts,
} from './exact-pass.ts';
import { createExactQueue } from './exact-queue.ts';
import { createFollowing, type Following, type FollowingParts } from './following.ts';
import { createIndexer, type IndexOptions, type IndexOutcome } from './indexer.ts';
import { PATIENCE } from './patience.ts';
import type { Shelf } from './shelf.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

/** Which files of a project are indexed. */
export interface IndexScope {
  readonly list: ListOptions;
  /** Empty means every one. */
  readonly languages: readonly string[];
}

export interface IndexingParts extends Pick<FollowingParts, 'tryFollow' | 'mayFollow' | 'openWatch'> {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: (root: string) => Promise<WriterLock | undefined>;
  readonly analyzer: () => Analyzer;
  readonly encoder: EncoderChoice;
  /** Whether a project has an index: asking must not make one. */
  readonly hasIndex: (root: string) => boolean;
  /** False if there is none; throws `storage_busy` if anyone has it open. */
  readonly removeIndex: (root: string) => Promise<boolean>;
  readonly scopeOf: (root: string) => IndexScope;
  /** Whether a call that needs an index may make one. */
  readonly autoIndex: 'auto' | 'never';
  readonly shelf: Shelf;
  /** A project that is followed came to rest: its index stays as it is until files change. */
  readonly onSettled?: (root: string) => Promise<unknown>;
  readonly newId: () => string;
  readonly parser?: ExactParts['parser'];
  readonly clock: Clock;
  readonly logger: Logger;
}

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
  | { readonly state: 'missing' };

/** What can be said without looking at the files. */
export type IndexState =
  | Extract<Freshness, { state: 'updating' | 'missing' }>
  | { readonly state: 'indexed' };

/** Beside a file that is in the index: why it is there by its outline only. */
export interface UnparsedNote {
  readonly path: string;
  readonly reason: 'parser_failed';
  readonly detail: string;
}

export interface CompleteOutcome {
  readonly outcome: IndexOutcome;
  /** Undefined if another process is at it, or `problem` says what kept the parser from its work. */
  readonly parsed: ExactOutcome | undefined;
  readonly problem: AppError | undefined;
}

export interface EnsureOptions extends Pick<WaitOptions, 'signal' | 'onProgress'> {
  /** False for a project that is only a guess: what is there may be read, nothing is written. */
  readonly mayWrite: boolean;
}

export interface Indexing {
  /** Brings the index up to date in the foreground. */
  run(root: string, options: Omit<IndexOptions, 'list' | 'languages'>): Promise<IndexOutcome>;
  /** Parses what is indexed only by its outline. A server does it by itself. */
  readonly parse: ExactPass;
  /** Gets the vectors of a service for what has none of them yet; undefined without one. A server does it by itself. */
  readonly embed: EmbedPass | undefined;
  /** What makes the vectors of a project's index, and how far it is. Throws `not_found` if there is no index. */
  encoder(root: string): Promise<EncoderState>;
  /**
   * One after the other, for who waits for both. What failed to be parsed before is tried again. The children start beside the
   * first, so that they are there when it is done. Nothing is parsed if another process is at it.
   */
  complete(root: string, options: Pick<IndexOptions, 'signal' | 'onProgress'>): Promise<CompleteOutcome>;
  /** Starts the same in the background, or joins what runs. Hold the job, or nobody does. */
  start(root: string): Job;
  /**
   * Sees to it that there is an index to answer from. Little work is waited for; much work goes on in the background, and
   * the caller goes on with what is there.
   */
  ensure(root: string, options: EnsureOptions): Promise<Freshness>;
  /** A job of this process, running or recently ended. */
  operation(id: string): Job | undefined;
  /** Costs nothing: no file of the project is looked at. */
  state(root: string): IndexState;
  /** Throws `not_found` if there is no index. */
  stats(root: string): Promise<IndexStats>;
  /** The index itself, for those who read it. Throws `not_found` if there is none. */
  store(root: string): Promise<IndexStore>;
  skips(root: string): Promise<readonly Skip[]>;
  /** Files that are indexed by their outline only, because they could not be parsed. */
  parseFailures(root: string): Promise<readonly UnparsedNote[]>;
  scopeOf(root: string): IndexScope;
  /** Forgets all that is indexed; false if nothing was. The project's own files are not touched. */
  clear(root: string): Promise<boolean>;
  readonly shelf: Shelf;
  /** How indexes stand beside their files, and keeping them there. */
  readonly following: Following;
  close(): Promise<void>;
}

/** A child is there in about the time that this much takes to be read. */
const START_WITHIN_BYTES = 2 * 1024 * 1024;

/** Stores stay open between calls: opening one costs more than most questions to it. */
export function createIndexing(parts: IndexingParts): Indexing {
  const { hasIndex, removeIndex, scopeOf, shelf, logger } = parts;
  const open = new Map<string, Promise<IndexStore>>();
  const storeFor = (root: string): Promise<IndexStore> => {
    const known = open.get(root) ?? parts.openStore(root);
    open.set(root, known);
    // A store that could not be opened is tried again at the next call.
    known.catch(() => open.delete(root));
    return known;
  };
  const indexed = (root: string): Promise<IndexStore> => {
    if (hasIndex(root)) return storeFor(root);
    throw new AppError('not_found', `There is no index of ${root}.`, {
      hint: `Run \`waymark index ${root}\` first.`,
    });
  };
  const indexer = createIndexer({ ...parts, openStore: storeFor });
  let tidied: Promise<void> | undefined;
  const run: Indexing['run'] = async (root, options) => {
    const outcome = await indexer.run(root, { ...scopeOf(root), ...options });
    // Once per process is enough: an index was made or grew, so that others may have to make room.
    tidied ??= shelf.tidy('quiet').then(
      () => {},
      (thrown: unknown) =>
        logger.warn('housekeeping failed', { reason: thrown instanceof Error ? thrown.message : 'unknown' }),
    );
    return outcome;
  };
  const parse = createExactPass({ ...parts, openStore: async (root) => indexed(root) });
  const complete: Indexing['complete'] = async (root, { signal, onProgress }) => {
    const parser = await openParser({ ...parts.parser, priority: 'usual' });
    let isStarted = false;
    try {
      const outcome = await run(root, {
        signal,
        onProgress: (step) => {
          // An index that is up to date may well be parsed too. Of a large tree the children are not there from the beginning:
          // all of them at once take the most memory.
          const isNearlyDone = step.totalBytes - step.doneBytes <= START_WITHIN_BYTES;
          if (step.total > 0 && isNearlyDone && !isStarted) parser.start(step.totalBytes);
          isStarted ||= isNearlyDone;
          onProgress?.(step);
        },
      });
      const none = { outcome, parsed: undefined, problem: undefined };
      if (outcome.kind === 'busy') return none;
      const options = { signal, parser, retry: 'failed', ...(onProgress && { onProgress }) } as const;
      try {
        return { ...none, parsed: await parse(root, options) };
      } catch (thrown) {
        // What came before is done and worth to be told; without a parser it is all there will be.
        if (thrown instanceof AppError && thrown.code === 'parser_unavailable')
          return { ...none, problem: thrown };
        throw thrown;
      }
    } finally {
      parser.close();
    }
  };
  const background = createBackground({ ...parts, run });
  const generation = async (root: string): Promise<number> => (await storeFor(root)).generation();
  const onSettled = async (root: string): Promise<unknown> => parts.onSettled?.(root);
  const exact = createExactQueue({ ...parts, parse, generation, onSettled });
  const embed =
    parts.encoder.kind === 'http'
      ? createEmbedPass({ ...parts, openStore: async (root) => indexed(root) }, parts.encoder.remote)
      : undefined;
  const embedding =
    embed === undefined ? undefined : createEmbedQueue({ ...parts, embed, isUnsettled: exact.isBusy });
  const onCaughtUp = (root: string): void => {
    exact.wake(root);
    embedding?.wake(root);
  };
  const following = createFollowing({ ...parts, openStore: storeFor, run, onCaughtUp });

  const closeStore = async (root: string): Promise<void> => {
    const store = open.get(root);
    open.delete(root);
    await store?.then(
      (opened) => opened.close(),
      () => {},
    );
  };

  /** What little changed is indexed at once; for more there is the job, which tells how far it is. */
  const isAtItsFiles = async (root: string): Promise<boolean> => {
    if (!hasIndex(root) || background.running(root) !== undefined) return false;
    const state = await following.check(root);
    if (state.kind === 'fresh') return true;
    const isMuch = state.kind === 'unknown' || (state.kind === 'changed' && state.count > PATIENCE.fewFiles);
    return !isMuch && (await following.catchUp(root, PATIENCE.fewMs)).kind === 'fresh';
  };

  return {
    run,
    parse,
    embed,
    encoder: async (root) => readEncoderState(await indexed(root), parts.encoder, embedding?.problem()),
    complete,
    start: (root) => background.start(root),
    operation: (id) => background.find(id),
    state(root) {
      const job = background.running(root);
      if (job !== undefined) return toUpdating(job);
      return { state: hasIndex(root) ? 'indexed' : 'missing' };
    },
    scopeOf,
    stats: async (root) => (await indexed(root)).stats(),
    store: async (root) => indexed(root),
    skips: async (root) => (await indexed(root)).skips(),
    parseFailures: async (root) =>
      (await (await indexed(root)).parseFailures()).map(({ path, failure }) => ({
        path,
        reason: 'parser_failed',
        detail: failure,
      })),
    async ensure(root, { signal, onProgress, mayWrite }) {
      exact.postpone(root);
      if (parts.autoIndex === 'never' || !mayWrite) {
        if (!hasIndex(root)) return { state: 'missing' };
        if ((await following.check(root)).kind === 'fresh') return { state: 'fresh' };
        return {
          state: 'stale',
          why: mayWrite ? 'automatic indexing is off' : 'the project is only a guess',
        };
      }
      if (await isAtItsFiles(root)) {
        following.follow(root);
        return { state: 'fresh' };
      }
      const job = background.start(root);
      // For good: whoever needs the index next is glad of it, even if this caller is gone.
      job.hold();
      const end = await waitFor(job, { signal, onProgress, maxMs: PATIENCE.needMs, isWorth: isLittle });
      if (end?.kind === 'done' || end?.kind === 'busy') following.follow(root);
      return toFreshness(job, end, hasIndex(root));
    },
    async clear(root) {
      const job = background.running(root);
      job?.stop();
      await job?.ended;
      await following.stop(root);
      await exact.stop(root);
      await embedding?.stop(root);
      if (!hasIndex(root)) return false;
      const lock = await parts.tryLock(root);
      if (lock === undefined) {
        throw new AppError('storage_busy', `Another process is indexing ${root}.`, {
          hint: 'Wait for it to finish, then clear again.',
        });
      }
      try {
        await closeStore(root);
        return await removeIndex(root).catch(async (thrown: unknown) => {
          if (!(thrown instanceof AppError) || thrown.code !== 'storage_busy') throw thrown;
          // Another process reads it: it cannot be taken away, but it can be emptied.
          await emptyStore(await storeFor(root));
          return true;
        });
      } finally {
        lock.release();
      }
    },
    shelf,
    following,
    async close() {
      await following.close();
      await exact.close();
      await embedding?.close();
      await background.close();
      await tidied;
      const stores = await Promise.allSettled(open.values());
      open.clear();
      for (const store of stores) if (store.status === 'fulfilled') await store.value.close();
    },
  };
}

function isLittle({ total, totalBytes }: { readonly total: number; readonly totalBytes: number }): boolean {
  return total <= PATIENCE.smallFiles && totalBytes <= PATIENCE.smallBytes;
}

function toFreshness(job: Job, end: Awaited<ReturnType<typeof waitFor>>, hasIndex: boolean): Freshness {
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

function toUpdating(job: Job): Extract<Freshness, { state: 'updating' }> {
  const progress = job.progress();
  return { state: 'updating', percent: progress?.percent, etaMs: progress?.etaMs, operationId: job.id };
}

async function emptyStore(store: IndexStore): Promise<void> {
  await store.forgetView();
  await store.keepEmbeddingsOf('');
  await store.commit({ removed: (await store.manifest()).map(({ path }) => path), skips: [] });
}
