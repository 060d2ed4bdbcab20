import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../core/index.ts';
import { toRequestFacade, type Reply } from '../../transport/index.ts';
import { createLegacyTransport } from './legacy-transport.ts';
import { createEventLogs } from './resumable-stream.ts';

const TIMES = { streamAfterMs: 60_000, keepAliveMs: 60_000, retryMs: 1_000 };
const CALL: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } };
const ANSWER: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: { content: [] } };

const REQUEST = toRequestFacade({
  method: 'POST',
  path: '/mcp',
  query: new URLSearchParams(),
  url: '/mcp',
  header: () => undefined,
  readBytes: async () => ({ kind: 'gone' }),
  readBody: async () => ({ kind: 'gone' }),
  signal: new AbortController().signal,
  note: {},
  principal: LOCAL_PRINCIPAL,
  clientKey: 'local',
  projectPath: undefined,
});

function session(version: string) {
  const transport = createLegacyTransport({
    sessionId: 'a-session',
    times: TIMES,
    logs: createEventLogs({ clock: { elapsed: () => performance.now() } }),
  });
  transport.setProtocolVersion?.(version);
  const call = (onCall: (extra: MessageExtraInfo | undefined) => void): Promise<Reply> => {
    transport.onmessage = (_message, extra) => onCall(extra);
    return transport.post({
      messages: [CALL],
      batch: false,
      mode: 'auto',
      version: undefined,
      request: REQUEST,
    });
  };
  return { transport, call };
}

/** Connects to a stream; what arrives on it can be read at any time. */
function connect(reply: Reply) {
  if (reply.kind !== 'stream') throw new Error(`expected a stream, got ${reply.status}`);
  const seen = { text: '', ended: false };
  reply.start({
    write: (text) => (seen.text += text),
    end: () => (seen.ended = true),
  });
  return seen;
}

test('a client that was sent away gets its answer when it comes back (R070)', async () => {
  const { transport, call } = session('2025-11-25');
  const left = connect(await call((extra) => extra?.closeSSEStream?.()));

  const back = connect(transport.listen(/id: (\S+)/.exec(left.text)?.[1]));
  await transport.send(ANSWER);

  expect(left).toMatchObject({ text: expect.stringContaining('retry: 1000'), ended: true });
  expect(back).toMatchObject({ text: expect.stringContaining(JSON.stringify(ANSWER)), ended: true });
});

test('an answer that comes while the stream is being resumed is not lost (R070)', async () => {
  const { transport, call } = session('2025-11-25');
  const left = connect(await call((extra) => extra?.closeSSEStream?.()));

  const reply = transport.listen(/id: (\S+)/.exec(left.text)?.[1]);
  await transport.send(ANSWER);

  expect(connect(reply)).toMatchObject({
    text: expect.stringContaining(JSON.stringify(ANSWER)),
    ended: true,
  });
});

test('a client whose revision knows no empty events is never sent away (R070)', async () => {
  const { transport, call } = session('2025-06-18');
  let mayClose = true;

  const reply = call((extra) => (mayClose = extra?.closeSSEStream !== undefined));
  await transport.send(ANSWER);

  expect(mayClose).toBe(false);
  expect(await reply).toMatchObject({ kind: 'whole', body: JSON.stringify(ANSWER) });
});

test('a stream that opens on a session which has just ended is closed at once (R076)', async () => {
  const { transport } = session('2025-11-25');

  const reply = transport.listen(undefined);
  await transport.close();

  expect(connect(reply).ended).toBe(true);
  expect(transport.isBusy()).toBe(false);
});

test.each(['auto', 'sse', 'json'] as const)(
  'R071 a handshake that takes long still has its session in the head, mode %s',
  async (mode) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const transport = createLegacyTransport({
      sessionId: 'a-session',
      times: TIMES,
      logs: createEventLogs({ clock: { elapsed: () => performance.now() } }),
    });
    const hello: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    const reply = transport.post({
      messages: [hello],
      batch: false,
      mode,
      version: undefined,
      request: REQUEST,
    });

    vi.advanceTimersByTime(TIMES.streamAfterMs + 1);
    transport.setProtocolVersion?.('2025-06-18');
    await transport.send(ANSWER);

    expect((await reply).headers).toMatchObject({
      'Content-Type': mode === 'json' ? 'application/json' : 'text/event-stream',
      'Mcp-Session-Id': 'a-session',
      'Mcp-Protocol-Version': '2025-06-18',
    });
  },
);
