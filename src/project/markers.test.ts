/** R016, R020: what marks a project's root, and what only looks like version control. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { findMarkedRoot } from './markers.ts';

const HOME = '/home/nobody-here';

test('R016 walks up to the nearest VCS root, past nearer manifests', () => {
  const folder = tempFolder({ 'repo/.git/HEAD': '', 'repo/pkg/package.json': '{}', 'repo/pkg/src/x': '' });

  expect(findMarkedRoot(folder.join('repo/pkg/src'), HOME)).toEqual({
    root: folder.join('repo'),
    marker: '.git',
    kind: 'vcs',
  });
});

test('R016 stops at the home directory, whose own marker does not count', () => {
  const folder = tempFolder({ 'home/package.json': '{}', 'home/notes/x': '' });

  expect(findMarkedRoot(folder.join('home/notes'), folder.join('home'))).toBeUndefined();
});

test.each([
  ['.git with a HEAD', { 'p/.git/HEAD': 'ref: refs/heads/main\n' }],
  ['.hg with a store', { 'p/.hg/store/x': '' }],
  ['.hg of a share', { 'p/.hg/requires': '' }],
  ['.jj with a repo', { 'p/.jj/repo/x': '' }],
  ['.jj of a workspace', { 'p/.jj/repo': '/elsewhere' }],
  ['.svn with its database', { 'p/.svn/wc.db': '' }],
])('R020 %s is version control', (_what, files) => {
  const folder = tempFolder(files);

  expect(findMarkedRoot(folder.join('p'), HOME)).toMatchObject({ root: folder.join('p'), kind: 'vcs' });
});

test.each([
  ['an empty .git', { 'p/.git/x': '' }],
  ['an empty .hg', { 'p/.hg/x': '' }],
  ['a .jj that is a file', { 'p/.jj': '' }],
  ['an empty .svn', { 'p/.svn/x': '' }],
])('R020 %s is none: a manifest beside it counts, a real root above it wins', (_what, files) => {
  const alone = tempFolder({ ...files, 'p/package.json': '{}' });
  const inside = tempFolder({ ...files, 'p/package.json': '{}', '.git/HEAD': '' });

  expect(findMarkedRoot(alone.join('p'), HOME)).toMatchObject({ root: alone.join('p'), kind: 'manifest' });
  expect(findMarkedRoot(inside.join('p'), HOME)).toMatchObject({ root: inside.path, kind: 'vcs' });
});

test('R020 a .git that points elsewhere without proof begins a project, but not one to write to on a guess', () => {
  const folder = tempFolder({
    'main/.git/HEAD': '',
    'main/trees/moved/.git': 'gitdir: /gone/.git/worktrees/moved\n',
    'main/unpacked/.git': 'gitdir: ../.git\n',
  });
  mkdirSync(folder.join('main/linked'));
  symlinkSync('../.git', folder.join('main/linked/.git'));

  const found = ['trees/moved', 'unpacked', 'linked'].map((name) =>
    findMarkedRoot(folder.join('main', name), HOME),
  );

  // Never the repository around it: that would be another project.
  expect(found).toEqual(
    ['trees/moved', 'unpacked', 'linked'].map((name) => ({
      root: folder.join('main', name),
      marker: '.git',
      kind: 'manifest',
    })),
  );
});

test('R016 an installed package is not the project somebody works on', () => {
  const folder = tempFolder({
    'app/package.json': '{}',
    'app/node_modules/left/package.json': '{}',
    'venv/site-packages/pkg/pyproject.toml': '',
  });

  expect(findMarkedRoot(folder.join('app/node_modules/left'), HOME)?.root).toBe(folder.join('app'));
  expect(findMarkedRoot(folder.join('venv/site-packages/pkg'), HOME)).toBeUndefined();
});
