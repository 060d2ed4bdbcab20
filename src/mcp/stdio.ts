/** Serves one client over standard input and output, in either protocol era, and ends when the client does. */
import { PassThrough, Writable, type Readable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../core/index.ts';
import type { CrashReporter } from '../transport/index.ts';
import type { ServerFactory } from './connection.ts';
import { cancelledId, rewordErrors } from './error-answers.ts';

export interface StdioOptions {
  readonly factory: ServerFactory;
  readonly logger: Logger;
  readonly reportCrash: CrashReporter;
  /** Resolves when the process that started us is gone. */
  readonly parentGone: (signal: AbortSignal) => Promise<void>;
  /** Sees every message of the client before the server does. Must not throw. */
  readonly observe?: ((message: unknown) => void) | undefined;
  /** What the client writes to and reads from; the process's own by default. */
  readonly pipes?: { readonly stdin: Readable; readonly stdout: Writable } | undefined;
}

export interface StdioConnection {
  /** Resolves when the client has gone, whichever way. */
  readonly ended: Promise<void>;
  /** Lets what is under way finish for a moment, then ends. */
  close(): Promise<void>;
}

/** How long requests under way may take to finish once the client has closed our input. */
const DRAIN_MS = 1_000;

export function openStdio({
  factory,
  logger,
  reportCrash,
  parentGone,
  observe,
  pipes: { stdin, stdout } = process,
}: StdioOptions): StdioConnection {
  const watching = new AbortController();
  const output = claimStdout(stdout, logger);
  const input = new PassThrough();
  const open = new Set<string | number>();
  let onIdle = (): void => {};
  const transport = countingOpen(new StdioServerTransport(input, output.stream), open, {
    onIdle: () => onIdle(),
    observe,
  });
  const handle = serveStdio(
    ({ era }) => rewordErrors(factory({ transport: 'stdio', era }), { reportCrash, namesMethods: true }),
    {
      transport,
      onerror: (error) => logger.debug('stdio', { reason: error.message }),
    },
  );

  let draining: Promise<void> | undefined;
  // Waited for once: the end of input and the close that follows share one time limit.
  const drained = (): Promise<void> =>
    (draining ??= new Promise((resolve) => {
      if (open.size === 0) return resolve();
      const timer = setTimeout(resolve, DRAIN_MS);
      onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    }));

  const inputEnded = new Promise<void>((resolve) =>
    stdin.once('end', resolve).once('close', resolve).once('error', resolve),
  );
  stdin.pipe(input, { end: false });
  return {
    // End of input is the orderly end; a broken pipe and a dead parent are the others.
    ended: Promise.race([inputEnded.then(drained), output.broken, parentGone(watching.signal)]),
    async close() {
      watching.abort();
      await drained();
      await handle.close();
    },
  };
}

/** Takes standard output for the protocol alone. What else prints there is logged, instead of breaking the client's parser. */
function claimStdout(
  stdout: Writable,
  logger: Logger,
): { readonly stream: Writable; readonly broken: Promise<void> } {
  const write = stdout.write.bind(stdout);
  stdout.write = (chunk: string | Uint8Array): boolean => {
    logger.warn('something printed to standard output', {
      text: Buffer.from(chunk).toString('utf8').trimEnd(),
    });
    return true;
  };
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, done),
  });
  // Every answer that has to wait for a slow reader listens for when it may go on: many of them are no leak.
  stream.setMaxListeners(0);
  const broken = new Promise<void>((resolve) => {
    stdout.once('error', () => resolve());
    stream.once('error', () => resolve());
  });
  return { stream, broken };
}

/** The same transport, keeping the ids of requests that wait for their answers. */
function countingOpen(
  transport: StdioServerTransport,
  open: Set<string | number>,
  { onIdle, observe }: { readonly onIdle: () => void } & Pick<StdioOptions, 'observe'>,
): Transport {
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
    if (message.id !== undefined) open.delete(message.id);
    if (open.size === 0) onIdle();
  };
  const start = transport.start.bind(transport);
  transport.start = () => {
    // The server sets its listener before it starts the transport, so this wraps the final one.
    const deliver = transport.onmessage;
    transport.onmessage = (message) => {
      observe?.(message);
      if (isJSONRPCRequest(message)) open.add(message.id);
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) open.delete(cancelled);
      deliver?.(message);
    };
    return start();
  };
  return transport;
}
