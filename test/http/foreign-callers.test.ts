/** Web pages and rebound names: on every route and method, callers that are not from this machine are turned away. */
import { beforeAll, describe, expect, test } from 'vitest';
import { exchange, send, type RawHeaders, type RawReply } from '../support/raw-http.ts';
import { ENVELOPE, initialize, MODERN } from '../support/rpc.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

const ROUTES = ['/mcp', '/sse', '/mcp/sse', '/messages', '/healthz', '/readyz', '/', '/unknown'];
const VERBS = ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

const BAD_ORIGINS: readonly (string | readonly string[])[] = [
  'http://evil.com',
  'https://evil.com:443',
  'null',
  'http://localhost.evil.com',
  'http://127.0.0.1.evil.com',
  'http://evil.com#localhost',
  'http://evil.com/localhost',
  'http://localhost@evil.com',
  'http://evil.com@localhost',
  'http://localhost:80@evil.com',
  'http://localhost:80:80',
  'http://localhost.',
  'http://local host',
  'http://[::1].evil.com',
  'http://[::2]',
  'http://127.0.0.2',
  'http://0.0.0.0',
  'http://2130706433',
  'http://0x7f.1',
  'file://',
  'file:///localhost',
  'ws://localhost',
  'chrome-extension://abcdefgh',
  'localhost',
  '127.0.0.1',
  '//localhost',
  'http:localhost',
  'http://',
  '',
  '*',
  'garbage \\ %00',
  ['http://localhost', 'http://evil.com'],
  ['http://evil.com', 'http://localhost'],
];

const BAD_HOSTS: readonly (string | readonly string[] | undefined)[] = [
  undefined,
  '',
  'testserver',
  'evil.com',
  'localhost.evil.com',
  '127.0.0.1.evil.com:80',
  'localhost.',
  '127.0.0.1.',
  'localhost:80:80',
  'localhost:',
  'localhost:port',
  'user@localhost',
  'localhost@evil.com',
  'localhost/evil.com',
  'localhost#evil.com',
  '[::1].evil.com',
  '[::1',
  '::1',
  '[::2]',
  '127.0.0.2',
  '0.0.0.0',
  '2130706433',
  '0x7f.0.0.1',
  'localhost evil.com',
  ['localhost', 'evil.com'],
  ['evil.com', 'localhost'],
];

/** What a browser says of images, links, frames, forms and scripts of another page; pages cannot set this header. */
const BAD_SITES: readonly (string | readonly string[])[] = [
  'cross-site',
  'CROSS-SITE',
  'same-site',
  'anything',
  '',
  ['none', 'cross-site'],
];

interface Case {
  readonly verb: string;
  readonly route: string;
  readonly headers: RawHeaders;
  readonly status: number;
}

/** Every route with every verb for every bad value: more than two thousand requests. */
const CASES: readonly Case[] = ROUTES.flatMap((route) =>
  VERBS.flatMap((verb) => [
    ...BAD_ORIGINS.map((origin) => ({ verb, route, headers: { origin }, status: 403 })),
    ...BAD_HOSTS.map((host) => ({ verb, route, headers: { host }, status: 421 })),
    ...BAD_SITES.map((site) => ({ verb, route, headers: { 'sec-fetch-site': site }, status: 403 })),
  ]),
);

let port: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  const served = await serve(['--log-level', 'error'], { onEnd });
  port = served.port;
  return end;
});

/** What each route would answer to a good caller. */
function wellFormed({ verb, route, headers }: Case): Parameters<typeof send>[1] {
  const hello = initialize();
  const body = verb === 'POST' || verb === 'PUT' ? hello.body : undefined;
  return { method: verb, path: route, headers: { ...hello.headers, ...headers }, body };
}

describe.each(ROUTES)('R103 %s', (route) => {
  test.each(VERBS)('%s refuses every foreign Host, Origin and Sec-Fetch-Site', async (verb) => {
    const cases = CASES.filter((one) => one.route === route && one.verb === verb);

    const replies = await inTurns(cases, (one) => send(port, wellFormed(one)));

    expect(cases.length).toBe(BAD_ORIGINS.length + BAD_HOSTS.length + BAD_SITES.length);
    for (const [at, reply] of replies.entries()) {
      const one = cases[at];
      expect({ one, status: reply.status }).toEqual({ one, status: one?.status });
      checkRefusal(reply, verb);
    }
  });
});

test('R103 the table has at least 200 cases', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(200);
});

test.each([
  [{ origin: 'http://evil.com' }, 403],
  [{ HOST: 'evil.com' }, 421],
])('R103 %j is seen behind any number of other headers', async (late, status) => {
  const headers = { a: Array<string>(2_500).fill('1'), ...late };

  const reply = await send(port, { method: 'GET', path: '/healthz', headers });

  expect(reply.status).toBe(status);
});

test('R103 a refused caller leaves no session behind', async () => {
  const strict = await serve(['--max-sessions', '1', '--log-level', 'error']);
  const mine = await send(strict.port, initialize());
  const session = mine.headers['mcp-session-id'];
  await inTurns(BAD_ORIGINS, (origin) => send(strict.port, initialize(undefined, { headers: { origin } })));

  // The only place is still taken by the good caller's session: it was not evicted.
  const ended = await send(strict.port, {
    method: 'DELETE',
    path: '/mcp',
    headers: { 'mcp-session-id': session },
  });

  expect(mine.status).toBe(200);
  expect(ended.status).toBe(200);
});

test.each([
  { host: 'localhost' },
  { host: 'LOCALHOST:1' },
  { host: 'LocalHost:65535' },
  { host: '127.0.0.1' },
  { host: '127.0.0.1:9' },
  { host: '[::1]' },
  { host: '[::1]:7411' },
  { origin: 'http://localhost' },
  { origin: 'HTTP://LOCALHOST:3000' },
  { origin: 'https://localhost:8443' },
  { origin: 'http://127.0.0.1:5173' },
  { origin: 'http://[::1]' },
  { origin: 'http://[::1]:65535' },
  { origin: undefined },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin' },
])('R103 a caller from this machine is served: %j', async (headers) => {
  const modern = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: { _meta: ENVELOPE },
  };
  const asked = initialize(undefined, { headers });

  const health = await send(port, { method: 'GET', path: '/healthz', headers });
  const hello = await send(port, asked);
  const list = await send(port, {
    ...asked,
    headers: { ...asked.headers, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
    body: modern,
  });
  const stream = exchange(port, {
    method: 'GET',
    path: '/sse',
    headers: { accept: 'text/event-stream', ...headers },
  });
  const { statusCode } = await stream.head;
  stream.abort();

  expect([health.status, hello.status, list.status, statusCode]).toEqual([200, 200, 200, 200]);
});

function checkRefusal(reply: RawReply, verb: string): void {
  expect(reply.headers['content-type']).toBe('application/json');
  expect(reply.headers['mcp-session-id']).toBeUndefined();
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  if (verb === 'HEAD') return;
  expect(JSON.parse(reply.text)).toMatchObject({
    jsonrpc: '2.0',
    id: 'server-error',
    error: { code: -32600 },
  });
}

/** A few at a time, answers in order. */
async function inTurns<In, Out>(
  items: readonly In[],
  work: (item: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < items.length; at += 8) {
    results.push(...(await Promise.all(items.slice(at, at + 8).map(work))));
  }
  return results;
}
