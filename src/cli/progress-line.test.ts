import { expect, test } from 'vitest';
import { createOutput } from './output.ts';
import { createProgressLine } from './progress-line.ts';

/** What a terminal, a pipe or a program gets to see of a run of three seconds. */
function shown(how: { readonly isTTY: boolean; readonly json: boolean }): string {
  let written = '';
  let now = 0;
  const err = { write: (text: string) => (written += text), isTTY: how.isTTY };
  const output = createOutput(
    { out: { write: () => {} }, err },
    { json: how.json, debug: false, theme: { out: undefined, err: undefined }, elapsed: () => 0 },
  );
  const line = createProgressLine(output, { now: () => now, elapsed: () => now });
  for (const done of [0, 500, 501, 1500, 2000]) {
    now = done * 1.5;
    line.show({ done, total: 2000, doneBytes: done * 10, totalBytes: 20_000 });
  }
  line.end();
  return written;
}

test('a terminal gets one bar that is drawn again and wiped at the end', () => {
  const drawn = shown({ isTTY: true, json: false }).split('\r\u001b[K');

  expect(drawn).toEqual([
    '',
    'Indexing ░░░░░░░░░░░░░░░░░░░░   0 %  0/2,000 files',
    'Indexing █████░░░░░░░░░░░░░░░  25 %  500/2,000 files · 3 s left',
    'Indexing ███████████████░░░░░  75 %  1,500/2,000 files · 1 s left',
    'Indexing ████████████████████ 100 %  2,000/2,000 files · 0 s left',
    '',
  ]);
});

test('a pipe gets a plain line now and then', () => {
  expect(shown({ isTTY: false, json: false })).toBe('indexing: 75 %, 1,500/2,000 files · 1 s left\n');
});

test('a program gets every step, on a terminal too', () => {
  const events = shown({ isTTY: true, json: true })
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));

  expect(events.map(({ event, done, percent }) => [event, done, percent])).toEqual([
    ['progress', 0, 0],
    ['progress', 500, 25],
    ['progress', 501, 25],
    ['progress', 1500, 75],
    ['progress', 2000, 100],
  ]);
});
