import { expect, test } from 'vitest';
import { silentLogger } from '../text/index.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { createRemoteEngine, type OpenWire } from './remote-engine.ts';

/** Wires whose other side the test plays. */
function playedWires() {
  const opened: {
    sent: ToEngine[];
    tell(message: FromEngine): void;
    end(): void;
  }[] = [];
  const openWire: OpenWire = ({ onMessage, onEnd }) => {
    const sent: ToEngine[] = [];
    opened.push({ sent, tell: onMessage, end: () => onEnd('gone') });
    return { send: (message) => void sent.push(message), stop() {} };
  };
  return { opened, engine: createRemoteEngine(openWire, silentLogger) };
}

test('R007 calls of a thread that could not be started are sent to the next one', async () => {
  const { opened, engine } = playedWires();
  const answer = engine.placeOf({ root: '/p' });

  opened[0]?.end();
  const [again] = opened[1]?.sent ?? [];
  opened[1]?.tell({ kind: 'answer', id: 1, value: 'here' });

  expect(again).toMatchObject({ kind: 'call', method: 'placeOf', request: { root: '/p' } });
  expect(await answer).toBe('here');
});

test('calls of a thread that ends in the middle are refused, and the next call starts another one', async () => {
  const { opened, engine } = playedWires();
  const first = engine.placeOf({ root: '/p' });
  opened[0]?.tell({ kind: 'answer', id: 1, value: 'here' });
  await first;

  const torn = engine.placeOf({ root: '/p' });
  opened[0]?.end();
  await expect(torn).rejects.toMatchObject({ code: 'interrupted' });
  const next = engine.placeOf({ root: '/p' });
  opened[1]?.tell({ kind: 'answer', id: 3, value: 'there' });

  expect(await next).toBe('there');
});

test('closing refuses calls that still wait', async () => {
  const { opened, engine } = playedWires();
  const waiting = engine.placeOf({ root: '/p' });
  const closing = engine.close();
  opened[0]?.tell({ kind: 'closed' });
  await closing;

  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});

test('without suggestions, known projects are none', async () => {
  const { createRemoteProjects } = await import('./remote-engine.ts');
  const known = createRemoteProjects({
    knownProjects: () => Promise.reject(new Error('too busy')),
    projectsNamed: async () => [],
    rememberProject: async () => {},
  });

  expect(await known.list(5)).toEqual([]);
});

test('R180 a client with too many waiting calls is refused, another one is not', async () => {
  const { opened, engine } = playedWires();
  const greedy = engine.forClient('greedy');
  const calls = Array.from({ length: 200 }, () => greedy.placeOf({ root: '/p' }));

  await expect(greedy.placeOf({ root: '/p' })).rejects.toMatchObject({ code: 'too_busy' });
  const other = engine.forClient('other').placeOf({ root: '/p' });
  opened[0]?.tell({ kind: 'answer', id: 201, value: 'here' });
  expect(await other).toBe('here');

  for (const id of calls.keys()) opened[0]?.tell({ kind: 'answer', id: id + 1, value: 'late' });
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['late']));
});
