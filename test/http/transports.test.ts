/** The transports as clients meet them: where they are, what opens them, and what their streams look like. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { openStream, send, type RawStream } from '../support/raw-http.ts';
import { initialize, legacy, messageOf, modern, openSession, post, rpc } from '../support/rpc.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { emptyHome, finished, serve, serveBinary, start, watchOutput } from '../support/waymark.ts';

const STREAM = { accept: 'text/event-stream' };

let port: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  ({ port } = await serve([], { onEnd }));
  return end;
});

async function openSse(at: number, path: string): Promise<{ stream: RawStream; endpoint: string }> {
  const stream = await openStream(at, { method: 'GET', path, headers: STREAM });
  const first = (await stream.next()) ?? '';
  expect(first).toMatch(/^event: endpoint\ndata: /);
  return { stream, endpoint: first.replace(/^event: endpoint\ndata: /, '') };
}

test.each([
  ['http', '/mcp'],
  ['sse', '/sse'],
])('R060 mcp serve --transport %s serves HTTP and prints the address of %s', async (transport, path) => {
  const child = start(['mcp', 'serve', '--transport', transport, '--port', '0']);

  const [, url = ''] = await watchOutput(child)(/serving (http:\S+)/);
  const hello = await send(Number(new URL(url).port), initialize());

  expect(new URL(url).pathname).toBe(path);
  expect(hello.status).toBe(200);
});

test.each([[['mcp']], [['mcp', 'serve', '--transport', 'stdio']], [['mcp', 'serve']]])(
  'R060 %j serves one client over stdio',
  async (args) => {
    const child = start(args);
    child.stdin.write(`${JSON.stringify(initialize().body)}\n`);

    const [line] = await watchOutput(child)(/^\{.*\}$/m);
    child.stdin.end();

    expect(JSON.parse(line)).toMatchObject({ id: 'hello', result: { serverInfo: { name: 'waymark' } } });
    expect((await finished(child)).code).toBe(0);
  },
);

test('R061 one /mcp serves both eras, streams and the end of a session', async () => {
  const session = await openSession(port);
  const inSession = { 'mcp-session-id': session };

  const old = await send(port, legacy(session, { id: 1, method: 'tools/list' }));
  const now = await send(port, modern({ id: 1, method: 'tools/list' }));
  const stream = await openStream(port, {
    method: 'GET',
    path: '/mcp',
    headers: { ...STREAM, ...inSession },
  });
  const ended = await send(port, { method: 'DELETE', path: '/mcp', headers: inSession });

  expect(messageOf(old).result).toHaveProperty('tools');
  expect(messageOf(now).result).toHaveProperty('tools');
  expect(stream.status).toBe(200);
  expect(await stream.next()).toBeUndefined();
  expect(ended.status).toBe(200);
});

test.each([
  ['/mcp', '/mcp'],
  ['/sse', '/messages'],
  ['/mcp/sse', '/messages'],
])('R061 R062 a bare GET %s opens HTTP+SSE, whose messages go to %s', async (path, target) => {
  const { stream, endpoint } = await openSse(port, path);

  const accepted = await send(port, { ...initialize('2024-11-05'), path: endpoint });
  const hello = await stream.nextMessage();
  await send(port, post(rpc({ id: 'a', method: 'tools/list' }), { path: endpoint }));
  const tools = await stream.nextMessage();

  expect(endpoint.split('?')[0]).toBe(target);
  expect(accepted.status).toBe(202);
  expect(accepted.text).toBe('');
  expect(hello).toMatchObject({ id: 'hello', result: { protocolVersion: '2024-11-05' } });
  expect(tools).toMatchObject({ id: 'a', result: { tools: expect.any(Array) } });
});

test.each(['GET', 'DELETE'])('R061 the modern era has no %s, and says what it has', async (method) => {
  const headers = { ...STREAM, 'mcp-protocol-version': '2026-07-28' };

  const reply = await send(port, { method, path: '/mcp', headers });

  expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
  expect(messageOf(reply)).toMatchObject({ id: 'server-error', error: { code: -32600 } });
});

test('R062 an HTTP+SSE session ends with its stream', async () => {
  const { port: own, saw } = await serve(['--log-level', 'debug']);
  const { stream, endpoint } = await openSse(own, '/sse');

  stream.leave();
  // The access line of a stream is written when it is over.
  await saw(/ debug request verb=GET path=\/sse .*status=200/);
  const late = await send(own, post(rpc({ id: 1, method: 'ping' }), { path: endpoint }));

  expect(late.status).toBe(404);
});

test('R062 --no-legacy-sse turns all of HTTP+SSE off', async () => {
  const { port: off } = await serve(['--no-legacy-sse']);

  const bare = await send(off, { method: 'GET', path: '/mcp', headers: STREAM });
  const others = await Promise.all([
    send(off, { method: 'GET', path: '/sse', headers: STREAM }),
    send(off, { method: 'GET', path: '/mcp/sse', headers: STREAM }),
    send(off, post(rpc({ id: 1, method: 'ping' }), { path: '/messages?sessionId=x' })),
  ]);

  expect(bare.status).toBe(400);
  expect(messageOf(bare).error?.message).toMatch(/^Bad Request: Missing session ID/);
  expect(others.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('R062 wrong verbs on the HTTP+SSE pair name the right one', async () => {
  const posted = await send(port, initialize(undefined, { path: '/sse' }));
  const fetched = await send(port, { method: 'GET', path: '/messages', headers: STREAM });

  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
  expect([fetched.status, fetched.headers.allow]).toEqual([405, 'POST']);
});

test('R066 the address is printed to be pasted, and noted in a file while the server runs', async () => {
  const home = emptyHome();
  const { url, child, saw } = await serveBinary([], { home });
  const note = home.folder.join('share', 'waymark', 'servers', `${child.pid}.json`);

  await saw(new RegExp(`claude mcp add --transport http waymark ${url}\n`));
  expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ pid: child.pid, url });
  expect(statSync(note).mode & 0o777).toBe(0o600);

  const ended = finished(child);
  child.kill('SIGTERM');
  await ended;
  expect(existsSync(note)).toBe(false);
});

test('R066 the port comes from WAYMARK_PORT, and the default is documented', async () => {
  const free = port + 1;
  const child = start(['serve'], { env: { WAYMARK_PORT: String(free) } });
  // Another process may have taken it meanwhile; then it is the one that is named as taken.
  const [, serving, taken] = await watchOutput(child)(/serving \S+:(\d+)\/mcp|Port (\d+) is already/);
  const { stdout } = await helpOf('serve');

  expect(Number(serving ?? taken)).toBe(free);
  expect(stdout).toContain('7411');
});

async function helpOf(command: string): Promise<{ stdout: string }> {
  const child = start([command, '--help']);
  child.stdin.end();
  return finished(child);
}

/** Node's client would ask for the connection to be closed. */
const KEEP = { connection: 'keep-alive' };

test.each([
  ['legacy GET', '/mcp'],
  ['HTTP+SSE', '/sse'],
])('R070 a stream of %s has the headers that keep proxies from holding it back', async (kind, path) => {
  const session = kind === 'legacy GET' ? { 'mcp-session-id': await openSession(port) } : {};

  const stream = await openStream(port, { method: 'GET', path, headers: { ...STREAM, ...KEEP, ...session } });

  checkStreamHeaders(stream);
});

test('R070 a modern stream has them too', async () => {
  const params = { notifications: { toolsListChanged: true } };

  const asked = modern({ id: 'sub', method: 'subscriptions/listen', params });

  const stream = await openStream(port, { ...asked, headers: { ...asked.headers, ...KEEP } });

  checkStreamHeaders(stream);
  expect(await stream.nextMessage()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
});

function checkStreamHeaders({ status, headers }: RawStream): void {
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
}
