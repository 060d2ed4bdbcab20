/** R016, R018, R020: what a working directory needs, places that are never a project, and writes to a project that was only guessed. */
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDetector } from '../../src/project/index.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { openClient, type OpenClient } from '../support/clients.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

let fixture: BundledEntry;
beforeAll(async () => {
  fixture = await bundleEntry('test/support/fixture-program.ts');
});
afterAll(() => fixture.remove());

/** Where this user's programs unpack other people's code. */
const UNPACKED = [
  'home/.npm/_npx/ab12/node_modules/waymark',
  'home/.npm/_cacache',
  'cache/uv/archive-v0/x',
  'share/uv/tools/x',
  'home/.claude/plugins/cache/waymark',
  'home/.codex/plugins/cache/waymark',
];

describe('R018 what is never a project', () => {
  test('caches of package runners and plugins are an error by argument, switch and URL', async () => {
    const home = emptyHome();
    home.folder.write(
      Object.fromEntries(UNPACKED.map((name) => [`${name}/.git/HEAD`, 'ref: refs/heads/x\n'])),
    );
    const { url } = await serve([], { home });
    const client = await openClient({ kind: 'HTTP, version 1', url });

    const outcomes: unknown[] = [];
    for (const path of UNPACKED.map((name) => home.folder.join(name))) {
      const byUrl = await fetch(`${url}?project_path=${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} }),
      });
      const answers = [
        await client.call('project_status', { project: path }),
        await client.call('switch_project', { project: path }),
      ];
      outcomes.push([
        byUrl.status,
        ...answers.map(({ isError, text }) => isError && text.includes('is never a project')),
      ]);
    }

    expect(outcomes).toEqual(UNPACKED.map(() => [400, true, true]));
  });

  // The detector itself for each of them: a process would differ only in where it stands. The first goes through a real client.
  test('and they are passed over by roots, metadata, environment, working directory and PWD', async () => {
    const homes = UNPACKED.map((name) => {
      const home = emptyHome();
      home.folder.write({ [`${name}/.git/HEAD`]: 'ref: refs/heads/x\n' });
      const path = home.folder.join(name);
      const env = { ...home.env, WAYMARK_PROJECT: path, CLAUDE_PROJECT_DIR: path, PWD: path };
      return { path, env, roots: () => [pathToFileURL(path).href], meta: { 'agent-working-dir': path } };
    });

    const outcomes: unknown[] = [];
    for (const { path, env, roots, meta } of homes) {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      const detector = createDetector({ projectFromCwd: false, environment: () => env, cwd: () => path });
      const { kind, reports } = await detector.detect({
        transport: 'stdio',
        roots: async () => ({ kind: 'roots', uris: roots() }),
        meta,
        explain: true,
      });
      outcomes.push([
        kind,
        reports.filter((report) => report.kind === 'nothing' && report.reason.includes('is never a project'))
          .length,
      ]);
    }
    const [first] = homes;
    const client = await openClient({
      kind: 'stdio, version 1',
      env: first?.env ?? {},
      cwd: first?.path ?? '',
      roots: first?.roots ?? 'undeclared',
    });
    const { structured } = await client.call('project_status', {}, first?.meta);
    // The tool's own schema says so.
    const sources = structured['sources'] as readonly { outcome: string; reason: string | null }[];

    // Roots, client_meta, env, cwd and pwd each say why.
    expect(outcomes).toEqual(UNPACKED.map(() => ['none', 5]));
    expect(structured['project']).toBeNull();
    expect(sources.filter(({ reason }) => reason?.includes('is never a project'))).toHaveLength(5);
    expect(sources.filter(({ outcome }) => outcome !== 'nothing')).toEqual([]);
  });

  test('a folder inside the temp directory is allowed, by every source', async () => {
    const folder = tempFolder({ 'here/.git/HEAD': 'ref: refs/heads/main\n' });
    const root = folder.join('here');
    const client = await openClient({ kind: 'stdio, version 1', cwd: root });

    expect((await client.call('project_status')).structured['project']).toMatchObject({
      root,
      source: 'cwd',
    });
    expect((await client.call('index_stats', { project: root })).structured['project']).toMatchObject({
      root,
    });
  });

  test('is an error by argument, by switch and by URL', async () => {
    const home = emptyHome();
    const { url } = await serve([], { home });
    const client = await openClient({ kind: 'HTTP, version 1', url });

    for (const path of ['/', home.folder.join('home')]) {
      const byArgument = await client.call('project_status', { project: path });
      const bySwitch = await client.call('switch_project', { project: path });
      const byUrl = await fetch(`${url}?project_path=${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} }),
      });
      expect(byArgument).toMatchObject({
        isError: true,
        text: expect.stringContaining('is never a project'),
      });
      expect(bySwitch).toMatchObject({ isError: true, text: expect.stringContaining('is never a project') });
      expect(byUrl.status).toBe(400);
    }
  });

  test('is passed over by every other source', async () => {
    const home = emptyHome();
    const client = await openClient({
      kind: 'stdio, version 1',
      env: { HOME: home.folder.join('home'), WAYMARK_PROJECT: '/' },
      cwd: '/',
      roots: () => ['file:///'],
    });

    const { structured } = await client.call('project_status');

    expect(structured['project']).toBeNull();
  });

  test('makes --project-from-cwd fail at start with a clear message', async () => {
    const { code, stderr } = await run(['serve', '--port', '0', '--project-from-cwd'], { cwd: '/' });

    expect(code).toBe(2);
    expect(stderr).toContain('--project-from-cwd cannot be used here: / is never a project');
    expect(stderr).toContain('hint: ');
  });

  test('so does the home directory, with all that would make a project elsewhere', async () => {
    const home = emptyHome();
    home.folder.write({ 'home/.git/HEAD': 'ref: refs/heads/main\n', 'home/package.json': '{}' });
    const cwd = home.folder.join('home');

    const { code, stderr } = await run(['serve', '--port', '0', '--project-from-cwd'], { home, cwd });

    expect(code).toBe(2);
    expect(stderr).toContain('--project-from-cwd cannot be used here: ');
    expect(stderr).toContain(cwd);
  });
});

describe('R016 what the working directory needs', () => {
  // One server for all markers: it looks at its working directory on each call (R008).
  const { onEnd, end } = collectEnds();
  afterAll(end);
  const folder = tempFolder({ 'p/deep/er/x': '' }, onEnd);
  let inside: OpenClient;
  beforeAll(async () => {
    inside = await openClient({ kind: 'stdio, version 1', cwd: folder.join('p/deep/er'), onEnd });
  });

  test.each([
    ['.git', '.git/HEAD'],
    ['package.json', 'package.json'],
    ['pyproject.toml', 'pyproject.toml'],
    ['go.mod', 'go.mod'],
    ['Cargo.toml', 'Cargo.toml'],
    ['pom.xml', 'pom.xml'],
    ['.waymark.json', '.waymark.json'],
  ])('%s at or above it makes a project', async (marker, file) => {
    folder.write({ [`p/${file}`]: marker === '.waymark.json' ? '{}' : '' });
    onTestFinished(() => rmSync(folder.join('p', marker), { recursive: true }));

    const { text, structured } = await inside.call('project_status');

    expect(structured['project']).toMatchObject({ root: folder.join('p'), source: 'cwd' });
    expect(text).toContain(`won: ${folder.join('p')} (${marker}, weak)`);
  });

  test('without one it is none, and the walk stops at the home directory', async () => {
    const home = emptyHome();
    home.folder.write({ 'home/package.json': '{}', 'home/.git/HEAD': '', 'home/notes/x': '' });
    const bare = tempFolder({ 'bare/x': '' });
    const ask = async (cwd: string) => {
      const client = await openClient({ kind: 'stdio, version 1', env: home.env, cwd });
      return (await client.call('project_status')).structured['project'];
    };

    expect(await ask(bare.join('bare'))).toBeNull();
    expect(await ask(home.folder.join('home/notes'))).toBeNull();
    expect(await ask(home.folder.join('home'))).toBeNull();
  });
});

test('R020 the refusal of a write offers the known projects and the exact next call, which then works', async () => {
  const folder = tempFolder({ 'manifest/package.json': '{}', 'known/.git/HEAD': 'ref: refs/heads/main\n' });
  const [root, known] = [folder.join('manifest'), folder.join('known')];
  const client = await openClient({ kind: 'stdio, version 1', cwd: root });
  await client.call('project_status', { project: known });
  const draft = { error: 'EWEAK: a guess', solution: 'name the project' };

  const refusals = [
    await client.call('remediation_save', draft),
    await client.call('index_codebase'),
    await client.call('clear_index'),
  ];
  const next = await client.call('remediation_save', { ...draft, project: root });

  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ isError: true, structured: { error_type: 'weak_project' } });
    // The latest first; the guess itself is known by now, too.
    expect(refusal.structured['candidates']).toContainEqual({ name: 'known', root: known });
    expect(refusal.structured['instruction']).toBe(
      `Call again with project=${JSON.stringify(root)} if that is the project you mean.`,
    );
    expect(refusal.text).toContain(`known (${known})`);
  }
  expect(next).toMatchObject({ isError: false, structured: { project: { root, source: 'argument' } } });
});

test('R020 a write on a weak guess needs a version-controlled root; a read does not', async () => {
  const folder = tempFolder({ 'manifest/package.json': '{}', 'vcs/.git/HEAD': '' });
  const inManifest = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('manifest'),
    program: fixture.absPath,
  });
  const inVcs = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('vcs'),
    program: fixture.absPath,
  });
  const flagged = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('manifest'),
    args: ['--project-from-cwd'],
    program: fixture.absPath,
  });

  const read = await inManifest.call('fixture_read');
  const refused = await inManifest.call('fixture_write');
  const named = await inManifest.call('fixture_write', { project: folder.join('manifest') });
  const vcs = await inVcs.call('fixture_write');
  const withFlag = await flagged.call('fixture_write');

  expect(read.isError).toBe(false);
  expect(refused).toMatchObject({
    isError: true,
    structured: { error_type: 'weak_project', success: false },
  });
  expect(refused.text).toContain(`Call again with project="${folder.join('manifest')}"`);
  expect([named, vcs, withFlag].map(({ isError }) => isError)).toEqual([false, false, false]);
});
