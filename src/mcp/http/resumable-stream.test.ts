import { expect, test } from 'vitest';
import { createEventLogs } from './resumable-stream.ts';

test('a client that comes back gets what it missed of its stream', () => {
  const log = createEventLogs(1_000).open();

  const first = log.append(3, 'one');
  log.append(4, 'of another stream');
  log.append(3, 'two');

  expect(log.after(first)).toMatchObject({ stream: 3, events: [{ data: 'two' }] });
  expect(log.after('3-9')).toBeUndefined();
});

test('the events of all sessions together stay within one limit: the session that was quiet longest gives way', () => {
  const logs = createEventLogs(1_000);
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
  const logs = createEventLogs(1_000);
  const log = logs.open();
  log.append(1, 'a'.repeat(400));

  log.close();

  expect(logs.chars).toBe(0);
});
