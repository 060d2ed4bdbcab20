/** R054: HTTP clients and the folders they may name, against the real server. */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  openClient,
  type CallAnswer,
  type OpenClient,
} from '../support/clients.ts';
import { git, makeRepository } from '../support/git.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder, type OnEnd } from '../support/temp-folder.ts';
import { emptyHome, run, serve, type Home } from '../support/waymark.ts';
import { rootOf } from './projects.ts';

function places(onEnd?: OnEnd) {
  const folder = tempFolder(
    {
      'allowed/api/.git/HEAD': '',
      'hidden/api/.git/HEAD': '',
      'hidden/web/.git/HEAD': '',
    },
    onEnd,
  );
  return {
    folder,
    flags: ['--allow-project-root', folder.join('allowed')],
    inside: folder.join('allowed/api'),
    outside: folder.join('hidden/api'),
  };
}

const { onEnd, end } = collectEnds();
afterAll(end);
const shared = places(onEnd);
const server = shareServers();

const HTTP_KINDS = CLIENT_KINDS.filter((kind) => !isStdio(kind));

test.each(HTTP_KINDS)(
  'R054 outside the allowed folders every way of naming fails in the same words, existing or not, over %s',
  async (kind) => {
    const { folder, flags, outside } = shared;
    const { url } = await server(flags);
    const missing = folder.join('hidden/none');
    const address = addressFor(kind, url);
    const plain = await openClient({ kind, url: address });
    const withRoots = (path: string) =>
      openClient({ kind, url: address, roots: () => [pathToFileURL(path).href] });
    const byQuery = async (path: string) => {
      const response = await fetch(`${url}?project_path=${encodeURIComponent(path)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} }),
      });
      return { status: response.status, body: await response.text() };
    };
    const byTool: Readonly<Record<string, (path: string) => Promise<CallAnswer>>> = {
      argument: (path) => plain.call('project_status', { project: path }),
      switched: (path) => plain.call('switch_project', { project: path }),
      client_meta: (path) => plain.call('project_status', {}, { 'agent-working-dir': path }),
      roots: async (path) => (await withRoots(path)).call('project_status'),
    };

    const told: unknown[] = [];
    for (const [way, name] of Object.entries(byTool)) {
      const there = await name(outside);
      const gone = JSON.stringify(await name(missing)).replaceAll(missing, outside);
      const { isError, structured } = there;
      told.push({ way, isError, type: structured['error_type'], same: gone === JSON.stringify(there) });
    }
    expect(told).toEqual(
      Object.keys(byTool).map((way) => ({ way, isError: true, type: 'project_forbidden', same: true })),
    );
    const query = await byQuery(outside);
    const gone = await byQuery(missing);
    expect(query).toEqual({ status: 403, body: gone.body.replaceAll(missing, outside) });
    expect(gone.status).toBe(403);
    expect(JSON.parse(query.body)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32602 } });
  },
);

/** The user's own client, which may name everything, has worked in all of these. */
async function rememberAll(home: Home, roots: readonly string[]): Promise<void> {
  const own = await openClient({ kind: 'stdio, version 1', env: home.env });
  for (const project of roots) await own.call('project_status', { project });
  await own.close();
}

test('R054 R042 known projects outside are no candidates, and their names are unknown', async () => {
  const { folder, flags, inside, outside } = places();
  const home = emptyHome();
  await rememberAll(home, [inside, outside, folder.join('hidden/web')]);
  const limited = await openClient({ kind: 'HTTP, version 1', url: (await serve(flags, { home })).url });
  const free = await openClient({ kind: 'HTTP, version 1', url: (await serve([], { home })).url });

  const lost = await limited.call('project_status');
  const ambiguous = await limited.call('project_status', { project: 'api' });
  const hidden = await limited.call('switch_project', { project: 'web' });
  const unknown = await limited.call('switch_project', { project: 'nix' });

  expect(lost.structured['candidates']).toEqual([{ name: 'api', root: inside }]);
  expect(rootOf(ambiguous)).toBe(inside);
  expect(JSON.stringify(hidden).replaceAll('web', 'nix')).toBe(
    JSON.stringify(unknown).replaceAll('web', 'nix'),
  );
  expect(JSON.stringify([lost, ambiguous, hidden])).not.toContain(folder.join('hidden'));
  // The same server without the limit knows them all.
  expect((await free.call('project_status')).structured['candidates']).toHaveLength(3);
  expect((await free.call('project_status', { project: 'api' })).text).toContain(outside);
});

test('R054 R022 a worktree inside whose repository lies outside tells nothing of it and keeps a memory of its own', async () => {
  const folder = tempFolder({ 'allowed/x': '', 'hidden/x': '' });
  const [hidden, inner] = [folder.join('hidden/main'), folder.join('allowed/main')];
  for (const main of [hidden, inner]) {
    makeRepository(main);
    git(main, 'remote', 'add', 'origin', 'https://hidden.example/x.git');
  }
  git(hidden, 'worktree', 'add', '-q', '-b', 'hidden-branch', folder.join('allowed/tree'));
  git(inner, 'worktree', 'add', '-q', '-b', 'inner-branch', folder.join('allowed/inner-tree'));
  const home = emptyHome();
  const own = await openClient({ kind: 'stdio, version 1', env: home.env });
  const { url } = await serve(['--allow-project-root', folder.join('allowed')], { home });
  const limited = await openClient({ kind: 'HTTP, version 1', url });
  const fix = { error: 'EHIDDEN: broken', solution: 'mend it' };
  const save = (client: OpenClient, project: string) =>
    client.call('remediation_save', { ...fix, solution: `mended in ${project}`, project });
  const recall = async (client: OpenClient, project: string) =>
    (await client.call('remediation_search', { error: fix.error, project })).text.includes('mended in');

  await save(own, hidden);
  const fromOutside = await recall(limited, folder.join('allowed/tree'));
  const owner = await recall(own, folder.join('allowed/tree'));
  await save(limited, folder.join('allowed/main'));
  const status = await limited.call('project_status', { project: folder.join('allowed/tree') });
  const sharing = await limited.call('project_status', { project: folder.join('allowed/inner-tree') });

  expect({ fromOutside, owner }).toEqual({ fromOutside: false, owner: true });
  expect(status.structured['git']).toBeNull();
  expect(JSON.stringify(status)).not.toMatch(/hidden/);
  // A repository that lies inside is shared with its worktrees as everywhere.
  expect(await recall(limited, folder.join('allowed/inner-tree'))).toBe(true);
  expect(sharing.structured['git']).toMatchObject({ branch: 'inner-branch', repository: `${inner}/.git` });
});

test('R054 R058 a variable that some client set does not lead out of the limit, nor is any value told', async () => {
  const { flags, outside, inside } = places();
  const ask = async (env: Record<string, string>) => {
    const { url } = await serve(flags, { env });
    return (await openClient({ kind: 'HTTP, version 1', url })).call('project_status');
  };

  const leading = await ask({ CLAUDE_PROJECT_DIR: outside, WAYMARK_PROJECT: `${outside}/none` });
  const staying = await ask({ CLAUDE_PROJECT_DIR: inside });
  const chosen = await ask({ WAYMARK_PROJECT: outside });

  expect(leading.structured['project']).toBeNull();
  expect(JSON.stringify(leading)).not.toContain('hidden');
  expect(leading.text).toContain('CLAUDE_PROJECT_DIR: names no directory that can be used here');
  expect(staying.structured['project']).toMatchObject({ root: inside, source: 'env' });
  // The user who starts the server may serve any project.
  expect(chosen.structured['project']).toMatchObject({ root: outside, source: 'env' });
});

test('R054 looking for fixes in all projects finds those inside only', async () => {
  const { flags, inside, outside } = places();
  const home = emptyHome();
  const own = await openClient({ kind: 'stdio, version 1', env: home.env });
  const error = 'ESHARED: the same everywhere';
  await own.call('remediation_save', { error, solution: 'learned inside', project: inside });
  await own.call('remediation_save', { error, solution: 'learned outside', project: outside });
  const { url } = await serve(flags, { home });
  const limited = await openClient({ kind: 'HTTP, version 1', url });

  const all = { error, scope: 'all' };
  const told = await limited.call('remediation_search', { ...all, project: inside });
  const owner = await own.call('remediation_search', { ...all, project: inside });

  expect(told.text).toContain('learned inside');
  expect(JSON.stringify(told)).not.toContain('learned outside');
  expect(owner.text).toContain('learned outside');
});

test('R054 a folder to allow that is not there is an error that names it', async () => {
  const gone = tempFolder().join('gone');

  const { code, stderr } = await run(['serve', '--port', '0', '--allow-project-root', gone]);

  expect(code).toBe(2);
  expect(stderr).toContain(`--allow-project-root names no existing directory: ${gone}`);
  expect(stderr).toContain('hint: ');
});

/** Swaps links as fast as it can, in a process of its own. */
const SWAPPER = `
  const { renameSync, symlinkSync } = require('node:fs');
  const [inside, outside, ...links] = process.argv.slice(1);
  for (let turn = 0; ; turn++) {
    for (const link of links) {
      symlinkSync(turn % 2 === 0 ? outside : inside, link + '.new');
      renameSync(link + '.new', link);
    }
    if (turn === 0) process.stdout.write('swapping');
  }
`;

test(
  'R054 links that another process swaps all the time never lead out of the allowed folder, in 300 tries',
  { timeout: 300_000 },
  async () => {
    const folder = tempFolder({ 'allowed/real/inner/x': '', 'hidden/inner/x': '' });
    mkdirSync(folder.join('allowed/deep'));
    const links = [folder.join('allowed/link'), folder.join('allowed/deep/link')];
    const swapper = spawn(process.execPath, [
      '-e',
      SWAPPER,
      folder.join('allowed/real'),
      folder.join('hidden'),
      ...links,
    ]);
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await new Promise((resolve) => swapper.stdout.once('data', resolve));
    const { url } = await serve(['--allow-project-root', folder.join('allowed')]);
    const client = await openClient({ kind: 'HTTP, version 1', url });
    // A link itself, a folder behind one, and one that is not there behind a swapped link.
    const paths = links.flatMap((link) => [link, `${link}/inner`, `${link}/none`]);

    const outcomes = new Map<string, number>();
    const leaks: string[] = [];
    for (let tries = 0; tries < 300;) {
      const batch = Array.from({ length: 20 }, () => paths[tries++ % paths.length] ?? '');
      const answers = await Promise.all(batch.map((project) => client.call('project_status', { project })));
      for (const answer of answers) {
        const outcome = String(answer.structured['error_type'] ?? rootOf(answer));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (JSON.stringify(answer).includes(folder.join('hidden'))) leaks.push(answer.text);
      }
    }

    expect(leaks).toEqual([]);
    expect(new Set(outcomes.keys())).toEqual(
      new Set([
        'project_forbidden',
        'bad_project',
        folder.join('allowed/real'),
        folder.join('allowed/real/inner'),
      ]),
    );
    // The swapping went on to the end.
    expect(swapper.exitCode).toBeNull();
  },
);

test('R054 --allow-project-root through a link and up again is what the system takes it for', async () => {
  const folder = tempFolder({ 'far/target/x': '', 'far/inside/x': '', 'near/x': '' });
  symlinkSync(folder.join('far/target'), folder.join('link'));

  for (const [written, cwd] of [
    [`${folder.path}/link/..`, folder.path],
    ['link/..', folder.path],
    ['..', folder.join('far/target')],
  ] as const) {
    const { url } = await serve(['--allow-project-root', written], { cwd });
    const client = await openClient({ kind: 'HTTP, version 1', url });
    const [inside, near] = [
      await client.call('index_stats', { project: folder.join('far/inside') }),
      await client.call('index_stats', { project: folder.join('near') }),
    ];
    expect(inside.structured['project']).toMatchObject({ root: folder.join('far/inside') });
    expect(near.structured).toMatchObject({ error_type: 'project_forbidden' });
  }
});
