/** What a terminal shows of a command that takes long. */
import { expect, test, vi } from 'vitest';
import { startWaitLine } from './wait-line.ts';

function watched({ isLive = true } = {}) {
  vi.useFakeTimers();
  let now = 0;
  let drawnAt: number | undefined;
  const lines: string[] = [];
  const output = {
    live: isLive,
    redraw(line: string) {
      lines.push(line);
      drawnAt = line === '' ? undefined : now;
    },
    drawnAt: () => drawnAt,
  };
  const clock = { now: () => now, elapsed: () => now };
  const line = startWaitLine(output, clock);
  const pass = (ms: number): void => {
    for (let step = 0; step < ms; step += 100) {
      now += 100;
      vi.advanceTimersByTime(100);
    }
  };
  return { line, lines, output, pass };
}

test('nothing in the first second, then what is done and for how long, and nothing at the end', () => {
  const { line, lines, pass } = watched();

  pass(900);
  expect(lines).toEqual([]);
  pass(1_200);
  line.say('Reading the history');
  pass(1_000);
  line.end();

  expect(lines).toEqual(['Working … 1 s', 'Working … 2 s', '', 'Reading the history … 1 s', '']);
  vi.useRealTimers();
});

test('a bar that moves is left alone, and so is a question', async () => {
  const { line, lines, output, pass } = watched();

  const bar = setInterval(() => output.redraw('bar'), 200);
  pass(2_500);
  clearInterval(bar);
  output.redraw('');
  const asked = line.pause(Promise.resolve('y'));
  pass(3_000);

  expect(lines.filter((text) => text !== 'bar' && text !== '')).toEqual([]);
  expect(await asked).toBe('y');
  line.end();
  vi.useRealTimers();
});

test('a pipe gets nothing', () => {
  const { line, lines, pass } = watched({ isLive: false });

  pass(3_000);
  line.end();

  expect(lines).toEqual([]);
  vi.useRealTimers();
});
