import { expect, test } from 'vitest';
import { readCommittedFiles } from './history.ts';
import type { GitObjects } from './objects.ts';

const TREES = new Map([
  [
    'top',
    new Map([
      ['src', { hash: 'src', isFolder: true }],
      ['a.ts', { hash: 'A', isFolder: false }],
    ]),
  ],
  [
    'src',
    new Map([
      ['b.ts', { hash: 'B', isFolder: false }],
      ['gone', { hash: 'gone', isFolder: true }],
    ]),
  ],
]);
const objects: GitObjects = { commit: () => undefined, tree: (hash) => TREES.get(hash), close: () => {} };

test.each([
  ['a.ts', 'A'],
  ['src/b.ts', 'B'],
  ['src', undefined],
  ['a.ts/b.ts', undefined],
  ['src/c.ts', undefined],
  ['other/c.ts', undefined],
  [`${'x/'.repeat(50_000)}c.ts`, undefined],
])('%.20s was %s', (path, blob) => {
  const files = readCommittedFiles(objects, 'top');
  expect(files.blobOf(path)).toBe(blob);
  expect(files.isIncomplete()).toBe(false);
});

test('a folder that cannot be read makes the answer incomplete', () => {
  const files = readCommittedFiles(objects, 'top');
  expect(files.blobOf('src/gone/d.ts')).toBeUndefined();
  expect(files.isIncomplete()).toBe(true);
});
