/**
 * `npm run test:nodes`: installs the packed tarball on every Node we support and asks it for a version, an index and a search.
 * `npm test` tries the Node it runs on; the others come from npm, which needs a network, so this is a command of its own.
 * `WAYMARK_TEST_NODES=/path/to/node22:/path/to/node24` names Nodes that are there already, and then nothing is fetched.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fetchNode } from './fetch-nodes.mjs';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const MAJORS = [20, 22, 24, 26];

ensureInstalled();
ensureBuilt();
const nodes = process.env.WAYMARK_TEST_NODES ?? MAJORS.map(fetchNode).join(delimiter);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    'test/package/tarball.test.ts',
    '-t',
    'install scripts and answers on',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, WAYMARK_TEST_NODES: nodes } },
);
process.exit(status ?? 1);
