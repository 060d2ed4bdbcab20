/** `/healthz`: the process runs. `/readyz`: it can be of use. Open to every caller that passes the access checks. */
import type { Logger } from '../core/index.ts';
import {
  emptyReply,
  errorReply,
  jsonReply,
  methodNotAllowed,
  RPC,
  type Exchange,
  type Reply,
} from '../transport/index.ts';

export interface HealthOptions {
  /** Rejects if what is kept on disk cannot be opened. */
  readonly checkStorage: () => Promise<void>;
  readonly isStopping: () => boolean;
  readonly logger: Logger;
}

const READY = '/readyz';
export const HEALTH_PATHS: readonly string[] = ['/healthz', READY];

export async function answerHealth(
  { method, path }: Pick<Exchange, 'method' | 'path'>,
  options: HealthOptions,
): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD');
  const trouble = path === READY ? await findTrouble(options) : undefined;
  if (trouble === undefined) return method === 'HEAD' ? emptyReply(200) : jsonReply(200, { status: 'ok' });
  const headers = { 'Retry-After': '5' };
  if (method === 'HEAD') return emptyReply(503, headers);
  return errorReply({ status: 503, code: RPC.internalError, message: `Not ready: ${trouble}`, headers });
}

async function findTrouble({ checkStorage, isStopping, logger }: HealthOptions): Promise<string | undefined> {
  if (isStopping()) return 'the server is stopping';
  try {
    await checkStorage();
    return undefined;
  } catch (thrown) {
    // Paths and causes are for the log: callers need no token to ask.
    logger.warn('not ready', { reason: thrown instanceof Error ? thrown.message : String(thrown) });
    return 'what is kept on disk cannot be opened; the log says why';
  }
}
