/** Sections B and C of the contract: client metadata, the environment, and choosing by hand. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  keepsState,
  openClient,
  type ClientKind,
  type OpenClient,
} from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder, type OnEnd } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';
import { project, rootOf } from './projects.ts';

const server = shareServers();

async function open(kind: ClientKind, onEnd?: OnEnd): Promise<OpenClient> {
  const target = isStdio(kind) ? {} : { url: addressFor(kind, (await server()).url) };
  return openClient({ kind, ...target, ...(onEnd === undefined ? {} : { onEnd }) });
}

describe('R038 client metadata', () => {
  // It belongs to the call: one connection of each kind serves them all.
  const { onEnd, end } = collectEnds();
  afterAll(end);
  let clients: readonly OpenClient[];
  beforeAll(async () => {
    clients = await Promise.all(CLIENT_KINDS.map((kind) => open(kind, onEnd)));
  });

  test.each([
    [
      'Codex, as a URI',
      (root: string) => ({ 'codex/sandbox-state-meta': { sandboxCwd: pathToFileURL(root).href } }),
    ],
    [
      'Codex, as a URI in capital letters',
      (root: string) => ({
        'codex/sandbox-state-meta': { sandboxCwd: pathToFileURL(root).href.replace('file:', 'FILE:') },
      }),
    ],
    ['Codex, as a path', (root: string) => ({ 'codex/sandbox-state-meta': { sandboxCwd: root } })],
    ['Goose', (root: string) => ({ 'agent-working-dir': root })],
  ])('of %s names a directory whose project is found by walking up', async (_client, meta) => {
    const { root } = project('repo');
    const deep = tempFolder();

    const outcomes: unknown[] = [];
    for (const [index, client] of clients.entries()) {
      const answer = await client.call('project_status', {}, meta(`${root}/.git`));
      const nowhere = await client.call('project_status', {}, meta(deep.path));
      outcomes.push([CLIENT_KINDS[index], answer.structured['project'], nowhere.structured['project']]);
    }

    expect(outcomes).toEqual(
      CLIENT_KINDS.map((kind) => [kind, { name: 'repo', root, source: 'client_meta' }, null]),
    );
  });

  test('is invited from Codex by the capability it looks for', async () => {
    const client = await open('HTTP, version 1');

    expect(client.raw.getServerCapabilities()?.experimental).toHaveProperty('codex/sandbox-state-meta');
  });
});

describe('R058 the environment', () => {
  test('a set but invalid WAYMARK_PROJECT warns once and falls through', async () => {
    const { root } = project('claude');
    const log = tempFolder().join('log');
    const client = await openClient({
      kind: 'stdio, version 1',
      args: ['--log-file', log],
      env: { WAYMARK_PROJECT: '/does/not/exist', CLAUDE_PROJECT_DIR: root },
    });

    await client.call('project_status');
    const answer = await client.call('project_status');

    expect(readFileSync(log, 'utf8').match(/WAYMARK_PROJECT is passed over/g)).toHaveLength(1);

    expect(answer.structured['project']).toMatchObject({ root, source: 'env' });
  });
});

describe('choosing by hand', () => {
  test.each(CLIENT_KINDS)(
    'R040 switch_project is remembered, or a handle is returned, over %s',
    async (kind) => {
      const { root } = project('chosen');
      const client = await open(kind);

      const chosen = await client.call('switch_project', { project: root });
      const later = await client.call('project_status');
      const byHandle = await client.call('project_status', { project: chosen.structured['handle'] });

      expect(chosen.structured).toMatchObject({ kept: keepsState(kind), handle: root });
      expect(rootOf(later)).toBe(keepsState(kind) ? root : null);
      expect(rootOf(byHandle)).toBe(root);
      expect(chosen.text.includes('pass project=')).toBe(!keepsState(kind));
    },
  );

  test('R040 takes the name of a known project, and aliases of the tool work', async () => {
    const { root } = project('by-name');
    const client = await openClient({ kind: 'stdio, version 1' });
    await client.call('switch_project', { project: root });

    const again = await client.call('set_project', { project: 'by-name' });
    const status = await client.call('status');

    expect(again.structured).toMatchObject({ handle: root });
    expect(rootOf(status)).toBe(root);
  });

  test('R044 waymark status explains every source on the command line', async () => {
    const { root } = project('cli');
    const { stdout } = await run(['status', '--verbose'], {
      home: emptyHome(),
      cwd: root,
      env: { WAYMARK_PROJECT: root, PWD: root },
    });

    expect(stdout).toContain(`cli in ${root}, found by WAYMARK_PROJECT\n`);
    expect(stdout).toMatch(/env +won: /);
    expect(stdout).toMatch(/cwd +lost to a more trusted source: .*weak/);
    expect(stdout).toMatch(/not given: argument, switched, roots, /);
    // And git's side of it, and what to do next.
    expect(stdout).toMatch(/git +branch main\n +index +none yet\n +memory +empty\n/);
    expect(stdout).toMatch(/next +waymark index /);
  });

  test('R044 waymark status says what to do where there is no project, and the same to a program', async () => {
    const { root } = project('json');
    const lost = await run(['status'], { home: emptyHome() });
    const json = await run(['status', '--json'], { home: emptyHome(), cwd: root });

    expect(lost.stdout).toMatch(/next +cd PROJECT +change to the directory of your project/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'found',
      git: { branch: 'main', worktree: null, repository: `${root}/.git` },
      next: `waymark index ${root}`,
    });
  });

  test('R003 R044 project_status gives every source as fields: outcome, path, reason and strength', async () => {
    const [env, cwd] = [project('env'), project('cwd')];
    const client = await openClient({
      kind: 'stdio, version 1',
      env: { WAYMARK_PROJECT: env.root },
      cwd: cwd.root,
    });
    const nothing = (source: string, reason: unknown) => ({
      source,
      outcome: 'nothing',
      path: null,
      via: null,
      reason,
      strength: null,
    });

    const found = await client.call('project_status');
    const refused = await client.call('project_status', { project: '/does/not/exist' });

    expect(found.structured['sources']).toEqual([
      nothing('argument', 'no project argument'),
      nothing('switched', 'no project was chosen with switch_project'),
      nothing('roots', 'the client declares no roots'),
      nothing('client_meta', 'the client sent no working directory'),
      nothing('query_param', 'the URL names no project'),
      {
        source: 'env',
        outcome: 'won',
        path: env.root,
        via: 'WAYMARK_PROJECT',
        reason: null,
        strength: 'strong',
      },
      {
        source: 'cwd',
        outcome: 'lost',
        path: cwd.root,
        via: '.git',
        reason: 'to a more trusted source',
        strength: 'weak',
      },
      nothing('pwd', 'PWD is not set'),
    ]);
    expect(refused.structured['sources']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          source: 'argument',
          outcome: 'refused',
          path: null,
          reason: 'Project path does not exist: /does/not/exist',
        }),
      ]),
    );
  });
});

test(
  'R043 two clients with other roots that switch 300 times at once never hear of the other’s projects',
  { timeout: 300_000 },
  async () => {
    const { url } = await server();
    const mine = [project('a1'), project('a2'), project('a3')];
    const theirs = [project('b1'), project('b2'), project('b3')];
    const run = async (own: typeof mine, others: typeof mine): Promise<number> => {
      const [open, ...targets] = own;
      const roots = () => [open?.uri ?? ''];
      const client = await openClient({ kind: 'HTTP, version 1', url, roots, listChanged: true });
      let wrong = 0;
      for (let turn = 0; turn < 300; turn++) {
        const target = targets[turn % 2]?.root ?? '';
        const switched = await client.call('switch_project', { project: target });
        const status = await client.call('project_status');
        const strange = others.some(({ root }) => `${switched.text}\n${status.text}`.includes(root));
        if (rootOf(switched) !== target || rootOf(status) !== target || strange) wrong += 1;
      }
      return wrong;
    };

    expect(await Promise.all([run(mine, theirs), run(theirs, mine)])).toEqual([0, 0]);
  },
);

test('R043 two clients of HTTP+SSE switch at once and each is answered from its own choice', async () => {
  const { url } = await server();
  const address = addressFor('HTTP+SSE, version 1', url);
  const switchOften = async (targets: readonly { readonly root: string }[]): Promise<number> => {
    const client = await openClient({ kind: 'HTTP+SSE, version 1', url: address });
    let wrong = 0;
    for (let turn = 0; turn < 100; turn++) {
      const target = targets[turn % 2]?.root ?? '';
      await client.call('switch_project', { project: target });
      if (rootOf(await client.call('project_status')) !== target) wrong += 1;
    }
    return wrong;
  };

  expect(
    await Promise.all([
      switchOften([project('a1'), project('a2')]),
      switchOften([project('b1'), project('b2')]),
    ]),
  ).toEqual([0, 0]);
});

test('R033 R043 two clients whose roots change all the time are answered from their own', async () => {
  const { url } = await server();
  const run = async (projects: readonly { root: string; uri: string }[]): Promise<number> => {
    let at = 0;
    const client = await openClient({
      kind: 'HTTP, version 1',
      url,
      roots: () => [projects[at % 2]?.uri ?? ''],
    });
    let wrong = 0;
    for (; at < 100; at++)
      if (rootOf(await client.call('project_status')) !== projects[at % 2]?.root) wrong += 1;
    return wrong;
  };

  expect(
    await Promise.all([run([project('a1'), project('a2')]), run([project('b1'), project('b2')])]),
  ).toEqual([0, 0]);
});
