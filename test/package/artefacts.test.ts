/** Everything that is published: it is what its format demands, and the server in it answers. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { openPackages, type Packages } from './packages.ts';
import * as schemas from './schemas.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const exec = promisify(execFile);
const { onEnd, end } = collectEnds();
const own: {
  readonly name: string;
  readonly version: string;
  readonly mcpName: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly publishConfig: object;
} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const world: { made?: Packages } = {};

beforeAll(async () => {
  world.made = await openPackages([], onEnd);
  world.made.folder.write({ 'project/src/queue.ts': 'export function retryUpload() {}\n' });
}, 300_000);
afterAll(end);

function made(): Packages {
  if (world.made === undefined) throw new Error('nothing was built');
  return world.made;
}

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(made().folder.join('out', ...path), 'utf8'));
}

const entrySchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
});

/** Starts the server as an entry says, looks at it, and asks it which project it sees. */
async function greet(
  entry: unknown,
  cwd: string,
  look: (client: Client) => Promise<void> = async () => {},
): Promise<unknown> {
  const { command, args, env = {} } = entrySchema.parse(entry);
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: { ...made().env, WAYMARK_STRUCTURED: 'true', ...env },
    stderr: 'pipe',
  });
  await client.connect(transport, { timeout: 120_000 });
  try {
    expect(client.getServerVersion()).toMatchObject({ name: 'waymark', version: own.version });
    await look(client);
    const { structuredContent } = await client.callTool({ name: 'project_status', arguments: {} });
    return structuredContent;
  } finally {
    await client.close();
  }
}

/** A search by meaning needs the model, which must be in the package. */
async function findsQueue(client: Client): Promise<void> {
  const query = { query: 'try an upload again' };
  const { content, isError } = await client.callTool({ name: 'search_code', arguments: query });
  expect(isError).not.toBe(true);
  expect(JSON.stringify(content)).toContain('src/queue.ts');
}

const serverOf = (file: unknown): unknown =>
  Reflect.get(Object(Reflect.get(Object(file), 'mcpServers')), 'waymark');

test(
  'the tarball installs without scripts and works from npx in an empty folder',
  { timeout: 240_000 },
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
  { timeout: 240_000 },
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
    expect(await greet({ command: node, args: [bin, 'mcp'] }, place.path)).toMatchObject({
      project: { root: place.path },
    });
  },
);

test('server.json is what the registry demands, and proves who owns the package', async () => {
  const file = schemas.serverJson.parse(readJson('registry/server.json'));

  expect(file.name).toBe(own.mcpName);
  expect(file.packages).toMatchObject([{ identifier: own.name, version: own.version }]);
  const [pack] = file.packages;
  const args = [
    '-y',
    `${pack?.identifier}@${pack?.version}`,
    ...(pack?.packageArguments ?? []).map(({ value }) => value),
  ];
  await greet({ command: pack?.runtimeHint, args }, made().folder.join('project'));
}, 240_000);

test('the owner is named in package.json alone, and everything agrees with it', () => {
  const [, owner = '', repository = ''] = /^io\.github\.([\w-]+)\/([\w.-]+)$/.exec(own.mcpName) ?? [];
  const address = `https://github.com/${owner}/${repository}`;

  expect(own.homepage).toBe(`${address}#readme`);
  expect(own.repository.url).toBe(`git+${address}.git`);
  expect(own.publishConfig).toEqual({ access: 'public', provenance: true });
  expect(readJson('registry/server.json')).toMatchObject({ repository: { url: address } });
  expect(readJson('claude-code/plugins/waymark/.claude-plugin/plugin.json')).toMatchObject({
    repository: address,
  });
  expect(readJson('codex/plugins/waymark/.codex-plugin/plugin.json')).toMatchObject({ repository: address });
  const written = ['README.md', 'docs', 'src', 'scripts', 'docker'].flatMap((name) =>
    filesBelow(join(ROOT, name)).filter((file) => readFileSync(file, 'utf8').includes(`${owner}/`)),
  );
  expect(written).toEqual([]);
});

function filesBelow(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

test('the .mcpb bundle passes the publisher and serves the directory that was chosen', async () => {
  const { folder } = made();
  const mcpb = join(ROOT, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
  const [name = ''] = readdirSync(folder.join('out/mcpb'));
  await exec(process.execPath, [mcpb, 'unpack', folder.join('out/mcpb', name), folder.join('unpacked')]);
  await exec(process.execPath, [mcpb, 'validate', folder.join('unpacked/manifest.json')]);

  const manifest: unknown = JSON.parse(readFileSync(folder.join('unpacked/manifest.json'), 'utf8'));
  const config: unknown = Reflect.get(Object(Reflect.get(Object(manifest), 'server')), 'mcp_config');
  const filled = JSON.parse(
    JSON.stringify(config)
      .replaceAll('${__dirname}', folder.join('unpacked'))
      .replaceAll('${user_config.project}', folder.join('project')),
  );
  // Claude Desktop starts servers in `/`.
  expect(await greet(filled, '/', findsQueue)).toMatchObject({
    project: { root: folder.join('project') },
  });
}, 120_000);

test('the Claude Code plugin is what Claude Code demands, and its server answers', async () => {
  const { folder } = made();
  const market = schemas.claudeMarketplace.parse(readJson('claude-code/.claude-plugin/marketplace.json'));
  const plugin = join('claude-code', market.plugins[0]?.source ?? '');
  schemas.claudePlugin.parse(readJson(plugin, '.claude-plugin/plugin.json'));
  const servers = schemas.mcpJson.parse(readJson(plugin, '.mcp.json'));
  checkSkill(plugin, 'skills');

  const root = folder.join('project');
  const filled = JSON.parse(
    JSON.stringify(serverOf(servers))
      .replaceAll('${CLAUDE_PROJECT_DIR}', root)
      .replaceAll('${CLAUDE_PLUGIN_ROOT}', folder.join('out', plugin)),
  );
  expect(await greet(filled, '/', findsQueue)).toMatchObject({ project: { root } });
}, 240_000);

test('the hooks say a line within their time, and never fail', async () => {
  const { folder } = made();
  const plugin = folder.join('out/claude-code/plugins/waymark');
  const { hooks } = schemas.hooksJson.parse(readJson('claude-code/plugins/waymark/hooks/hooks.json'));
  const commands = [...hooks.SessionStart, ...hooks.PreCompact].flatMap((group) =>
    group.hooks.map(({ command }) => command.replaceAll('${CLAUDE_PLUGIN_ROOT}', plugin)),
  );
  const run = async (command: string, env: Readonly<Record<string, string>>): Promise<string> =>
    (await exec('/bin/sh', ['-c', command], { env })).stdout;

  expect(await Promise.all(commands.map((command) => run(command, made().env)))).toEqual([
    // A hook cannot know whether the server runs.
    expect.stringMatching(/^Waymark is installed: if the tools of its MCP server are listed, .*\n$/),
    expect.stringMatching(/^The context is about to be compacted: .*\n$/),
  ]);
  // Without Node, and with the script gone: silence and exit code 0.
  expect(await run(commands[0] ?? '', { PATH: '/nonexistent' })).toBe('');
  expect(await run((commands[0] ?? '').replaceAll(plugin, '/gone'), made().env)).toBe('');
});

test('the Codex plugin is what Codex demands, and its server answers from the plugin cache', async () => {
  const { folder } = made();
  const market = schemas.codexMarketplace.parse(readJson('codex/.agents/plugins/marketplace.json'));
  const plugin = join('codex', market.plugins[0]?.source.path ?? '');
  schemas.codexPlugin.parse(readJson(plugin, '.codex-plugin/plugin.json'));
  checkSkill(plugin, 'skills');

  const server = serverOf(schemas.mcpJson.parse(readJson(plugin, '.mcp.json')));
  // Codex takes it from the folder of the plugin.
  expect(server).toMatchObject({ cwd: '.' });
  await greet(server, folder.join('out', plugin));
}, 240_000);

test('the Gemini extension is what Gemini CLI demands, and its server answers', async () => {
  const { folder } = made();
  const file = schemas.geminiExtension.parse(readJson('gemini/waymark/gemini-extension.json'));
  checkSkill('gemini/waymark', 'skills');
  expect(readFileSync(folder.join('out/gemini/waymark', file.contextFileName), 'utf8')).toContain(
    'project_status',
  );

  const { cwd } = file.mcpServers.waymark;
  expect(cwd).toBe('${workspacePath}');
  const filled = JSON.parse(
    JSON.stringify(file.mcpServers.waymark).replaceAll('${extensionPath}', folder.join('out/gemini/waymark')),
  );
  expect(await greet(filled, folder.join('project'), findsQueue)).toMatchObject({
    project: { root: folder.join('project') },
  });
}, 240_000);

test('D3 every plugin carries the program and starts it directly, in at most 25 MB once packed', async () => {
  const { folder } = made();
  const plugins = ['claude-code/plugins/waymark', 'codex/plugins/waymark', 'gemini/waymark'];

  const packed = await Promise.all(
    plugins.map(async (plugin) => {
      const { stdout } = await exec('sh', ['-c', `tar cz -C "${folder.join('out', plugin)}" . | wc -c`]);
      return Number(stdout);
    }),
  );

  const started = plugins.map((plugin) => {
    const name = plugin.startsWith('gemini') ? 'gemini-extension.json' : '.mcp.json';
    return entrySchema.parse(serverOf(readJson(plugin, name)));
  });
  expect(started.map(({ command }) => command)).toEqual(['node', 'node', 'node']);
  expect(packed.filter((bytes) => bytes > 25 * 1024 * 1024)).toEqual([]);
}, 120_000);

test('the skill for .agents/skills and the block for AGENTS.md are short and marked', () => {
  checkSkill('skill', '.agents/skills');
  const block = readFileSync(made().folder.join('out/skill/AGENTS.block.md'), 'utf8').trim().split('\n');
  expect([block[0], block.at(-1)]).toEqual(['<!-- waymark -->', '<!-- /waymark -->']);
  expect(block.length).toBeLessThanOrEqual(10);
});

function checkSkill(...path: string[]): void {
  const text = readFileSync(made().folder.join('out', ...path, 'waymark/SKILL.md'), 'utf8');
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  expect(schemas.skillFrontMatter.parse(parseYaml(front)).name).toBe('waymark');
  expect(body.split('\n').length).toBeLessThan(100);
}
