/** The front answers while the engine is busy or waits. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';
import { openClient, type OpenClient } from '../support/clients.ts';
import { send } from '../support/raw-http.ts';
import { shop, warehouse } from '../support/shop.ts';
import { emptyHome, serveBinary } from '../support/waymark.ts';

test('R180 a save that waits for the lock of another process holds up no ping, no health check, no search and no reading of the same memory', async () => {
  const project = shop();
  const home = emptyHome();
  const { url, port } = await serveBinary([], { home });
  const saver = await openClient({ kind: 'HTTP, version 2, modern', url });
  const other = await openClient({ kind: 'HTTP, version 1', url });
  const save = (content: string) => saver.call('checkpoint_save', { project: project.path, content });
  await save('first');
  const folder = home.folder.join('share', 'waymark', 'memory');
  const [file = ''] = readdirSync(folder).filter((name) => /^[^.]+\.db$/.test(name) && name !== 'links.db');
  const holder = (await loadDriver()).connect(`${folder}/${file}`, { readOnly: false, timeout: 0 });
  holder.exec('BEGIN IMMEDIATE');

  let isSaved = false;
  const saved = save('second').finally(() => (isSaved = true));
  const health = await send(port, { method: 'GET', path: '/healthz' });
  await other.raw.ping();
  const listed = await other.raw.listTools();
  const search = await other.call('search_code', { project: project.path, query: 'totalOf' });
  const resumed = await other.call('checkpoint_resume', { project: project.path });
  const wasSaved = isSaved;
  holder.exec('ROLLBACK');
  holder.close();

  expect([health.status, listed.tools.length > 0, wasSaved]).toEqual([200, true, false]);
  expect([search.isError, resumed.text.includes('first')]).toEqual([false, true]);
  expect(await saved).toMatchObject({ isError: false });
});

test('a call that is cancelled while the engine works is over, and the engine goes on answering', async () => {
  const project = shop();
  const { url } = await serveBinary();
  const client = await openClient({ kind: 'HTTP, version 1', url });
  const cancel = new AbortController();

  const cancelled = client.callLong(
    'search_code',
    { project: project.path, query: 'totalOf' },
    { signal: cancel.signal },
  );
  cancel.abort();

  await expect(cancelled).rejects.toThrow();
  expect((await client.call('search_code', { project: project.path, query: 'totalOf' })).text).toContain(
    'totalOf',
  );
});

test('R180 a client that floods the server with expressions is told that it is too much, and another one is answered', async () => {
  const project = warehouse(300);
  const { url } = await serveBinary();
  const flooding = await openClient({ kind: 'HTTP, version 1', url });
  const other = await openClient({ kind: 'HTTP, version 1', url });
  const find = (client: OpenClient, query: string) =>
    client.call('search_code', { project: project.path, query });
  await find(other, 'openBox7');

  // Each takes until its time is up.
  const flood = Array.from({ length: 40 }, (_, at) => find(flooding, `/(\\w+\\s?)+${at}!$/`));
  const answer = await find(other, '/openBox7\\d/');
  await other.raw.ping();
  const refusals = flood.map(async (call) => {
    const { structured } = await call;
    if (structured['error_type'] !== 'too_busy') throw new Error('was not refused');
  });

  expect(answer.text).toContain('openBox7');
  await Promise.any(refusals);
  await flooding.close();
  await Promise.allSettled(refusals);
});

test('what the engine logs reaches the standard error of the server', async () => {
  const project = shop();
  const { url, saw } = await serveBinary(['--log-level', 'info']);
  const client = await openClient({ kind: 'HTTP, version 1', url });

  await client.call('search_code', { project: project.path, query: 'totalOf' });

  await saw(/files were parsed exactly/);
});
