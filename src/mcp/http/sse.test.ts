import { McpServer, Server } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../core/index.ts';
import type { ServerFactory } from '../connection.ts';
import type { Exchange } from '../../transport/index.ts';
import { createSseSessions } from './sse.ts';

const EXCHANGE: Exchange = {
  method: 'GET',
  path: '/sse',
  query: new URLSearchParams(),
  url: '/sse',
  header: () => undefined,
  readBytes: async () => ({ kind: 'gone' }),
  readBody: async () => ({ kind: 'gone' }),
  signal: new AbortController().signal,
  note: {},
  principal: LOCAL_PRINCIPAL,
  clientKey: 'local',
  projectPath: undefined,
};

const INFO = { name: 'test', version: '1.0.0' };
const FACTORIES: readonly { readonly label: string; readonly factory: ServerFactory }[] = [
  { label: 'plain server', factory: () => new Server(INFO) },
  { label: 'registering server', factory: () => new McpServer(INFO) },
];

test.each(FACTORIES)(
  'a session ends with its stream, whoever made its $label (R062)',
  async ({ factory }) => {
    const sessions = createSseSessions({
      factory,
      newId: () => 'a-session',
      clock: { now: () => 0, elapsed: () => 0 },
      maxSessions: 10,
      keepAliveMs: 60_000,
    });
    const reply = await sessions.open(EXCHANGE, '/messages');
    if (reply.kind !== 'stream') throw new Error(`expected a stream, got ${reply.status}`);
    const leave = reply.start({ write: () => {}, end: () => {} });
    const sizeWhileOpen = sessions.size;

    leave();

    expect(sizeWhileOpen).toBe(1);
    expect(sessions.size).toBe(0);
    expect(await sessions.receive(EXCHANGE, 'a-session', {})).toMatchObject({ status: 404 });
    await sessions.close();
  },
);
