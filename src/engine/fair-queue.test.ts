import { expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

const NEVER = new AbortController().signal;

/** Work that says when it began, and ends when it is told to. */
function recorder(queue: FairQueue) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (client: string, name: string, signal = NEVER): Promise<void> =>
    queue.run(
      client,
      () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const end = async (name: string): Promise<void> => {
    // It begins when those before it have ended, some turns of the event loop later.
    while (!ends.has(name)) await new Promise((resolve) => setImmediate(resolve));
    ends.get(name)?.();
  };
  return { began, ask, end };
}

test('clients take turns, whatever one of them has waiting', async () => {
  const { began, ask, end } = recorder(createFairQueue({ atOnce: 1, waitingPerClient: 9, waiting: 99 }));

  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);

  await Promise.all(all);
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a client beyond its share is told that it is too much, and others are not', async () => {
  const { began, ask, end } = recorder(createFairQueue({ atOnce: 1, waitingPerClient: 2, waiting: 3 }));

  const taken = ['a1', 'a2', 'a3'].map((name) => ask('a', name));
  await expect(ask('a', 'a4')).rejects.toMatchObject({ code: 'too_busy' });
  const other = ask('b', 'b1');
  await expect(ask('c', 'c1')).rejects.toMatchObject({ code: 'too_busy' });
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);

  await Promise.all([...taken, other]);
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('what is cancelled while it waits never begins, and makes room', async () => {
  const { began, ask, end } = recorder(createFairQueue({ atOnce: 1, waitingPerClient: 1, waiting: 9 }));
  const cancel = new AbortController();

  const first = ask('a', 'a1');
  const cancelled = ask('a', 'a2', cancel.signal);
  cancel.abort();
  await expect(cancelled).rejects.toThrow();
  const third = ask('a', 'a3');
  for (const name of ['a1', 'a3']) await end(name);

  await Promise.all([first, third]);
  expect(began).toEqual(['a1', 'a3']);
});

test('work that fails gives its place to the next', async () => {
  const queue = createFairQueue({ atOnce: 1, waitingPerClient: 9, waiting: 9 });

  const failing = queue.run('a', () => Promise.reject(new Error('no')), NEVER);
  const next = queue.run('a', () => Promise.resolve('yes'), NEVER);

  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
