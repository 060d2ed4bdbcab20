/** For answers that need every file parsed: parses what waits at once, and waits for it while it is little. */
import { AppError, type Logger } from '../core/index.ts';
import { isParsable, PARSER_ID } from '../languages/index.ts';
import type { IndexStore } from '../storage/index.ts';
import type { ExactPass } from './exact-pass.ts';

export interface ParseWaitingParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly parse: ExactPass;
  readonly logger: Logger;
  /** How long a caller waits. */
  readonly maxMs: number;
  /** More than this is left to the idle queue. */
  readonly mostBytes: number;
}

export interface ParseWaiting {
  /** Gives how many files the caller waited for. */
  run(
    root: string,
    options: { readonly signal: AbortSignal; readonly wait?: 'endless' | undefined },
  ): Promise<number>;
  forget(root: string): void;
  close(): Promise<void>;
}

export function createParseWaiting({
  openStore,
  parse,
  logger,
  maxMs,
  mostBytes,
}: ParseWaitingParts): ParseWaiting {
  /** The commit at which nothing waited. */
  const settledAt = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  const start = (root: string): Promise<void> => {
    const known = running.get(root);
    if (known !== undefined) return known;
    const work = parse(root, { signal: closing.signal })
      .then(
        () => {},
        (thrown: unknown) => {
          if (closing.signal.aborted) return;
          // The answer says that files were not parsed; `parser_unavailable` and a busy index are no reason to have none.
          if (!(thrown instanceof AppError) || thrown.facts.fault === 'bug') throw thrown;
          logger.warn('files could not be parsed for an answer', { root, reason: thrown.message });
        },
      )
      .finally(() => running.delete(root));
    running.set(root, work);
    return work;
  };

  return {
    async run(root, { signal, wait }) {
      const store = await openStore(root);
      const generation = await store.generation();
      if (settledAt.get(root) === generation) return 0;
      const waiting = (await store.unparsed(PARSER_ID)).filter(({ language }) => isParsable(language));
      if (waiting.length === 0) {
        settledAt.set(root, generation);
        return 0;
      }
      const bytes = waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      if (wait !== 'endless' && bytes > mostBytes) return 0;
      await until(start(root), signal, wait === 'endless' ? undefined : maxMs);
      return waiting.length;
    },
    forget: (root) => void settledAt.delete(root),
    async close() {
      closing.abort();
      await Promise.allSettled(running.values());
    },
  };
}

/** Resolves when the work is done, when the time is over, or when the caller has left. */
function until(work: Promise<void>, signal: AbortSignal, maxMs: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = maxMs === undefined ? undefined : setTimeout(resolve, maxMs);
    const leave = (): void => resolve();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    });
  });
}
