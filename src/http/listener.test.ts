/** What only a broken edge brings about: the listener around one that does what it is told. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Logger, type LogFields, type Principal } from '../core/index.ts';
import { jsonReply, type Exchange, type Reply } from '../transport/index.ts';
import { createRateLimit, LOOPBACK_HOSTS } from './access.ts';
import { openListener, type ListenerOptions } from './listener.ts';

interface Line extends LogFields {
  readonly message: string;
}

async function listenWith(
  handle: (exchange: Exchange) => Promise<Reply>,
  more: Partial<ListenerOptions> = {},
) {
  const lines: Line[] = [];
  const log = (message: string, fields?: LogFields): void => void lines.push({ ...fields, message });
  const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
  const listener = await openListener({
    edges: [{ handle, serves: () => true, close: async () => {} }],
    host: '127.0.0.1',
    port: 0,
    rules: { hosts: LOOPBACK_HOSTS, origins: [] },
    authenticate: undefined,
    uploadLimit: undefined,
    rateLimit: undefined,
    checkStorage: async () => {},
    logger,
    clock: { now: () => 0, elapsed: () => 0 },
    newReference: () => 'ref',
    graceMs: 0,
    ...more,
  });
  onTestFinished(() => listener.close());
  const accessLines = (): readonly Line[] => lines.filter(({ message }) => message === 'request');
  return { port: listener.port, lines, accessLines };
}

function open(port: number): { readonly socket: Socket; readonly seen: () => string } {
  const socket = connect(port, '127.0.0.1');
  let seen = '';
  socket.on('error', () => {}).on('data', (bytes: Buffer) => (seen += bytes.toString()));
  onTestFinished(() => void socket.destroy());
  return { socket, seen: () => seen };
}

const GET = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('F25 a stream that breaks after its head was sent is cut off, and the next request is served', async () => {
  let turn = 0;
  const { port, lines, accessLines } = await listenWith(async () => {
    turn += 1;
    if (turn > 1) return jsonReply(200, {});
    const start = (): never => {
      throw new Error('planted');
    };
    return { kind: 'stream', status: 200, headers: {}, start };
  });
  const { socket, seen } = open(port);
  socket.write(GET);
  await once(socket, 'close');
  const second = open(port);
  second.socket.write(GET);
  await expect.poll(second.seen).toContain('{}');

  expect(seen()).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(seen()).not.toContain('planted');
  expect(lines).toContainEqual(expect.objectContaining({ message: 'a request crashed', reference: 'ref' }));
  expect(accessLines().map(({ status }) => status)).toEqual([200, 200]);
});

test('F25 a reply that cannot be written is answered and logged as 500', async () => {
  const { port, accessLines } = await listenWith(async () => jsonReply(200, {}, { 'X-Bad': 'a\nb' }));
  const { socket, seen } = open(port);

  socket.write(GET);

  await expect.poll(seen).toContain('Internal error (reference ref)');
  expect(seen()).toMatch(/^HTTP\/1\.1 500 /);
  await expect.poll(() => accessLines().map(({ status }) => status)).toEqual([500]);
});

test('a client that is gone before its pipelined reply is decided leaves nothing running, and is logged as gone', async () => {
  let decide = (_reply: Reply): void => {};
  let left = 0;
  const signals: AbortSignal[] = [];
  const { port, accessLines } = await listenWith((exchange) => {
    signals.push(exchange.signal);
    return new Promise((resolve) => (decide = resolve));
  });
  const { socket } = open(port);
  socket.write(GET.repeat(2));
  await expect.poll(() => signals.length).toBe(2);

  socket.destroy();
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  const start = () => () => void (left += 1);
  decide({ kind: 'stream', status: 200, headers: {}, start });

  await expect.poll(() => accessLines().map(({ status, bytes }) => [status, bytes])).toEqual([[499, 0]]);
  expect(left).toBe(1);
});

test('an answer to HEAD counts no bytes that were not sent', async () => {
  const { port, accessLines } = await listenWith(async () => jsonReply(405, { long: 'body' }));
  const { socket } = open(port);

  socket.write('HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');

  await expect.poll(() => accessLines().map(({ status, bytes }) => [status, bytes])).toEqual([[405, 0]]);
});

test('words that cannot be read behind a live stream cut it off; none of ours are written into it', async () => {
  const { port } = await listenWith(async () => ({
    kind: 'stream',
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    start(sink) {
      sink.write('data: one\n\n');
      return () => {};
    },
  }));
  const { socket, seen } = open(port);
  socket.write(GET);
  await expect.poll(seen).toContain('data: one');

  socket.write('no HTTP at all\r\n\r\n');
  await once(socket, 'close');

  expect(seen().match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('R163 what a client listens to ends with its token; an answer under way does not', async () => {
  const principal = { ...LOCAL_PRINCIPAL, expiresAt: 50 };
  const start: Extract<Reply, { kind: 'stream' }>['start'] = (sink) => {
    sink.write('data: one\n\n');
    return () => {};
  };
  const { port } = await listenWith(
    async ({ method, note }) => {
      if (method === 'POST') note.rpcMethod = 'tools/call';
      return { kind: 'stream', status: 200, headers: {}, start };
    },
    { authenticate: async () => ({ kind: 'admitted', principal }) },
  );
  const call = open(port);
  call.socket.write(GET.replace('GET', 'POST'));
  await expect.poll(call.seen).toContain('data: one');

  const listening = open(port);
  listening.socket.write(GET.replace('Host', 'Connection: close\r\nHost'));
  await once(listening.socket, 'close');

  expect(listening.seen()).toContain('data: one');
  expect(call.socket.destroyed).toBe(false);
});

test('R165 persons of a tenant share what it may ask in a minute; another tenant, and those of none, have their own', async () => {
  const of = (id: string, tenant?: string): Principal => ({
    kind: 'api_token',
    id,
    scopes: [],
    ...(tenant === undefined ? {} : { tenant }),
  });
  const principals = [of('a', 'acme'), of('b', 'acme'), of('c', 'acme'), of('d', 'globex'), of('e')];
  const { port } = await listenWith(async () => jsonReply(200, {}), {
    authenticate: async () => ({ kind: 'admitted', principal: principals.shift() ?? LOCAL_PRINCIPAL }),
    tenantRateLimit: createRateLimit(2, { now: () => 0, elapsed: () => 0 }),
  });

  const statuses: number[] = [];
  while (principals.length > 0) statuses.push((await fetch(`http://127.0.0.1:${port}/mcp`)).status);

  expect(statuses).toEqual([200, 200, 429, 200, 200]);
});

test('F24 a principal that brought more bytes than it may waits for them; another of its address does not', async () => {
  const principals: Principal[] = ['a', 'a', 'b'].map((id) => ({ kind: 'api_token', id, scopes: [] }));
  const { port } = await listenWith(async (exchange) => jsonReply(200, await exchange.readBody()), {
    authenticate: async () => ({ kind: 'admitted', principal: principals.shift() ?? LOCAL_PRINCIPAL }),
    uploadLimit: createRateLimit(100, { now: () => 0, elapsed: () => 0 }),
  });
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: JSON.stringify('x'.repeat(198)) });

  const replies = [await ask(), await ask(), await ask()];

  expect(replies.map(({ status }) => status)).toEqual([200, 429, 200]);
  // Of 100 a minute 101 are owed, one of them for asking, and one is needed.
  expect(replies[1]?.headers.get('retry-after')).toBe('62');
  expect(await replies[1]?.text()).toContain('Too many bytes');
});
