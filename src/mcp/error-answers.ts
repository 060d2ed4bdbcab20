/** What clients read of errors, on every transport: crashes as a reference, bad params and unknown methods by name. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Implementation,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  type Result,
  type ServerContext,
  type ServerOptions,
  type Transport,
} from '@modelcontextprotocol/server';
import { isCrashReport, type CrashReporter, type RequestId } from '../transport/index.ts';
import { innerServer } from './connection.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK checks tools/call before our handler is reached, and begins its message with this. */
const SDK_CALL_CHECK = 'Invalid tools/call request: ';

/** The SDK's server, whose handlers may throw anything: the one place where a crash becomes an answer. */
export class SafeServer extends Server {
  readonly #reportCrash: CrashReporter;

  constructor(identity: Implementation, options: ServerOptions, reportCrash: CrashReporter) {
    super(identity, options);
    this.#reportCrash = reportCrash;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, async (request, context) => {
      try {
        return await handler(request, context);
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown;
        const fields = badFields(thrown);
        if (fields !== undefined) throw invalidParams(`Invalid params for ${method}${fields}`);
        const message = this.#reportCrash('a handler crashed', thrown, { method });
        throw new ProtocolError(ProtocolErrorCode.InternalError, message);
      }
    });
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (thrown) {
        if (!(thrown instanceof ProtocolError) || !thrown.message.startsWith(SDK_CALL_CHECK)) throw thrown;
        const fields = badFields(new Error(thrown.message.slice(SDK_CALL_CHECK.length))) ?? '';
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

/** The fields that the SDK's own check found wrong: it throws a plain error whose text is its schema library's list of issues. */
function badFields(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'Error') return undefined;
  try {
    const issues: unknown = JSON.parse(thrown.message);
    if (!Array.isArray(issues)) return undefined;
    const fields = issues.map(({ path }: { path: unknown[] }) => path.join('.'));
    return fields.length === 0 ? '' : `: ${[...new Set(fields)].slice(0, 10).join(', ')}`;
  } catch {
    return undefined;
  }
}

export interface Rewording {
  readonly reportCrash: CrashReporter;
  /** The SDK only says that a method was not found. Modern requests over HTTP keep its words (R106). */
  readonly namesMethods: boolean;
}

/**
 * The same server, whatever made it: what the SDK sends in its own words goes out in ours. It sends the message of whatever a
 * handler threw.
 */
export function rewordErrors<Made extends Server | McpServer>(made: Made, rewording: Rewording): Made {
  const server = innerServer(made);
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    reword(transport, rewording);
    return connect(transport);
  };
  return made;
}

function reword(transport: Transport, rewording: Rewording): void {
  const methods = new Map<RequestId, string>();
  const receive = transport.onmessage;
  // The SDK calls what it finds here before its own listener.
  transport.onmessage = (message, extra) => {
    if ('method' in message) {
      if ('id' in message) methods.set(message.id, message.method);
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) methods.delete(cancelled);
    }
    receive?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('method' in message || message.id === undefined) return send(message, options);
    const method = methods.get(message.id);
    methods.delete(message.id);
    return send('error' in message ? plainError(message, method, rewording) : message, options);
  };
}

function plainError(
  message: JSONRPCErrorResponse,
  method: string | undefined,
  { reportCrash, namesMethods }: Rewording,
): JSONRPCErrorResponse {
  const { code, message: said } = message.error;
  if (namesMethods && code === ProtocolErrorCode.MethodNotFound && method !== undefined)
    return { ...message, error: { ...message.error, message: `unknown method: ${shorten(method)}` } };
  if (code !== ProtocolErrorCode.InternalError || isCrashReport(said)) return message;
  return { ...message, error: { code, message: reportCrash('a handler crashed', said, { method }) } };
}

/** The request that a notification cancels, which the SDK then never answers. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

export function unknownTool(name: string): ProtocolError {
  return invalidParams(`unknown tool: ${shorten(name)}`);
}

export function unknownPrompt(name: string): ProtocolError {
  return invalidParams(`unknown prompt: ${shorten(name)}`);
}

export function unknownResource(uri: string): ProtocolError {
  const said = shorten(uri);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown resource: ${said}`, { uri: said });
}

const MOST_ECHOED_CHARS = 200;

/** The client knows what it asked for and needs no megabytes of it back. */
function shorten(text: string): string {
  return text.length > MOST_ECHOED_CHARS ? `${text.slice(0, MOST_ECHOED_CHARS)}…` : text;
}
