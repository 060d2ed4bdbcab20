/** Files that an answer needs are parsed at once, beside what the idle queue does, and waited for while they are little. */
import { AppError, type Logger } from '../core/index.ts';
import { PARSER_ID } from '../languages/index.ts';
import type { IndexStore, UnparsedFile } from '../storage/index.ts';
import type { ExactPass } from './exact-pass.ts';

export interface ParseWaitingParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly parse: ExactPass;
  readonly logger: Logger;
  /** More than this is left to the idle queue, unless the caller waits as long as it takes. */
  readonly mostBytes: number;
}

export interface ParseOptions {
  readonly signal: AbortSignal;
  readonly maxMs: number;
}

export interface ParseWaiting {
  /** Gives how many of the files were parsed. What was begun goes on when the time is over or the caller leaves. */
  run(root: string, paths: readonly string[], options: ParseOptions): Promise<number>;
  isBusy(root: string): boolean;
  close(): Promise<void>;
}

const MOST_JOINED = 2;

interface Work {
  readonly paths: ReadonlySet<string>;
  readonly done: Promise<void>;
}

export function createParseWaiting({ openStore, parse, logger, mostBytes }: ParseWaitingParts): ParseWaiting {
  const working = new Map<string, Set<Work>>();
  const closing = new AbortController();

  function start(root: string, only: ReadonlySet<string>): Work {
    const works = working.get(root) ?? new Set<Work>();
    working.set(root, works);
    const done = parse(root, { signal: closing.signal, only })
      .then(
        () => {},
        (thrown: unknown) => {
          if (closing.signal.aborted) return;
          // The answer says that files were not parsed; `parser_unavailable` and a busy index are no reason to have none.
          if (!(thrown instanceof AppError) || thrown.facts.fault === 'bug') throw thrown;
          logger.warn('files could not be parsed for an answer', { root, reason: thrown.message });
        },
      )
      .finally(() => {
        works.delete(work);
        if (works.size === 0 && working.get(root) === works) working.delete(root);
      });
    const work: Work = { paths: only, done };
    works.add(work);
    return work;
  }

  return {
    async run(root, paths, { signal, maxMs }) {
      const store = await openStore(root);
      const asked = new Set(paths);
      const waitingOf = async (): Promise<readonly UnparsedFile[]> =>
        (await store.unparsed(PARSER_ID)).filter(({ path }) => asked.has(path));
      const waiting = await waitingOf();
      const bytes = waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      if (waiting.length === 0 || (maxMs !== Infinity && bytes > mostBytes)) return 0;
      // To wait for a work that is much larger takes longer than to parse these few again.
      const joined = [...(working.get(root) ?? [])].filter(
        (work) =>
          work.paths.size <= MOST_JOINED * waiting.length && waiting.some(({ path }) => work.paths.has(path)),
      );
      const rest = waiting
        .map(({ path }) => path)
        .filter((path) => !joined.some((work) => work.paths.has(path)));
      if (rest.length > 0) joined.push(start(root, new Set(rest)));
      await until(Promise.all(joined.map(({ done }) => done)), signal, maxMs);
      return waiting.length - (await waitingOf()).length;
    },
    isBusy: (root) => working.has(root),
    async close() {
      closing.abort();
      await Promise.allSettled([...working.values()].flatMap((works) => [...works].map(({ done }) => done)));
    },
  };
}

/** Resolves when the work is done, when the time is over, or when the caller has left. */
function until(work: Promise<unknown>, signal: AbortSignal, maxMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = maxMs === Infinity ? undefined : setTimeout(resolve, maxMs);
    const leave = (): void => resolve();
    signal.addEventListener('abort', leave, { once: true });
    work
      .then(() => resolve(), reject)
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      });
  });
}
