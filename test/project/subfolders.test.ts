/** R021: what a folder inside a repository is: whose project, and whose memory. */
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ProjectPlace } from '../../src/core/index.ts';
import { findTree } from '../../src/project/index.ts';
import { readPlace } from '../../src/workspace/index.ts';
import { addressFor, CLIENT_KINDS, isStdio, openClient, type ClientKind } from '../support/clients.ts';
import { git, makeRepository } from '../support/git.ts';
import { shareServers } from '../support/shared-servers.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, serve } from '../support/waymark.ts';
import { rootOf } from './projects.ts';

/** A repository with a folder, a package with a manifest of its own and a folder in that; beside it a plain folder. */
function repository() {
  const folder = tempFolder({ 'plain/notes/x': '' });
  makeRepository(folder.join('repo'));
  folder.write({
    'repo/docs/guide/intro.md': '# Intro\n',
    'repo/packages/api/package.json': '{}',
    'repo/packages/api/src/server.ts': 'export const port = 1;\n',
  });
  return folder;
}

const STDIO = { kind: 'stdio, version 1' } as const;

const server = shareServers();

async function withRoots(kind: ClientKind, ...paths: readonly string[]) {
  const roots = () => paths.map((path) => pathToFileURL(path).href);
  const target = isStdio(kind) ? {} : { url: addressFor(kind, (await server()).url) };
  return openClient({ kind, ...target, roots });
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('R021 a root without a marker of its own means the repository around it, and project_status says so', async () => {
    const folder = repository();
    const client = await withRoots(kind, folder.join('repo/docs/guide'));

    const answer = await client.call('project_status');

    expect(answer.structured['project']).toEqual({
      name: 'repo',
      root: folder.join('repo'),
      source: 'roots',
    });
    expect(answer.text).toContain(
      `root 1 of 1, ${folder.join('repo/docs/guide')}, which lies in this repository`,
    );
  });
});

test.each([
  ['the repository itself', 'repo', 'repo'],
  ['a package with a manifest of its own', 'repo/packages/api', 'repo/packages/api'],
  ['a folder inside of such a package', 'repo/packages/api/src', 'repo'],
  ['a folder without version control around it', 'plain/notes', 'plain/notes'],
])('R021 a root that is %s', async (_what, opened, expected) => {
  const folder = repository();
  const client = await withRoots('HTTP, version 1', folder.join(opened));

  expect(rootOf(await client.call('project_status'))).toBe(folder.join(expected));
});

const placeOf = (root: string): ProjectPlace => readPlace(root, findTree(root));

test('R021 a home directory under version control makes no project of what lies in it', async () => {
  const home = emptyHome();
  home.folder.write({ 'home/.git/HEAD': 'ref: refs/heads/dotfiles\n', 'home/notes/todo.md': 'milk\n' });
  const client = await openClient({
    ...STDIO,
    env: home.env,
    roots: () => [pathToFileURL(home.folder.join('home/notes')).href],
  });

  expect(rootOf(await client.call('project_status'))).toBe(home.folder.join('home/notes'));
});

test('R021 R032 two roots of one repository are one project', async () => {
  const folder = repository();
  const client = await withRoots('HTTP, version 1', folder.join('repo/docs'), folder.join('repo/docs/guide'));

  const { structured } = await client.call('project_status');

  expect(structured['workspace']).toEqual([{ name: 'repo', root: folder.join('repo') }]);
});

test('R021 R054 a root is looked around no further than the folders that the server allows', async () => {
  const folder = repository();
  const { url } = await serve(['--allow-project-root', folder.join('repo/docs')]);
  const client = await openClient({
    kind: 'HTTP, version 1',
    url,
    roots: () => [pathToFileURL(folder.join('repo/docs/guide')).href],
  });

  expect(rootOf(await client.call('project_status'))).toBe(folder.join('repo/docs/guide'));
});

test('R021 R022 what is saved in a folder is found from the top and from its worktrees, and the other way round', async () => {
  const folder = repository();
  const [top, api] = [folder.join('repo'), folder.join('repo/packages/api')];
  git(top, 'worktree', 'add', '-q', '-b', 'side', folder.join('side'));
  const client = await openClient({ ...STDIO, env: emptyHome().env });
  await client.call('checkpoint_save', {
    project: api,
    name: 'api port',
    content: 'The port of the api is read from src/server.ts. Next: the tests.',
  });
  await client.call('remediation_save', {
    project: top,
    error: 'EBADPORT: port is not a number',
    solution: 'Parse PORT with Number().',
  });

  const fromTop = await client.call('checkpoint_resume', { project: top });
  const fromApi = await client.call('checkpoint_resume', { project: api });
  const fromSide = await client.call('checkpoint_list', { project: folder.join('side') });
  const fix = await client.call('remediation_search', {
    project: api,
    error: 'EBADPORT: port is not a number',
  });
  const elsewhere = await client.call('checkpoint_list', { project: folder.join('plain') });

  expect(fromTop.text).toContain('The port of the api is read from src/server.ts.');
  expect(fromApi.text).toContain('The port of the api is read from src/server.ts.');
  // Files are named from the top, so that both sides see the same file.
  expect([fromTop.text, fromApi.text].map((text) => text.includes('packages/api/src/server.ts'))).toEqual([
    true,
    true,
  ]);
  expect(fromSide.text).toContain('api port');
  expect(fix.text).toContain('Parse PORT with Number().');
  expect(elsewhere.text).toContain('No checkpoint yet');
});

test('R021 R022 a folder with an index of its own tells the branch and the repository around it', async () => {
  const folder = repository();
  const client = await openClient({ ...STDIO, env: emptyHome().env });

  const { structured, text } = await client.call('project_status', {
    project: folder.join('repo/packages/api'),
  });

  expect(text.split('\n')[0]).toMatch(/ · branch trunk · index: none yet · memory: empty \(of .*repo\)$/);
  expect(structured).toMatchObject({
    project: { root: folder.join('repo/packages/api') },
    git: { repository: folder.join('repo/.git'), branch: 'trunk' },
  });
});

test('R022 an unpacked archive inside a repository adopts its memory by no claim of its own', () => {
  const folder = repository();
  folder.write({
    'repo/vendor/thief/.git': `gitdir: ${folder.join('repo/.git')}\n`,
    'repo/vendor/thief/src/x': '',
  });

  expect(placeOf(folder.join('repo/vendor/thief')).identity).toBe(folder.join('repo/vendor/thief'));
  expect(placeOf(folder.join('repo/vendor/thief/src')).identity).toBe(folder.join('repo/vendor/thief/src'));
  expect(placeOf(folder.join('repo/docs'))).toMatchObject({
    root: folder.join('repo'),
    folder: 'docs',
    identity: folder.join('repo/.git'),
  });
});
