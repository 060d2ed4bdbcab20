/** HTTP+SSE and Streamable HTTP have one idea of what a session may do. */
import { beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/raw-http.ts';
import { initialize, messageOf, MODERN, NEWEST_LEGACY, post, rpc } from '../support/rpc.ts';
import { openSse } from '../support/sse.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

let port: number;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  ({ port } = await serve([], { onEnd }));
  return end;
});

describe('HTTP+SSE refuses what Streamable HTTP refuses', () => {
  test('F18 a second initialize', async () => {
    const { stream, path } = await openSse(port, '2024-11-05');

    const again = await send(port, { ...initialize('2025-11-25'), path });
    const batch = [rpc({ id: 1, method: 'ping' })];
    const stillOld = await send(port, post(batch, { path }));

    expect(again.status).toBe(400);
    expect(messageOf(again)).toMatchObject({ id: 'hello', error: { code: -32600 } });
    expect(stillOld.status).toBe(202);
    expect(await stream.nextMessage()).toMatchObject({ id: 1, result: {} });
  });

  test.each(['banana', '2025-11-26', '2031-01-01', ''])('F10 the version header "%s"', async (version) => {
    const { path } = await openSse(port, '2025-06-18');
    const headers = { 'mcp-protocol-version': version };

    const refused = await send(port, post(rpc({ id: 1, method: 'ping' }), { path, headers }));
    const list = await send(port, post([rpc({ id: 2, method: 'ping' })], { path, headers }));

    expect([refused.status, list.status]).toEqual([400, 400]);
    expect(messageOf(refused)).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining('2024-11-05') },
    });
  });

  test.each([NEWEST_LEGACY, '2024-11-05', MODERN])('R105 but not the version header %s', async (version) => {
    const { stream, path } = await openSse(port, '2025-06-18');
    const headers = { 'mcp-protocol-version': version };

    await send(port, post(rpc({ id: 1, method: 'ping' }), { path, headers }));

    expect(await stream.nextMessage()).toMatchObject({ id: 1, result: {} });
  });
});
