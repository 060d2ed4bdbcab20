import { expect, test } from 'vitest';
import { readEnvironment, wantsColor } from './environment.ts';

test('hands out the environment as it is now, frozen', () => {
  const env = readEnvironment();

  expect(env['PATH']).toBe(process.env['PATH']);
  expect(Object.isFrozen(env)).toBe(true);
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
  [{ TERM: 'xterm' }, true, true],
])('%j on a terminal (%j) colours: %j', (env, isTty, colored) => {
  expect(wantsColor(env, isTty)).toBe(colored);
});
