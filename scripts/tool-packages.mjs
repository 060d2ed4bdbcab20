/**
 * Packages that one command needs and a clone does not: each is locked in a folder of `tools/` and installed when it is wanted.
 * npm compares the checksums of the lock file, as it does for the packages of the clone.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matchesLock, root, talk } from './setup.mjs';

/**
 * Installs them into a temporary folder for as long as `use` takes.
 *
 * @template T
 * @param {string} name  A folder of tools/.
 * @param {(absModules: string) => Promise<T>} use  Gets their node_modules.
 */
export async function withTools(name, use) {
  const folder = mkdtempSync(join(tmpdir(), `waymark-${name}-`));
  try {
    return await use(install(name, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Installs them below build/, once, for a command that is run again and again.
 *
 * @param {string} name  A folder of tools/.
 * @returns {string} their node_modules
 */
export function keepTools(name) {
  const folder = join(root, 'build', 'tools', name);
  if (matchesLock(folder, join(root, 'tools', name))) return join(folder, 'node_modules');
  mkdirSync(folder, { recursive: true });
  return install(name, folder);
}

function install(name, folder) {
  talk(`fetching what tools/${name} names …`);
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'tools', name, file), join(folder, file));
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return join(folder, 'node_modules');
  throw new Error(
    `the packages that tools/${name} names could not be installed; they come from the npm registry, once`,
  );
}
