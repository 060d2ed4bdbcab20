/** Requests as clients of both eras write them. */
import { send, type RawHeaders, type RawReply, type RawRequest } from './raw-http.ts';

export const MODERN = '2026-07-28';
export const NEWEST_LEGACY = '2025-11-25';

const BOTH_TYPES = 'application/json, text/event-stream';
const JSON_HEADERS = { accept: BOTH_TYPES, 'content-type': 'application/json' };

/** Everything a modern request has to say about itself. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'modern-test', version: '1.0.0' },
} as const;

export interface Call {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface More {
  readonly path?: string;
  readonly headers?: RawHeaders;
}

export function post(body: unknown, { path = '/mcp', headers = {} }: More = {}): RawRequest {
  return { method: 'POST', path, headers: { ...JSON_HEADERS, ...headers }, body };
}

export function rpc({ id, method, params }: Call): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    method,
    ...(params === undefined ? {} : { params }),
  };
}

/** A legacy message inside a session, or outside of one if it is undefined. */
export function legacy(session: string | undefined, call: Call, more: More = {}): RawRequest {
  return post(rpc(call), { ...more, headers: { 'mcp-session-id': session, ...more.headers } });
}

export function modern(call: Call, more: More = {}): RawRequest {
  const params = { ...call.params, _meta: { ...ENVELOPE, ...metaOf(call) } };
  const name = call.params?.['name'] ?? call.params?.['uri'];
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': call.method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...more.headers,
  };
  return post(rpc({ ...call, params }), { ...more, headers });
}

export function initialize(version: string = NEWEST_LEGACY, more: More = {}): RawRequest {
  const params = {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'legacy-test', version: '1.0.0' },
  };
  return post(rpc({ id: 'hello', method: 'initialize', params }), more);
}

/** Shakes hands and returns the session's id. */
export async function openSession(
  port: number,
  version: string = NEWEST_LEGACY,
  more: More = {},
): Promise<string> {
  const { headers, text } = await send(port, initialize(version, more));
  const session = headers['mcp-session-id'];
  if (typeof session !== 'string') throw new Error(`no session: ${text}`);
  await send(port, legacy(session, { method: 'notifications/initialized' }, more));
  return session;
}

export interface RpcBody {
  readonly jsonrpc: string;
  readonly id: string | number;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
}

/** The message of a reply, whether it came as JSON or as a stream of events. */
export function messageOf({ headers, text }: RawReply): RpcBody {
  if (headers['content-type']?.startsWith('text/event-stream') !== true) return JSON.parse(text);
  const last = text.split('\n').findLast((line) => line.startsWith('data: {')) ?? '';
  return JSON.parse(last.slice('data: '.length));
}

function metaOf(call: Call): object {
  const meta = call.params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? meta : {};
}
