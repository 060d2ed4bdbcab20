/** Everything that is published beside the tarball: it is what its format demands, and the server in it answers. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { collectEnds } from '../support/temp-folder.ts';
import { transcriptOf } from '../support/transcripts.ts';
import { entrySchema, greet } from './greet.ts';
import { buildPackages, type Packages } from './packages.ts';
import * as schemas from './schemas.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const exec = promisify(execFile);
const { onEnd, end } = collectEnds();
const own: {
  readonly mcpName: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly publishConfig: object;
} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const world: { made?: Packages } = {};

beforeAll(async () => {
  world.made = await buildPackages(['registry', 'mcpb', 'claude-code', 'codex', 'gemini', 'skill'], onEnd);
  world.made.folder.write({ 'project/src/queue.ts': 'export function retryUpload() {}\n' });
}, 900_000);
afterAll(end);

function made(): Packages {
  if (world.made === undefined) throw new Error('nothing was built');
  return world.made;
}

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(made().folder.join('out', ...path), 'utf8'));
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
  expect(await greet(filled, { cwd: '/', env: made().env, look: findsQueue })).toMatchObject({
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
  expect(await greet(filled, { cwd: '/', env: made().env, look: findsQueue })).toMatchObject({
    project: { root },
  });
}, 240_000);

test('the hooks keep a session and tell the next one of it, and never fail', async () => {
  const { folder } = made();
  const plugin = folder.join('out/claude-code/plugins/waymark');
  const { hooks } = schemas.hooksJson.parse(readJson('claude-code/plugins/waymark/hooks/hooks.json'));
  const [start = '', compact, end = ''] = [hooks.SessionStart, hooks.PreCompact, hooks.SessionEnd].map(
    (groups) => (groups[0]?.hooks[0]?.command ?? '').replaceAll('${CLAUDE_PLUGIN_ROOT}', plugin),
  );
  const { env } = made();
  const root = folder.join('project');
  const transcript = folder.join('home/.claude/projects/p/s.jsonl');
  mkdirSync(dirname(transcript), { recursive: true });
  const said = 'We will split the queue by tenant instead of by day.';
  writeFileSync(
    transcript,
    transcriptOf('claude-code', [{ user: 'Split the queue.' }, { agent: said }, { edit: 'q.ts' }], root),
  );
  const input = { session_id: 's', cwd: root, transcript_path: transcript };
  const run = async (command: string, others: Readonly<Record<string, string>> = {}): Promise<string> => {
    const running = exec('/bin/sh', ['-c', command], {
      env: { ...env, HOME: folder.join('home'), ...others },
    });
    // Where the program is gone, nothing reads it.
    running.child.stdin?.on('error', () => {});
    running.child.stdin?.end(JSON.stringify(input));
    return (await running).stdout;
  };

  expect(compact).toBe(end);
  expect(await run(start)).toBe('');
  expect(await run(end)).toBe('');
  // A busy machine has time enough.
  expect(await run(start.replace(' 2>/dev/null', ' --within 60000'))).toContain(said);
  // Without Node, and with the program gone: silence and exit code 0.
  expect(await run(start, { PATH: '/nonexistent' })).toBe('');
  expect(await run(start.replaceAll(plugin, '/gone'))).toBe('');
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
  await greet(server, { cwd: folder.join('out', plugin), env: made().env });
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
  expect(
    await greet(filled, { cwd: folder.join('project'), env: made().env, look: findsQueue }),
  ).toMatchObject({
    project: { root: folder.join('project') },
  });
}, 240_000);

test('D3 every plugin carries the program and starts it directly, in at most 25 MB once packed', async () => {
  const { folder } = made();
  const plugins = ['claude-code/plugins/waymark', 'codex/plugins/waymark', 'gemini/waymark'];

  const sizes = await Promise.all(
    plugins.map(async (plugin) => {
      const { stdout } = await exec('sh', ['-c', `tar c -C "${folder.join('out', plugin)}" . | wc -c`]);
      return Number(stdout);
    }),
  );
  // All carry the same program: one of them packed stands for the others, and the quickest way to pack for better ones.
  const packing = `tar c -C "${folder.join('out', plugins[0] ?? '')}" . | gzip -1 | wc -c`;
  const { stdout: packed } = await exec('sh', ['-c', packing]);

  const started = plugins.map((plugin) => {
    const name = plugin.startsWith('gemini') ? 'gemini-extension.json' : '.mcp.json';
    return entrySchema.parse(serverOf(readJson(plugin, name)));
  });
  expect(started.map(({ command }) => command)).toEqual(['node', 'node', 'node']);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(100 * 1024);
  expect(Number(packed)).toBeLessThan(25 * 1024 * 1024);
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
