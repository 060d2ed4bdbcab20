/** Legacy sessions that are never ended: they are evicted, the idle ones first. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { HttpEdge } from '../../src/mcp/index.ts';
import type { Reply } from '../../src/transport/index.ts';
import { ask, holdClock, openEdge } from '../support/edge-exchange.ts';
import { initialize, legacy } from '../support/rpc.ts';

const IDLE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return () => void vi.useRealTimers();
});

async function open(edge: HttpEdge): Promise<string> {
  const { headers } = await ask(edge, initialize());
  return headers['Mcp-Session-Id'] ?? '';
}

async function isAlive(edge: HttpEdge, session: string): Promise<boolean> {
  const { status } = await ask(edge, legacy(session, { id: 1, method: 'ping' }));
  return status === 200;
}

function listen(edge: HttpEdge, session: string): Promise<Reply> {
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session };
  return ask(edge, { method: 'GET', path: '/mcp', headers });
}

test('R069 an idle session is closed after the idle time, and a used one is not', async () => {
  const { clock, advance } = holdClock();
  const edge = openEdge({ clock, sessionIdleMs: IDLE_MS });
  const idle = await open(edge);
  const used = await open(edge);

  advance(IDLE_MS - 1);
  vi.advanceTimersByTime(IDLE_MS);
  expect(edge.sessions).toBe(2);
  expect(await isAlive(edge, used)).toBe(true);
  advance(1);
  vi.advanceTimersByTime(IDLE_MS);

  expect(edge.sessions).toBe(1);
  expect(await isAlive(edge, idle)).toBe(false);
  expect(await isAlive(edge, used)).toBe(true);
  await edge.close();
});

test('R069 a session with an open stream is not idle', async () => {
  const { clock, advance } = holdClock();
  const edge = openEdge({ clock, sessionIdleMs: IDLE_MS });
  const session = await open(edge);
  const stream = await listen(edge, session);
  const leave = stream.kind === 'stream' ? stream.start({ write: () => {}, end: () => {} }) : () => {};

  advance(IDLE_MS * 10);
  vi.advanceTimersByTime(IDLE_MS);
  expect(edge.sessions).toBe(1);
  leave();
  advance(IDLE_MS);
  vi.advanceTimersByTime(IDLE_MS);

  expect(edge.sessions).toBe(0);
  await edge.close();
});

test('R069 the cap pushes out the session that was idle for longest', async () => {
  const edge = openEdge({ maxSessions: 2 });
  const first = await open(edge);
  const second = await open(edge);
  await isAlive(edge, first);

  const third = await open(edge);

  expect(edge.sessions).toBe(2);
  expect(await isAlive(edge, second)).toBe(false);
  expect(await isAlive(edge, first)).toBe(true);
  expect(await isAlive(edge, third)).toBe(true);
  await edge.close();
});

test('R069 where every session is busy a new client is asked to come back', async () => {
  const edge = openEdge({ maxSessions: 1 });
  const stream = await listen(edge, await open(edge));
  if (stream.kind === 'stream') stream.start({ write: () => {}, end: () => {} });

  const refused = await ask(edge, initialize());

  expect(refused.status).toBe(503);
  expect(refused.headers['Retry-After']).toMatch(/^\d+$/);
  await edge.close();
});

test('R069 a thousand abandoned handshakes leave no more than the cap', async () => {
  const { clock, advance } = holdClock();
  const edge = openEdge({ clock, maxSessions: 50, sessionIdleMs: IDLE_MS });
  for (let count = 0; count < 1000; count++) await open(edge);

  expect(edge.sessions).toBe(50);
  advance(IDLE_MS);
  vi.advanceTimersByTime(IDLE_MS);

  expect(edge.sessions).toBe(0);
  await edge.close();
});

test('R070 a quiet stream is kept alive with comments', async () => {
  const edge = openEdge({ keepAliveMs: 1_000 });
  const session = await open(edge);
  const seen: string[] = [];
  const reply = await listen(edge, session);
  if (reply.kind === 'stream') reply.start({ write: (text) => void seen.push(text), end: () => {} });
  const before = seen.length;

  vi.advanceTimersByTime(3_000);

  expect(seen.slice(before)).toEqual([': keep-alive\n\n', ': keep-alive\n\n', ': keep-alive\n\n']);
  await edge.close();
});
