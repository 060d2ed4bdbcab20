/** Rows F16 to F29: sessions, questions without an answer, limits and crashes. */
import type { RawRequest } from '../support/raw-http.ts';
import { ENVELOPE, initialize, legacy, modern, post, rpc } from '../support/rpc.ts';
import {
  both,
  INVALID,
  OK,
  UNKNOWN,
  version,
  type Era,
  type Expected,
  type MatrixRow,
} from './matrix-row.ts';

const MISSING =
  'Bad Request: Missing session ID. No session ID provided; send the Mcp-Session-Id header returned by initialize.';

const F16: readonly MatrixRow[] = [
  ...['tools/list', 'tools/call', 'ping', 'no/such', 'resources/list'].map((method): MatrixRow => ({
    id: 'F16',
    what: `${method} without a session id`,
    send: ({ ask }) => ask(method, {}, { 'mcp-session-id': undefined }),
    legacy: { status: 400, code: INVALID, message: MISSING },
  })),
  {
    id: 'F16',
    what: 'a notification without a session id',
    send: () => legacy(undefined, { method: 'notifications/initialized' }),
    legacy: { status: 400, code: INVALID, message: MISSING, id: UNKNOWN },
  },
  {
    id: 'F16',
    what: 'a batch without a session id',
    send: () => post([rpc({ id: 7, method: 'ping' })]),
    legacy: { status: 400, code: INVALID, message: MISSING },
  },
  {
    id: 'F16',
    what: 'GET with a version and without a session id',
    send: () => ({
      method: 'GET',
      path: '/mcp',
      headers: { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    }),
    legacy: { status: 400, code: INVALID, message: MISSING, id: UNKNOWN },
  },
  {
    id: 'F16',
    what: 'DELETE without a session id',
    send: () => ({ method: 'DELETE', path: '/mcp' }),
    legacy: { status: 400, code: INVALID, message: MISSING, id: UNKNOWN },
  },
  {
    id: 'F16',
    what: 'a message of HTTP+SSE without a session id',
    send: () => legacy(undefined, { id: 7, method: 'ping' }, { path: '/messages' }),
    legacy: { status: 400, code: INVALID, message: MISSING },
  },
];

const NO_SESSION: Expected = { status: 404, code: INVALID, message: 'Session not found' };
const F17: readonly MatrixRow[] = [
  {
    id: 'F17',
    what: 'POST with an unknown session id',
    send: ({ ask }) => ask('tools/list', {}, { 'mcp-session-id': 'unknown' }),
    legacy: NO_SESSION,
    modern: OK,
  },
  {
    id: 'F17',
    what: 'GET with an unknown session id',
    send: () => ({
      method: 'GET',
      path: '/mcp',
      headers: { accept: 'text/event-stream', 'mcp-session-id': 'unknown' },
    }),
    legacy: { ...NO_SESSION, id: UNKNOWN },
  },
  {
    id: 'F17',
    what: 'DELETE with an unknown session id',
    send: () => ({ method: 'DELETE', path: '/mcp', headers: { 'mcp-session-id': 'unknown' } }),
    legacy: { ...NO_SESSION, id: UNKNOWN },
  },
  ...['/mcp', '/messages'].map((path): MatrixRow => ({
    id: 'F17',
    what: `a message for an unknown stream on ${path}`,
    send: () => legacy(undefined, { id: 7, method: 'ping' }, { path: `${path}?sessionId=unknown` }),
    legacy: NO_SESSION,
  })),
];

const F18: MatrixRow = {
  id: 'F18',
  what: 'initialize again',
  send: ({ session }) => initialize('2025-11-25', { headers: { 'mcp-session-id': session } }),
  legacy: { status: 400, code: INVALID, id: 'hello' },
};

const F19 = ['no/such', 'tools/nothing', 'server/discover', 'resources/subscribe'].map(
  (method): MatrixRow => ({
    id: 'F19',
    what: `method ${method}`,
    send: ({ ask }) => ask(method, { uri: 'x:y' }),
    legacy: { status: 200, code: -32601, message: `unknown method: ${method}` },
    ...(method === 'server/discover' ? {} : { modern: { status: 404, code: -32601 } }),
  }),
);

const F20: MatrixRow = {
  id: 'F20',
  what: 'an unknown tool',
  send: ({ ask }) => ask('tools/call', { name: 'no_such_tool', arguments: {} }),
  ...both({ status: 200, code: -32602, message: 'unknown tool: no_such_tool' }),
};

const F21: readonly MatrixRow[] = [
  {
    args: { from: 'one', unit: 'elephants', colour: 'grey' },
    says: [/`from`: .*expected (number|int)/, /`unit`: .*5 char/, /`colour`/, /"from":1,"unit":"sheep"/],
  },
  { args: {}, says: [/`from`/, /`unit`/, /"from":1,"unit":"sheep"/] },
].map(({ args, says }) => ({
  id: 'F21',
  what: `arguments ${JSON.stringify(args)}`,
  at: 'fixture',
  send: ({ ask }) => ask('tools/call', { name: 'count', arguments: args }),
  ...both({
    status: 200,
    check: ({ result }) =>
      result?.['isError'] === true && says.every((pattern) => pattern.test(textOf(result['content']))),
  }),
}));

const CHUNKED = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
const F22 = [
  { what: 'a body of 5 MiB', text: 'x'.repeat(5 * 1024 * 1024) },
  { what: 'a body of 5 MiB that does not say so', text: 'x'.repeat(5 * 1024 * 1024), headers: CHUNKED },
  { what: 'a body of 10,001 elements', text: new Array<number>(10_001).fill(0) },
  { what: 'a body nested 1,000 deep', text: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) },
].map(({ what, text, headers }): MatrixRow => ({
  id: 'F22',
  what,
  send: ({ ask }) => ask('tools/call', { name: 'project_status', arguments: { text } }, headers),
  ...both({ status: 413, code: INVALID, id: UNKNOWN }),
}));

const F22_FITS: MatrixRow = {
  id: 'F22',
  what: 'a body of 9,900 elements, which is not too much',
  send: ({ ask }) =>
    ask('tools/call', { name: 'project_status', arguments: { text: new Array<number>(9_900).fill(0) } }),
  ...both({ status: 200, check: ({ result }) => result?.['isError'] === true }),
};

const F23 = [undefined, 'Bearer wrong', 'Basic c2VjcmV0', 'Bearer ', 'secret-of-the-matrix'].map(
  (authorization): MatrixRow => ({
    id: 'F23',
    what: `Authorization ${authorization ?? 'missing'}`,
    at: 'token',
    send: ({ ask }) => ask('tools/list', {}, { authorization }),
    ...both({
      status: 401,
      code: INVALID,
      id: UNKNOWN,
      headers: { 'www-authenticate': /^Bearer realm="waymark"/ },
    }),
  }),
);

const F24: MatrixRow = {
  id: 'F24',
  what: 'one request too many',
  at: 'limited',
  send: ({ ask }) => ask('tools/list'),
  ...both({ status: 429, code: INVALID, id: UNKNOWN, headers: { 'retry-after': /^[1-9]\d*$/ } }),
};

const F25 = [
  { what: 'a tool that breaks', method: 'tools/call', params: { name: 'crash', arguments: {} } },
  { what: 'a resource that breaks', method: 'resources/read', params: { uri: 'fixture://crash' } },
].map(({ what, method, params }): MatrixRow => ({
  id: 'F25',
  what,
  at: 'fixture',
  send: ({ ask }) => ask(method, params),
  ...both({ status: 500, code: -32603, message: /^Internal error \(reference \S+\)$/ }),
}));

const PLAIN =
  /^Invalid params for tools\/call[^\n"]{0,40}\. It takes \{name: string, arguments\?: object\}\.$/;
const F26_BOTH = {
  legacy: { status: 200, code: -32602, message: PLAIN },
  modern: { status: 400, code: -32602, message: PLAIN },
} as const;
const F26 = [
  {},
  { name: 5 },
  { name: 'project_status', arguments: 'text' },
  { name: 'project_status', arguments: [] },
  { name: 'project_status', arguments: null },
].map((params): MatrixRow => ({
  id: 'F26',
  what: `tools/call with ${JSON.stringify(params)}`,
  send: ({ ask }) => ask('tools/call', params),
  ...F26_BOTH,
}));
const F26_NO_OBJECT = [undefined, null, [], [{ name: 'project_status' }], 'text', 5].map(
  (params): MatrixRow => ({
    id: 'F26',
    what: `tools/call whose params are ${JSON.stringify(params)}`,
    // What is no object has no place for an envelope; a modern client is known by its header then.
    send: ({ era, session }) =>
      post(
        { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
        { headers: { 'mcp-session-id': era === 'legacy' ? session : undefined, ...version(era) } },
      ),
    legacy: F26_BOTH.legacy,
    modern: { status: 400, code: -32602 },
  }),
);

const F27: MatrixRow = {
  id: 'F27',
  what: 'a notification',
  send: ({ era, session }) =>
    era === 'legacy'
      ? legacy(session, { method: 'notifications/roots/list_changed' })
      : modern({ method: 'notifications/cancelled', params: { requestId: 99 } }),
  ...both({ status: 202, id: null }),
};

const F28: readonly MatrixRow[] = Object.keys(ENVELOPE)
  .filter((key) => !key.endsWith('clientInfo'))
  .flatMap((key) => [
    { key, headers: {}, what: `_meta without ${key}` },
    ...(key.endsWith('protocolVersion')
      ? [{ key, headers: { 'mcp-protocol-version': undefined }, what: `no version anywhere` }]
      : []),
  ])
  .map(({ key, headers, what }) => ({
    id: 'F28',
    what,
    send: ({ ask }) => ask('tools/list', { _meta: { [key]: undefined } }, headers),
    modern: { status: 400, code: -32602 },
  }));

const NO_CORS = {
  'access-control-allow-origin': undefined,
  'access-control-allow-methods': undefined,
  'access-control-allow-headers': undefined,
};
const preflight = (era: Era, origin: string | undefined): RawRequest => ({
  method: 'OPTIONS',
  path: '/mcp',
  headers: { origin, 'access-control-request-method': 'POST', ...version(era) },
});
const F29: readonly MatrixRow[] = [
  {
    id: 'F29',
    what: 'OPTIONS from this machine',
    send: ({ era }) => preflight(era, 'http://localhost:3000'),
    ...both({ status: 405, code: INVALID, id: UNKNOWN, headers: { ...NO_CORS, allow: 'GET, POST, DELETE' } }),
  },
  {
    id: 'F29',
    what: 'OPTIONS from an origin that --allow-origin names',
    at: 'cors',
    send: ({ era }) => preflight(era, 'https://app.example'),
    ...both({
      status: 204,
      id: null,
      headers: {
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers': /Mcp-Session-Id.*MCP-Protocol-Version/,
      },
    }),
  },
  ...['/', '/nothing', '/mcp/', '/mcp/tools'].map((path): MatrixRow => ({
    id: 'F01',
    what: `OPTIONS ${path} from an origin that --allow-origin names`,
    at: 'cors',
    send: ({ era }) => ({ ...preflight(era, 'https://app.example'), path }),
    ...both({ status: 404, code: INVALID, message: 'Not Found', id: UNKNOWN }),
  })),
  ...['http://localhost:3000', undefined].map((origin): MatrixRow => ({
    id: 'F29',
    what: `OPTIONS from ${origin ?? 'no origin'}, which --allow-origin does not name`,
    at: 'cors',
    send: ({ era }) => preflight(era, origin),
    ...both({ status: 405, code: INVALID, id: UNKNOWN, headers: NO_CORS }),
  })),
  {
    id: 'F29',
    what: 'a call from an origin that --allow-origin names',
    at: 'cors',
    send: ({ ask }) => ask('tools/list', {}, { origin: 'https://app.example' }),
    ...both({ ...OK, headers: { 'access-control-allow-origin': 'https://app.example' } }),
  },
];

export const MESSAGE_ROWS: readonly MatrixRow[] = [
  F16,
  F17,
  F18,
  F19,
  F20,
  F21,
  F22,
  F22_FITS,
  F23,
  F24,
  F25,
  F26,
  F26_NO_OBJECT,
  F27,
  F28,
  F29,
].flat();

function textOf(content: unknown): string {
  return JSON.stringify(content).replaceAll(String.raw`\"`, '"');
}
