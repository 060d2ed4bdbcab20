/** Uncommitted files by git's index, in each of its versions, beside what git itself says. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { createIndexCache, readPlace, readUncommitted, type KnownFiles } from '../../src/workspace/index.ts';
import { git } from '../support/git.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [
    `src/${'p'.repeat(at % 7)}q/größe-${at}.ts`,
    `export const v = ${at};\n`,
  ]),
);

function repository(version: string): TempFolder {
  const folder = tempFolder(FILES);
  git(folder.path, 'init', '-q', '-b', 'main');
  git(folder.path, 'config', 'core.quotePath', 'false');
  git(folder.path, 'add', '-A');
  git(folder.path, 'commit', '-q', '-m', 'all');
  git(folder.path, 'update-index', '--index-version', version);
  return folder;
}

async function uncommitted(folder: TempFolder, known?: KnownFiles): Promise<readonly string[]> {
  const { files, isPartial } = await readUncommitted(readPlace(folder.path, folder.path), {
    clock: systemClock,
    list: () => ({ gitDir: folder.join('.git') }),
    cache: createIndexCache(),
    known,
    most: 100,
  });
  expect(isPartial).toBe(false);
  return files.map(({ path, state }) => `${state} ${path}`).toSorted();
}

function saidByGit({ path: cwd }: TempFolder): readonly string[] {
  const said = execFileSync('git', ['status', '--porcelain', '-z', '--untracked-files=all'], { cwd });
  return said
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
    .toSorted();
}

const WATCHED: KnownFiles = { files: new Map(), unseen: new Set(['src/q/größe-0.ts']) };

test.each(['2', '4'])(
  'changed, deleted and new files are told from an index of version %s',
  async (version) => {
    const folder = repository(version);
    appendFileSync(folder.join('src/q/größe-0.ts'), '// more\n');
    rmSync(folder.join('src/ppq/größe-2.ts'));
    folder.write({ 'new.ts': '', 'src/q/größe-1.ts': '' });

    const found = await uncommitted(folder);

    expect(found).toEqual([
      'deleted src/ppq/größe-2.ts',
      'modified src/q/größe-0.ts',
      'new new.ts',
      'new src/q/größe-1.ts',
    ]);
    expect(found.map((line) => line.replace(/^\w+ /, '')).toSorted()).toEqual(saidByGit(folder));
  },
);

test('a file that git is told not to look at is neither changed nor new', async () => {
  const folder = repository('2');
  git(folder.path, 'update-index', '--assume-unchanged', 'src/q/größe-0.ts');
  appendFileSync(folder.join('src/q/größe-0.ts'), '// more\n');

  expect(await uncommitted(folder)).toEqual([]);
  expect(await uncommitted(folder, WATCHED)).toEqual([]);
});

test('a file in conflict is told once', async () => {
  const folder = repository('2');
  const write = (text: string): void => {
    folder.write({ 'src/q/größe-0.ts': text });
    git(folder.path, 'commit', '-q', '-am', text);
  };
  git(folder.path, 'switch', '-q', '-c', 'other');
  write('export const v = 1;\n');
  git(folder.path, 'switch', '-q', 'main');
  write('export const v = 2;\n');
  expect(() => git(folder.path, 'merge', '-q', 'other')).toThrow();

  expect(await uncommitted(folder)).toEqual(['modified src/q/größe-0.ts']);
});
