/** Indexing as a service: bring a project's index up to date, keep it so, and say what is in it. */
import type { Clock, Logger, Skip } from '../core/index.ts';
import type { EncoderChoice } from '../embedding/index.ts';
import type { ListOptions } from '../workspace/index.ts';
import { createParserPool, type ExactParserParts } from '../languages/index.ts';
import type { IndexStats, IndexStore, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { createBackground, type Job } from './background.ts';
import { clearIndex } from './clear-index.ts';
import { createCompleteRun, type CompleteRun } from './complete-run.ts';
import { createEmbedPass, type EmbedPass } from './embed-pass.ts';
import { createEmbedQueue } from './embed-queue.ts';
import { readEncoderState, type EncoderState } from './encoder-state.ts';
import { createEnsure, type Ensure } from './ensure.ts';
import { createExactPass, type ExactPass } from './exact-pass.ts';
import { createExactQueue } from './exact-queue.ts';
import { createFollowing, type Following, type FollowingParts } from './following.ts';
import { toUpdating, type IndexState } from './freshness.ts';
import { createIndexer, type IndexOptions, type IndexOutcome, type RunOptions } from './indexer.ts';
import { createOpenStores } from './open-stores.ts';
import type { Shelf } from './shelf.ts';

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
  /** Gets the vectors of a service for what has none of them yet; undefined without one. A server does it by itself. */
  readonly embed: EmbedPass | undefined;
  /** What makes the vectors of a project's index, and how far it is. Throws `not_found` if there is no index. */
  encoder(root: string): Promise<EncoderState>;
  /**
   * Both, for who waits for both: a file that is read is parsed before it is written, unless there is much to read. What failed
   * to be parsed before is tried again. Nothing is parsed if another process is at it.
   */
  readonly complete: CompleteRun;
  /** Starts the same in the background, or joins what runs. Hold the job, or nobody does. */
  start(root: string): Job;
  /**
   * Sees to it that there is an index to answer from. Little work is waited for; much work goes on in the background, and
   * the caller goes on with what is there.
   */
  readonly ensure: Ensure;
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

export function createIndexing(parts: IndexingParts): Indexing {
  const { hasIndex, scopeOf, shelf, logger } = parts;
  const stores = createOpenStores(parts);
  const indexed = stores.existing;
  const indexer = createIndexer({ ...parts, openStore: stores.open });
  let tidied: Promise<void> | undefined;
  const run = async (
    root: string,
    options: RunOptions & Pick<IndexOptions, 'parser'>,
  ): Promise<IndexOutcome> => {
    const outcome = await indexer.run(root, { ...scopeOf(root), ...options });
    // Once per process is enough: an index was made or grew, so that others may have to make room.
    tidied ??= shelf.tidy('quiet').then(
      () => {},
      (thrown: unknown) =>
        logger.warn('housekeeping failed', { reason: thrown instanceof Error ? thrown.message : 'unknown' }),
    );
    return outcome;
  };
  const parsers = createParserPool(parts.parser);
  const parse = createExactPass({ ...parts, parsers, openStore: indexed });
  const background = createBackground({ ...parts, run });
  const generation = async (root: string): Promise<number> => (await stores.open(root)).generation();
  const onSettled = async (root: string): Promise<unknown> => parts.onSettled?.(root);
  const exact = createExactQueue({ ...parts, parse, generation, onSettled });
  const embed =
    parts.encoder.kind === 'http'
      ? createEmbedPass({ ...parts, openStore: indexed }, parts.encoder.remote)
      : undefined;
  const embedding =
    embed === undefined ? undefined : createEmbedQueue({ ...parts, embed, isUnsettled: exact.isBusy });
  const onCaughtUp = (root: string): void => {
    exact.wake(root);
    embedding?.wake(root);
  };
  const following = createFollowing({ ...parts, openStore: stores.open, run, onCaughtUp });
  const ensure = createEnsure({ ...parts, background, following });

  return {
    run,
    parse,
    embed,
    encoder: async (root) => readEncoderState(await indexed(root), parts.encoder, embedding?.problem()),
    complete: createCompleteRun({ run, parse, parsers, hasIndex }),
    start: (root) => background.start(root),
    operation: (id) => background.find(id),
    state(root) {
      const job = background.running(root);
      if (job !== undefined) return toUpdating(job);
      return { state: hasIndex(root) ? 'indexed' : 'missing' };
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
    ensure(root, options) {
      exact.postpone(root);
      return ensure(root, options);
    },
    async clear(root) {
      const job = background.running(root);
      job?.stop();
      await job?.ended;
      await following.stop(root);
      await exact.stop(root);
      await embedding?.stop(root);
      return hasIndex(root) && clearIndex(root, { ...parts, stores });
    },
    shelf,
    following,
    async close() {
      await following.close();
      await exact.close();
      await embedding?.close();
      await background.close();
      parsers.close();
      await tidied;
      await stores.closeAll();
    },
  };
}
