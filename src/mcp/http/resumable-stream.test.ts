import { expect, onTestFinished, test, vi } from 'vitest';
import { createEventLogs } from './resumable-stream.ts';

const clock = { elapsed: () => performance.now() };

test('a client that comes back gets what it missed of its stream', () => {
  const log = createEventLogs({ clock, maxChars: 1_000 }).open();

  const first = log.append(3, 'one');
  log.append(4, 'of another stream');
  log.append(3, 'two');

  expect(log.after(first)).toMatchObject({ stream: 3, events: [{ data: 'two' }] });
  expect(log.after('3-9')).toBeUndefined();
});

test('the events of all sessions together stay within one limit: the session that was quiet longest gives way', () => {
  const logs = createEventLogs({ clock, maxChars: 1_000 });
  const [quiet, busy] = [logs.open(), logs.open()];

  const before = quiet.append(1, 'a'.repeat(400));
  quiet.append(1, 'b'.repeat(400));
  const start = busy.append(1, 'c'.repeat(100));
  for (let turn = 0; turn < 8; turn++) busy.append(1, 'd'.repeat(100));

  expect(quiet.after(before)?.events).toEqual([]);
  expect(busy.after(start)?.events).toHaveLength(8);
  expect(logs.chars).toBeLessThanOrEqual(1_000);
});

test('what a closed session kept is gone', () => {
  const logs = createEventLogs({ clock, maxChars: 1_000 });
  const log = logs.open();
  log.append(1, 'a'.repeat(400));

  log.close();

  expect(logs.chars).toBe(0);
});

test('R070 what a session was sent is kept for five minutes, and then let go though nothing else happens', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const logs = createEventLogs({ clock });
  const log = logs.open();
  const first = log.append(1, 'a'.repeat(400));
  log.append(1, 'b'.repeat(400));

  vi.advanceTimersByTime(4 * 60_000);
  const later = log.append(1, 'c'.repeat(100));
  const beforeTheEnd = log.after(first)?.events.length;
  vi.advanceTimersByTime(90_000);

  expect(beforeTheEnd).toBe(2);
  expect(logs.chars).toBe(100);
  expect(log.after(first)?.events.map(({ id }) => id)).toEqual([later]);

  vi.advanceTimersByTime(5 * 60_000);

  expect(logs.chars).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
