/** Verbs, targets and header values from the edges of what HTTP allows. */
import type { Random } from './seeded-random.ts';

export const ODD_VERBS: readonly [string, ...string[]] = [
  'GET',
  'GET',
  'GET',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'CONNECT',
];

export const ODD_TARGETS: readonly [string, ...string[]] = [
  '/',
  '*',
  '/sse',
  '/mcp/sse',
  '/messages',
  '/messages?sessionId=',
  '/mcp?sessionId=%zz',
  '/mcp?sessionId=a&sessionId=b',
  '/mcp/',
  '//mcp',
  '/mcp/../mcp',
  '/%6dcp',
  '/mcp#x',
  '/mcp?project=/etc',
  '/healthz',
  '/readyz',
  '/.well-known/oauth-protected-resource',
  'http://127.0.0.1/mcp',
  'http://evil.example/mcp',
  `/${'a'.repeat(8000)}`,
  '/mcp?%00',
];

const ODD_HEADERS: readonly [
  readonly [string, readonly string[]],
  ...(readonly [string, readonly string[]])[],
] = [
  [
    'host',
    [
      'localhost',
      'LOCALHOST:1',
      '[::1]:80',
      'evil.example',
      '127.0.0.1.evil.example',
      '',
      'a b',
      '@',
      'localhost:99999999',
    ],
  ],
  [
    'origin',
    [
      'null',
      'http://localhost:3000',
      'https://evil.example',
      'http://localhost.evil.example',
      'file://',
      '',
      'http://[::1]',
    ],
  ],
  [
    'accept',
    [
      '*/*',
      'application/json',
      'text/event-stream',
      'text/html',
      '',
      'application/json;q=0, text/event-stream',
      ',,,;;;=',
      'application/*, text/*',
      `${'a/b,'.repeat(500)}*/*`,
    ],
  ],
  [
    'content-type',
    [
      'application/json; charset=utf-8',
      'application/json;charset=utf-16',
      'APPLICATION/JSON',
      'text/plain',
      '',
      'application/jsonp',
      'multipart/form-data; boundary=x',
      'application/json, text/plain',
    ],
  ],
  [
    'mcp-protocol-version',
    [
      '2025-11-25',
      '2024-11-05',
      '2026-07-28',
      '2026-13-45',
      '2099-01-01',
      '1',
      '',
      'DRAFT',
      '2026-07-28, 2025-11-25',
      '\u00ff',
    ],
  ],
  [
    'mcp-session-id',
    [
      'none',
      '',
      '__proto__',
      'constructor',
      '0'.repeat(4000),
      '../..',
      '00000000-0000-0000-0000-000000000000',
    ],
  ],
  ['mcp-method', ['tools/call', 'initialize', '', '=?base64?dG9vbHMvbGlzdA==?=', 'x'.repeat(3000)]],
  ['mcp-name', ['project_status', '', '=?base64?!!!?=', '=?base64?/////w==?=', '__proto__']],
  [
    'last-event-id',
    ['0-1', '1-1', '999999999-999999999999999', '-1', '', '0-0', 'NaN-NaN', '0-99999999999999999999'],
  ],
  ['content-encoding', ['gzip', 'identity', 'br', 'deflate', 'gzip, gzip', '']],
  ['authorization', ['Bearer', 'Bearer x', 'Basic AAAA', '', `Bearer ${'z'.repeat(2000)}`]],
  ['connection', ['close', 'keep-alive', 'Upgrade', 'close, keep-alive', '']],
  ['upgrade', ['websocket', 'h2c']],
  ['expect', ['100-continue', '200-ok', '']],
  ['x-forwarded-host', ['evil.example']],
  ['range', ['bytes=0-1']],
  ['cookie', ['a=b; '.repeat(100)]],
  ['access-control-request-method', ['POST']],
  ['traceparent', ['00-0-0-0']],
];

export function oddHeader(random: Random): readonly [name: string, value: string] {
  const [name, values] = random.pick(ODD_HEADERS);
  return [name, values[random.below(values.length)] ?? ''];
}
