/** What the server says of itself to those who watch over it. */
import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFixtureApp } from '../support/fixture-app.ts';
import { createGate, waitTool } from '../support/fixture-tools.ts';
import { exchange, send, textOf } from '../support/raw-http.ts';
import { initialize, messageOf, modern } from '../support/rpc.ts';
import { emptyHome, serve } from '../support/waymark.ts';

const get = (path: string) => ({ method: 'GET', path });

test('a server that can be of use says so, also to HEAD', async () => {
  const { port } = await serve();

  const replies = [
    await send(port, get('/healthz')),
    await send(port, get('/readyz')),
    await send(port, { method: 'HEAD', path: '/readyz' }),
  ];
  const posted = await send(port, { method: 'POST', path: '/readyz' });

  expect(replies.map(({ status, text }) => [status, text])).toEqual([
    [200, '{"status":"ok"}'],
    [200, '{"status":"ok"}'],
    [200, ''],
  ]);
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('a server whose storage does not open is alive but not ready, and the log says why', async () => {
  const home = emptyHome();
  // No database can be opened where a folder stands.
  mkdirSync(home.folder.join('share', 'waymark', 'catalog.db'), { recursive: true });
  const { port, saw } = await serve([], { home });

  const alive = await send(port, get('/healthz'));
  const ready = await send(port, get('/readyz'));
  const head = await send(port, { method: 'HEAD', path: '/readyz' });

  expect([alive.status, ready.status, head.status, head.text]).toEqual([200, 503, 503, '']);
  expect(ready.headers['retry-after']).toMatch(/^[1-9]/);
  expect(messageOf(ready)).toMatchObject({
    id: 'server-error',
    error: { code: -32603, message: expect.stringMatching(/^Not ready: what is kept on disk/) },
  });
  expect(ready.text).not.toContain(home.folder.path);
  await saw(/ warn not ready reason=/);
});

test('a server that is stopping is not ready, takes nothing new, and lets the last call finish', async () => {
  const gate = createGate();
  const { port, close } = await openFixtureApp({ tools: [waitTool(gate)] });
  const call = exchange(
    port,
    modern({ id: 'long', method: 'tools/call', params: { name: 'wait', arguments: {} } }),
  );
  await gate.entered;

  const closed = close();
  const ready = await send(port, get('/readyz'));
  const alive = await send(port, get('/healthz'));
  const late = await send(port, initialize());
  gate.open();
  const head = await call.head;
  const answer = messageOf({ status: 200, headers: head.headers, text: await textOf(head) });
  await closed;

  expect([ready.status, alive.status, late.status]).toEqual([503, 200, 503]);
  expect(messageOf(ready).error?.message).toBe('Not ready: the server is stopping');
  expect(late.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
  expect(answer).toMatchObject({ id: 'long', result: { content: [{ text: 'done waiting' }] } });
  await expect(send(port, get('/readyz'))).rejects.toThrow(/ECONNREFUSED|hang up/);
});
