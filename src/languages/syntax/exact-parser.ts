/** Parses files in a few child processes; what goes wrong with one file is the outcome of that file and of no other. */
import { packageFile } from '../../platform/index.ts';
import type { ParseOutcome, ParseRequest } from './parsed.ts';
import { createParserChild } from './parser-child.ts';
import { PARSER_LIMITS, type ParserLimits } from './parser-limits.ts';

export interface ExactParserParts {
  readonly limits?: Partial<ParserLimits>;
  /** Of the children: usual, if somebody waits for them. */
  readonly priority?: 'low' | 'usual';
  /** Another module for the children, and another folder for the grammars: for tests. */
  readonly absChildModule?: string;
  readonly absGrammarFolder?: string;
}

export interface ExactParser {
  /**
   * One outcome for each file, in the order in which they are finished. Files are taken from `files` only as fast as
   * outcomes are taken from the result. Throws the signal's reason when it is aborted. How much there is, if it is known,
   * decides how many children take part.
   */
  parse(
    files: Iterable<ParseRequest> | AsyncIterable<ParseRequest>,
    signal: AbortSignal,
    sizeBytes?: number,
  ): AsyncIterable<ParseOutcome>;
  /** Starts the children that so much will take, before there is anything to parse. */
  start(sizeBytes: number): void;
  /** Ends the children. They start again when there is something to parse. */
  close(): void;
}

// Enough that the children go on while the caller commits.
const MOST_UNREAD = 32;

export function createExactParser(parts: ExactParserParts = {}): ExactParser {
  const limits: ParserLimits = { ...PARSER_LIMITS, ...parts.limits };
  const children = Array.from({ length: limits.children }, () =>
    createParserChild({
      absModulePath: parts.absChildModule ?? packageFile('dist/parser-child.js'),
      args: [parts.absGrammarFolder ?? packageFile('dist/grammars')],
      limits,
      priority: parts.priority ?? 'low',
    }),
  );
  /** What runs already is there for nothing. */
  const childrenFor = (sizeBytes: number): typeof children =>
    sizeBytes < limits.aloneBelowBytes
      ? children.filter((child, at) => at === 0 || child.isRunning())
      : children;

  async function* parse(
    files: Iterable<ParseRequest> | AsyncIterable<ParseRequest>,
    signal: AbortSignal,
    sizeBytes = Infinity,
  ): AsyncGenerator<ParseOutcome> {
    const active = childrenFor(sizeBytes);
    const isLittle = parts.priority === 'usual' && sizeBytes < limits.littleBytes;
    const mostMb = isLittle ? limits.replacedAtMbForLittle : limits.replacedAtMb;
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const next = oneAtATime(files);
    const outcomes: ParseOutcome[] = [];
    const state: { working: number; failure?: { readonly reason: unknown } } = {
      working: active.length * limits.ahead,
    };
    const changed = createBell();

    async function work(child: (typeof children)[number]): Promise<void> {
      try {
        for (let file = await next(); file !== undefined; file = await next()) {
          outcomes.push(await child.parse(file, { signal: stop.signal, mostMb }));
          changed.ring();
          while (outcomes.length >= MOST_UNREAD && !stop.signal.aborted) await changed.heard();
        }
      } catch (reason) {
        state.failure ??= { reason };
      } finally {
        state.working--;
        changed.ring();
      }
    }

    stop.signal.addEventListener('abort', changed.ring, { once: true });
    // Every child once, before any gets a second file.
    const lanes = Array.from({ length: limits.ahead }, () => active.map(work)).flat();
    try {
      for (;;) {
        signal.throwIfAborted();
        const outcome = outcomes.shift();
        if (outcome !== undefined) {
          changed.ring();
          yield outcome;
        } else if (state.failure !== undefined) throw state.failure.reason;
        else if (state.working === 0) return;
        else await changed.heard();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      stop.abort(new Error('nobody waits for the outcomes any more'));
      await Promise.all(lanes);
    }
  }

  return {
    start: (sizeBytes) => {
      for (const child of childrenFor(sizeBytes)) child.start();
    },
    parse,
    close: () => {
      for (const child of children) child.close();
    },
  };
}

/** The children share one source, which may be a generator: it must not be asked while it is answering. */
function oneAtATime<T>(items: Iterable<T> | AsyncIterable<T>): () => Promise<T | undefined> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const answer = last.then(async () => {
      const { done, value } = await iterator.next();
      return done === true ? undefined : value;
    });
    last = answer.catch(() => {});
    return answer;
  };
}

/** Wakes everybody who waits. */
function createBell(): { ring(): void; heard(): Promise<void> } {
  let waiting: (() => void)[] = [];
  return {
    ring: () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    heard: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
