/** Expressions of clients, in threads that are stopped when they take too long. */
import { expect, onTestFinished, test } from 'vitest';
import { createMatcher, type Matcher, type MatcherOptions } from '../../src/engine/matcher.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NEVER = new AbortController().signal;
const LIMITS = { files: 99, linesPerFile: 99, chars: Infinity, readMs: Infinity };
/** Takes longer than the universe on a line of many a and no b. */
const STUCK = '^(a+)+b$';

function matcher(options: MatcherOptions = {}): Matcher {
  const made = createMatcher(options);
  onTestFinished(() => made.close());
  return made;
}

function project() {
  const { path } = tempFolder({
    'one.txt': 'aab\nccc\nab\n',
    'two.txt': `${'a'.repeat(60)}\n`,
    'three.txt': 'ab\n',
  });
  return (source: string, paths: readonly string[] = ['one.txt', 'two.txt', 'three.txt']) => ({
    root: path,
    files: paths.map((name) => ({ path: name, hash: '', plainBy: 0 })),
    source,
    ignoreCase: false,
    limits: LIMITS,
  });
}

test('tells the lines of each file, and that all were looked at', async () => {
  const input = project();

  const outcome = await matcher().matchFiles(input('^a+b$', ['one.txt', 'three.txt', 'gone.txt']), {
    signal: NEVER,
  });

  expect(outcome.why).toBe('all');
  expect(outcome.found.map(({ path, lines }) => [path, lines])).toEqual([
    ['one.txt', [1, 3]],
    ['three.txt', [1]],
  ]);
});

test('R180 one that takes too long is stopped, and the next one is answered', async () => {
  const input = project();
  const { matchFiles } = matcher({ matchMs: 300 });

  const stuck = await matchFiles(input(STUCK), { signal: NEVER });
  const next = await matchFiles(input('ccc', ['one.txt']), { signal: NEVER });

  expect(stuck.why).toBe('slow');
  expect(next).toMatchObject({ why: 'all', found: [{ path: 'one.txt', lines: [2] }] });
});

test('one that is cancelled is stopped, and the next one is answered', async () => {
  const input = project();
  const { matchFiles } = matcher({ matchMs: 60_000 });
  const cancel = new AbortController();

  const stuck = matchFiles(input(STUCK), { signal: cancel.signal });
  const next = matchFiles(input('ccc', ['one.txt']), { signal: NEVER });
  cancel.abort();

  await expect(stuck).rejects.toThrow();
  expect((await next).why).toBe('all');
});

test('limits of files and lines are heeded, and the answer says so', async () => {
  const input = project();
  const { matchFiles } = matcher();

  const few = await matchFiles(
    { ...input('a', ['one.txt', 'three.txt']), limits: { ...LIMITS, files: 1, linesPerFile: 1 } },
    { signal: NEVER },
  );

  expect(few).toMatchObject({ why: 'limit', found: [{ path: 'one.txt', lines: [1] }] });
});
