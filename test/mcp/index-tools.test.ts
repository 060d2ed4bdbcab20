/** The index tools through real clients, over every transport and in both eras. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  openClient,
  type ClientKind,
  type OpenClient,
} from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { shop } from '../support/shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve, type Home } from '../support/waymark.ts';

/** A client of either sort, of a server in this home. */
async function connect(
  kind: ClientKind,
  { home = emptyHome(), args = [], cwd, env = {} }: Partial<ConnectOptions> = {},
): Promise<OpenClient> {
  if (isStdio(kind))
    return openClient({ kind, args, env: { ...home.env, ...env }, ...(cwd === undefined ? {} : { cwd }) });
  const { url } = await serve(args, { home, env, ...(cwd === undefined ? {} : { cwd }) });
  return openClient({ kind, url: addressFor(kind, url) });
}

interface ConnectOptions {
  readonly home: Home;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const server = shareServers();

/** The kinds of HTTP share a server: each test clears what it has indexed, or has a project of its own. */
async function connectShared(kind: ClientKind, args: readonly string[] = []): Promise<OpenClient> {
  if (isStdio(kind)) return connect(kind, { args });
  return openClient({ kind, url: addressFor(kind, (await server(args)).url) });
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('indexes, counts, lists and clears, and R019 says of which project', async () => {
    const project = shop();
    const client = await connectShared(kind);
    const args = { project: project.path };

    const before = await client.call('project_status', args);
    const indexed = await client.call('index_codebase', args);
    const after = await client.call('project_status', args);
    const stats = await client.call('index_stats', args);
    const listed = await client.call('list_indexes');
    const listedHere = await client.call('list_indexes', args);
    const cleared = await client.call('clear_index', args);
    const again = await client.call('clear_index', args);

    expect(indexed.structured).toMatchObject({
      success: true,
      state: 'done',
      files: 3,
      indexed: 3,
      skipped: 2,
      project: { root: project.path, source: 'argument' },
    });
    expect(indexed.text).toContain(`project: `);
    expect(before.structured).toMatchObject({ index: { state: 'missing' } });
    expect(after.structured).toMatchObject({ index: { state: 'indexed' } });
    expect(stats.structured).toMatchObject({
      index: { state: 'fresh' },
      files: 3,
      languages: expect.arrayContaining([{ language: 'python', files: 1 }]),
      left_out: expect.arrayContaining([{ reason: 'ignored', count: 1 }]),
    });
    expect(stats.text).toContain('index: fresh');
    expect(listed.structured).toMatchObject({ indexes: [{ root: project.path }], left_off: 0 });
    // R019: it names the current project, or says that there is none, and lists either way.
    expect(listed).toMatchObject({ isError: false, structured: { project: null } });
    expect(listed.text).toMatch(/^project: none\n/);
    expect(listedHere.text).toMatch(
      new RegExp(`^project: .* \\(${project.path}, via argument\\)\n.*\\(current\\)$`),
    );
    expect(listedHere.structured).toMatchObject({
      project: { root: project.path, source: 'argument' },
      indexes: [{ root: project.path, current: true }],
    });
    expect(cleared.structured).toMatchObject({ success: true, cleared: true });
    expect(again.structured).toMatchObject({ success: true, cleared: false });
  });

  test('R010 automatic indexing off: says so with the real path, and how to go on', async () => {
    const project = shop();
    const client = await connectShared(kind, ['--auto-index', 'never']);
    const args = { project: project.path };

    const refused = await client.call('index_stats', args);
    const asked = await client.call('index_codebase', args);
    const served = await client.call('index_stats', args);
    project.write({ 'src/late.ts': 'export const late = 1;\n' });
    const later = await client.call('index_stats', args);

    const text = `Project detected at ${project.path} but not indexed. Run \`waymark index ${project.path}\` first.`;
    expect(refused.isError).toBe(true);
    expect(refused.text.split('\n')).toContain(text);
    expect(refused.structured).toMatchObject({
      success: false,
      error_type: 'not_indexed',
      message: text,
      instruction: `Call index_codebase with ${JSON.stringify(args)}`,
    });
    expect(asked.structured).toMatchObject({ success: true });
    expect(served.structured).toMatchObject({ files: 3, index: { state: 'fresh' } });
    expect(later.structured).toMatchObject({
      files: 3,
      index: { state: 'stale', why: 'automatic indexing is off' },
    });
  });
});

// What a failure of the engine becomes is the same for all kinds of client; one of each transport stands for them.
test.each(['stdio, version 1', 'HTTP, version 2, modern'] as const)(
  'R125 %s: a cache directory that cannot be written: success is false, with the instruction',
  async (kind) => {
    const project = shop();
    const home = emptyHome();
    // A file where the directory should be: not even root can write below it.
    home.folder.write({ cache: 'in the way' });
    const client = await connect(kind, { home });

    const failed = await client.call('index_codebase', { project: project.path });
    rmSync(home.folder.join('cache'));
    mkdirSync(home.folder.join('cache'));
    const healed = await client.call('index_codebase', { project: project.path });

    expect(failed.isError).toBe(true);
    expect(failed.structured).toMatchObject({
      success: false,
      error_type: 'storage_unavailable',
      message: expect.stringContaining('cannot be read or written'),
      instruction: expect.stringContaining(`call index_codebase with {"project":"${project.path}"}`),
    });
    expect(healed.structured).toMatchObject({ success: true, files: 3 });
  },
);

test('index_repository is another name of index_codebase, callable but not listed', async () => {
  const project = shop();
  const client = await connect('stdio, version 1', { cwd: project.path });

  const { tools } = await client.raw.listTools();
  const indexed = await client.call('index_repository');

  expect(tools.map(({ name }) => name)).not.toContain('index_repository');
  expect(indexed.structured).toMatchObject({ success: true, project: { root: project.path, source: 'cwd' } });
});

test('a small project is indexed while the first call that needs it waits', async () => {
  const project = shop();
  const client = await connect('stdio, version 2, modern', { cwd: project.path });

  expect((await client.call('index_stats')).structured).toMatchObject({
    files: 3,
    index: { state: 'fresh' },
  });
  project.write({ 'src/new.ts': 'export const added = 1;\n' });
  expect((await client.call('index_stats')).structured).toMatchObject({
    files: 4,
    index: { state: 'fresh' },
  });
});

test('while a server runs, a saved file is indexed without being asked for', async () => {
  const project = shop();
  const home = emptyHome();
  const client = await connect('stdio, version 2, modern', { home, cwd: project.path });
  const stats = async (): Promise<unknown> =>
    JSON.parse((await run(['stats', '--json'], { home, cwd: project.path })).stdout);
  await client.call('index_stats');

  project.write({ 'src/new.ts': 'export const added = 1;\n' });

  await expect.poll(stats, { timeout: 30_000, interval: 100 }).toMatchObject({ files: 4 });
});

test('R020 a guess that is no version-controlled root is neither indexed nor cleared, only asked about', async () => {
  const project = tempFolder({ 'package.json': '{}', 'a.ts': 'export const a = 1;\n' });
  const client = await connect('stdio, version 1', { cwd: project.path });

  const stats = await client.call('index_stats');
  const indexed = await client.call('index_codebase');
  const cleared = await client.call('clear_index');
  const named = await client.call('index_codebase', { project: project.path });
  project.write({ 'b.ts': 'export const b = 1;\n' });
  const after = await client.call('index_stats');

  expect(stats.structured).toMatchObject({ success: false, error_type: 'not_indexed' });
  expect(stats.text).toContain(
    `next: Call index_codebase with ${JSON.stringify({ project: project.path })} if that is the project you mean`,
  );
  expect(indexed.structured).toMatchObject({ success: false, error_type: 'weak_project' });
  expect(cleared.structured).toMatchObject({ success: false, error_type: 'weak_project' });
  expect(named.structured).toMatchObject({ success: true, files: 2 });
  expect(after.structured).toMatchObject({
    files: 2,
    index: { state: 'stale', why: 'the project is only a guess' },
  });
});

test('include, exclude and languages of .waymark.json hold for tools and commands alike', async () => {
  const project = shop();
  project.write({ '.waymark.json': '{ "exclude": ["*.py"], "languages": ["typescript"] }\n' });
  const home = emptyHome();
  const client = await connect('stdio, version 1', { home, cwd: project.path });

  const byTool = await client.call('index_codebase');
  const byCommand = await run(['index', '--json'], { home, cwd: project.path });
  const why = await run(['files', '--why', 'src/upload.py', '--json'], { home, cwd: project.path });
  const flagged = await run(['index', '--language', 'python', '--exclude', '*.ts', '--json'], {
    home,
    cwd: project.path,
  });

  expect(byTool.structured).toMatchObject({ files: 1, indexed: 1 });
  expect(JSON.parse(byCommand.stdout)).toMatchObject({ indexed: 0, removed: 0 });
  expect(JSON.parse(why.stdout)).toMatchObject({ kind: 'skipped', skip: { reason: 'excluded_by_config' } });
  expect(JSON.parse(flagged.stdout)).toMatchObject({ indexed: 1, removed: 1 });
});

test('a .waymark.json that cannot be read is said, not passed over', async () => {
  const project = shop();
  project.write({ '.waymark.json': '{ "exclude": 7 }\n' });
  const client = await connect('stdio, version 1', { cwd: project.path });

  const failed = await client.call('index_codebase');

  expect(failed.structured).toMatchObject({
    success: false,
    error_type: 'bad_config',
    message: expect.stringContaining('exclude'),
  });
});

test('rules that git keeps outside of the tree hold: global excludes, and those of a worktree', async () => {
  const home = emptyHome();
  const main = tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/info/exclude': 'private.ts\n',
    '.git/worktrees/side/HEAD': 'ref: refs/heads/side\n',
    '.git/worktrees/side/commondir': '../..\n',
  });
  const side = tempFolder({
    'private.ts': 'export const a = 1;\n',
    'notes.scratch': 'b\n',
    'deep/private.ts': 'export const c = 1;\n',
    'deep/kept.ts': 'export const d = 1;\n',
  });
  side.write({ '.git': `gitdir: ${main.join('.git/worktrees/side')}\n` });
  writeFileSync(main.join('.git/worktrees/side/gitdir'), `${side.join('.git')}\n`);
  home.folder.write({ 'config/git/ignore': '*.scratch\n' });

  const whole = await run(['index', side.path, '--json'], { home });
  const skipped = await run(['files', '--json'], { home, cwd: side.path });
  const inside = await run(['index', side.join('deep'), '--json'], { home });

  expect(JSON.parse(whole.stdout)).toMatchObject({ indexed: 1 });
  expect(JSON.parse(skipped.stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        path: 'private.ts',
        reason: 'ignored',
        detail: expect.stringContaining('info/exclude'),
      }),
      expect.objectContaining({
        path: 'notes.scratch',
        reason: 'ignored',
        detail: expect.stringContaining('global'),
      }),
    ]),
  );
  expect(JSON.parse(inside.stdout)).toMatchObject({ indexed: 1, skipped: 1 });
});

test('a generated file that was asked for is indexed, a binary one is not', async () => {
  const project = shop();
  project.write({
    'gen/api.ts': '// @generated\nexport const api = 1;\n',
    'gen/data.bin': 'x\u0000y',
    'other/api.ts': '// @generated\nexport const api = 1;\n',
    '.waymarkignore': '!gen/api.ts\n!gen/data.bin\n',
  });
  const client = await connect('stdio, version 1', { cwd: project.path });

  const stats = await client.call('index_stats');

  expect(stats.structured).toMatchObject({ files: 5 });
  expect(stats.structured['left_out']).toEqual(
    expect.arrayContaining([
      { reason: 'generated', count: 1 },
      { reason: 'binary', count: 1 },
    ]),
  );
});

test('list_indexes tells an HTTP client only of projects that it may name', async () => {
  const home = emptyHome();
  const [allowed, other] = [shop(), shop()];
  for (const { path } of [allowed, other]) await run(['index', path], { home });
  const client = await connect('HTTP, version 2, modern', {
    home,
    args: ['--allow-project-root', allowed.path],
  });

  const listed = await client.call('list_indexes');

  expect(listed.structured).toMatchObject({ indexes: [{ root: allowed.path }], left_off: 0 });
  expect(listed.text).not.toContain(other.path);
});
