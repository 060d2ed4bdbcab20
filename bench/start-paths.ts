/** Every way in which an agent comes to start Waymark: what setup writes, and what plugins, the extension and the bundle carry. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface StartPath {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Builds the packages and runs setup below this folder; nothing is downloaded. */
export function openStartPaths(folder: string): readonly StartPath[] {
  const out = join(folder, 'packages');
  run(process.execPath, [
    resolve('scripts/package.mjs'),
    '--out',
    out,
    'npm',
    'mcpb',
    'claude-code',
    'codex',
    'gemini',
  ]);
  return [
    setupPath('setup, from a clone', resolve('dist/main.js'), join(folder, 'clone-home')),
    copiedPath(out, folder),
    pluginPath('Claude Code plugin', join(out, 'claude-code/plugins/waymark'), '.mcp.json'),
    pluginPath('Codex plugin', join(out, 'codex/plugins/waymark'), '.mcp.json'),
    pluginPath('Gemini extension', join(out, 'gemini/waymark'), 'gemini-extension.json'),
    bundlePath(out, join(folder, 'bundle')),
  ];
}

/** What setup writes for a client, with this program. */
function setupPath(label: string, program: string, home: string): StartPath {
  mkdirSync(home, { recursive: true });
  run(process.execPath, [program, 'setup', 'kimi-code', '--yes', '--skip-index'], { cwd: home, home });
  const [command = '', ...args] = wordsIn(serverIn(join(home, '.kimi-code/mcp.json')));
  return { label, command, args, cwd: home };
}

/** The tarball in the cache of a package runner: setup makes a lasting copy of it. */
function copiedPath(out: string, folder: string): StartPath {
  const cache = join(folder, '_npx/1f');
  mkdirSync(cache, { recursive: true });
  const [name = ''] = readdirSync(join(out, 'npm'));
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  run('npm', [...npm, '--prefix', cache, join(out, 'npm', name)], { cwd: cache });
  const program = join(cache, 'node_modules/waymark/dist/main.js');
  return setupPath('setup, from a tarball (copy)', program, join(folder, 'copy-home'));
}

function pluginPath(label: string, plugin: string, file: string): StartPath {
  const [command = '', ...args] = wordsIn(serverIn(join(plugin, file))).map((word) =>
    word.replace(/\$\{(?:CLAUDE_PLUGIN_ROOT|extensionPath)\}/, plugin),
  );
  return { label, command, args, cwd: plugin };
}

function bundlePath(out: string, place: string): StartPath {
  const [name = ''] = readdirSync(join(out, 'mcpb'));
  const mcpb = resolve('node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
  run(process.execPath, [mcpb, 'unpack', join(out, 'mcpb', name), place]);
  const { server } = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'));
  const [command = '', ...args] = wordsIn(server.mcp_config).map((word) =>
    word.replace('${__dirname}', place),
  );
  return { label: '.mcpb bundle', command, args, cwd: '/' };
}

function serverIn(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8')).mcpServers.waymark;
}

function wordsIn(entry: unknown): readonly string[] {
  const { command, args } = Object(entry);
  return [String(command), ...Array.from<string>(args)];
}

function run(command: string, args: readonly string[], { cwd = '.', home = '' } = {}): void {
  const env = home === '' ? process.env : { PATH: process.env['PATH'] ?? '', HOME: home };
  execFileSync(command, args, { cwd, env, stdio: 'pipe' });
}
