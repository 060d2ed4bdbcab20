/** `npm run test:postgres -- 15`: the suites of the shared engine, on another version of PostgreSQL than `npm test` has. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const [major = '18'] = process.argv.slice(2);
ensureInstalled();
ensureBuilt();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/postgres'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, WAYMARK_TEST_POSTGRES: major },
});
process.exit(status ?? 1);
