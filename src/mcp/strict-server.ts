/** The SDK's server, with parameters that do not fit answered as the caller's mistake, in words: the SDK dumps its schema. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK checks this one before our handler is reached, and calls it by this name. */
const DUMP = 'Invalid tools/call request: ';

export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, async (request, context) => {
      try {
        return await handler(request, context);
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown;
        // Our own handlers are guarded, so what is left is the SDK's check, whose text is a dump of its schema library.
        const dump = thrown instanceof Error ? thrown.message : '';
        throw invalidParams(`Invalid params for ${method}${badFields(dump)}`);
      }
    });
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (thrown) {
        if (!(thrown instanceof ProtocolError) || !thrown.message.startsWith(DUMP)) throw thrown;
        const fields = badFields(thrown.message.slice(DUMP.length));
        throw invalidParams(
          `Invalid params for tools/call${fields}. It takes {name: string, arguments?: object}.`,
        );
      }
    };
  }
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** The fields that the schema library names in its dump, with a colon before them. */
function badFields(dump: string): string {
  try {
    const issues: unknown = JSON.parse(dump);
    const fields = Array.isArray(issues) ? issues.map(({ path }: { path: unknown[] }) => path.join('.')) : [];
    return fields.length === 0 ? '' : `: ${[...new Set(fields)].slice(0, 10).join(', ')}`;
  } catch {
    return '';
  }
}
