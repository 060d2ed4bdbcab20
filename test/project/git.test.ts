/** R022 worktrees and clones, with real git; and repositories that try to make git run something. */
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ProjectPlace } from '../../src/core/index.ts';
import { findTree } from '../../src/project/index.ts';
import { indexFile } from '../../src/storage/index.ts';
import { readGitIdentity, readPlace } from '../../src/workspace/index.ts';
import { openClient } from '../support/clients.ts';
import { git, makeRepository } from '../support/git.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

const placeOf = (root: string): ProjectPlace => readPlace(root, findTree(root));

function repository() {
  const folder = tempFolder();
  makeRepository(folder.join('main'));
  return folder;
}

test('R022 three worktrees share one memory and have an index each; a clone shares neither', async () => {
  const folder = repository();
  for (const name of ['one', 'two', 'three'])
    git(folder.join('main'), 'worktree', 'add', '-q', '-b', name, folder.join(name));
  git(folder.path, 'clone', '-q', 'main', 'clone');
  const roots = ['main', 'one', 'two', 'three', 'clone'].map((name) => folder.join(name));

  const identities = roots.map((root) => readGitIdentity(root));

  expect(identities.map((identity) => identity?.branch)).toEqual(['trunk', 'one', 'two', 'three', 'trunk']);
  expect(identities.map((identity) => identity?.worktree)).toEqual([
    undefined,
    'one',
    'two',
    'three',
    undefined,
  ]);
  expect(new Set(roots.slice(0, 4).map((root) => placeOf(root).identity))).toEqual(
    new Set([realpathSync(folder.join('main/.git'))]),
  );
  expect(placeOf(folder.join('clone')).identity).toBe(realpathSync(folder.join('clone/.git')));
  expect(new Set(roots.map((root) => placeOf(root).identity)).size).toBe(2);
});

test('R022 three worktrees, their repository and a clone have five indexes and two repositories', async () => {
  const folder = repository();
  folder.write({ 'main/hello.ts': 'export const hello = 1;\n' });
  git(folder.join('main'), 'add', '.');
  git(folder.join('main'), 'commit', '-q', '-m', 'second');
  for (const name of ['one', 'two', 'three'])
    git(folder.join('main'), 'worktree', 'add', '-q', '-b', name, folder.join(name));
  git(folder.path, 'clone', '-q', 'main', 'clone');
  const names = ['main', 'one', 'two', 'three', 'clone'];
  const home = emptyHome();
  const client = await openClient({ kind: 'stdio, version 1', env: home.env });

  const repositories: unknown[] = [];
  for (const name of names) {
    expect(await run(['index', folder.join(name)], { home })).toMatchObject({ code: 0 });
    const { structured } = await client.call('project_status', { project: folder.join(name) });
    // The tool's own schema says so.
    repositories.push((structured['git'] as { repository: string }).repository);
  }
  const files = names.map((name) => indexFile(home.folder.join('cache/waymark'), folder.join(name)));

  expect(new Set(files).size).toBe(5);
  expect(files.map((file) => existsSync(file))).toEqual(files.map(() => true));
  expect(repositories).toEqual([
    ...Array.from({ length: 4 }, () => folder.join('main/.git')),
    folder.join('clone/.git'),
  ]);
});

test('R022 what is learned in one worktree is known in the others with branch and worktree; in a clone only when the user says so', async () => {
  const folder = repository();
  git(folder.join('main'), 'worktree', 'add', '-q', '-b', 'topic', folder.join('tree'));
  git(folder.path, 'clone', '-q', 'main', 'clone');
  const home = emptyHome();
  const client = await openClient({ kind: 'stdio, version 1', env: home.env });
  const error = 'EWORKTREE: only known where it was learned';
  const recall = async (name: string) =>
    (await client.call('remediation_search', { error, project: folder.join(name) })).text;

  await client.call('remediation_save', { error, solution: 'look beside', project: folder.join('tree') });
  const [main, tree, clone] = [await recall('main'), await recall('tree'), await recall('clone')];
  const linked = await run(['memory', 'link', folder.join('main')], { home, cwd: folder.join('clone') });
  const afterLink = await recall('clone');

  expect([main, tree, clone].map((text) => text.includes('look beside'))).toEqual([true, true, false]);
  expect(main).toContain('branch topic');
  expect(main).toContain('worktree tree');
  expect(linked.code).toBe(0);
  expect(afterLink).toContain('look beside');
});

test('R022 project_status tells the branch and the worktree', async () => {
  const folder = repository();
  git(folder.join('main'), 'worktree', 'add', '-q', '-b', 'feature/x', folder.join('tree'));
  const client = await openClient({ kind: 'stdio, version 1', cwd: folder.join('tree') });

  const { text, structured } = await client.call('project_status');

  expect(text).toContain('· branch feature/x, worktree tree ·');
  expect(structured['project']).toMatchObject({ root: folder.join('tree') });
});

test('R022 a .git file without a pointer back to it adopts nothing', () => {
  const folder = repository();
  git(folder.join('main'), 'worktree', 'add', '-q', '-b', 'one', folder.join('one'));
  folder.write({
    'thief/.git': readFileSync(folder.join('one/.git'), 'utf8'),
    'thief2/.git': `gitdir: ${folder.join('main/.git')}\n`,
    'thief3/.git': 'gitdir: ../main/.git/worktrees/one\n',
  });

  mkdirSync(folder.join('thief4'));
  symlinkSync('../main/.git', folder.join('thief4/.git'));
  mkdirSync(folder.join('thief5'));
  symlinkSync('../one/.git', folder.join('thief5/.git'));

  for (const name of ['thief', 'thief2', 'thief3', 'thief4', 'thief5']) {
    expect(readGitIdentity(folder.join(name))).toBeUndefined();
    expect(placeOf(folder.join(name)).identity).toBe(folder.join(name));
  }
});

test('a submodule is a repository of its own', () => {
  const folder = repository();
  git(folder.path, 'clone', '-q', 'main', 'library');
  git(
    folder.join('main'),
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    folder.join('library'),
    'lib',
  );

  const identity = readGitIdentity(folder.join('main/lib'));

  expect(identity?.commonDir).toBe(realpathSync(folder.join('main/.git/modules/lib')));
  expect(identity?.commonDir).not.toBe(placeOf(folder.join('main')).identity);
});

test('submodules of linked worktrees are repositories of their own, also where the repository is bare', () => {
  const folder = repository();
  git(folder.path, 'clone', '-q', 'main', 'library');
  const submodule = ['-c', 'protocol.file.allow=always', 'submodule'];
  git(folder.join('main'), ...submodule, 'add', '-q', folder.join('library'), 'lib');
  git(folder.join('main'), 'commit', '-q', '-m', 'with a library');
  git(folder.path, 'clone', '-q', '--bare', 'main', 'bare.git');
  git(folder.join('main'), 'worktree', 'add', '-q', '-b', 'one', folder.join('one'));
  git(folder.join('bare.git'), 'worktree', 'add', '-q', '-b', 'two', folder.join('two'));
  for (const tree of ['one', 'two']) git(folder.join(tree), ...submodule, 'update', '-q', '--init');
  // Another folder that names the same git directory is not that submodule.
  mkdirSync(folder.join('two/thief'));
  writeFileSync(
    folder.join('two/thief/.git'),
    `gitdir: ${folder.join('bare.git/worktrees/two/modules/lib')}`,
  );

  expect(placeOf(folder.join('one/lib')).identity).toBe(folder.join('main/.git/worktrees/one/modules/lib'));
  expect(placeOf(folder.join('two/lib')).identity).toBe(folder.join('bare.git/worktrees/two/modules/lib'));
  expect(placeOf(folder.join('two/thief')).identity).toBe(folder.join('two/thief'));
});

test('a repository that keeps its branches in a table has no branch to tell', async () => {
  const folder = tempFolder({ 'tables/.git/HEAD': 'ref: refs/heads/.invalid\n' });
  const client = await openClient({ kind: 'stdio, version 1', cwd: folder.join('tables') });

  const { text, structured } = await client.call('project_status');

  expect(text).toContain('· no branch ·');
  expect(structured['git']).toMatchObject({ branch: null });
});

test.each([
  ['https://me:secret@example.com/me/web-shop.git', 'https://example.com/me/web-shop.git'],
  ['https://me:sec;ret@example.com/x.git', 'https://example.com/x.git'],
  ['https://me:sec#ret@example.com/x.git', undefined],
  ['https://me:sec"ret@example.com/x.git', 'https://example.com/x.git'],
  ['https://me:sec\\ret@example.com/x.git', 'https://example.com/x.git'],
  ['https://me:p@secret@example.com/x.git', 'https://example.com/x.git'],
  ['https://me:12/secret@example.com/x.git', undefined],
  ['https://me:secret/@example.com/x.git', undefined],
  ['https://secret@example.com:8443/x.git', 'https://example.com:8443/x.git'],
  ['https://me:secret@[::1]:8443/x.git', 'https://[::1]:8443/x.git'],
  ['https://example.com/@me/x.git', 'https://example.com/@me/x.git'],
  ['https://example.com/x.git?private_token=secret', 'https://example.com/x.git'],
  ['https://example.com/x.git#secret', 'https://example.com/x.git'],
  ['https://example.com?private_token=secret', 'https://example.com'],
  ['ssh://git@example.com/x.git', 'ssh://example.com/x.git'],
  ['oauth2:secret@example.com:me/x.git', 'example.com:me/x.git'],
  ['oauth2:sec/ret@example.com:me/x.git', undefined],
  ['git@example.com:me/x.git', 'example.com:me/x.git'],
  ['ext::connect --password secret', undefined],
  ['https//me:secret@example.com/x.git', undefined],
  ['http../..s://me:secret@example.com/x.git', undefined],
  ['/srv/git/@scope/x.git', '/srv/git/@scope/x.git'],
  ['file:///srv/a.git', 'file:///srv/a.git'],
  ['file://me:secret@example.com/a.git', 'file://example.com/a.git'],
  ['/srv/my repository#2.git', '/srv/my repository#2.git'],
])('shows the remote without its credentials: %s', (url, remote) => {
  const folder = repository();
  git(folder.join('main'), 'remote', 'add', 'origin', url);

  expect(readGitIdentity(folder.join('main'))?.remote).toBe(remote);
});

test.each([
  ['[Remote "origin"] URL = https://me:secret@example.com/x.git ; comment', 'https://example.com/x.git'],
  ['[remote "other"]\nurl = /other\n[remote "origin"]\nurl = "/a  b"  \n', '/a  b'],
  ['[remote "origin"]\nurl = https://me:sec\\\nret@example.com/x\n', 'https://example.com/x'],
  ['[remote "origin"]\nurl = "https://me:secret@example.com/x.git\n', undefined],
  ['[remote "origin"]\nurl = https://me:\\secret@example.com/x.git\n', undefined],
  ['[remote "Origin"]\nurl = /other\n', undefined],
])('reads the remote as git would: %j', (config, remote) => {
  const folder = tempFolder({ 'a/.git/HEAD': 'ref: refs/heads/main\n', 'a/.git/config': config });

  expect(readGitIdentity(folder.join('a'))?.remote).toBe(remote);
});

test('nothing that a hostile repository configures is run', async () => {
  const folder = repository();
  const canary = folder.join('canary');
  const script = folder.join('evil.sh');
  writeFileSync(script, `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'diff.external',
    'core.editor',
    'credential.helper',
  ]) {
    git(folder.join('main'), 'config', key, script);
  }
  for (const hook of ['post-checkout', 'post-index-change', 'fsmonitor-watchman', 'pre-commit']) {
    writeFileSync(folder.join('main/.git/hooks', hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  }
  const client = await openClient({ kind: 'stdio, version 1', cwd: folder.join('main') });

  const status = await client.call('project_status');
  const cli = await run(['status'], { cwd: folder.join('main') });

  expect(status.text).toContain('· branch trunk ·');
  expect(cli.code).toBe(0);
  expect(existsSync(canary)).toBe(false);
});

test('a file of a git directory that is a link out is not read', () => {
  const commit = 'c0ffee00'.repeat(5);
  const folder = tempFolder({
    'outside/config': '[remote "origin"]\n\turl = https://example.com/secret.git\n',
    'outside/HEAD': 'ref: refs/heads/secret\n',
    'outside/commit': `${commit}\n`,
    'config/.git/HEAD': 'ref: refs/heads/main\n',
    'head/.git/config': '',
    'ref/.git/HEAD': 'ref: refs/heads/main\n',
    'dots/.git/HEAD': 'ref: refs/heads/x/../../../../../outside/commit\n',
    'inside/.git/HEAD': 'ref: refs/heads/main\n',
    'inside/.git/kept': '[remote "origin"]\n\turl = https://example.com/own.git\n',
  });
  mkdirSync(folder.join('ref/.git/refs/heads'), { recursive: true });
  symlinkSync('../../outside/config', folder.join('config/.git/config'));
  symlinkSync('../../outside/HEAD', folder.join('head/.git/HEAD'));
  symlinkSync(folder.join('outside/commit'), folder.join('ref/.git/refs/heads/main'));
  symlinkSync('kept', folder.join('inside/.git/config'));

  expect(readGitIdentity(folder.join('config'))).toMatchObject({ branch: 'main', remote: undefined });
  expect(readGitIdentity(folder.join('head'))).toBeUndefined();
  expect(placeOf(folder.join('ref'))).toMatchObject({ branch: 'main', commit: undefined });
  expect(placeOf(folder.join('dots')).commit).toBeUndefined();
  expect(readGitIdentity(folder.join('inside'))?.remote).toBe('https://example.com/own.git');
});

test("a checkout of Android's repo tool keeps its configuration in the folder of the same project at its top", () => {
  const remote = (name: string) => `[remote "origin"]\n\turl = https://example.com/${name}.git\n`;
  const folder = tempFolder({
    'top/.repo/projects/tools/one.git/config': remote('one'),
    'top/.repo/projects/tools/two.git/config': remote('two'),
    'top/tools/one/.git/HEAD': 'ref: refs/heads/main\n',
    'top/tools/two/.git/HEAD': 'ref: refs/heads/main\n',
    'other/tools/one/.git/HEAD': 'ref: refs/heads/main\n',
  });
  const one = '.repo/projects/tools/one.git/config';
  symlinkSync(`../../../${one}`, folder.join('top/tools/one/.git/config'));
  symlinkSync(`../../../${one}`, folder.join('top/tools/two/.git/config'));
  symlinkSync(folder.join('top', one), folder.join('other/tools/one/.git/config'));

  expect(readGitIdentity(folder.join('top/tools/one'))?.remote).toBe('https://example.com/one.git');
  // One that leads to another project, or to another checkout, was made by another program.
  expect(readGitIdentity(folder.join('top/tools/two'))).toMatchObject({ remote: undefined });
  expect(readGitIdentity(folder.join('other/tools/one'))).toMatchObject({ remote: undefined });
});

test('odd git directories give no identity and no failure', () => {
  const folder = tempFolder({
    'huge/.git': 'x'.repeat(200_000),
    'empty/.git': '',
    'loop/.git': 'gitdir: .git\n',
    'far/.git': 'gitdir: /proc/self\n',
    'headless/.git/config': '',
  });

  for (const name of ['huge', 'empty', 'loop', 'far', 'headless', 'missing']) {
    expect(readGitIdentity(folder.join(name))).toBeUndefined();
  }
});
