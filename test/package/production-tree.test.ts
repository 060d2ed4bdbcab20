/** What is installed with Waymark: few packages, each locked, none of which needs its install script. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
);
const TREE = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);

test('every package of the production tree is locked by a hash', () => {
  expect(TREE.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
  expect(TREE.length).toBeGreaterThan(5);
});

/** The tarball is installed without scripts, and searched with, in tarball.test.ts. */
test('the only install script of the production tree is one that Waymark works without', () => {
  const scripted = TREE.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);

  expect(scripted).toEqual(['node_modules/@photostructure/sqlite']);
});
