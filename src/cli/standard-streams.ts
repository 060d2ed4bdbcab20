/** The process's own streams: what was written, when their readers have taken everything, and questions to the user. */
import { createInterface } from 'node:readline/promises';
import { AppError } from '../core/index.ts';
import { runPager } from '../platform/index.ts';
import type { Sink, Streams } from './output.ts';

/**
 * Node queues what a pipe does not take at once, and `process.exit` drops the queue: the program asks `drained` first. A reader
 * that goes away (`waymark … | head`) is no failure: what is left is dropped in silence, and the command finishes its work.
 */
export function standardStreams(): ProcessStreams {
  const out = trackWrites(process.stdout);
  const err = trackWrites(process.stderr);
  let isPaging = false;
  return {
    isPaging: () => isPaging,
    async page(text, { command, env }) {
      isPaging = true;
      try {
        return await runPager(command, text, env);
      } finally {
        isPaging = false;
      }
    },
    out: out.sink,
    err: err.sink,
    in: () => process.stdin,
    async drained() {
      // Where standard error itself is broken there is no place left to report that.
      await err.drained();
      const failure = await out.drained();
      if (failure !== undefined && !isReaderGone(failure)) throw failure;
    },
  };
}

interface ProcessStreams extends Streams {
  /** While a pager has the terminal, Ctrl-C is meant for it. */
  isPaging(): boolean;
}

interface TrackedWrites {
  readonly sink: Sink;
  /** Resolves with the first failure, if there was one. */
  drained(): Promise<Error | undefined>;
}

function trackWrites(stream: NodeJS.WriteStream): TrackedWrites {
  let failure: Error | undefined;
  let pending = 0;
  let onDrained = (): void => {};
  const settle = (error?: Error | null): void => {
    failure ??= error ?? undefined;
    pending -= 1;
    if (pending === 0) onDrained();
  };
  // Each write reports its own failure; without a listener the event would end the process.
  stream.on('error', () => {});
  return {
    sink: {
      isTTY: stream.isTTY,
      get columns() {
        return stream.columns;
      },
      get rows() {
        return stream.rows;
      },
      write(text) {
        pending += 1;
        return stream.write(text, settle);
      },
    },
    drained: () =>
      new Promise((resolve) => {
        onDrained = () => resolve(failure);
        if (pending === 0) onDrained();
      }),
  };
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** Undefined without a terminal: a pipe is never asked. */
export async function ask(
  { err, in: open }: Streams,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const input = open?.();
  if (input?.isTTY !== true || err.isTTY !== true) return undefined;
  const terminal = createInterface({ input, output: process.stderr });
  // The prompt would keep the process alive.
  const end = (): void => terminal.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      const stop = (): void => reject(new AppError('interrupted', 'Stopped. Nothing was changed.'));
      terminal.once('SIGINT', stop);
      terminal.once('close', stop);
      terminal.question(question).then((answer) => resolve(answer.trim().toLowerCase()), reject);
    });
  } finally {
    signal.removeEventListener('abort', end);
    terminal.close();
  }
}
