/** Several messages in one body, and the ids that tell their answers apart. */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/raw-http.ts';
import { initialize, messageOf, modern, NEWEST_LEGACY, openSession, post, rpc } from '../support/rpc.ts';
import { openSse } from '../support/sse.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

const LEGACY = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026-');

let port: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  ({ port } = await serve([], { onEnd }));
  return end;
});

describe('R075 batches', () => {
  const batch = [
    rpc({ id: 'a', method: 'ping' }),
    rpc({ method: 'notifications/initialized' }),
    rpc({ id: 2, method: 'tools/list' }),
  ];

  const old = ['2024-11-05', '2025-03-26'];

  test.each(old)('of a session that settled on %s are answered', async (version) => {
    const headers = { 'mcp-session-id': await openSession(port, version) };

    const reply = await send(port, post(batch, { headers }));
    const quiet = await send(port, post([batch[1]], { headers }));

    expect([reply.status, quiet.status]).toEqual([200, 202]);
    expect(JSON.parse(reply.text)).toEqual([
      expect.objectContaining({ id: 'a', result: {} }),
      expect.objectContaining({ id: 2, result: expect.objectContaining({ tools: expect.any(Array) }) }),
    ]);
  });

  test.each(LEGACY.filter((version) => version > '2025-03-26'))(
    'of a session that settled on %s are refused',
    async (version) => {
      const headers = { 'mcp-session-id': await openSession(port, version) };

      const reply = await send(port, post(batch, { headers }));
      const quiet = await send(port, post([batch[1]], { headers }));

      expect([reply.status, quiet.status]).toEqual([400, 400]);
      expect(messageOf(reply)).toMatchObject({ id: 'a', error: { code: -32600 } });
    },
  );

  test.each([
    ['2024-11-05', 202],
    ['2025-06-18', 400],
  ])('over HTTP+SSE, settled on %s: %i', async (version, status) => {
    const { stream, path } = await openSse(port);
    const early = await send(port, post(batch, { path }));
    await send(port, { ...initialize(version), path });
    await stream.nextMessage();

    const reply = await send(port, post(batch, { path }));

    expect(early.status).toBe(400);
    expect(reply.status).toBe(status);
  });

  test.each([['--stateless'], ['--lenient']])(
    'F11 without a session (%s) are served where no version is named, which then is 2025-03-26',
    async (flag) => {
      const { port: open } = await serve([flag]);
      const named = (version: string | undefined) =>
        send(open, post(batch, { headers: { 'mcp-protocol-version': version } }));

      const replies = [
        await named(undefined),
        await named('2025-03-26'),
        await named('2024-11-05'),
        await named('2025-06-18'),
        await named(NEWEST_LEGACY),
      ];

      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400]);
      expect(JSON.parse(replies[0]?.text ?? '')).toMatchObject([{ id: 'a' }, { id: 2 }]);
    },
  );

  test('F11 of a session that settled on 2025-06-18 are refused, also where no version is named', async () => {
    const headers = { 'mcp-session-id': await openSession(port, '2025-06-18') };

    const reply = await send(
      port,
      post(batch, { headers: { ...headers, 'mcp-protocol-version': undefined } }),
    );

    expect([reply.status, messageOf(reply).error?.code]).toEqual([400, -32600]);
  });

  test('in which two requests have one id are refused, since their answers could not be told apart', async () => {
    const headers = { 'mcp-session-id': await openSession(port, '2025-03-26') };
    const twice = [rpc({ id: 5, method: 'ping' }), rpc({ id: 5, method: 'tools/list' })];
    const alike = [rpc({ id: 5, method: 'ping' }), rpc({ id: '5', method: 'ping' })];
    const { stream, path } = await openSse(port, '2024-11-05');

    const refused = await send(port, post(twice, { headers }));
    const served = await send(port, post(alike, { headers }));
    const overSse = await send(port, post(twice, { path }));
    await send(port, post(alike, { path }));

    expect([refused.status, overSse.status]).toEqual([400, 400]);
    expect(messageOf(refused)).toMatchObject({ id: 5, error: { code: -32600 } });
    expect(messageOf(overSse)).toMatchObject({ id: 5, error: { code: -32600 } });
    expect(JSON.parse(served.text)).toMatchObject([{ id: 5 }, { id: '5' }]);
    expect([await stream.nextMessage(), await stream.nextMessage()]).toMatchObject([{ id: 5 }, { id: '5' }]);
  });

  describe('with a request and its cancellation', () => {
    const cancel = (requestId: unknown) => rpc({ method: 'notifications/cancelled', params: { requestId } });
    const slow = rpc({ id: 1, method: 'tools/call', params: { name: 'project_status', arguments: {} } });

    test('end without an answer, and the id is free again', async () => {
      const headers = { 'mcp-session-id': await openSession(port, '2025-03-26') };

      const reply = await send(port, post([slow, cancel(1)], { headers }));
      const again = await send(port, post(rpc({ id: 1, method: 'ping' }), { headers }));

      expect([reply.status, reply.text]).toEqual([202, '']);
      expect(messageOf(again)).toMatchObject({ id: 1, result: {} });
    });

    test('answer the others', async () => {
      const headers = { 'mcp-session-id': await openSession(port, '2025-03-26') };

      const reply = await send(port, post([slow, cancel(1), rpc({ id: 2, method: 'ping' })], { headers }));

      expect(JSON.parse(reply.text)).toEqual([expect.objectContaining({ id: 2, result: {} })]);
    });

    test('end the same way in the other order', async () => {
      const headers = { 'mcp-session-id': await openSession(port, '2025-03-26') };

      const reply = await send(port, post([cancel(1), slow], { headers }));

      expect([reply.status, reply.text]).toEqual([202, '']);
    });

    test('leave the session idle, so that it may make room for another', async () => {
      const { port: small } = await serve(['--max-sessions', '1', '--session-idle-seconds', '1']);
      const headers = { 'mcp-session-id': await openSession(small, '2025-03-26') };
      await send(small, post([slow, cancel(1)], { headers }));

      await expect.poll(async () => (await send(small, initialize())).status, { timeout: 10_000 }).toBe(200);
    });
  });

  test('of modern requests are refused', async () => {
    const one = modern({ id: 1, method: 'tools/list' });

    const reply = await send(port, { ...one, body: [one.body] });

    expect([reply.status, messageOf(reply).error?.code]).toEqual([400, -32600]);
  });
});

describe('R072 an id that cannot be kept is refused, not changed', () => {
  const lost = (body: unknown): string => JSON.stringify(body).replace('"LOST"', '9007199254740993');

  test.each(['tools/list', 'tools/call'])('in a modern %s', async (method) => {
    const params = method === 'tools/call' ? { name: 'project_status', arguments: {} } : {};
    const asked = modern({ id: 'LOST', method, params });

    const reply = await send(port, { ...asked, body: lost(asked.body) });

    expect(reply.status).toBe(400);
    expect(messageOf(reply)).toMatchObject({
      id: 'server-error',
      error: { code: -32600, message: expect.stringContaining('2^53') },
    });
  });

  test('in legacy messages, batches and HTTP+SSE', async () => {
    const headers = { 'mcp-session-id': await openSession(port, '2025-03-26') };
    const { path } = await openSse(port, '2024-11-05');
    const ping = lost(rpc({ id: 'LOST', method: 'ping' }));

    const replies = [
      await send(port, post(ping, { headers })),
      await send(port, post(`[${ping}]`, { headers })),
      await send(port, post(ping, { path })),
    ];

    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
    for (const reply of replies) {
      expect(messageOf(reply)).toMatchObject({
        id: 'server-error',
        error: { code: -32602, message: expect.stringContaining('2^53') },
      });
    }
  });
});
