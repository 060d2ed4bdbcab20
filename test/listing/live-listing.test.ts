/** A listing that stays says what a new one would, whatever happened in between. */
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLiveListing, type ListOptions, type LiveListing } from '../../src/workspace/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { plantTree } from './git-verdicts.ts';
import { listAll } from './list-all.ts';
import { editTree } from './random-edits.ts';
import { createRandom, createRandomTree } from './random-tree.ts';

const signal = new AbortController().signal;

function shown(live: LiveListing) {
  return {
    files: [...live.files().keys()].sort(),
    skips: Object.fromEntries(
      live
        .skips()
        .map(({ path, reason, detail }) => [path, detail === undefined ? reason : `${reason} ${detail}`]),
    ),
  };
}

async function expected(root: string, options: ListOptions = {}) {
  const { files, skips } = await listAll(root, options);
  return { files: files.toSorted(), skips };
}

test.each([
  ['looking everywhere', async (live: LiveListing) => live.refresh(signal)],
  [
    'looking only where something was said to change',
    async (live: LiveListing, told: readonly string[]) => live.refreshPaths(told, signal),
  ],
])('after random changes it equals a new listing, %s', async (_how, refresh) => {
  for (let seed = 1; seed <= 20; seed++) {
    const { path: root } = tempFolder();
    plantTree(root, createRandomTree(seed));
    const random = createRandom(seed);
    const live = createLiveListing(root);
    await live.refresh(signal);
    expect(shown(live), `seed ${seed}`).toEqual(await expected(root));

    for (let round = 0; round < 12; round++) {
      const told = Array.from({ length: 1 + random(4) }, () => editTree(root, random)).flat();
      await refresh(live, told);
      expect(shown(live), `seed ${seed}, round ${round}, ${told.join(' ')}`).toEqual(await expected(root));
    }
  }
});

test('names the files that changed, and those that only seem the same', async () => {
  const folder = tempFolder({
    'src/a.ts': 'one',
    'src/b.ts': 'two',
    'src/deep/c.ts': 'three',
    'd.ts': 'four',
  });
  const old = new Date('2026-01-02T03:04:05.678Z');
  for (const path of ['src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'd.ts'])
    utimesSync(folder.join(path), old, old);
  const live = createLiveListing(folder.path);
  await live.refresh(signal);
  await settled(live);

  folder.write({ 'src/a.ts': 'ONE', 'src/new.ts': 'new' });
  utimesSync(folder.join('src/a.ts'), old, old);
  renameSync(folder.join('src/deep'), folder.join('src/moved'));
  const change = await live.refresh(signal);

  expect([...change.files].sort()).toEqual(['src/a.ts', 'src/deep/c.ts', 'src/moved/c.ts', 'src/new.ts']);
  expect([...change.suspects]).toEqual(['src/a.ts']);
  expect(change.isReshaped).toBe(true);
});

test('rules from outside the tree are followed as well', async () => {
  const folder = tempFolder({ 'root/.git/info/exclude': '', 'root/a.ts': '', 'root/b.ts': '', excludes: '' });
  const options = { globalExcludes: folder.join('excludes') };
  const live = createLiveListing(folder.join('root'), options);
  await live.refresh(signal);

  writeFileSync(folder.join('root/.git/info/exclude'), 'a.ts\n');
  const first = await live.refreshPaths([], signal);
  const afterFirst = [...live.files().keys()];
  writeFileSync(folder.join('excludes'), 'b.ts\n');
  await live.refresh(signal);

  expect(first.files).toContain('a.ts');
  expect(afterFirst).toEqual(['b.ts']);
  expect([...live.files().keys()]).toEqual([]);
});

test('more files than a listing may hold are said to be too many', async () => {
  const folder = tempFolder({ 'a.ts': '', 'b.ts': '', 'c.ts': '' });
  const live = createLiveListing(folder.path, { maxFiles: 2 });

  await live.refresh(signal);

  expect(live.isOverLimit()).toBe(true);
});

/** Until nothing is so new that it has to be looked at once more. */
async function settled(live: LiveListing): Promise<void> {
  while ((await live.refresh(signal)).files.size > 0);
}
