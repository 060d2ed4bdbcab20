/** Repositories inside the one that is listed: their own rules hold there, and none of those around, as git has it. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLiveListing, type ListOptions, readGitIdentity } from '../../src/workspace/index.ts';
import { git, makeRepository } from '../support/git.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { run } from '../support/waymark.ts';
import { listAll } from './list-all.ts';

const NAMES = [
  'keep.ts',
  'outer.ts',
  'excluded.ts',
  'own.ts',
  'top.ts',
  'global.ts',
  'anchored.ts',
  'ours.ts',
];
const INNER = ['checkout', 'lib', 'tree'] as const;

/** A repository with a checkout, a submodule and a worktree in it, each with rules of its own. */
function nestedRepositories(): TempFolder {
  const folder = tempFolder({ global: 'global.ts\n/anchored.ts\n' });
  makeRepository(folder.join('library'));
  makeRepository(folder.join('root'));
  makeRepository(folder.join('root/checkout'));
  const root = folder.join('root');
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', folder.join('library'), 'lib');
  git(root, 'worktree', 'add', '-q', '-b', 'tree', join(root, 'tree'));
  folder.write({
    'root/.gitignore': 'outer.ts\n/top.ts\n',
    'root/.ignore': 'ours.ts\n',
    'root/.git/info/exclude': 'excluded.ts\n',
    'root/.git/modules/lib/info/exclude': '/excluded.ts\n/sub/top.ts\n',
    'root/checkout/.git/info/exclude': '/excluded.ts\n/sub/top.ts\n',
  });
  for (const inner of INNER) {
    folder.write({ [`root/${inner}/.gitignore`]: 'own.ts\n!sub/global.ts\n' });
    for (const name of NAMES)
      folder.write({ [`root/${inner}/${name}`]: '', [`root/${inner}/sub/${name}`]: '' });
  }
  for (const name of NAMES) folder.write({ [`root/${name}`]: '' });
  return folder;
}

const gitDirOf = (absFolder: string): string | undefined => readGitIdentity(absFolder)?.commonDir;

function optionsOf(folder: TempFolder): ListOptions {
  return { globalExcludes: folder.join('global'), gitDirOf };
}

/** What git, asked in that repository, would ignore. */
function ignoredByGit(folder: TempFolder, inner: string): readonly string[] {
  const paths = NAMES.flatMap((name) => [name, `sub/${name}`]);
  const { stdout } = spawnSync(
    'git',
    ['-c', `core.excludesFile=${folder.join('global')}`, 'check-ignore', '--no-index', ...paths],
    {
      cwd: folder.join('root', inner),
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    },
  );
  return stdout.trim().split('\n').sort();
}

test.each(INNER)('in a repository inside, the listing says what git says there: %s', async (inner) => {
  const folder = nestedRepositories();

  const { files } = await listAll(folder.join('root'), optionsOf(folder));
  const all = NAMES.flatMap((name) => [name, `sub/${name}`]);
  const ignored = all.filter((path) => !files.includes(`${inner}/${path}`)).sort();

  // `.ignore` is none of git's.
  expect(ignored.filter((path) => !path.endsWith('ours.ts'))).toEqual(ignoredByGit(folder, inner));
  expect(ignored).toEqual(expect.arrayContaining(['ours.ts', 'sub/ours.ts', 'excluded.ts', 'anchored.ts']));
  expect(ignored).not.toContain('outer.ts');
});

test('a folder that only claims to be a repository stays a part of the one around it', async () => {
  const folder = tempFolder({
    '.git/HEAD': '',
    '.gitignore': 'a.ts\n',
    'thief/.git': 'gitdir: ../elsewhere\n',
    'thief/a.ts': '',
    'empty/.git/info/exclude': '!a.ts\nb.ts\n',
    'empty/a.ts': '',
    'empty/b.ts': '',
    'elsewhere/info/exclude': '!a.ts\n',
  });

  const { files, skips } = await listAll(folder.path, { gitDirOf });

  expect(files).toContain('empty/b.ts');
  expect(skips).toMatchObject({
    'thief/a.ts': 'ignored .gitignore:1 a.ts',
    'empty/a.ts': 'ignored .gitignore:1 a.ts',
  });
});

test.each([
  ['looks everywhere', undefined],
  ['looks only where something was said to change', []],
])('a listing that stays follows the rules of a repository inside when it %s', async (_how, told) => {
  const folder = nestedRepositories();
  const signal = new AbortController().signal;
  const live = createLiveListing(folder.join('root'), optionsOf(folder));
  const listed = async (): Promise<readonly string[]> => {
    await (told === undefined ? live.refresh(signal) : live.refreshPaths(told, signal));
    return [...live.files().keys()].sort();
  };
  const expected = async (): Promise<readonly string[]> =>
    (await listAll(folder.join('root'), optionsOf(folder))).files.toSorted();
  expect(await listed()).toEqual(await expected());

  writeFileSync(folder.join('root/.git/modules/lib/info/exclude'), 'keep.ts\n');
  const changed = await listed();
  expect(changed).not.toContain('lib/keep.ts');
  expect(changed).not.toContain('lib/sub/keep.ts');
  expect(changed).toEqual(await expected());

  rmSync(folder.join('root/.git/modules/lib/info/exclude'));
  const without = await listed();
  expect(without).toContain('lib/keep.ts');
  expect(without).toEqual(await expected());

  writeFileSync(folder.join('root/.git/modules/lib/info/exclude'), 'sub\n');
  expect(await listed()).toEqual(await expected());
});

test('waymark files shows which rule of which repository left a file out', async () => {
  const folder = nestedRepositories();

  const why = await run(['files', '--why', 'lib/excluded.ts'], { cwd: folder.join('root') });

  expect(why.stdout).toContain('lib/.git/info/exclude:1');
});
