/** A handler that breaks answers with a reference instead of its insides; the log has the rest under that reference. */
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../core/index.ts';

export const INTERNAL_ERROR = 'Internal error (reference ';

export function renderCrash(reference: string): string {
  return `${INTERNAL_ERROR}${reference})`;
}

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
        const reference = newReference();
        const cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
        logger.error('a handler crashed', { method, reference, cause });
        throw new ProtocolError(ProtocolErrorCode.InternalError, renderCrash(reference));
      }
    };
  };
}
