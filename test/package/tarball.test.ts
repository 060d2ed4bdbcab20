/** What npm publishes: source text only, installed and started in every way that the guides name. It is packed once for all of these tests. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { playTerminal } from '../support/terminal.ts';
import { run } from '../support/waymark.ts';
import { CURSOR_FILE, prepareMachine, settled } from './first-run.ts';
import { greet } from './greet.ts';
import { openTarball } from './packages.ts';
import * as schemas from './schemas.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const exec = promisify(execFile);
const { onEnd, end } = collectEnds();
const own: { readonly name: string; readonly version: string; readonly mcpName: string } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const world: { made?: Awaited<ReturnType<typeof openTarball>> } = {};

beforeAll(async () => {
  world.made = await openTarball(onEnd);
}, 900_000);
afterAll(end);

function made() {
  if (world.made === undefined) throw new Error('nothing was packed');
  return world.made;
}

/** Grammars, packed, and the model are published as their makers published them; the build compares the checksums of the grammars. */
const AS_THEY_CAME = /^(?:dist\/grammars\/[\w-]+\.wasm\.gz|assets\/model\/[\w.-]+)$/;
/** No text has it; what V8 writes is full of it. */
const NUL = 0;

test('the tarball holds source text only, and names no folder of its builder', { timeout: 600_000 }, () => {
  const folder = tempFolder({});
  execFileSync('tar', ['-xzf', made().tarball, '-C', folder.path]);
  const top = folder.join('package');

  const files = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((absPath) => !AS_THEY_CAME.test(relative(top, absPath)));
  const opaque = files.filter((absPath) => readFileSync(absPath).includes(NUL));
  const builders = [ROOT, `${homedir()}/`, `${tmpdir()}/`];
  const telling = files.filter((absPath) => {
    const text = readFileSync(absPath, 'utf8');
    return builders.some((place) => text.includes(place));
  });

  expect(files.map((absPath) => relative(top, absPath))).toContain('dist/main.js');
  expect(opaque).toEqual([]);
  expect(telling).toEqual([]);
  expect(files.filter((absPath) => /\.(?:cjs|node)$|\.v8/.test(absPath))).toEqual([]);
});

test(
  'the tarball installs without scripts and works from npx in an empty folder',
  { timeout: 600_000 },
  async () => {
    const { folder, env, tarball } = made();
    mkdirSync(folder.join('empty'));
    const options = { cwd: folder.join('empty'), env };

    const { stdout } = await exec('npx', ['-y', '--package', tarball, 'waymark', '--version'], options);

    expect(stdout).toBe(`${own.version}\n`);
    expect(readdirSync(folder.join('empty'))).toEqual([]);
  },
);

/** Other Nodes than the one that runs the tests: `WAYMARK_TEST_NODES=/path/to/node22:/path/to/node24`. */
const NODES = [
  process.execPath,
  ...(process.env['WAYMARK_TEST_NODES'] ?? '').split(delimiter).filter(Boolean),
];

test.each(NODES)(
  'the tarball installs without install scripts and answers on %s',
  { timeout: 600_000 },
  async (node) => {
    const { env, tarball } = made();
    const place = tempFolder({
      'package.json': '{"private":true}',
      'src/queue.ts': 'export function retryUpload() {}\n',
    });
    mkdirSync(place.join('.git'));
    writeFileSync(place.join('.git/HEAD'), 'ref: refs/heads/main\n');
    const { stdout: npm } = await exec('sh', ['-c', 'command -v npm'], { env });
    const { stdout: cli } = await exec('readlink', ['-f', npm.trim()]);
    await exec(node, [cli.trim(), 'install', '--ignore-scripts', '--no-save', tarball], {
      cwd: place.path,
      env,
    });
    const bin = place.join('node_modules/waymark/dist/main.js');
    const own20 = {
      cwd: place.path,
      env: { ...env, XDG_CACHE_HOME: place.join('cache'), XDG_DATA_HOME: place.join('data') },
    };

    const version = await exec(node, [bin, '--version'], own20);
    const indexed = await exec(node, [bin, 'index', '--json'], own20);
    const found = await exec(node, [bin, 'search', 'try an upload again', '--json'], own20);

    expect(version.stdout).toBe(`${own.version}\n`);
    expect(JSON.parse(indexed.stdout)).toMatchObject({ kind: 'done' });
    expect(found.stdout).toContain('src/queue.ts');
    const notices = readFileSync(place.join('node_modules/waymark/dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'commander', 'tree-sitter-wasm', 'zod'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(await greet({ command: node, args: [bin, 'mcp'] }, { cwd: place.path, env })).toMatchObject({
      project: { root: place.path },
    });
    // `npm run budgets` has the seconds, which depend on the machine.
    expect(sizeOf(place.join('node_modules/waymark'))).toBeLessThan(60_000_000);
    expect(sizeOf(place.join('node_modules'))).toBeLessThan(90_000_000);
    await exec(node, [cli.trim(), 'uninstall', '--no-save', own.name], { cwd: place.path, env });
    expect(existsSync(place.join('node_modules/waymark'))).toBe(false);
  },
);

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

test('server.json is what the registry demands, and proves who owns the package', async () => {
  const file = schemas.serverJson.parse(
    JSON.parse(readFileSync(made().folder.join('out/registry/server.json'), 'utf8')),
  );

  expect(file.name).toBe(own.mcpName);
  expect(file.packages).toMatchObject([{ identifier: own.name, version: own.version }]);
  const [pack] = file.packages;
  const args = [
    '-y',
    `${pack?.identifier}@${pack?.version}`,
    ...(pack?.packageArguments ?? []).map(({ value }) => value),
  ];
  const { folder, env } = made();
  await greet({ command: pack?.runtimeHint, args }, { cwd: folder.join('project'), env });
}, 600_000);

/** In an empty home with three clients and a small repository; npx has the package from above. */
test('npx, setup, yes: connected, indexed and answered', { timeout: 600_000 }, async () => {
  const { tarball } = made();
  const folder = tempFolder({ 'project/.git/HEAD': 'ref: refs/heads/main\n' });
  prepareMachine(folder);
  const env = { ...made().env, HOME: folder.join('home') };

  const { code, screen } = await playTerminal(['npx', '-y', '--package', tarball, 'waymark', 'setup'], {
    cwd: folder.join('project'),
    env,
    typed: [{ after: /\[Y\/n\]/, type: 'y\n' }],
  });

  await expect(settled(screen, folder)).toMatchFileSnapshot('first-run.txt');
  expect(code).toBe(0);
  expect(screen.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);

  // What was written does not depend on the cache of npx, and everything can be taken back.
  const written = ['.cursor/mcp.json', '.codex/config.toml', '.codeium/windsurf/mcp_config.json'].map(
    (path) => readFileSync(folder.join('home', path), 'utf8'),
  );
  expect(
    written.filter((text) => text.includes('_npx') || !text.includes('/.local/share/waymark/app/')),
  ).toEqual([]);
  const script = /"(\/[^"]*main\.js)"/.exec(written[0] ?? '')?.[1] ?? '';
  const home = { folder, env };
  const doctor = await run(['doctor'], { program: script, home, cwd: folder.join('project') });
  expect(doctor).toMatchObject({ code: 0 });
  // The data directory was emptied: the entries are all there, the copy they name is made again.
  rmSync(folder.join('home/.local/share/waymark/app'), { recursive: true });
  await exec('npx', ['-y', '--package', tarball, 'waymark', 'setup', '--yes', '--skip-index'], {
    cwd: folder.join('project'),
    env,
  });
  expect(existsSync(script)).toBe(true);
  const back = await run(['uninstall', '--yes'], { program: script, home, cwd: folder.join('project') });
  expect(back).toMatchObject({ code: 0 });
  expect(readFileSync(folder.join('home/.cursor/mcp.json'), 'utf8')).toBe(CURSOR_FILE);
  expect(existsSync(folder.join('home/.codeium/windsurf/mcp_config.json'))).toBe(false);
  expect(existsSync(folder.join('home/.local/share/waymark/app'))).toBe(false);
});
