/** Requests that are HTTP but should not be: bodies where none belong, tunnels, handshakes that are too large. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStream, send, type RawHeaders, type RawRequest } from '../support/raw-http.ts';
import { initialize, legacy, messageOf, modern, openSession, post, rpc } from '../support/rpc.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

let port: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  port = (await serve(['--log-level', 'error'], { onEnd })).port;
  return end;
});

/** Everything the server says until it hangs up. */
async function hear(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let seen = '';
  socket.on('error', () => {}).on('data', (bytes: Buffer) => (seen += bytes.toString()));
  socket.write(text);
  await once(socket, 'close');
  return seen;
}

const ACCEPT = { accept: 'application/json, text/event-stream' };
const CHUNKED = { 'transfer-encoding': 'chunked', 'content-length': undefined };

describe.each([
  { method: 'GET', path: '/mcp' },
  { method: 'DELETE', path: '/mcp' },
  { method: 'GET', path: '/sse' },
  { method: 'GET', path: '/mcp/sse' },
])('$method $path', ({ method, path }) => {
  test.each([
    { what: 'a body', body: '{}', headers: {} },
    { what: 'a body in chunks', body: '{}', headers: CHUNKED },
    { what: 'a body whose length is written oddly', body: '{}', headers: { 'content-length': '002' } },
  ])('with $what is refused and opens nothing', async ({ body, headers }) => {
    const session = await openSession(port);
    const asked = { method, path, headers: { ...ACCEPT, 'mcp-session-id': session, ...headers } };

    const refused = await send(port, { ...asked, body });
    const alive = await send(port, legacy(session, { id: 1, method: 'ping' }));

    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatchObject({
      id: 'server-error',
      error: { code: -32600, message: `Bad Request: ${method} has no body` },
    });
    expect(alive.status).toBe(200);
  });
});

test('a length of zero is no body', async () => {
  const session = await openSession(port);
  const headers = { 'mcp-session-id': session, 'content-length': '0' };

  const stream = await openStream(port, { method: 'GET', path: '/mcp', headers: { ...headers, ...ACCEPT } });
  const ended = await send(port, { method: 'DELETE', path: '/mcp', headers });

  expect([stream.status, ended.status]).toEqual([200, 200]);
});

test('a GET that promises more than it sends gets its answer, and no stream', async () => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let seen = '';
  socket.on('data', (bytes: Buffer) => (seen += bytes.toString()));
  socket.write(
    'GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Length: 5000\r\n\r\nabc',
  );
  await expect.poll(() => seen).toContain('GET has no body');
  socket.end();
  await once(socket, 'close');

  expect(seen).toMatch(/^HTTP\/1\.1 400 /);
});

test('what is broken behind a request is answered behind its answer', async () => {
  const body = JSON.stringify(initialize().body);
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${ACCEPT.accept}\r\nContent-Length: ${body.length}`;

  const seen = await hear(`${head}\r\n\r\n${body}no HTTP at all\r\n\r\n`);

  expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(seen).toMatch(/"id":"hello".*Bad Request: not a valid HTTP request/s);
});

test('what is broken behind refused requests takes no answer away from them', async () => {
  const refused =
    'POST /mcp HTTP/1.1\r\nHost: evil.example\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  const last = 'PUT /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

  // Node takes whatever comes behind a request that asked to close for broken.
  const seen = await hear(refused + last + refused);

  expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 421', 'HTTP/1.1 405']);
});

test('the connection of a body that was too large serves the next request, though its length was not announced (F22)', async () => {
  const piece = 'x'.repeat(0x10000);
  const chunks = `10000\r\n${piece}\r\n`.repeat(96);
  const head = 'Host: localhost\r\nContent-Type: application/json';

  const seen = await hear(
    `POST /mcp HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n` +
      `GET /healthz HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`,
  );

  expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test.each([
  { host: 'localhost', status: 404 },
  { host: 'evil.example', status: 421 },
])('R103 CONNECT from $host is refused with $status, in JSON-RPC', async ({ host, status }) => {
  const [head = '', body = ''] = (
    await hear(`CONNECT evil.example:80 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  ).split('\r\n\r\n');

  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: 'server-error', error: { code: -32600 } });
});

test('a client that wants the connection closed gets that after a stream of events as well', async () => {
  const asked = modern({ id: 1, method: 'server/discover' });

  const seen = await hear(
    toText({ ...asked, headers: { ...asked.headers, accept: 'text/event-stream', connection: 'close' } }),
  );

  expect(seen).toMatch(/^connection: close\r$/im);
  expect(seen).toMatch(/^content-type: text\/event-stream\r$/im);
  expect(seen).toContain('"id":1');
});

describe('a client that asks before it sends its body', () => {
  const asked = post(rpc({ id: 1, method: 'ping' }));
  const expecting = (headers: RawHeaders): string =>
    toText({
      ...asked,
      headers: { ...asked.headers, expect: '100-continue', connection: 'close', ...headers },
    });

  test('is told to go on', async () => {
    const session = await openSession(port);

    const seen = await hear(expecting({ 'mcp-session-id': session }));

    expect(seen).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test.each([
    [{ host: 'evil.com' }, 421],
    [{ origin: 'http://evil.com' }, 403],
    [{ 'content-length': '40000000' }, 413],
  ])('is told at once that it need not: %j', async (headers, status) => {
    expect(await hear(expecting(headers))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

/** A request as bytes. */
function toText({ method, path, headers = {}, body }: RawRequest): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: 'localhost', 'content-length': String(text.length), ...headers })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

describe('a request line with a whole address', () => {
  const at = (address: string, headers: string): Promise<string> =>
    hear(`GET ${address} HTTP/1.1\r\n${headers}Accept: text/html\r\nConnection: close\r\n\r\n`);
  const LOCAL = 'Host: localhost\r\n';

  test.each([
    ['/mcp', 406],
    ['/healthz', 200],
    ['/healthz?x=1', 200],
    ['', 404],
    ['?x=1', 404],
    ['/nothing', 404],
  ])('R103 is served by its path: http://127.0.0.1%s gives %i', async (path, status) => {
    const seen = await Promise.all([
      at(`http://127.0.0.1:${port}${path}`, LOCAL),
      at(`HTTP://LocalHost${path}`, LOCAL),
    ]);

    for (const reply of seen) expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test.each([
    'http://evil.example/mcp',
    'http://evil.example:80/healthz',
    'http://localhost.evil.example/mcp',
    'http://localhost@evil.example/mcp',
    'http://evil.example@localhost/mcp',
    'http:///mcp',
    'http://localhost:80:80/mcp',
  ])(
    'F15 R103 is refused where it names a foreign host, whatever the Host header says: %s',
    async (address) => {
      const seen = await at(address, LOCAL);

      expect(seen).toMatch(/^HTTP\/1\.1 421 /);
      expect(seen).toContain('"code":-32600');
    },
  );

  test('R103 stands above the Host header, of which there still has to be one', async () => {
    const seen = await Promise.all(
      ['Host: evil.example\r\n', '', `${LOCAL}${LOCAL}`].map((headers) =>
        at('http://localhost/healthz', headers),
      ),
    );

    expect(seen.map((reply) => reply.slice(9, 12))).toEqual(['200', '421', '421']);
  });

  test('R051 names a project in its query like any other', async () => {
    const body = JSON.stringify(initialize().body);
    const head = `Host: localhost\r\nContent-Type: application/json\r\nAccept: ${ACCEPT.accept}`;

    const seen = await hear(
      `POST http://localhost/mcp?project_path=/no/such HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );

    expect(seen).toMatch(/^HTTP\/1\.1 400 .*Project path does not exist: \/no\/such/s);
  });
});

describe('initialize', () => {
  const hello = (name: string) => ({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name, version: '1' } },
  });

  test('takes a client’s word about itself up to a limit, since a session keeps it', async () => {
    const fits = await send(port, post(rpc(hello('n'.repeat(30_000)))));
    const refused = await send(port, post(rpc(hello('n'.repeat(33_000)))));

    expect([fits.status, refused.status]).toEqual([200, 413]);
    expect(messageOf(refused)).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(refused.headers['mcp-session-id']).toBeUndefined();
  });

  test('has the same limit on HTTP+SSE', async () => {
    const stream = await openStream(port, { method: 'GET', path: '/sse', headers: ACCEPT });
    const path = /data: (\S+)/.exec((await stream.next()) ?? '')?.[1] ?? '';

    const refused = await send(port, post(rpc(hello('n'.repeat(33_000))), { path }));
    const taken = await send(port, post(rpc(hello('short')), { path }));

    expect([refused.status, taken.status]).toEqual([413, 202]);
  });

  test('F18 does not come in a batch, where it would open a live session anew', async () => {
    const session = await openSession(port, '2025-03-26');

    const refused = await send(port, post([rpc(hello('again'))], { headers: { 'mcp-session-id': session } }));

    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatchObject({ id: 1, error: { code: -32600 } });
  });
});

test('F19 HTTP+SSE names the unknown method', async () => {
  const stream = await openStream(port, { method: 'GET', path: '/sse', headers: ACCEPT });
  const path = /data: (\S+)/.exec((await stream.next()) ?? '')?.[1] ?? '';
  await send(port, post(initialize('2024-11-05').body, { path }));
  await stream.nextMessage();

  await send(port, post(rpc({ id: 2, method: 'no/such' }), { path }));

  expect(await stream.nextMessage()).toMatchObject({
    id: 2,
    error: { code: -32601, message: 'unknown method: no/such' },
  });
});
