/** Verbs that are not served, and verbs with a body that has no place. */
import type { Exchange } from './exchange.ts';
import { errorReply, invalidRequest, RPC, type Reply } from './reply.ts';

export function methodNotAllowed(allow: string): Reply {
  return errorReply({
    status: 405,
    code: RPC.invalidRequest,
    message: 'Method Not Allowed',
    headers: { Allow: allow },
  });
}

/**
 * GET and DELETE have nothing to say in a body. Ignoring one would be kinder, but what two readers of a connection do not
 * agree on is how requests are smuggled past a proxy, and a stream whose request never ends would be cut by its time limit.
 */
export function refuseContent(exchange: Exchange): Reply | undefined {
  const length = exchange.header('content-length');
  if (exchange.header('transfer-encoding') === undefined && (length === undefined || /^0+$/.test(length)))
    return undefined;
  return invalidRequest(400, `Bad Request: ${exchange.method} has no body`);
}
