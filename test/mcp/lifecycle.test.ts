/** Handshake, methods, batches and the end of a session, over raw HTTP. */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStream, send } from '../support/raw-http.ts';
import {
  initialize,
  legacy,
  messageOf,
  MODERN,
  modern,
  NEWEST_LEGACY,
  openSession,
  type Call,
} from '../support/rpc.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

const LEGACY = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026-');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let port: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  ({ port } = await serve([], { onEnd }));
  return end;
});

test('R071 initialize answers with version, capabilities, name and a session of its own', async () => {
  const first = await send(port, initialize());
  const second = await send(port, initialize());

  expect(first.status).toBe(200);
  expect(messageOf(first).result).toMatchObject({
    protocolVersion: NEWEST_LEGACY,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'waymark', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  });
  expect(first.headers['mcp-session-id']).toMatch(UUID);
  expect(first.headers['mcp-protocol-version']).toBe(NEWEST_LEGACY);
  expect(second.headers['mcp-session-id']).not.toBe(first.headers['mcp-session-id']);
});

test.each([
  ['application/json', 'application/json'],
  ['text/event-stream', 'text/event-stream'],
])('R071 a client that accepts %s only gets its session too, with --lenient', async (accept, type) => {
  const { port: lenient } = await serve(['--lenient']);
  const headers = { accept };

  const hello = await send(lenient, initialize('2025-06-18', { headers }));
  const session = String(hello.headers['mcp-session-id']);
  const tools = await send(lenient, legacy(session, { id: 1, method: 'tools/list' }, { headers }));
  const ended = await send(lenient, {
    method: 'DELETE',
    path: '/mcp',
    headers: { 'mcp-session-id': session },
  });

  expect(hello.status).toBe(200);
  expect(hello.headers['content-type']).toBe(type);
  expect(messageOf(hello).result).toHaveProperty('serverInfo');
  expect(session).toMatch(UUID);
  expect(hello.headers['mcp-protocol-version']).toBe('2025-06-18');
  expect(messageOf(tools).result).toHaveProperty('tools');
  expect(ended.status).toBe(200);
});

describe('R072 ids keep their type', () => {
  const ids = ['1', 1, 0, '', -5, 'ü "quoted"', 9_007_199_254_740_991];

  test.each(ids)('%j in legacy answers, refusals included', async (id) => {
    const session = await openSession(port);
    const answers = await Promise.all([
      send(port, legacy(session, { id, method: 'ping' })),
      send(port, legacy(session, { id, method: 'no/such' })),
      send(port, legacy(undefined, { id, method: 'ping' })),
      send(port, legacy('unknown', { id, method: 'ping' })),
    ]);

    expect(answers.map((answer) => messageOf(answer).id)).toEqual([id, id, id, id]);
  });

  test.each(ids)('%j in modern answers, refusals included', async (id) => {
    const answers = await Promise.all([
      send(port, modern({ id, method: 'tools/list' })),
      send(port, modern({ id, method: 'no/such' })),
      send(port, modern({ id, method: 'tools/list' }, { headers: { 'mcp-method': undefined } })),
      send(port, modern({ id, method: 'tools/list' }, { headers: { accept: 'text/event-stream' } })),
    ]);

    expect(answers.map((answer) => messageOf(answer).id)).toEqual([id, id, id, id]);
  });
});

describe('R073 initialize settles on a revision', () => {
  test.each(LEGACY)('%s is echoed, as every one the SDK knows', async (version) => {
    const reply = await send(port, initialize(version));

    expect(messageOf(reply).result?.['protocolVersion']).toBe(version);
    expect(reply.headers['mcp-protocol-version']).toBe(version);
  });

  test.each(['1999-01-01', MODERN, 'banana', ''])('"%s" is answered with the newest one', async (version) => {
    const reply = await send(port, initialize(version));

    expect(messageOf(reply).result?.['protocolVersion']).toBe(NEWEST_LEGACY);
  });

  test.each(['banana', '1999-01-01', MODERN])('a version header "%s" changes nothing', async (header) => {
    const headers = { 'mcp-protocol-version': header };

    const reply = await send(port, initialize('2025-06-18', { headers }));

    expect(messageOf(reply).result?.['protocolVersion']).toBe('2025-06-18');
  });

  test('the SDK names at least the four legacy revisions', () => {
    expect(LEGACY).toEqual(expect.arrayContaining(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']));
  });
});

const READ = { uri: 'waymark://project/status' };
const COMPLETE = { ref: { type: 'ref/prompt', name: 'orient' }, argument: { name: 'x', value: '' } };
const SHARED: readonly (readonly [Omit<Call, 'id'>, string])[] = [
  [{ method: 'tools/list' }, 'tools'],
  [{ method: 'tools/call', params: { name: 'project_status', arguments: {} } }, 'content'],
  [{ method: 'resources/list' }, 'resources'],
  [{ method: 'resources/templates/list' }, 'resourceTemplates'],
  [{ method: 'resources/read', params: READ }, 'contents'],
  [{ method: 'prompts/list' }, 'prompts'],
  [{ method: 'prompts/get', params: { name: 'orient' } }, 'messages'],
  [{ method: 'completion/complete', params: COMPLETE }, 'completion'],
];

describe('R074 methods', () => {
  test.each(SHARED)('%j is answered in both eras', async (call, field) => {
    const session = await openSession(port);

    const old = await send(port, legacy(session, { id: 1, ...call }));
    const now = await send(port, modern({ id: 1, ...call }));

    expect(messageOf(old).result).toHaveProperty(field);
    expect(messageOf(now).result).toHaveProperty(field);
    expect(messageOf(now).result).toHaveProperty('resultType', 'complete');
  });

  test.each([{ method: 'ping' }, { method: 'logging/setLevel', params: { level: 'info' } }])(
    '%j is answered in the legacy era only',
    async (call) => {
      const old = await send(port, legacy(await openSession(port), { id: 1, ...call }));
      const now = await send(port, modern({ id: 1, ...call }));

      expect(messageOf(old).result).toEqual({});
      expect([now.status, messageOf(now).error?.code]).toEqual([404, -32601]);
    },
  );

  test('server/discover says what the modern era needs to know', async () => {
    const reply = await send(port, modern({ id: 1, method: 'server/discover' }));

    expect(messageOf(reply).result).toMatchObject({
      supportedVersions: expect.arrayContaining([MODERN]),
      capabilities: { tools: {}, resources: {} },
      ttlMs: expect.any(Number),
      cacheScope: 'public',
    });
  });

  test('subscriptions/listen is acknowledged on a stream', async () => {
    const params = { notifications: { toolsListChanged: true } };

    const stream = await openStream(port, modern({ id: 'sub', method: 'subscriptions/listen', params }));

    expect(await stream.nextMessage()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
    });
  });
});

test('R076 DELETE ends a session, and its id is worth nothing afterwards', async () => {
  const session = await openSession(port);
  const headers = { 'mcp-session-id': session };

  const ended = await send(port, { method: 'DELETE', path: '/mcp', headers });
  const asked = await send(port, legacy(session, { id: 1, method: 'ping' }));
  const again = await send(port, { method: 'DELETE', path: '/mcp', headers });
  const listened = await send(port, {
    method: 'GET',
    path: '/mcp',
    headers: { ...headers, accept: 'text/event-stream' },
  });

  expect([ended.status, asked.status, again.status, listened.status]).toEqual([200, 404, 404, 404]);
  expect(messageOf(asked)).toMatchObject({ id: 1, error: { message: 'Session not found' } });
});

test('R077 --stateless serves legacy requests without sessions', async () => {
  const { port: stateless } = await serve(['--stateless']);

  const hello = await send(stateless, initialize());
  const tools = await send(stateless, legacy(undefined, { id: 1, method: 'tools/list' }));
  const named = await send(stateless, legacy('anything', { id: 2, method: 'ping' }));
  const goodbyes = await Promise.all(
    [{}, { 'mcp-session-id': 'anything' }].map((headers) =>
      send(stateless, { method: 'DELETE', path: '/mcp', headers }),
    ),
  );

  expect(goodbyes.map(({ status }) => status)).toEqual([405, 405]);
  expect(goodbyes.map(({ headers }) => headers.allow)).toEqual(['GET, POST', 'GET, POST']);
  expect(hello.headers['mcp-session-id']).toBeUndefined();
  expect(messageOf(hello).result).toHaveProperty('serverInfo');
  expect(messageOf(tools).result).toHaveProperty('tools');
  expect(messageOf(named)).toMatchObject({ id: 2, result: {} });
});

test.each([
  [[], 'GET, POST'],
  [['--no-legacy-sse'], 'POST'],
])('R077 --stateless %j has no stream for an unknown session', async (flags, allow) => {
  const { port: stateless } = await serve(['--stateless', ...flags]);
  const accept = { accept: 'text/event-stream' };

  const named = await send(stateless, {
    method: 'GET',
    path: '/mcp',
    headers: { ...accept, 'mcp-session-id': 'anything' },
  });
  const versioned = await send(stateless, {
    method: 'GET',
    path: '/mcp',
    headers: { ...accept, 'mcp-protocol-version': '2025-06-18' },
  });

  expect([named.status, named.headers.allow]).toEqual([405, allow]);
  expect([versioned.status, versioned.headers.allow]).toEqual([405, allow]);
});

test('R077 a session id is no proof of who asks', async () => {
  const { port: guarded } = await serve(['--token', 'only-for-friends-of-this-server-32']);
  const headers = { authorization: 'Bearer only-for-friends-of-this-server-32' };
  const session = await openSession(guarded, undefined, { headers });

  const stranger = await send(guarded, legacy(session, { id: 1, method: 'ping' }));
  const friend = await send(guarded, legacy(session, { id: 1, method: 'ping' }, { headers }));

  expect([stranger.status, friend.status]).toEqual([401, 200]);
});
