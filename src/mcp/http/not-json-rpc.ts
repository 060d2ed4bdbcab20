/** JSON, but no message of JSON-RPC. */
import { hasLostId, readableId } from './classify.ts';
import { errorReply, type Reply } from './reply.ts';

const NO_MESSAGE = 'The body is not a JSON-RPC message';
const LOST_ID = 'The id is a number beyond 2^53, which is not kept exactly; send it as text';

/** The code differs by era. */
export function notJsonRpc(code: number, body: unknown): Reply {
  const lost = Array.isArray(body) ? body.some(hasLostId) : hasLostId(body);
  return errorReply({ status: 400, code, message: lost ? LOST_ID : NO_MESSAGE, id: readableId(body) });
}
