/** Calls that take long: progress, coming back to a lost stream, cancelling, and stopping the server meanwhile. */
import { expect, test } from 'vitest';
import { openFixtureApp, type FixtureOptions } from '../support/fixture-app.ts';
import { createGate, waitTool } from '../support/fixture-tools.ts';
import { exchange, openStream, send, textOf } from '../support/raw-http.ts';
import { initialize, legacy, messageOf, modern, openSession, post, rpc } from '../support/rpc.ts';

const PROGRESS = { _meta: { progressToken: 'mine' } };

async function openWaiting(settings: FixtureOptions['settings'] = {}) {
  const gate = createGate();
  const app = await openFixtureApp({ tools: [waitTool(gate)], settings });
  return { ...app, gate };
}

function wait(params: object = {}) {
  return { id: 'long', method: 'tools/call', params: { name: 'wait', arguments: {}, ...params } };
}

const HALF = {
  method: 'notifications/progress',
  params: { progressToken: 'mine', progress: 1, total: 2, message: 'half' },
};
const DONE = { id: 'long', result: { content: [{ type: 'text', text: 'done waiting' }] } };

test('R079 legacy: a call with a token streams its progress before its answer', async () => {
  const { port, gate } = await openWaiting();
  const session = await openSession(port);

  const stream = await openStream(port, legacy(session, wait(PROGRESS)));
  const first = await stream.nextMessage();
  gate.open();
  const second = await stream.nextMessage();

  expect(first).toMatchObject(HALF);
  expect(second).toMatchObject({ method: 'notifications/progress', params: { progress: 2 } });
  expect(await stream.nextMessage()).toMatchObject(DONE);
  expect(await stream.next()).toBeUndefined();
});

test('R079 modern: a call with a token streams its progress before its answer', async () => {
  const { port, gate } = await openWaiting();

  const stream = await openStream(port, modern(wait(PROGRESS)));
  const first = await stream.nextMessage();
  gate.open();

  expect(first).toMatchObject(HALF);
  expect(await stream.nextMessage()).toMatchObject({ params: { progress: 2 } });
  expect(await stream.nextMessage()).toMatchObject(DONE);
});

test.each(['legacy', 'modern'] as const)('R079 %s: a call without a token is just answered', async (era) => {
  const { port, gate } = await openWaiting();
  gate.open();

  const asked = era === 'legacy' ? legacy(await openSession(port), wait()) : modern(wait());
  const reply = await send(port, asked);

  expect(reply.headers['content-type']).toBe('application/json');
  expect(messageOf(reply)).toMatchObject(DONE);
});

test('R079 HTTP+SSE: progress and answer come on the stream, and the call can be cancelled', async () => {
  const { port, gate } = await openWaiting();
  const stream = await openStream(port, {
    method: 'GET',
    path: '/sse',
    headers: { accept: 'text/event-stream' },
  });
  const path = (await stream.next())?.split('data: ')[1] ?? '';
  await send(port, { ...initialize('2024-11-05'), path });
  await stream.nextMessage();

  await send(port, post(rpc(wait(PROGRESS)), { path }));
  expect(await stream.nextMessage()).toMatchObject(HALF);
  await send(port, post(rpc({ method: 'notifications/cancelled', params: { requestId: 'long' } }), { path }));

  await gate.cancelled;
});

test('R070 legacy: a lost stream is taken up again with Last-Event-ID, and nothing is missing', async () => {
  const { port, gate } = await openWaiting();
  const session = await openSession(port);
  const lost = await openStream(port, legacy(session, wait(PROGRESS)));
  const primer = (await lost.next()) ?? '';
  const first = (await lost.next()) ?? '';
  const idOf = (event: string): string | undefined => /^id: (.+)$/m.exec(event)?.[1];

  lost.leave();
  const resume = (id: string | undefined) =>
    openStream(port, {
      method: 'GET',
      path: '/mcp',
      headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': id },
    });
  const resumed = await resume(idOf(primer));
  const again = await resumed.next();
  gate.open();

  expect(idOf(primer)).toBeDefined();
  expect(again).toBe(first);
  expect(await resumed.nextMessage()).toMatchObject({ params: { progress: 2 } });
  expect(await resumed.nextMessage()).toMatchObject(DONE);
  expect(await resumed.next()).toBeUndefined();

  // The answer was sent; a client that lost it still gets it.
  const late = await resume(idOf(first));
  expect(await late.nextMessage()).toMatchObject({ params: { progress: 2 } });
  expect(await late.nextMessage()).toMatchObject(DONE);
  expect(await late.next()).toBeUndefined();
});

test('R070 an answer that takes long becomes a stream that is kept alive', async () => {
  const { port, gate } = await openWaiting();
  const session = await openSession(port);

  // Nothing is said before the answer: the server turns to a stream on its own after a while.
  const stream = await openStream(port, legacy(session, wait()));
  gate.open();

  expect(stream.headers['content-type']).toBe('text/event-stream');
  expect(await stream.nextMessage()).toMatchObject(DONE);
});

test('R078 legacy: notifications/cancelled stops the work, and no answer is awaited', async () => {
  const { port, gate } = await openWaiting();
  const session = await openSession(port);
  const call = exchange(port, legacy(session, wait()));
  await gate.entered;

  const params = { requestId: 'long', reason: 'changed my mind' };
  const told = await send(port, legacy(session, { method: 'notifications/cancelled', params }));
  await gate.cancelled;
  const dropped = await call.head;

  expect(told.status).toBe(202);
  expect([dropped.statusCode, await textOf(dropped)]).toEqual([202, '']);
});

test('R078 legacy: a lost connection is not a cancellation', async () => {
  const { port, gate } = await openWaiting();
  const session = await openSession(port);
  const lost = await openStream(port, legacy(session, wait(PROGRESS)));
  const id = /^id: (.+)$/m.exec((await lost.next()) ?? '')?.[1];

  lost.leave();
  await gate.entered;
  const resumed = await openStream(port, {
    method: 'GET',
    path: '/mcp',
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': id },
  });
  gate.open();

  expect(await resumed.nextMessage()).toMatchObject(HALF);
  expect(await resumed.nextMessage()).toMatchObject({ params: { progress: 2 } });
  expect(await resumed.nextMessage()).toMatchObject(DONE);
});

test.each([
  ['before the first word', {}],
  ['in the middle of its stream', PROGRESS],
])('R078 modern: a response closed %s stops the work', async (_when, params) => {
  const { port, gate } = await openWaiting();
  const call = exchange(port, modern(wait(params)));
  await gate.entered;

  call.abort();

  await gate.cancelled;
});

test('R078 --stateless: a closed response stops the work, as there is no way back to it', async () => {
  const { port, gate } = await openWaiting({ stateless: true });
  const call = exchange(port, legacy(undefined, wait()));
  await gate.entered;

  call.abort();

  await gate.cancelled;
});

test('R076 DELETE stops the work of its session', async () => {
  const { port, gate } = await openWaiting();
  const session = await openSession(port);
  const call = exchange(port, legacy(session, wait()));
  await gate.entered;

  await send(port, { method: 'DELETE', path: '/mcp', headers: { 'mcp-session-id': session } });

  await gate.cancelled;
  call.abort();
});

test.each(['legacy', 'modern'] as const)('stopping the server lets a %s call finish', async (era) => {
  const { port, gate, close } = await openWaiting();
  const asked = era === 'legacy' ? legacy(await openSession(port), wait()) : modern(wait());
  const call = exchange(port, asked);
  await gate.entered;

  const closed = close();
  gate.open();
  const head = await call.head;

  expect(messageOf({ status: 200, headers: head.headers, text: await textOf(head) })).toMatchObject(DONE);
  await closed;
});

test('stopping the server ends the streams of those who listen', async () => {
  const { port, close } = await openWaiting();
  const session = await openSession(port);
  const accept = { accept: 'text/event-stream' };
  const streams = [
    await openStream(port, {
      method: 'GET',
      path: '/mcp',
      headers: { ...accept, 'mcp-session-id': session },
    }),
    await openStream(port, { method: 'GET', path: '/sse', headers: accept }),
    await openStream(
      port,
      modern({
        id: 1,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true } },
      }),
    ),
  ];

  await close();

  for (const stream of streams) {
    let event = await stream.next();
    while (event !== undefined) event = await stream.next();
    expect(event).toBeUndefined();
  }
});
