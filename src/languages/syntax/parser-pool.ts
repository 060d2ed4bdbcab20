/**
 * Parses files in a few child processes, and keeps those processes for a while after a pass: the next saved file mostly comes soon,
 * and a warm child begins at once where a new one takes 200 ms of processor time. A fault in one file is the outcome of that file
 * and of no other.
 */
import { packageFile } from '../../platform/index.ts';
import type { ParseOutcome, ParseRequest } from './messages.ts';
import { createParserChild } from './parser-handle.ts';
import { PARSER_LIMITS, type ParserLimits } from './parser-limits.ts';

export interface ExactParserParts {
  readonly limits?: Partial<ParserLimits>;
  /** Of the child processes: `usual` if a caller waits for the result. */
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

// Back-pressure; large enough that the children go on while the caller commits.
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
  /** A child that runs already costs nothing. */
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
      stop.abort(new Error('the outcomes are no longer wanted'));
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

/** The children share one source. It may be a generator, so calls to `next` must not overlap. */
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

/** A condition variable: `ring` wakes all that wait in `heard`. */
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

type Priority = NonNullable<ExactParserParts['priority']>;

export interface ParserLease {
  readonly parser: ExactParser;
  /** Call once, with the number of bytes that were parsed. */
  release(parsedBytes: number): void;
}

export interface ParserPool {
  /** All leases of one priority share one parser. */
  take(priority: Priority): ParserLease;
  /** Ends the children, also those at work. */
  close(): void;
}

/** Unused children end after this. */
const IDLE_MS = 10_000;
/** After so much the children have doubled in size, and a large index needs the memory: they end at once. */
const KEPT_BELOW_BYTES = 8 * 1024 * 1024;

interface KeptParser {
  readonly parser: ExactParser;
  users: number;
  /** The most that one of the users had parsed. */
  parsedBytes: number;
  timer: NodeJS.Timeout | undefined;
}

export function createParserPool(parts: ExactParserParts | undefined): ParserPool {
  const kept = new Map<Priority, KeptParser>();

  function open(priority: Priority): KeptParser {
    const known = kept.get(priority);
    if (known !== undefined) return known;
    const parser = createExactParser({ ...parts, priority });
    const made: KeptParser = { parser, users: 0, parsedBytes: 0, timer: undefined };
    kept.set(priority, made);
    return made;
  }

  return {
    take(priority) {
      const one = open(priority);
      clearTimeout(one.timer);
      one.users += 1;
      return {
        parser: one.parser,
        release(parsedBytes) {
          one.users -= 1;
          one.parsedBytes = Math.max(one.parsedBytes, parsedBytes);
          if (one.users > 0) return;
          const isGrown = one.parsedBytes >= KEPT_BELOW_BYTES;
          one.parsedBytes = 0;
          if (isGrown) one.parser.close();
          else one.timer = setTimeout(() => one.parser.close(), IDLE_MS).unref();
        },
      };
    },
    close() {
      for (const { parser, timer } of kept.values()) {
        clearTimeout(timer);
        parser.close();
      }
    },
  };
}
