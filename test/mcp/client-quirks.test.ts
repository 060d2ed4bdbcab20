/** What known clients do differently from the specification, and what we do about it. Each is named. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { beforeAll, expect, test } from 'vitest';
import { fixtureFactory } from '../support/fixture-factory.ts';
import { openStream, send, type RawRequest } from '../support/raw-http.ts';
import { initialize, legacy, messageOf, MODERN, modern, openSession } from '../support/rpc.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

const LIST = { id: 1, method: 'tools/list' };

let port: number;
let lenientPort: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  ({ port } = await serve([], { onEnd }));
  ({ port: lenientPort } = await serve(['--lenient'], { onEnd }));
  return end;
});

test('R105 Claude Code 2.1.245: a modern version header without _meta inside a legacy session', async () => {
  const session = await openSession(port);
  const headers = { 'mcp-protocol-version': MODERN };

  const inside = await send(port, legacy(session, LIST, { headers }));
  const listening = await openStream(port, {
    method: 'GET',
    path: '/mcp',
    headers: { ...headers, accept: 'text/event-stream', 'mcp-session-id': session },
  });
  const outside = await send(port, legacy(undefined, LIST, { headers }));

  expect(messageOf(inside).result).toHaveProperty('tools');
  expect(listening.status).toBe(200);
  expect([outside.status, messageOf(outside).error?.code]).toEqual([400, -32602]);
});

test('R105 F17 Claude Code 2.1.245: with that header, too, a session that is over is answered with 404, or it would never open another', async () => {
  const headers = { 'mcp-protocol-version': MODERN };
  const session = await openSession(port);
  const inSession = { ...headers, accept: 'text/event-stream', 'mcp-session-id': session };
  await send(port, { method: 'DELETE', path: '/mcp', headers: inSession });

  const replies = [
    await send(port, legacy(session, LIST, { headers })),
    await send(port, { method: 'GET', path: '/mcp', headers: inSession }),
    await send(port, { method: 'DELETE', path: '/mcp', headers: inSession }),
  ];

  for (const reply of replies) {
    expect([reply.status, messageOf(reply).error?.message]).toEqual([404, 'Session not found']);
  }
});

test('R105 Claude Code 2.1.280: discovers in the modern way, then shakes hands with a modern header', async () => {
  const found = await send(port, modern({ id: 0, method: 'server/discover' }));
  const hello = await send(port, initialize('2025-11-25', { headers: { 'mcp-protocol-version': MODERN } }));
  const session = String(hello.headers['mcp-session-id']);
  const tools = await send(port, legacy(session, LIST));

  expect(found.status).toBe(200);
  expect(messageOf(hello).result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect(messageOf(tools).result).toHaveProperty('tools');
});

test('R105 Claude Code: names another legacy version in the header than the one agreed on', async () => {
  const session = await openSession(port, '2025-11-25');

  const replies = await Promise.all(
    ['2024-11-05', '2025-03-26', '2025-06-18'].map((version) =>
      send(port, legacy(session, LIST, { headers: { 'mcp-protocol-version': version } })),
    ),
  );

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('R105 Hindsight and older Claude Code: a bare GET probe is answered with a stream, never with 405', async () => {
  const probe = await openStream(port, {
    method: 'GET',
    path: '/mcp',
    headers: { accept: 'text/event-stream' },
  });
  const generous = await openStream(port, { method: 'GET', path: '/mcp', headers: { accept: '*/*' } });

  expect(probe.status).toBe(200);
  expect(await probe.next()).toMatch(/^event: endpoint\n/);
  expect(generous.status).toBe(200);
});

test('R105 Codex and Cursor: forget the session id after initialize; only --lenient serves that', async () => {
  const call = { id: 1, method: 'tools/call', params: { name: 'project_status', arguments: {} } };

  const refused = await send(port, legacy(undefined, call));
  const served = await send(lenientPort, legacy(undefined, call));

  expect(refused.status).toBe(400);
  expect(messageOf(served).result).toHaveProperty('content');
});

test('R105 OpenAI Responses: accepts JSON only; only --lenient serves that', async () => {
  const headers = { accept: 'application/json' };

  const refused = await send(port, initialize(undefined, { headers }));
  const served = await send(lenientPort, initialize(undefined, { headers }));

  expect(refused.status).toBe(406);
  expect(served.headers['content-type']).toBe('application/json');
  expect(messageOf(served).result).toHaveProperty('serverInfo');
});

test('R105 claude.ai connectors: a legacy header with a modern _meta stays a mismatch, lenient or not', async () => {
  const reply = await send(lenientPort, modern(LIST, { headers: { 'mcp-protocol-version': '2025-11-25' } }));

  expect([reply.status, messageOf(reply).error?.code]).toEqual([400, -32020]);
});

test('R105 clients of 2025-11-25 name a task in _meta without becoming modern ones', async () => {
  const session = await openSession(port);
  const params = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };

  const reply = await send(port, legacy(session, { ...LIST, params }));

  expect(messageOf(reply).result).toHaveProperty('tools');
});

/** Requests that the SDK refuses by itself. */
const SDK_REFUSES: readonly (readonly [string, RawRequest])[] = [
  ['no version header', modern(LIST, { headers: { 'mcp-protocol-version': undefined } })],
  ['another version in the header', modern(LIST, { headers: { 'mcp-protocol-version': '2025-06-18' } })],
  ['no Mcp-Method', modern(LIST, { headers: { 'mcp-method': undefined } })],
  ['a wrong Mcp-Method', modern(LIST, { headers: { 'mcp-method': 'tools/call' } })],
  [
    'no Mcp-Name',
    modern(
      { id: 1, method: 'prompts/get', params: { name: 'orient' } },
      { headers: { 'mcp-name': undefined } },
    ),
  ],
  [
    'no capabilities',
    modern({ ...LIST, params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': 5 } } }),
  ],
  ['an unknown method', modern({ id: 1, method: 'no/such' })],
];

test.each(SDK_REFUSES)('R106 %s is refused by the SDK, in its own words', async (_what, asked) => {
  const factory = fixtureFactory({});
  const bare = createMcpHandler(() => factory({ transport: 'http', era: 'modern' }), { legacy: 'reject' });
  const headers = new Headers();
  for (const [name, value] of Object.entries(asked.headers ?? {})) {
    if (typeof value === 'string') headers.set(name, value);
  }

  const ours = await send(port, asked);
  const theirs = await bare.fetch(
    new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(asked.body) }),
  );

  expect(ours.status).toBe(theirs.status);
  expect(JSON.parse(ours.text)).toEqual(await theirs.json());
});
