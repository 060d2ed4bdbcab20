/** What differs from the last commit, read without git and compared with what git says. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { readDirtyFiles } from '../../src/workspace/index.ts';
import { git, memoryProject } from '../support/memory-client.ts';
import { tempFolder } from '../support/temp-folder.ts';

const dirtyIn = async (root: string): Promise<Record<string, string>> => {
  const found = await readDirtyFiles(root, { clock: systemClock, list: {}, most: 50 });
  return Object.fromEntries((found ?? []).map(({ path, state }) => [path, state]));
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

test('an index that somebody prepared leads nowhere', async () => {
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
