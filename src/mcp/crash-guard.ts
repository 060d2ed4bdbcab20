/** A handler that breaks answers with a reference instead of its insides; the log has the rest under that reference. */
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../core/index.ts';
import { exchangeOf } from './http/exchange.ts';

export function createCrashGuard(logger: Logger, newReference: () => string) {
  return function guard<Request, Result>(
    method: string,
    handler: (request: Request, context: ServerContext) => Promise<Result>,
  ): (request: Request, context: ServerContext) => Promise<Result> {
    return async (request, context) => {
      try {
        return await handler(request, context);
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown;
        const note = exchangeOf(context.http?.req)?.note;
        if (note !== undefined) note.crashed = true;
        const reference = newReference();
        const cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
        logger.error('a handler crashed', { method, reference, cause });
        throw new ProtocolError(ProtocolErrorCode.InternalError, `Internal error (reference ${reference})`);
      }
    };
  };
}
