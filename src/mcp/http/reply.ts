/** What goes back to an HTTP client, before any socket knows of it. */

export type Headers = Readonly<Record<string, string>>;

/** Where a stream of events is written to. */
export interface StreamSink {
  write(text: string): void;
  end(): void;
}

export type Reply =
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly headers: Headers;
      readonly body: string | undefined;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly headers: Headers;
      /** Called once the head is written; returns what to do when the client goes away. */
      readonly start: (sink: StreamSink) => () => void;
    };

export type RequestId = string | number;

/** JSON-RPC wants an id on every answer; this stands for one that could not be read. */
export const UNKNOWN_ID = 'server-error';

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

export const EVENT_STREAM_HEADERS: Headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

const JSON_HEADERS: Headers = { 'Content-Type': 'application/json' };

export function jsonReply(status: number, value: unknown, headers: Headers = {}): Reply {
  return { kind: 'whole', status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) };
}

export function emptyReply(status: number, headers: Headers = {}): Reply {
  return { kind: 'whole', status, headers, body: undefined };
}

export interface RpcErrorReply {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly id?: RequestId | undefined;
  readonly headers?: Headers;
}

/** An error as every client can read it: a JSON-RPC body whatever the status. */
export function errorReply({ status, code, message, id = UNKNOWN_ID, headers = {} }: RpcErrorReply): Reply {
  return jsonReply(status, { jsonrpc: '2.0', id, error: { code, message } }, headers);
}

export function invalidRequest(status: number, message: string, id?: RequestId): Reply {
  return errorReply({ status, code: RPC.invalidRequest, message, id });
}

/** For whoever still waits when we are told to stop. */
export function stopping(id?: RequestId, headers: Headers = {}): Reply {
  const message = 'The server is stopping. Try again later.';
  const later = { 'Retry-After': '5', ...headers };
  return errorReply({ status: 503, code: RPC.internalError, message, id, headers: later });
}
