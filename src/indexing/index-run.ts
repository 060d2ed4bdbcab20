/** One run over a whole project, in the foreground or as a job; and a complete run, which also has everything parsed. */
import { AppError, type Clock, type Logger, type Skip } from '../core/index.ts';
import type { ExactParser, ParserPool } from '../languages/index.ts';
import type { IndexStore } from '../storage/index.ts';
import { listFiles, type ListOptions } from '../workspace/index.ts';
import type { Analyzer } from './analyze-file.ts';
import type { ExactOutcome, ExactPass } from './exact-pass.ts';
import { lockWithin, type TryLock } from './open-indexes.ts';
import type { ListedFile } from './read-files.ts';
import {
  createManifest,
  nothingKnown,
  reconcile,
  type IndexProgress,
  type ParseTally,
  type Tree,
} from './reconcile.ts';

export interface IndexerParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: TryLock;
  /** Loaded on first use: a run that changes nothing needs none of its tables. */
  readonly analyzer: () => Analyzer;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** First called when it is known how much there is to do, last when all of it is done. */
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Called once if another process is indexing; the run then waits for it. Without it the outcome is `busy`. */
  readonly onBusy?: () => void;
}

export interface IndexOptions extends RunOptions {
  /** Parses files before they are written, unless there is much to read. */
  readonly parser?: ExactParser;
  readonly list?: ListOptions;
  /** Only files in these languages; empty means every one. */
  readonly languages?: readonly string[];
}

export type IndexOutcome =
  | {
      readonly kind: 'done';
      readonly indexed: number;
      readonly renamed: number;
      readonly removed: number;
      readonly unchanged: number;
      readonly skipped: number;
      readonly ms: number;
      /** Only with a parser. */
      readonly parsed?: ParseTally;
    }
  /** Another process is indexing; its index is this one's too. */
  | { readonly kind: 'busy' };

export interface Indexer {
  run(root: string, options: IndexOptions): Promise<IndexOutcome>;
}

/** How long a commit of the exact pass may hold the lock. A run of another process takes longer, and is not waited for. */
const PASSING_MS = 400;

export function createIndexer(parts: IndexerParts): Indexer {
  return {
    async run(root, options) {
      const { signal, onBusy } = options;
      const tryLock = () => parts.tryLock(root);
      let lock = await lockWithin(tryLock, PASSING_MS, signal);
      if (lock === undefined && onBusy !== undefined) {
        onBusy();
        lock = await lockWithin(tryLock, Infinity, signal);
      }
      if (lock === undefined) return { kind: 'busy' };
      try {
        return await bringUpToDate(root, options, parts);
      } finally {
        await lock.release();
      }
    },
  };
}

/** Begins with nothing known: what was left out for its content is read again, because the settings may have changed. */
async function bringUpToDate(
  root: string,
  options: IndexOptions,
  { openStore, clock, analyzer }: IndexerParts,
): Promise<IndexOutcome> {
  const startedAt = clock.elapsed();
  const store = await openStore(root);
  const tree = await listTree(root, options);
  const manifest = createManifest();
  await manifest.sync(store);
  const input = { root, tree, manifest, known: nothingKnown(), analyzer: analyzer(), clock };
  const { indexed, renamed, removed, unchanged, parsed } = await reconcile(input, options);
  return {
    kind: 'done',
    indexed,
    renamed,
    removed,
    unchanged,
    skipped: manifest.skips().length,
    ms: Math.round(clock.elapsed() - startedAt),
    ...(parsed === undefined ? {} : { parsed }),
  };
}

async function listTree(root: string, { list = {}, signal }: IndexOptions): Promise<Tree> {
  const files = new Map<string, ListedFile>();
  const skips: Skip[] = [];
  for await (const part of listFiles(root, list, signal)) {
    for (const file of part.files) files.set(file.path, file);
    skips.push(...part.skips);
  }
  return { files: () => files, skips: () => skips };
}

export interface CompleteOutcome {
  readonly outcome: IndexOutcome;
  /** Undefined if another process is indexing, or `problem` says why nothing was parsed. */
  readonly parsed: ExactOutcome | undefined;
  readonly problem: AppError | undefined;
}

/** Files are parsed while they are read; the exact pass does what was read before, or is too much for that. */
export type CompleteRun = (root: string, options: RunOptions) => Promise<CompleteOutcome>;

export interface CompleteParts {
  readonly run: (root: string, options: RunOptions & Pick<IndexOptions, 'parser'>) => Promise<IndexOutcome>;
  readonly parse: ExactPass;
  readonly parsers: ParserPool;
  readonly hasIndex: (root: string) => Promise<boolean>;
}

/** A child starts in about the time that this much takes to be read. */
const START_WITHIN_BYTES = 2 * 1024 * 1024;

export function createCompleteRun({ run, parse, parsers, hasIndex }: CompleteParts): CompleteRun {
  return async (root, { signal, onProgress, onBusy }) => {
    const { parser, release } = parsers.take('usual');
    let isStarted = false;
    let sizeBytes = 0;
    try {
      // Nearly every new tree has something to parse: one child can start while the files are listed.
      if (!(await hasIndex(root))) parser.start(0);
      const made = await run(root, {
        signal,
        parser,
        ...(onBusy && { onBusy }),
        onProgress: (step) => {
          // An index that is up to date may be parsed too. For a large tree the children start late: together with the threads
          // that read they take the most memory.
          const isNearlyDone = step.totalBytes - step.doneBytes <= START_WITHIN_BYTES;
          if (step.total > 0 && isNearlyDone && !isStarted) parser.start(step.totalBytes);
          isStarted ||= isNearlyDone;
          sizeBytes = Math.max(sizeBytes, step.totalBytes);
          onProgress?.(step);
        },
      });
      if (made.kind === 'busy') return { outcome: made, parsed: undefined, problem: undefined };
      const { parsed: before = NOTHING, ...outcome } = made;
      const except = new Set(before.failed);
      const options = { signal, parser, except, retry: 'failed', ...(onProgress && { onProgress }) } as const;
      try {
        const parsed = addUp(before, await parse(root, options), outcome.ms);
        return { outcome, parsed, problem: undefined };
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'parser_unavailable') throw thrown;
        // The run itself is done and worth reporting.
        const parsed = before.exact === 0 ? undefined : addUp(before, NONE, outcome.ms);
        return { outcome, parsed, problem: thrown };
      }
    } finally {
      release(sizeBytes);
    }
  };
}

const NOTHING: ParseTally = { exact: 0, failed: [] };
const NONE: ExactOutcome = { exact: 0, failed: 0, ms: 0 };

/** What was parsed while it was read took as long as the reading. */
function addUp(before: ParseTally, behind: ExactOutcome, readMs: number): ExactOutcome {
  const exact = before.exact + behind.exact;
  const failed = before.failed.length + behind.failed;
  return { exact, failed, ms: behind.ms + (before.exact + before.failed.length > 0 ? readMs : 0) };
}
