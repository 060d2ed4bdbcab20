/** R017, R021: which sources are taken at their word, which walk up, and how little PWD is believed. */
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { ProjectSource } from '../../src/core/index.ts';
import { createDetector } from '../../src/project/index.ts';
import { openClient, type OpenOptions } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';
import { rootOf } from './projects.ts';

function repository() {
  const folder = tempFolder({
    'repo/.git/HEAD': 'ref: refs/heads/main\n',
    'repo/packages/api/package.json': '{}',
    'repo/packages/api/src/x': '',
    'plain/x': '',
  });
  return { folder, root: folder.join('repo'), inner: folder.join('repo/packages/api') };
}

const STDIO = { kind: 'stdio, version 1' } as const;

test('R021 argument, switch, URL, environment and a marked root are taken as given: a subfolder is a project of its own', async () => {
  const { inner } = repository();
  const { url } = await serve();
  const named = await openClient(STDIO);
  const switched = await openClient(STDIO);
  await switched.call('switch_project', { project: inner });
  const roots = await openClient({ ...STDIO, roots: () => [pathToFileURL(inner).href] });
  const query = await openClient({ kind: 'HTTP, version 1', url: `${url}?project_path=${inner}` });
  const env = await openClient({ ...STDIO, env: { WAYMARK_PROJECT: inner } });

  const answers = [
    await named.call('project_status', { project: inner }),
    await switched.call('project_status'),
    await roots.call('project_status'),
    await query.call('project_status'),
    await env.call('project_status'),
  ];

  expect(answers.map(({ structured }) => structured['project'])).toEqual(
    ['argument', 'switched', 'roots', 'query_param', 'env'].map((source) => ({
      name: 'api',
      root: inner,
      source,
    })),
  );
});

test('R021 metadata, working directory and PWD walk up to the repository', async () => {
  const { root, inner } = repository();
  const meta = await openClient(STDIO);
  const cwd = await openClient({ ...STDIO, cwd: inner });
  const pwd = await openClient({ ...STDIO, env: { PWD: inner } });

  const answers = [
    await meta.call('project_status', {}, { 'agent-working-dir': inner }),
    await cwd.call('project_status'),
    await pwd.call('project_status'),
  ];

  expect(answers.map(({ structured }) => structured['project'])).toEqual(
    ['client_meta', 'cwd', 'pwd'].map((source) => ({ name: 'repo', root, source })),
  );
});

test('R017 PWD counts last, on stdio only, if it is absolute and lies in a project', async () => {
  const { folder, root } = repository();
  const ask = async (options: Omit<OpenOptions, 'kind'>) => {
    const client = await openClient({ ...STDIO, ...options });
    return (await client.call('project_status')).structured['project'];
  };
  const { url } = await serve([], { env: { PWD: root } });
  const overHttp = await openClient({ kind: 'HTTP, version 1', url });
  const found = (source: ProjectSource) => ({ name: 'repo', root, source });

  expect(await ask({ env: { PWD: root } })).toEqual(found('pwd'));
  expect(await ask({ env: { PWD: folder.join('plain') }, cwd: root })).toEqual(found('cwd'));
  const useless = ['.', '..', './repo', 'repo', '', folder.join('plain'), folder.join('gone'), '/'];
  const believed: string[] = [];
  for (const PWD of useless) {
    // What a process would be told by its environment, without a process for each.
    const detector = createDetector({
      projectFromCwd: false,
      environment: () => ({ PWD }),
      cwd: () => folder.path,
    });
    if ((await detector.detect({ transport: 'stdio' })).kind !== 'none') believed.push(PWD);
  }
  expect(believed).toEqual([]);
  expect(await ask({ env: { PWD: './repo' }, cwd: folder.path })).toBeNull();
  // Unset is no accident either.
  expect(await ask({})).toBeNull();
  expect(rootOf(await overHttp.call('project_status'))).toBeNull();
});

test('R058 R020 over HTTP a variable that some client set names the project, weakly: no write without version control', async () => {
  const { folder, root } = repository();
  const open = async (env: Record<string, string>) =>
    openClient({ kind: 'HTTP, version 1', url: (await serve([], { env })).url });
  const draft = { error: 'EENV: whose variable', solution: 'ask' };
  const plain = folder.join('plain');
  const byClient = await open({ CLAUDE_PROJECT_DIR: plain });
  const byUser = await open({ COCOSEARCH_PROJECT: plain, CLAUDE_PROJECT_DIR: root });
  const versioned = await open({ WORKSPACE_FOLDER_PATHS: `${root},${plain}` });

  const read = await byClient.call('project_status');
  const refused = await byClient.call('remediation_save', draft);
  const written = [
    await byUser.call('remediation_save', draft),
    await versioned.call('remediation_save', draft),
  ];

  expect(read.structured['project']).toMatchObject({ root: plain, source: 'env' });
  expect(read.text).toContain(`won: ${plain} (CLAUDE_PROJECT_DIR, weak)`);
  expect(refused).toMatchObject({ isError: true, structured: { error_type: 'weak_project' } });
  expect(refused.text).toContain('CLAUDE_PROJECT_DIR, which a client set');
  expect(written.map((answer) => [answer.isError, rootOf(answer)])).toEqual([
    [false, plain],
    [false, root],
  ]);
});
