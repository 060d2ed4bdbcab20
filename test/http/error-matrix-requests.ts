/** Rows F01 to F15: what is wrong with the HTTP request, before anybody looks at the question. */
import { MODERN, post } from '../support/rpc.ts';
import { both, INVALID, OK, UNKNOWN, version, type Expected, type MatrixRow } from './matrix-row.ts';

const NOT_BOTH = 'Not Acceptable: Client must accept both application/json and text/event-stream';
const OK_JSON: Expected = { ...OK, headers: { 'content-type': 'application/json' } };
const OK_SSE: Expected = { ...OK, headers: { 'content-type': 'text/event-stream' } };

const F01 = ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'PATCH'].flatMap((method) =>
  ['/', '/nothing', '/mcp/', '/mcp/tools', '/healthz/x'].map((path): MatrixRow => ({
    id: 'F01',
    what: `${method} ${path}`,
    send: ({ era }) => ({ method, path, headers: version(era) }),
    ...both({ status: 404, code: INVALID, message: 'Not Found', id: UNKNOWN }),
  })),
);

const F02 = [
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  '',
  'application/json;charset=utf-8, text/plain',
].map((type): MatrixRow => ({
  id: 'F02',
  what: `Content-Type ${type ?? 'missing'}`,
  send: ({ ask }) => ask('tools/list', {}, { 'content-type': type }),
  ...both({ status: 400, code: INVALID, id: UNKNOWN, message: /Content-Type/ }),
}));

const F03_LEGACY: Expected = { status: 406, code: INVALID, message: NOT_BOTH };
const F03: readonly MatrixRow[] = [
  { accept: undefined, modern: OK_JSON },
  { accept: 'application/json', modern: OK_JSON },
  { accept: 'text/event-stream', modern: OK_SSE },
  { accept: 'application/json;q=0, text/event-stream', modern: OK_SSE },
  { accept: 'application/json;q=0, */*', modern: OK_SSE },
  { accept: '*/*;q=0.5, text/event-stream; q=0.000', modern: OK_JSON },
  { accept: 'text/*;q=0, */*', modern: OK_JSON },
  { accept: 'text/html', modern: { status: 406, code: INVALID } },
  { accept: '*/*;q=0', modern: { status: 406, code: INVALID } },
].map(({ accept, modern: expected }) => ({
  id: 'F03',
  what: `Accept ${accept ?? 'missing'}`,
  send: ({ ask }) => ask('tools/list', {}, { accept }),
  legacy: F03_LEGACY,
  modern: expected,
}));

const F04 = [
  '*/*',
  'application/*, text/*',
  'text/event-stream;q=0.5, APPLICATION/JSON;charset=utf-8',
  'text/html, */*;q=0.1',
  '*/*;q=0, application/json, text/event-stream',
  'text/*;q=0, text/event-stream, application/*',
].map((accept): MatrixRow => ({
  id: 'F04',
  what: `Accept ${accept}`,
  send: ({ ask }) => ask('tools/list', {}, { accept }),
  ...both(OK),
}));

const F05: readonly MatrixRow[] = [
  { accept: 'application/json', legacy: OK_JSON },
  { accept: 'text/event-stream', legacy: OK_SSE },
  { accept: 'text/event-stream', session: undefined, legacy: OK_SSE },
  { accept: '*/*', session: undefined, legacy: OK },
  { accept: undefined, legacy: OK_JSON },
  { accept: 'application/json;q=0, */*', legacy: OK_SSE },
  { accept: 'text/html', legacy: { status: 406, code: INVALID } },
  { accept: 'application/json;q=0', legacy: { status: 406, code: INVALID } },
].map(({ accept, legacy: expected, ...rest }) => ({
  id: 'F05',
  what: `--lenient, Accept ${accept ?? 'missing'}${'session' in rest ? ', no session id' : ''}`,
  at: 'lenient',
  send: ({ ask }) =>
    ask('tools/list', {}, { accept, ...('session' in rest ? { 'mcp-session-id': undefined } : {}) }),
  legacy: expected,
}));

const F06 = [undefined, 'application/json', 'text/html'].map((accept): MatrixRow => ({
  id: 'F06',
  what: `GET, Accept ${accept ?? 'missing'}`,
  send: ({ era, session }) => ({
    method: 'GET',
    path: '/mcp',
    headers: { accept, ...(era === 'modern' ? version(era) : { 'mcp-session-id': session }) },
  }),
  ...both({ status: 406, code: INVALID, id: UNKNOWN }),
}));

const F07 = ['{"jsonrpc":"2.0",', 'not json', '', '[{]', '{"id":1}}'].map((body): MatrixRow => ({
  id: 'F07',
  what: `body ${JSON.stringify(body)}`,
  send: ({ era, session }) => post(body, { headers: { 'mcp-session-id': session, ...version(era) } }),
  ...both({ status: 400, code: -32700, id: UNKNOWN }),
}));

const F08: readonly MatrixRow[] = [
  { body: {}, id: UNKNOWN },
  { body: 'null', id: UNKNOWN },
  { body: '"text"', id: UNKNOWN },
  { body: '17', id: UNKNOWN },
  { body: [], id: UNKNOWN },
  { body: { id: 7, method: 'tools/list' }, id: 7 },
  { body: { jsonrpc: '1.0', id: 7, method: 'tools/list' }, id: 7 },
  { body: { jsonrpc: '2.0', id: 7, method: 5 }, id: 7 },
  { body: { jsonrpc: '2.0', id: 7 }, id: 7 },
  { body: { jsonrpc: '2.0', id: null, method: 'tools/list' }, id: UNKNOWN },
  { body: { jsonrpc: '2.0', id: 7, method: 'tools/list', params: [1] }, id: 7 },
  { body: { jsonrpc: '2.0', id: 7.5, method: 'tools/list' }, id: 7.5 },
  { body: '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}', id: UNKNOWN },
  { body: '{"jsonrpc":"2.0","id":-9007199254740992,"method":"tools/list"}', id: UNKNOWN },
  { body: '{"jsonrpc":"2.0","id":1e400,"method":"tools/list"}', id: UNKNOWN },
  { body: [{ jsonrpc: '2.0', id: 7, method: 'ping' }, 'x'], id: UNKNOWN },
  { body: { jsonrpc: '2.0', id: 7, method: 'tools/list', more: true }, id: 7 },
  { body: { jsonrpc: '2.0', id: 7, result: 5 }, id: 7 },
].map(({ body, id }) => ({
  id: 'F08',
  what: `body ${JSON.stringify(body)}`,
  // A modern client is not inside a session: what it says of itself is the header.
  send: ({ era, session }) =>
    post(body, { headers: { 'mcp-session-id': era === 'legacy' ? session : undefined, ...version(era) } }),
  legacy: { status: 400, code: -32602, id },
  modern: { status: 400, code: INVALID, id },
}));

const F09 = ['PUT', 'PATCH', 'HEAD', 'PROPFIND', 'TRACE', 'OPTIONS'].map((method): MatrixRow => ({
  id: 'F09',
  what: `${method} /mcp`,
  send: ({ era, session }) => ({
    method,
    path: '/mcp',
    headers: { 'mcp-session-id': session, ...version(era) },
  }),
  ...both({
    status: 405,
    headers: { allow: 'GET, POST, DELETE' },
    ...(method === 'HEAD' ? { id: null } : { code: INVALID, id: UNKNOWN }),
  }),
}));

const lists = (text: string): boolean =>
  ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].every((known) => text.includes(known));
const F10: readonly MatrixRow[] = [
  ...['banana', '1999-01-01', '2025-11-26', '', '2026-07-27', '2027-01-01', '9999-99-99'].map(
    (bad): MatrixRow => ({
      id: 'F10',
      what: `MCP-Protocol-Version "${bad}"`,
      send: ({ ask }) => ask('tools/list', {}, { 'mcp-protocol-version': bad }),
      legacy: { status: 400, code: INVALID, check: ({ error }) => lists(error?.message ?? '') },
    }),
  ),
  ...['GET', 'DELETE'].flatMap((method) =>
    ['banana', '2031-01-01'].flatMap((bad) =>
      [true, false].map((inSession): MatrixRow => ({
        id: 'F10',
        what: `${method} with MCP-Protocol-Version "${bad}", ${inSession ? 'in' : 'without'} a session`,
        send: ({ session }) => ({
          method,
          path: '/mcp',
          headers: {
            accept: 'text/event-stream',
            'mcp-protocol-version': bad,
            'mcp-session-id': inSession ? session : undefined,
          },
        }),
        legacy: {
          status: 400,
          code: INVALID,
          id: UNKNOWN,
          check: ({ error }) => lists(error?.message ?? ''),
        },
      })),
    ),
  ),
  {
    id: 'F10',
    what: 'a revision of the future',
    send: ({ ask }) =>
      ask(
        'tools/list',
        { _meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } },
        { 'mcp-protocol-version': '2031-01-01' },
      ),
    modern: {
      status: 400,
      code: -32022,
      check: ({ error }) =>
        error?.data?.['requested'] === '2031-01-01' &&
        JSON.stringify(error.data['supported']).includes(MODERN),
    },
  },
];

const F11: MatrixRow = {
  id: 'F11',
  what: 'MCP-Protocol-Version absent',
  send: ({ ask }) => ask('tools/list', {}, { 'mcp-protocol-version': undefined }),
  legacy: OK,
  modern: { status: 400, code: -32020 },
};

const F12: readonly MatrixRow[] = [
  { what: 'header names another revision', headers: { 'mcp-protocol-version': '2025-11-25' } },
  { what: 'Mcp-Method missing', headers: { 'mcp-method': undefined } },
  { what: 'Mcp-Method wrong', headers: { 'mcp-method': 'tools/list' } },
  { what: 'Mcp-Name missing', headers: { 'mcp-name': undefined } },
  { what: 'Mcp-Name wrong', headers: { 'mcp-name': 'other_tool' } },
  { what: 'Mcp-Name with a broken code', headers: { 'mcp-name': '=?base64?!!?=' } },
].map(({ what, headers }) => ({
  id: 'F12',
  what,
  send: ({ ask }) => ask('tools/call', { name: 'project_status', arguments: {} }, headers),
  modern: { status: 400, code: -32020 },
}));

const F13 = ['http://evil.com', 'null', 'https://localhost.evil.com', 'file://'].map((origin): MatrixRow => ({
  id: 'F13',
  what: `Origin ${origin}`,
  send: ({ ask }) => ask('tools/list', {}, { origin }),
  ...both({ status: 403, code: INVALID, id: UNKNOWN, headers: { 'access-control-allow-origin': undefined } }),
}));

const F14 = [
  undefined,
  'http://localhost',
  'http://localhost:3000',
  'https://LOCALHOST:8443',
  'http://127.0.0.1:1',
  'http://[::1]:65535',
].map((origin): MatrixRow => ({
  id: 'F14',
  what: `Origin ${origin ?? 'absent'}`,
  send: ({ ask }) => ask('tools/list', {}, { origin }),
  ...both(OK),
}));

const F15 = ['testserver', 'evil.com:80', 'localhost.evil.com', undefined].map((host): MatrixRow => ({
  id: 'F15',
  what: `Host ${host ?? 'absent'}`,
  send: ({ ask }) => ask('tools/list', {}, { host }),
  ...both({ status: 421, code: INVALID, id: UNKNOWN }),
}));

export const REQUEST_ROWS: readonly MatrixRow[] = [
  F01,
  F02,
  F03,
  F04,
  F05,
  F06,
  F07,
  F08,
  F09,
  F10,
  F11,
  F12,
  F13,
  F14,
  F15,
].flat();
