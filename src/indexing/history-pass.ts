/**
 * The history pass: what commits say of the files of a project, read in a thread of its own and kept in the index. A history that
 * has grown is read from where it was read to.
 */
import type { Clock, Logger, ProjectPlace } from '../core/index.ts';
import { packageFile, startThread } from '../platform/index.ts';
import type { IndexStore, KeptHistory } from '../storage/index.ts';
import { HISTORY_MAKER } from './gather-history.ts';
import type { IdleTask } from './idle-queue.ts';
import { whileLocked, type TryLock } from './open-indexes.ts';

export interface HistoryParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: TryLock;
  /** Where a project stands in history. */
  readonly placeOf: (root: string) => Pick<ProjectPlace, 'identity' | 'folder' | 'commit'>;
  readonly clock: Clock;
  /** Another module than the usual one. */
  readonly absThreadModule?: string | undefined;
}

export interface HistoryOutcome {
  /** That were read now. */
  readonly commits: number;
  readonly ms: number;
  /** Why they could not be read. */
  readonly problem?: string;
}

export type HistoryPass = (
  root: string,
  options: { readonly signal: AbortSignal },
) => Promise<HistoryOutcome>;

/** What the thread starts with. */
export interface HistoryRequest {
  readonly commonDir: string;
  readonly folder: string;
  readonly head: string;
  readonly paths: readonly string[];
  readonly before: Pick<KeptHistory, 'tips' | 'commits' | 'packed'> | undefined;
  readonly mostBytes: number;
}

/** `read`: how many commits were read for it. */
export type HistoryReply = Omit<KeptHistory, 'maker'> & { readonly read: number };

/** Beside the source. */
const MOST_OF_SOURCE = 0.2;
/** A small project has room for its words, too: an empty index takes more. */
const LEAST_BYTES = 64 * 1024;
const HEAP_MB = 768;

export function createHistoryPass(parts: HistoryParts): HistoryPass {
  /** Up to where this process knows it to be read: asked again and again, while commits are rare. */
  const readTo = new WeakMap<IndexStore, string>();
  return async (root, { signal }) => {
    const startedAt = parts.clock.elapsed();
    const { identity: commonDir, folder, commit: head } = parts.placeOf(root);
    const store = await parts.openStore(root);
    if (head === undefined || readTo.get(store) === head) return NOTHING;
    const kept = await store.history();
    const before = kept?.maker === HISTORY_MAKER ? kept : undefined;
    if (before?.tips[0] === head) {
      readTo.set(store, head);
      return NOTHING;
    }
    const { sourceBytes } = await store.stats();
    const request = {
      commonDir,
      folder,
      head,
      paths: (await store.manifest()).map(({ path }) => path),
      before,
      mostBytes: Math.max(LEAST_BYTES, Math.floor(sourceBytes * MOST_OF_SOURCE)),
    };
    const reply = await readInThread(request, signal, parts.absThreadModule);
    // What cannot be read now is not tried again until there is another commit, or another process.
    readTo.set(store, head);
    if (typeof reply === 'string') return { ...NOTHING, problem: reply };
    const { read, ...made } = reply;
    await whileLocked(
      () => parts.tryLock(root),
      signal,
      () => store.keepHistory({ maker: HISTORY_MAKER, ...made }),
    );
    return { commits: read, ms: Math.round(parts.clock.elapsed() - startedAt) };
  };
}

const NOTHING: HistoryOutcome = { commits: 0, ms: 0 };

/** Or why it ended before it answered. */
function readInThread(
  request: HistoryRequest,
  signal: AbortSignal,
  absThreadModule = packageFile('dist/history-reader.js'),
): Promise<HistoryReply | string> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      thread.stop();
      reject(signal.reason);
    };
    const thread = startThread({
      absModulePath: absThreadModule,
      data: request,
      heapMb: HEAP_MB,
      onMessage(message) {
        signal.removeEventListener('abort', stop);
        thread.stop();
        // Both sides are of one build.
        resolve(message as HistoryReply);
      },
      onEnd(reason) {
        signal.removeEventListener('abort', stop);
        resolve(`the thread that reads them ended: ${reason}`);
      },
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

export interface HistoryTaskParts {
  readonly read: HistoryPass;
  /** Whether the project's files are still being read. */
  readonly isUnsettled: (root: string) => boolean;
  readonly logger: Logger;
}

/** The history passes of a server, for its idle queue. */
export function createHistoryTask({ read, isUnsettled, logger }: HistoryTaskParts): IdleTask {
  return {
    isBlocked: isUnsettled,
    async run(root, signal) {
      const { commits, ms, problem } = await read(root, { signal });
      if (problem !== undefined) logger.warn('commits could not be read', { root, reason: problem });
      else if (commits > 0) logger.info('commits were read', { root, commits, ms });
      return 'done';
    },
  };
}
