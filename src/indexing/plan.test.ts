import { expect, test } from 'vitest';
import { createOutcomes, planIndex } from './plan.ts';

const entry = (path: string, hash = path, sizeBytes = 1, mtimeMs = 1) => ({
  path,
  hash,
  sizeBytes,
  mtimeMs,
  analysis: 'a1',
});
const listed = (path: string, sizeBytes = 1, mtimeMs = 1) => ({ path, sizeBytes, mtimeMs });

test('reads what is new or looks changed, and finds what is gone', () => {
  const manifest = [entry('same'), entry('bigger'), entry('newer'), entry('gone')];

  const plan = planIndex(
    manifest,
    [listed('same'), listed('bigger', 2), listed('newer', 1, 2), listed('added')],
    'a1',
  );

  expect(plan.read.map(({ path }) => path)).toEqual(['bigger', 'newer', 'added']);
  expect(plan.gone.map(({ path }) => path)).toEqual(['gone']);
  expect(plan.unchanged).toBe(1);
});

test('the content decides: a touched file is the same, a moved one is renamed, a copy is indexed', () => {
  const manifest = [entry('touched', 't'), entry('old', 'o'), entry('edited', 'e')];
  const listing = [
    listed('touched', 1, 2),
    listed('new', 1, 2),
    listed('copy', 1, 2),
    listed('edited', 2, 2),
  ];

  const decide = createOutcomes(manifest, planIndex(manifest, listing, 'a1'), 'a1');

  expect(decide('touched', 't')).toEqual({ kind: 'same' });
  expect(decide('new', 'o')).toEqual({ kind: 'renamed', from: 'old' });
  expect(decide('copy', 'o')).toEqual({ kind: 'index' });
  expect(decide('edited', 'x')).toEqual({ kind: 'index' });
});

test('nothing changed means nothing to do', () => {
  const manifest = [entry('a'), entry('b')];

  expect(planIndex(manifest, [listed('a'), listed('b')], 'a1')).toEqual({ read: [], gone: [], unchanged: 2 });
});

test('what was analysed in another way is analysed again', () => {
  const manifest = [entry('a')];
  const plan = planIndex(manifest, [listed('a')], 'a2');

  expect(plan.read).toHaveLength(1);
  expect(createOutcomes(manifest, plan, 'a2')('a', 'a')).toEqual({ kind: 'index' });
});
