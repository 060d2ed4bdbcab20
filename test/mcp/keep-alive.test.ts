/** Every kind of stream that stays open says now and then that it is alive: proxies cut those that say nothing. */
import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { HttpEdge } from '../../src/mcp/index.ts';
import type { Reply } from '../../src/transport/index.ts';
import { ask, openEdge } from '../support/edge-exchange.ts';
import { fixtureFactory } from '../support/fixture-factory.ts';
import { createGate, waitTool } from '../support/fixture-tools.ts';
import type { RawRequest } from '../support/raw-http.ts';
import { initialize, legacy, MODERN, modern, post, rpc } from '../support/rpc.ts';

const EVERY_MS = 20;
const COMMENT = /^:[^\n]*\n\n$/;

/** A client that reads a stream; what it waits for is counted, not timed. */
function read(reply: Reply) {
  if (reply.kind !== 'stream') throw new Error(`expected a stream, got ${reply.status}`);
  const seen: string[] = [];
  let look = (): void => {};
  const leave = reply.start({
    write(text) {
      seen.push(text);
      look();
    },
    end: () => {},
  });
  const until = (done: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (done()) resolve();
      };
      look();
    });
  const comments = (): number => seen.filter((text) => COMMENT.test(text)).length;
  return { leave, until, comments, seen };
}

async function openSession(edge: HttpEdge): Promise<string> {
  const { headers } = await ask(edge, initialize());
  return headers['Mcp-Session-Id'] ?? '';
}

const STREAM = { accept: 'text/event-stream' };
const CALL = { id: 'long', method: 'tools/call', params: { name: 'wait', arguments: {} } };
const TOLD = { ...CALL, params: { ...CALL.params, _meta: { progressToken: 1 } } };
const LISTEN = {
  id: 'sub',
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true } },
};

const STREAMS: readonly (readonly [string, (edge: HttpEdge) => Promise<RawRequest>])[] = [
  [
    'a legacy GET',
    async (edge) => ({
      method: 'GET',
      path: '/mcp',
      headers: { ...STREAM, 'mcp-session-id': await openSession(edge) },
    }),
  ],
  ['a legacy POST that takes long', async (edge) => legacy(await openSession(edge), CALL)],
  ['a legacy POST that tells its progress', async (edge) => legacy(await openSession(edge), TOLD)],
  ['HTTP+SSE on /sse', async () => ({ method: 'GET', path: '/sse', headers: STREAM })],
  ['HTTP+SSE on /mcp', async () => ({ method: 'GET', path: '/mcp', headers: STREAM })],
  ['a modern subscription', async () => modern(LISTEN)],
  [
    'a modern subscription of a client that takes streams only',
    async () => modern(LISTEN, { headers: STREAM }),
  ],
  ['a modern call that tells its progress', async () => modern(TOLD)],
  ['a modern call of a client that takes streams only', async () => modern(CALL, { headers: STREAM })],
];

/** Waymark's own server has no changes to tell of, so that its subscriptions end at once; this one has. */
function changingServer(): Server {
  return new Server(
    { name: 'changing', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true } },
      supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS, MODERN],
    },
  );
}

test.each(STREAMS)('R070 %s is kept alive while it is quiet, again and again', async (what, request) => {
  const gate = createGate();
  const subscribes = what.startsWith('a modern subscription');
  const factory = subscribes ? changingServer : fixtureFactory({ tools: [waitTool(gate)] });
  const edge = openEdge({ factory, keepAliveMs: EVERY_MS, streamAfterMs: EVERY_MS });
  const stream = read(await ask(edge, await request(edge)));

  await stream.until(() => stream.comments() >= 3);

  stream.leave();
  gate.open();
  await edge.close();
});

test('R070 a modern call without progress turns to a stream that is kept alive, once it takes long', async () => {
  const gate = createGate();
  const factory = fixtureFactory({ tools: [waitTool(gate)] });
  const edge = openEdge({ factory, keepAliveMs: EVERY_MS, streamAfterMs: EVERY_MS });
  const reply = await ask(edge, modern(CALL));
  const stream = read(reply);

  await stream.until(() => stream.comments() >= 2);
  gate.open();
  await stream.until(() => stream.seen.some((text) => text.includes('done waiting')));

  expect(reply.headers).toMatchObject({ 'Content-Type': 'text/event-stream' });
  await edge.close();
});

test('R070 HTTP+SSE goes on being kept alive after it has carried an answer', async () => {
  const edge = openEdge({ keepAliveMs: EVERY_MS });
  const stream = read(await ask(edge, { method: 'GET', path: '/sse', headers: STREAM }));
  const path = /data: (\S+)/.exec(stream.seen[0] ?? '')?.[1] ?? '';

  await ask(edge, { ...initialize('2024-11-05'), path });
  await stream.until(() => stream.seen.some((text) => text.includes('serverInfo')));
  await ask(edge, post(rpc({ id: 2, method: 'ping' }), { path }));
  await stream.until(() => stream.seen.some((text) => text.includes('"id":2')));
  const before = stream.comments();
  await stream.until(() => stream.comments() > before + 1);

  stream.leave();
  expect(edge.sessions).toBe(0);
  await edge.close();
});
