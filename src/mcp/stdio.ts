/** Serves one client over standard input and output, in either protocol era. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../core/index.ts';
import type { ServerFactory } from './build-server.ts';

export interface StdioOptions {
  readonly factory: ServerFactory;
  readonly logger: Logger;
}

export interface StdioConnection {
  /** Resolves when the client has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function openStdio({ factory, logger }: StdioOptions): StdioConnection {
  const handle = serveStdio(() => factory({ transport: 'stdio' }), {
    onerror: (error) => logger.debug('stdio', { reason: error.message }),
  });
  const ended = new Promise<void>((resolve) => {
    // The client closing our input is the one portable way of saying goodbye; a broken pipe is the rude one.
    process.stdin.once('end', resolve).once('close', resolve);
    process.stdout.once('error', () => resolve());
  });
  return { ended, close: () => handle.close() };
}
