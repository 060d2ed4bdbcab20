import { expect, onTestFinished, test } from 'vitest';
import { createSessionTable, type Session } from './session-table.ts';

function openTable(maxSessions: number) {
  let now = 0;
  const clock = { now: () => now, elapsed: () => ++now };
  const table = createSessionTable<Session>({ maxSessions, idleMs: 60_000, clock });
  onTestFinished(() => table.close());
  let made = 0;
  const open = (source: string, name = 'client', isBusy = false): string => {
    const id = String(++made);
    return table.add({
      id,
      owner: { principal: 'me', source, name },
      isBusy: () => isBusy,
      close: async () => {},
    })
      ? id
      : '';
  };
  const lives = (id: string): boolean => table.get(id, 'me') !== undefined;
  return { open, lives, table };
}

test('R069 no number of sessions of one address pushes out those of another', () => {
  const { open, lives, table } = openTable(10);
  const mine = [open('local 10.0.0.1'), open('local 10.0.0.1')];

  for (let at = 0; at < 100; at += 1) open('local 10.0.0.2', `client ${at}`);

  expect(mine.map(lives)).toEqual([true, true]);
  expect(table.size).toBe(10);
});

test('R069 on one address, no number of sessions of one client pushes out those of another', () => {
  const { open, lives } = openTable(10);
  const mine = open('local 127.0.0.1', 'editor');

  for (let at = 0; at < 100; at += 1) open('local 127.0.0.1', 'flood');

  expect(lives(mine)).toBe(true);
});

test('R069 among equals, one that did nothing after its handshake goes first, then the one idle for longest', () => {
  const { open, lives } = openTable(3);
  const used = open('local', 'a');
  expect(lives(used)).toBe(true);
  const unused = open('local', 'b');
  open('local', 'c');

  for (let at = 0; at < 50; at += 1) open('local', `flood ${at}`);

  expect([lives(used), lives(unused)]).toEqual([true, false]);
});

test('R069 a busy session never makes room', () => {
  const { open, lives } = openTable(2);
  const busy = [open('local', 'x', true), open('local', 'x', true)];

  expect(open('local', 'y')).toBe('');
  expect(busy.map(lives)).toEqual([true, true]);
});
