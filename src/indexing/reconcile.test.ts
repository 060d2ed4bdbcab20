import { expect, test } from 'vitest';
import type { ManifestEntry } from '../storage/index.ts';
import type { ListedFile } from './read-files.ts';
import { createOrigins, nothingKnown, planWork, type Plan } from './reconcile.ts';

const entry = (path: string, hash = path, sizeBytes = 1, mtimeMs = 1) => ({
  path,
  hash,
  sizeBytes,
  mtimeMs,
  analysis: 'a1',
});
const listed = (path: string, sizeBytes = 1, mtimeMs = 1) => ({ path, sizeBytes, mtimeMs });

function planIndex(
  manifest: readonly ManifestEntry[],
  listing: readonly ListedFile[],
  analysis: string,
): Plan {
  const files = new Map(listing.map((file) => [file.path, file]));
  const tree = { files: () => files, skips: () => [] };
  return planWork(tree, { entries: entriesOf(manifest) }, nothingKnown(), analysis);
}

function entriesOf(manifest: readonly ManifestEntry[]): ReadonlyMap<string, ManifestEntry> {
  return new Map(manifest.map((one) => [one.path, one]));
}

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

test('the content decides: a moved file is renamed, a copy and one that took on the bytes of another are not', () => {
  const manifest = [entry('old', 'o'), entry('edited', 'e')];
  const listing = [listed('new', 1, 2), listed('copy', 1, 2), listed('edited', 2, 2)];

  const originOf = createOrigins(entriesOf(manifest), planIndex(manifest, listing, 'a1').gone);

  expect(originOf('edited', 'o')).toBeUndefined();
  expect(originOf('new', 'o')).toBe('old');
  expect(originOf('copy', 'o')).toBeUndefined();
});

test('nothing changed means nothing to do', () => {
  const manifest = [entry('a'), entry('b')];

  expect(planIndex(manifest, [listed('a'), listed('b')], 'a1')).toEqual({ read: [], gone: [], unchanged: 2 });
});

test('what was analysed in another way is analysed again', () => {
  const manifest = [entry('a')];

  expect(planIndex(manifest, [listed('a')], 'a2').read).toHaveLength(1);
});
