/** Whether we run, and whether we can be of use. Open to everybody who passes the guard: it tells nothing of anybody. */
import type { Logger } from '../core/index.ts';
import { emptyReply, errorReply, jsonReply, RPC, type Exchange, type Reply } from '../mcp/index.ts';

export interface HealthOptions {
  /** Rejects if what is kept on disk cannot be opened. */
  readonly checkStorage: () => Promise<void>;
  readonly isStopping: () => boolean;
  readonly logger: Logger;
}

export interface Health {
  serves(path: string): boolean;
  answer(exchange: Pick<Exchange, 'method' | 'path'>): Promise<Reply>;
}

const ALIVE = '/healthz';
const READY = '/readyz';

export function createHealth({ checkStorage, isStopping, logger }: HealthOptions): Health {
  return {
    serves: (path) => path === ALIVE || path === READY,
    async answer({ method, path }) {
      if (method !== 'GET' && method !== 'HEAD') {
        const headers = { Allow: 'GET, HEAD' };
        return errorReply({ status: 405, code: RPC.invalidRequest, message: 'Method Not Allowed', headers });
      }
      const trouble = path === READY ? await findTrouble() : undefined;
      if (trouble === undefined)
        return method === 'HEAD' ? emptyReply(200) : jsonReply(200, { status: 'ok' });
      const headers = { 'Retry-After': '5' };
      if (method === 'HEAD') return emptyReply(503, headers);
      return errorReply({ status: 503, code: RPC.internalError, message: `Not ready: ${trouble}`, headers });
    },
  };

  async function findTrouble(): Promise<string | undefined> {
    if (isStopping()) return 'the server is stopping';
    try {
      await checkStorage();
      return undefined;
    } catch (thrown) {
      // Where it lies and what is wrong with it is for whoever may read the log.
      logger.warn('not ready', { reason: thrown instanceof Error ? thrown.message : String(thrown) });
      return 'what is kept on disk cannot be opened; the log says why';
    }
  }
}
