/** `node scripts/fetch-nodes.mjs 22 24`: where the newest Nodes of these numbers are, a line each; npm brings what is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, talk } from './setup.mjs';

/** The program of the newest Node of this number, as npm has it: nothing is run to install it. */
export function fetchNode(major) {
  const folder = join(root, 'build', 'nodes', String(major));
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  talk(`fetching ${name}@${major} …`);
  const args = ['install', '--no-save', '--ignore-scripts', '--prefix', folder, `${name}@${major}`];
  const done = spawnSync('npm', args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (done.status === 0 && existsSync(program)) return program;
  talk(`error: ${name}@${major} could not be fetched\nhint: name the Nodes you have in WAYMARK_TEST_NODES`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const major of process.argv.slice(2)) process.stdout.write(`${fetchNode(major)}\n`);
