/** While a server runs, the index follows the files: what is saved is found, and no answer lies about its age. */
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { createIndexStores } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { openFolderWatch, type WatchOne } from '../../src/workspace/index.ts';
import { listAll } from '../listing/list-all.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openProject, type FollowedProject } from './followed-project.ts';

const LONG = { timeout: 30_000, interval: 20 };

function shop() {
  return tempFolder({
    '.gitignore': '*.log\n',
    'src/cart.ts': 'export function basket() {}\n',
    'src/deep/order.ts': 'export function checkout() {}\n',
    'readme.md': '# Shop\n',
  });
}

/** Followed, and at its files. */
async function followed(options: Parameters<typeof openProject>[1] = {}, project = shop()) {
  const opened = await openProject(project, options);
  opened.following.follow(opened.root);
  await expect.poll(() => opened.following.check(opened.root), LONG).toEqual({ kind: 'fresh' });
  return opened;
}

function statusOf({ following, root }: FollowedProject) {
  return following.status(root);
}

const CHANGES: readonly (readonly [
  what: string,
  change: (project: FollowedProject['project']) => void,
  word: string,
  foundIn: readonly string[],
])[] = [
  [
    'an edited file',
    (p) => p.write({ 'src/cart.ts': 'function giraffe() {}\n' }),
    'giraffe',
    ['src/cart.ts'],
  ],
  ['a new file', (p) => p.write({ 'src/new.ts': 'function giraffe() {}\n' }), 'giraffe', ['src/new.ts']],
  [
    'a new folder',
    (p) => p.write({ 'a/b/c/new.ts': 'function giraffe() {}\n' }),
    'giraffe',
    ['a/b/c/new.ts'],
  ],
  ['a removed file', (p) => rmSync(p.join('src/cart.ts')), 'basket', []],
  ['a removed folder', (p) => rmSync(p.join('src'), { recursive: true }), 'checkout', []],
  [
    'a renamed file',
    (p) => renameSync(p.join('src/cart.ts'), p.join('src/trolley.ts')),
    'basket',
    ['src/trolley.ts'],
  ],
  [
    'a renamed folder',
    (p) => renameSync(p.join('src/deep'), p.join('shallow')),
    'checkout',
    ['shallow/order.ts'],
  ],
  [
    'a folder that is moved in',
    (p) => {
      const outside = tempFolder({ 'lib/one.ts': 'function giraffe() {}\n', 'lib/two/x.ts': 'giraffe()\n' });
      renameSync(outside.join('lib'), p.join('lib'));
    },
    'giraffe',
    ['lib/one.ts', 'lib/two/x.ts'],
  ],
  [
    'a file saved by renaming another over it',
    (p) => {
      p.write({ 'src/.cart.ts.swp': 'junk', 'src/4913': '', 'src/cart.ts~': 'function giraffe() {}\n' });
      rmSync(p.join('src/4913'));
      renameSync(p.join('src/cart.ts~'), p.join('src/cart.ts'));
      rmSync(p.join('src/.cart.ts.swp'));
    },
    'giraffe',
    ['src/cart.ts'],
  ],
  [
    'other content under the same size and time',
    (p) => {
      const old = new Date('2026-01-02T03:04:05.678Z');
      p.write({ 'src/cart.ts': 'export function giraff() {}\n' });
      utimesSync(p.join('src/cart.ts'), old, old);
    },
    'giraff',
    ['src/cart.ts'],
  ],
  ['an ignore rule that comes', (p) => p.write({ '.gitignore': 'deep/\n' }), 'checkout', []],
  [
    'an ignore rule that goes',
    (p) => {
      p.write({ 'debug.log': 'giraffe\n' });
      rmSync(p.join('.gitignore'));
    },
    'giraffe',
    ['debug.log'],
  ],
  [
    'a file in place of a folder',
    (p) => {
      rmSync(p.join('src/deep'), { recursive: true });
      p.write({ 'src/deep': 'giraffe\n' });
    },
    'giraffe',
    ['src/deep'],
  ],
];

test.each(CHANGES)('%s is followed without being asked', async (_what, change, word, foundIn) => {
  const opened = await followed();

  change(opened.project);

  await expect.poll(() => opened.find(word), LONG).toEqual(foundIn);
  await expect.poll(() => opened.following.check(opened.root), LONG).toEqual({ kind: 'fresh' });
  expect(await opened.indexed()).toEqual((await listAll(opened.root)).files);
  expect(statusOf(opened)).toMatchObject({ role: 'leading', by: 'events' });
});

test.each(CHANGES)('%s is seen by a process that does not watch', async (_what, change, word, foundIn) => {
  const opened = await openProject(shop(), { mayFollow: () => false });
  const { following } = opened;
  await following.catchUp(opened.root, 30_000);
  const before = await following.check(opened.root);

  change(opened.project);
  const after = await following.check(opened.root);
  const caughtUp = await following.catchUp(opened.root, 30_000);

  expect(before).toEqual({ kind: 'fresh' });
  expect(after).toMatchObject({ kind: 'changed' });
  expect(caughtUp).toEqual({ kind: 'fresh' });
  expect(await opened.find(word)).toEqual(foundIn);
  expect(await opened.indexed()).toEqual((await listAll(opened.root)).files);
});

test('a check right after a change never says fresh', async () => {
  const opened = await followed();
  const { following } = opened;

  for (let round = 0; round < 40; round++) {
    opened.project.write({ 'src/cart.ts': `export const round${round}x = ${round};\n` });
    expect((await following.check(opened.root)).kind, `round ${round}`).not.toBe('fresh');
    expect(await following.catchUp(opened.root, 30_000)).toEqual({ kind: 'fresh' });
    expect(await opened.find(`round${round}x`)).toEqual(['src/cart.ts']);
  }
});

test('a branch switch is one pass', async () => {
  const project = tempFolder();
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: project.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: project.path, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  const write = (word: string): void => {
    for (let n = 0; n < 300; n++)
      project.write({ [`src/m${n % 20}/f${n}.ts`]: `export const ${word}${n}x = ${n};\n` });
  };
  git('init', '-q', '-b', 'main');
  write('main');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('switch', '-qc', 'other');
  rmSync(project.join('src/m3'), { recursive: true });
  write('other');
  git('add', '.');
  git('commit', '-qm', 'two');
  const opened = await followed({}, project);
  const before = statusOf(opened)?.passes ?? 0;

  git('switch', '-q', 'main');

  await expect.poll(() => opened.find('main299x'), LONG).toEqual(['src/m19/f299.ts']);
  await expect.poll(() => opened.following.check(opened.root), LONG).toEqual({ kind: 'fresh' });
  expect(await opened.find('other7x')).toEqual([]);
  expect(statusOf(opened)).toMatchObject({ by: 'events', passes: before + 1 });
});

test.each([
  ['at once', 0],
  ['after some folders', 2],
])('where no watches are left %s, files are looked at instead', async (_when, allowed) => {
  let made = 0;
  const noneLeft: WatchOne = (absPath, options, heard) => {
    if (made++ >= allowed)
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
        code: 'ENOSPC',
      });
    return { close: () => void [absPath, options, heard] };
  };
  const opened = await followed({ openWatch: (rest) => openFolderWatch({ ...rest, watchOne: noneLeft }) });

  opened.project.write({ 'src/cart.ts': 'export function giraffe() {}\n' });

  await expect.poll(() => opened.find('giraffe'), LONG).toEqual(['src/cart.ts']);
  opened.project.write({ 'src/new/zebra.ts': 'export function zebra() {}\n' });
  await expect.poll(() => opened.find('zebra'), LONG).toEqual(['src/new/zebra.ts']);
  expect(statusOf(opened)).toMatchObject({ role: 'leading', by: 'looking' });
});

test('a large project that cannot be watched is looked at', async () => {
  const opened = await followed({ openWatch: (rest) => openFolderWatch({ ...rest, maxFolders: 2 }) });

  opened.project.write({ 'src/cart.ts': 'export function giraffe() {}\n' });

  await expect.poll(() => opened.find('giraffe'), LONG).toEqual(['src/cart.ts']);
  expect(statusOf(opened)).toMatchObject({ by: 'looking' });
});

test('where one watch sees the whole tree, only what is listed counts', async () => {
  let tell = (_path: string): void => undefined;
  const recursive: WatchOne = (_absPath, _options, heard) => {
    tell = (path) => heard.change(path, 'change');
    return { close: () => undefined };
  };
  const opened = await followed({
    openWatch: (rest) => openFolderWatch({ ...rest, isRecursive: true, watchOne: recursive }),
  });
  const before = statusOf(opened)?.passes ?? 0;

  opened.project.write({ 'node_modules/x/index.js': 'giraffe()\n' });
  tell('node_modules/x/index.js');
  opened.project.write({ 'src/deep/order.ts': 'export function giraffe() {}\n' });
  tell('src/deep/order.ts');

  await expect.poll(() => opened.find('giraffe'), LONG).toEqual(['src/deep/order.ts']);
  expect(statusOf(opened)).toMatchObject({ by: 'events', passes: before + 1 });
});

test('while another process writes the index, a change waits and is not lost', async () => {
  const cacheDir = tempFolder().path;
  const opened = await followed({ cacheDir });
  const lock = await createIndexStores({ cacheDir, clock: systemClock, logger: silentLogger }).tryWriterLock(
    opened.root,
  );

  opened.project.write({ 'src/cart.ts': 'export function giraffe() {}\n' });
  const meanwhile = await opened.following.catchUp(opened.root, 300);
  await lock?.release();

  expect(meanwhile.kind).not.toBe('fresh');
  await expect.poll(() => opened.find('giraffe'), LONG).toEqual(['src/cart.ts']);
});

test('what was left out is found by a later process once it no longer is', async () => {
  const cacheDir = tempFolder().path;
  const project = tempFolder({
    '.gitignore': 'src/ignored.ts\n',
    'src/ignored.ts': 'export function giraffe() {}\n',
    'src/made.ts': '// Code generated by a tool. DO NOT EDIT.\nexport function giraffe() {}\n',
    'src/still.ts': '// Code generated by a tool. DO NOT EDIT.\nexport function giraffe() {}\n',
    'src/cart.ts': 'export function basket() {}\n',
  });
  const first = await openProject(project, { cacheDir });
  await first.following.catchUp(first.root, 30_000);
  expect(await first.indexed()).toEqual(['.gitignore', 'src/cart.ts']);
  await first.following.close();

  project.write({ '.gitignore': '', 'src/made.ts': 'export function giraffe() {}\n' });
  const later = await openProject(project, { cacheDir });

  expect(await later.following.check(later.root)).toMatchObject({ kind: 'changed', count: 3 });
  expect(await later.following.catchUp(later.root, 30_000)).toEqual({ kind: 'fresh' });
  expect(await later.find('giraffe')).toEqual(['src/ignored.ts', 'src/made.ts']);
  expect((await later.store.skips()).map(({ path }) => path)).toEqual(['src/still.ts']);
});

test('of two processes the one that does not index sees when the other is done', async () => {
  const cacheDir = tempFolder().path;
  const project = shop();
  const packed = (word: string): string => `var packed = '${word.repeat(500)}';\n`;
  project.write({ 'src/packed.js': packed('one ') });
  const leading = await followed({ cacheDir }, project);
  const other = await openProject(project, { cacheDir });
  expect(await other.following.catchUp(other.root, 30_000)).toEqual({ kind: 'fresh' });

  project.write({
    'src/cart.ts': 'export function giraffe() {}\n',
    // Left out before and after, which no commit tells.
    'src/packed.js': packed('three '),
  });
  chmodSync(project.join('src/deep/order.ts'), 0o600);

  expect((await other.following.check(other.root)).kind).toBe('changed');
  await expect.poll(() => leading.find('giraffe'), LONG).toEqual(['src/cart.ts']);
  await expect.poll(() => other.following.check(other.root), LONG).toEqual({ kind: 'fresh' });
  expect(statusOf(other)).toMatchObject({ role: 'none', passes: 0 });
});

test('what is ignored is not indexed, and files that change nothing make no new generation', async () => {
  const opened = await followed();
  const { generation } = await opened.store.stats();

  opened.project.write({ 'debug.log': 'one\n', 'src/cart.ts': 'export function basket() {}\n' });
  opened.project.write({ 'src/x.swp': 'junk' });
  rmSync(opened.project.join('src/x.swp'));
  rmSync(opened.project.join('debug.log'));
  await opened.following.catchUp(opened.root, 30_000);

  expect(await opened.indexed()).toEqual(['.gitignore', 'readme.md', 'src/cart.ts', 'src/deep/order.ts']);
  expect((await opened.store.stats()).generation - generation).toBeLessThanOrEqual(2);
});

test('nothing is followed where it was switched off, and nothing before it is used', async () => {
  const off = await openProject(shop(), { mayFollow: () => false });
  const unused = await openProject(shop());

  off.following.follow(off.root);

  expect(statusOf(off)).toBeUndefined();
  expect(statusOf(unused)).toBeUndefined();
});
