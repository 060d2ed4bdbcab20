/** R009, R031, R033, R034 to the letter: a client of which every message is in the test's hand, and a clock too. */
import { InMemoryTransport, Server, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../core/index.ts';
import { silentLogger } from '../text/index.ts';
import { createLegacyRoots } from './call-context.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

async function connect({ listChanged }: { readonly listChanged: boolean }) {
  let nowMs = 0;
  const clock: Clock = { now: () => nowMs, elapsed: () => nowMs };
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  const roots = createLegacyRoots({ server, clock, logger: silentLogger });
  server.setRequestHandler('tools/call', async (_request, context) => ({
    content: [{ type: 'text', text: JSON.stringify(await roots.ask(context)) }],
  }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  const seen: JSONRPCMessage[] = [];
  here.onmessage = (message) => void seen.push(message);
  await server.connect(there);
  await here.start();
  const say = (message: object): Promise<void> =>
    // The test writes what a client would.
    here.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  const passTime = async (ms: number): Promise<void> => {
    nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const capabilities = { roots: { listChanged } };
  const clientInfo = { name: 'client', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  await say({ id: 'hello', method: 'initialize', params });
  await passTime(0);
  await say({ method: 'notifications/initialized' });

  return {
    passTime,
    async call(id: string) {
      await say({ id, method: 'tools/call', params: { name: 'x', arguments: {} } });
      await passTime(0);
    },
    /** The ids of all questions so far. */
    questions: () =>
      seen.flatMap((message) =>
        'method' in message && message.method === 'roots/list' && 'id' in message ? [message.id] : [],
      ),
    async answer(id: unknown, ...uris: readonly string[]) {
      await say({ id, result: { roots: uris.map((uri) => ({ uri })) } });
      await passTime(0);
    },
    async refuse(id: unknown) {
      await say({ id, error: { code: -32601, message: 'Method not found' } });
      await passTime(0);
    },
    async cancel(requestId: string) {
      await say({ method: 'notifications/cancelled', params: { requestId } });
      await passTime(0);
    },
    changed: () => say({ method: 'notifications/roots/list_changed' }),
    /** What a call came to, if it is over. */
    result(id: string): unknown {
      const found = seen.find((message) => 'result' in message && message.id === id);
      const text = /"text":"(.*)"\}\]/.exec(JSON.stringify(found) ?? '')?.[1];
      return text === undefined ? undefined : JSON.parse(JSON.parse(`"${text}"`));
    },
  };
}

const rootsOf = (...uris: readonly string[]) => ({ kind: 'roots', uris });

test('R031 a silent client delays one call by two seconds and is left alone for longer and longer', async () => {
  const client = await connect({ listChanged: true });
  await client.call('first');
  await client.passTime(1_999);
  const early = client.result('first');
  await client.passTime(1);

  expect(early).toBeUndefined();
  expect(client.result('first')).toEqual({
    kind: 'none',
    reason: 'the client declares roots but did not tell them',
  });

  const pauses: number[] = [];
  for (let round = 0; round < 7; round++) {
    const asked = client.questions().length;
    let waited = 0;
    for (; client.questions().length === asked; waited += 10) {
      await client.passTime(10_000);
      await client.call(`round ${round}, after ${waited}`);
    }
    pauses.push(waited);
    await client.passTime(2_000);
  }
  // Counted from the time-out in steps of ten seconds.
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
});

test('R031 an answer ends the growth of the pause, and a change ends the pause itself', async () => {
  const client = await connect({ listChanged: true });
  await client.call('silent');
  await client.passTime(2_000);
  await client.changed();
  await client.call('after the change');
  const [, second] = client.questions();
  await client.answer(second, 'file:///a');
  await client.changed();
  await client.call('silent again');
  await client.passTime(2_000);
  await client.passTime(30_000);
  await client.call('after the first pause');

  expect(client.result('after the change')).toEqual(rootsOf('file:///a'));
  expect(client.questions()).toHaveLength(4);
});

test('R031 an error comes at once and costs no pause', async () => {
  const client = await connect({ listChanged: false });
  await client.call('refused');
  await client.refuse(client.questions()[0]);
  await client.call('again');
  await client.answer(client.questions()[1], 'file:///a');

  expect(client.result('refused')).toMatchObject({ kind: 'none' });
  expect(client.result('again')).toEqual(rootsOf('file:///a'));
});

test('R033 calls that arrive together share a question, if the client tells of changes', async () => {
  const client = await connect({ listChanged: true });
  await client.call('one');
  await client.call('two');
  await client.answer(client.questions()[0], 'file:///a');
  await client.call('three');

  expect(client.questions()).toHaveLength(1);
  expect(['one', 'two', 'three'].map(client.result)).toEqual([1, 2, 3].map(() => rootsOf('file:///a')));
});

test('R033 they share none if it does not: its roots may be others with each call', async () => {
  const client = await connect({ listChanged: false });
  await client.call('one');
  await client.call('two');
  const [first, second] = client.questions();
  await client.answer(second, 'file:///b');
  await client.answer(first, 'file:///a');

  expect(['one', 'two'].map(client.result)).toEqual([rootsOf('file:///a'), rootsOf('file:///b')]);
});

test('R009 a call after a change never shares an older question, nor is an older answer kept', async () => {
  const client = await connect({ listChanged: true });
  await client.call('before');
  await client.changed();
  await client.call('after');
  const [older, newer] = client.questions();
  await client.answer(newer, 'file:///new');
  await client.answer(older, 'file:///old');
  await client.call('later');

  expect(client.result('after')).toEqual(rootsOf('file:///new'));
  expect(client.result('later')).toEqual(rootsOf('file:///new'));
  expect(client.questions()).toHaveLength(2);
});

test('R031 a cancelled call takes neither the calls that share its question with it, nor is it held against the client', async () => {
  const client = await connect({ listChanged: true });
  await client.call('first');
  await client.call('second');
  await client.call('third');
  await client.cancel('first');
  const [, again] = client.questions();
  await client.answer(again, 'file:///a');
  const lone = await connect({ listChanged: true });
  await lone.call('alone');
  await lone.cancel('alone');
  await lone.passTime(2_000);
  await lone.call('next');

  expect(['second', 'third'].map(client.result)).toEqual([rootsOf('file:///a'), rootsOf('file:///a')]);
  expect(client.questions()).toHaveLength(2);
  expect(client.result('first')).toBeUndefined();
  expect(lone.questions()).toHaveLength(2);
});

test('R034 what the client told last stands in for an answer, and is said to be older', async () => {
  const client = await connect({ listChanged: false });
  await client.call('told');
  await client.answer(client.questions()[0], 'file:///a');
  await client.call('refused');
  await client.refuse(client.questions()[1]);
  await client.call('silent');
  await client.passTime(2_000);
  await client.call('within the pause');

  expect(['refused', 'silent', 'within the pause'].map(client.result)).toEqual(
    [1, 2, 3].map(() => ({ ...rootsOf('file:///a'), earlier: true })),
  );
});
