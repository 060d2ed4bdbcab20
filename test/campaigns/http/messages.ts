/** Valid messages of both eras: what well-behaved clients send, and what mutations start from. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export interface Message {
  readonly [key: string]: Json;
}

export const MODERN_VERSION = '2026-07-28';
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const CLIENT: Message = { name: 'campaign', version: '1.0.0' };

export const ENVELOPE: Message = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
};

export function initialize(id: Json, protocolVersion: Json = '2025-11-25'): Message {
  return rpc(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: CLIENT });
}

export function rpc(id: Json, method: string, params?: Message): Message {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function isMessage(value: Json): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same request with the envelope that makes it a modern one. */
export function modern(message: Message): Message {
  const params = message['params'] ?? null;
  return { ...message, params: { ...(isMessage(params) ? params : {}), _meta: ENVELOPE } };
}

/** The headers a modern client sends with a message, by their lower-case names. */
export function modernHeaders(message: Message): Readonly<Record<string, string>> {
  const { method, params = null } = message;
  const name = isMessage(params) ? (params['name'] ?? params['uri']) : undefined;
  return {
    'mcp-protocol-version': MODERN_VERSION,
    'mcp-method': typeof method === 'string' ? method : '',
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

/** Requests that both eras know. */
export const SHARED_REQUESTS: readonly [Message, ...Message[]] = [
  rpc(1, 'tools/list'),
  rpc('a', 'tools/list', { cursor: 'x' }),
  rpc(2, 'tools/call', { name: 'project_status', arguments: {} }),
  rpc(3, 'tools/call', { name: 'project_status', arguments: { extra: [1, 'two', null] } }),
  rpc(4, 'tools/call', { name: 'no_such_tool', arguments: {} }),
  rpc(5, 'resources/list'),
  rpc(6, 'resources/templates/list'),
  rpc(7, 'resources/read', { uri: 'waymark://project/status' }),
  rpc(8, 'resources/read', { uri: 'file:///etc/passwd' }),
  rpc(9, 'prompts/list'),
  rpc(10, 'prompts/get', { name: 'no_such_prompt' }),
  rpc(11, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'x' },
    argument: { name: 'a', value: 'b' },
  }),
  rpc(12, 'no/such/method', { deep: { deeper: [{}] } }),
];

export const LEGACY_ONLY: readonly [Json, ...Json[]] = [
  rpc(20, 'ping'),
  rpc(21, 'logging/setLevel', { level: 'debug' }),
  initialize(22),
  initialize(23, '2024-11-05'),
  initialize('24', '2099-01-01'),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'no longer' } },
  { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
  { jsonrpc: '2.0', id: 30, result: { roots: [] } },
  { jsonrpc: '2.0', id: 31, error: { code: -32000, message: 'no' } },
  [rpc(40, 'ping'), rpc(41, 'tools/list'), { jsonrpc: '2.0', method: 'notifications/initialized' }],
  [rpc(50, 'ping'), rpc(50, 'ping')],
  [],
];

export const MODERN_ONLY: readonly [Message, ...Message[]] = [
  rpc(60, 'server/discover'),
  rpc(61, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
];
