/**
 * `npm run test:nodes`: installs the packed tarball on every Node we support and asks it for a version, an index and a search.
 * `npm test` tries the Node it runs on; the others come from npm, which needs a network, so this is a command of its own.
 * `WAYMARK_TEST_NODES=/path/to/node22:/path/to/node24` names Nodes that are there already, and then nothing is fetched.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, talk } from './setup.mjs';

const MAJORS = [20, 22, 24, 26];

ensureInstalled();
ensureBuilt();
const nodes = process.env.WAYMARK_TEST_NODES ?? MAJORS.map(fetchNode).join(delimiter);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    'test/package/artefacts.test.ts',
    '-t',
    'installs and answers on',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, WAYMARK_TEST_NODES: nodes } },
);
process.exit(status ?? 1);

/** The program of the newest Node of this number, as npm has it: nothing is run to install it. */
function fetchNode(major) {
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
