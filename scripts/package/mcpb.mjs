/** The .mcpb bundle that Claude Desktop installs with a double click: all inside, and a directory to choose. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { FACTS, writeJson } from './facts.mjs';
import { stageProduction } from './production.mjs';

export function mcpbManifest() {
  return {
    manifest_version: '0.3',
    name: FACTS.name,
    display_name: 'Waymark',
    version: FACTS.version,
    description: FACTS.description,
    author: FACTS.author,
    homepage: FACTS.homepage,
    license: FACTS.license,
    keywords: FACTS.keywords,
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/main.js', 'mcp'],
        env: { WAYMARK_PROJECT: '${user_config.project}' },
      },
    },
    tools_generated: true,
    user_config: {
      project: {
        type: 'directory',
        title: 'Project',
        description: 'The folder of your project. Claude Desktop does not say which one you work in.',
        required: false,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  };
}

export function buildMcpb(folder) {
  const stage = join(folder, 'stage');
  stageProduction(stage);
  writeJson(join(stage, 'manifest.json'), mcpbManifest());
  const mcpb = join(root, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
  const run = (...args) =>
    execFileSync(process.execPath, [mcpb, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  run('validate', join(stage, 'manifest.json'));
  run('pack', stage, join(folder, `${FACTS.name}-${FACTS.version}.mcpb`));
  rmSync(stage, { recursive: true });
}
