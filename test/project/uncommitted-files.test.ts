/** What differs from the last commit, read without git and compared with what git says. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { readPlace, readUncommitted } from '../../src/workspace/index.ts';
import { git, memoryProject } from '../support/memory-client.ts';
import { tempFolder } from '../support/temp-folder.ts';

const OPTIONS = { clock: systemClock, list: () => ({}), most: 50 };

const dirtyIn = async (root: string): Promise<Record<string, string>> => {
  const place = readPlace(root, root);
  const { files } = await readUncommitted(place, OPTIONS);
  return Object.fromEntries(files.map(({ path, state }) => [path, state]));
};

const commit = (root: string): string =>
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'more');

const FILES = { 'a.txt': 'a\n', 'src/deep/b.ts': 'b\n', 'src/c.ts': 'c\n', '.gitignore': '*.log\n' };

test.each([2, 4])('names what is modified, deleted, staged and new; index version %i', async (version) => {
  const { folder } = memoryProject(FILES);
  const root = folder.path;
  git(root, 'update-index', '--index-version', String(version));
  expect(await dirtyIn(root)).toEqual({});

  appendFileSync(join(root, 'a.txt'), 'more\n');
  rmSync(join(root, 'src/c.ts'));
  appendFileSync(join(root, 'src/deep/b.ts'), 'staged\n');
  writeFileSync(join(root, 'src/new.ts'), 'new\n');
  writeFileSync(join(root, 'added.ts'), 'added\n');
  writeFileSync(join(root, 'noise.log'), 'ignored\n');
  git(root, 'add', 'src/deep/b.ts', 'added.ts');

  expect(await dirtyIn(root)).toEqual({
    'a.txt': 'modified',
    'src/c.ts': 'deleted',
    'src/deep/b.ts': 'staged',
    'src/new.ts': 'new',
    'added.ts': 'staged',
  });

  git(root, 'add', '-A');
  commit(root);
  expect(await dirtyIn(root)).toEqual({});
});

test('a file that was only touched, or has other ends of lines, is not dirty', async () => {
  const { folder } = memoryProject(FILES);
  const past = new Date('2020-01-01T00:00:00Z');
  utimesSync(folder.join('a.txt'), past, past);
  writeFileSync(folder.join('src/c.ts'), 'c\r\n');

  expect(await dirtyIn(folder.path)).toEqual({});
});

test('a change of the same length in the same moment as the index is noticed', async () => {
  const { folder } = memoryProject(FILES);

  for (const letter of ['x', 'y', 'z']) {
    writeFileSync(folder.join('a.txt'), `${letter}\n`);
    git(folder.path, 'add', 'a.txt');
    writeFileSync(folder.join('a.txt'), 'w\n');
    expect(await dirtyIn(folder.path)).toEqual({ 'a.txt': 'modified' });
  }
});

test('a worktree has its own', async () => {
  const { folder } = memoryProject(FILES);
  const other = tempFolder();
  const worktree = other.join('tree');
  git(folder.path, 'worktree', 'add', '-q', worktree);
  appendFileSync(join(worktree, 'a.txt'), 'there\n');

  expect(await dirtyIn(folder.path)).toEqual({});
  expect(await dirtyIn(worktree)).toEqual({ 'a.txt': 'modified' });
});

test('a forged index leads nowhere', async () => {
  const { folder } = memoryProject({ aaaaaaaaaaaa: 'x\n' });
  const absIndex = folder.join('.git/index');
  const bytes = readFileSync(absIndex);
  const outside = Buffer.from(bytes.toString('latin1').replace('aaaaaaaaaaaa', '../../absent'), 'latin1');

  writeFileSync(absIndex, outside);
  expect(Object.keys(await dirtyIn(folder.path))).not.toContain('../../absent');
  for (let length = 0; length < bytes.length; length += 7) {
    writeFileSync(absIndex, bytes.subarray(0, length));
    expect(Object.values(await dirtyIn(folder.path)).filter((state) => state === 'modified')).toEqual([]);
  }
  rmSync(absIndex);
  mkdirSync(folder.join('.git/elsewhere'));
  symlinkSync('/etc/hostname', absIndex);
  expect(await dirtyIn(folder.path)).toEqual({});
});

test('a folder without git has none', async () => {
  const folder = tempFolder({ 'a.txt': 'a' });

  expect(await dirtyIn(folder.path)).toEqual({});
});

/** An index of version 4: the first name whole, the others as the same name again. */
function sharedNames(count: number, nameBytes: number): Buffer {
  const head = Buffer.from('DIRC\0\0\0\x04\0\0\0\0', 'latin1');
  head.writeUInt32BE(count, 8);
  const fixed = Buffer.alloc(62);
  fixed.writeUInt32BE(0o100644, 24);
  const first = Buffer.concat([fixed, Buffer.from([0]), Buffer.alloc(nameBytes, 'a'), Buffer.from([0])]);
  const other = Buffer.concat([fixed, Buffer.from([0, 0])]);
  return Buffer.concat([head, first, ...Array.from({ length: count - 1 }, () => other), Buffer.alloc(20)]);
}

/** No entries, and a tree of folders, each in the one before. */
function nestedFolders(depth: number): Buffer {
  const body = Buffer.from('a\0-1 1\n'.repeat(depth), 'latin1');
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\0TREE\0\0\0\0', 'latin1');
  head.writeUInt32BE(body.length, 16);
  return Buffer.concat([head, body, Buffer.alloc(20)]);
}

test.each([
  ['12 MB of a name that all entries share', sharedNames(19_000, 12 * 1024 * 1024)],
  ['a name of 4 kB that all entries share', sharedNames(20_000, 4_000)],
  ['2 million folders, one in another', nestedFolders(2_200_000)],
  ['more entries than are read', sharedNames(20_001, 10)],
])('an index with %s costs little', async (_, bytes) => {
  const { folder } = memoryProject();
  writeFileSync(folder.join('.git/index'), bytes);
  const before = process.cpuUsage();

  await readUncommitted(readPlace(folder.path, folder.path), { ...OPTIONS, budgetMs: 15 });

  const { user, system } = process.cpuUsage(before);
  // A bomb takes many seconds; the processor time of a busy machine varies by half.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test('with too little time some are told, and that there may be more', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`src/f${at}.ts`, `${at}\n`]));
  const { folder } = memoryProject(files);
  const place = readPlace(folder.path, folder.path);
  for (let at = 0; at < 1_500; at += 100) appendFileSync(folder.join(`src/f${at}.ts`), 'more\n');
  let now = 0;
  const hurried = { ...systemClock, elapsed: () => (now += 1) };

  const some = await readUncommitted(place, { ...OPTIONS, clock: hurried, budgetMs: 100 });
  const all = await readUncommitted(place, OPTIONS);
  const few = await readUncommitted(place, { ...OPTIONS, most: 3 });

  expect(all).toMatchObject({ isPartial: false });
  expect(all.files).toHaveLength(15);
  expect(some.isPartial).toBe(true);
  expect(some.files.length).toBeLessThan(15);
  for (const file of some.files) expect(all.files).toContainEqual(file);
  expect([few.isPartial, few.files.length]).toEqual([true, 3]);
});

test('what a watcher knows is not looked at again, and what changed since is', async () => {
  const { folder } = memoryProject({ ...FILES, 'src/d.ts': 'd\n', 'src/gone.ts': 'g\n' });
  const place = readPlace(folder.path, folder.path);
  // A moment after the index was written, so that times can be trusted.
  utimesSync(folder.join('.git/index'), new Date(Date.now() + 5_000), new Date(Date.now() + 5_000));
  writeFileSync(folder.join('src/known.ts'), 'known\n');
  const names = ['a.txt', 'src/a.ts', 'src/deep/b.ts', 'src/c.ts', 'src/d.ts', 'src/gone.ts', 'src/known.ts'];
  const files = new Map(
    names.map((name) => {
      const { size, mtimeMs } = statSync(folder.join(name));
      return [name, { sizeBytes: size, mtimeMs }];
    }),
  );
  appendFileSync(folder.join('src/c.ts'), 'told\n');
  appendFileSync(folder.join('src/deep/b.ts'), 'told of its folder\n');
  appendFileSync(folder.join('src/d.ts'), 'not told\n');
  rmSync(folder.join('src/known.ts'));
  writeFileSync(folder.join('src/new.ts'), 'new\n');
  writeFileSync(folder.join('noise.log'), 'ignored\n');
  const unseen = new Set(['src/c.ts', 'src/deep', 'src/new.ts', 'noise.log', 'src/known.ts']);

  const { files: found, isPartial } = await readUncommitted(place, { ...OPTIONS, known: { files, unseen } });

  expect(Object.fromEntries(found.map(({ path, state }) => [path, state]))).toEqual({
    'src/c.ts': 'modified',
    'src/deep/b.ts': 'modified',
    'src/new.ts': 'new',
  });
  // What else came into a folder is not known.
  expect(isPartial).toBe(true);
});
