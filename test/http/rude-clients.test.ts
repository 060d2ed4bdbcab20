/** Clients that leave early, do not listen, or send what is never read: none of them may slow the others down. */
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../support/waymark.ts';

const ACCEPT = 'application/json, text/event-stream';
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

function firstBytes(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (bytes: Buffer) => resolve(bytes.toString())));
}

async function openStream(port: number, requests = 1): Promise<{ socket: Socket; head: string }> {
  const socket = open(port);
  const head = firstBytes(socket);
  socket.write(
    `GET /sse HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`.repeat(requests),
  );
  return { socket, head: await head };
}

function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('streams', () => {
  test('that were asked for behind another one end with their client', async () => {
    const { url } = await serve(['--max-sessions', '4']);
    const port = Number(new URL(url).port);
    const { socket } = await openStream(port, 4);
    socket.destroy();

    await expect
      .poll(async () => {
        const streams = await Promise.all([1, 2, 3, 4].map(() => openStream(port)));
        const statuses = streams.map(({ head }) => head.slice(9, 12));
        for (const stream of streams) stream.socket.destroy();
        return statuses;
      })
      .toEqual(['200', '200', '200', '200']);
  });

  test('whose client does not read are cut before they fill the memory', async () => {
    const { url } = await serve();
    const port = Number(new URL(url).port);
    const { socket, head } = await openStream(port);
    const endpoint = /data: (\S+)/.exec(head)?.[1] ?? /data: (\S+)/.exec(await firstBytes(socket))?.[1] ?? '';
    socket.pause();

    // The answer carries the id, so it is as long as the question.
    const long = 'n'.repeat(1_000_000);
    const statuses: number[] = [];
    for (let turn = 0; turn < 40 && !statuses.includes(404); turn += 1) {
      const message = { jsonrpc: '2.0', id: `${turn} ${long}`, method: 'ping' };
      statuses.push((await post(new URL(endpoint, url).href, message)).status);
    }

    expect(statuses.at(-1)).toBe(404);
  });
});

test('a body that is too large is refused in words, also where its length was not announced (F22)', async () => {
  const { url } = await serve();
  const piece = new Uint8Array(100_000).fill(0x20);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < 60; at += 1) controller.enqueue(piece);
      controller.close();
    },
  });

  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: ACCEPT, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  });

  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: -32600 } });
});

test('the connection of a refused request serves the next one', async () => {
  const { url } = await serve();
  const socket = open(Number(new URL(url).port));
  const host = new URL(url).host;
  let seen = '';
  socket.on('data', (bytes: Buffer) => (seen += bytes.toString()));

  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello`,
  );
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

  await expect.poll(() => seen.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
});

test('a subscription of a client that takes no stream is refused instead of left waiting', async () => {
  const { url } = await serve();
  const params = { notifications: { toolsListChanged: true }, _meta: MODERN_META };

  const response = await post(
    url,
    { jsonrpc: '2.0', id: 5, method: 'subscriptions/listen', params },
    {
      accept: 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
  );

  expect(response.status).toBe(406);
  expect(await response.json()).toMatchObject({ id: 5, error: { code: -32600 } });
});

test('parameters that do not fit are the caller’s mistake, named without our insides', async () => {
  const { url } = await serve();

  const response = await post(url, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { capabilities: 1 },
  });

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32602,
      message:
        'Invalid params for initialize: params.protocolVersion, params.capabilities, params.clientInfo',
    },
  });
});

test('a batch has a limit of its own', async () => {
  const { url } = await serve();
  const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const opened = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const batch = (size: number) =>
    Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));

  expect((await post(url, batch(100), session)).status).toBe(200);
  expect((await post(url, batch(101), session)).status).toBe(413);
});

test('R103 an unknown expectation passes no check: a foreign Host is refused all the same', async () => {
  const { url } = await serve();
  const headers = { Host: 'evil.example', Expect: '200-ok', 'Content-Type': 'application/json' };

  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(url, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end('{}');
  });

  expect(status).toBe(421);
});

test('F10 DELETE with an unknown version is refused and ends nothing', async () => {
  const { url } = await serve();
  const opened = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };

  const refused = await fetch(url, {
    method: 'DELETE',
    headers: { ...session, 'mcp-protocol-version': 'banana' },
  });
  const ended = await fetch(url, { method: 'DELETE', headers: session });

  expect([refused.status, ended.status]).toEqual([400, 200]);
});
