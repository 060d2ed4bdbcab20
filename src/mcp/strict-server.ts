/** The SDK's server, with parameters that do not fit answered as the caller's mistake: the SDK calls them a crash of ours. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return super._wrapHandler(method, async (request, context) => {
      try {
        return await handler(request, context);
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown;
        // Our own handlers are guarded, so what is left is the SDK's check, whose text is a dump of its schema library.
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Invalid params for ${method}${badFields(thrown)}`,
        );
      }
    });
  }
}

function badFields(thrown: unknown): string {
  try {
    const issues: unknown = thrown instanceof Error ? JSON.parse(thrown.message) : undefined;
    const fields = Array.isArray(issues) ? issues.map(({ path }: { path: unknown[] }) => path.join('.')) : [];
    return fields.length === 0 ? '' : `: ${[...new Set(fields)].slice(0, 10).join(', ')}`;
  } catch {
    return '';
  }
}
