/** Brings a checkout to where it can run: installs what is missing, builds what is stale. Plain Node, no dependency. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const buildStamp = join(root, 'dist', '.build');

/** Whether the packages that the lock file names are installed, by `npm ci` or by us. */
export function isInstalled() {
  return matchesLock(root, root);
}

/**
 * Whether the node_modules in one folder are what the lock file in another names. npm notes what it has installed in a lock file of its own.
 *
 * @param {string} absFolder
 * @param {string} absLockFolder
 */
export function matchesLock(absFolder, absLockFolder) {
  const installed = readPackages(join(absFolder, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const { '': _, ...wanted } = readPackages(join(absLockFolder, 'package-lock.json')) ?? {};
  const isSame = (path) =>
    installed[path]?.version === wanted[path]?.version &&
    installed[path]?.integrity === wanted[path]?.integrity;
  // What is for other systems is not there.
  const isMissing = (path) => !(path in installed) && wanted[path].optional !== true;
  return Object.keys(installed).every(isSame) && !Object.keys(wanted).some(isMissing);
}

/** Whether dist/ was built from exactly these sources. */
export function isBuilt() {
  return readStamp(buildStamp) === buildDigest(root) && existsSync(join(root, 'dist', 'main.js'));
}

/** Installs the locked dependencies where they are missing. */
export function ensureInstalled() {
  if (isInstalled()) return;
  talk('installing dependencies …');
  // No package needs its install script: the SQLite package carries its binaries.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Builds dist/ where it is stale. */
export function ensureBuilt() {
  if (isBuilt()) return;
  talk('building …');
  run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
}

/** Called by the build when it has finished. */
export function recordBuild() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(buildStamp, buildDigest(root));
}

export function talk(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Over everything that a build of this checkout reads: all sources, all scripts, and what the tools are told. Tests change no build.
 *
 * @param {string} absRoot
 */
export function buildDigest(absRoot) {
  const settings = readdirSync(absRoot).filter((name) =>
    /^(?:package(?:-lock)?|tsconfig.*)\.json$/.test(name),
  );
  const folders = ['src', 'web', 'scripts', 'tools'].flatMap((name) => filesBelow(join(absRoot, name)));
  const files = [...settings.toSorted().map((name) => join(absRoot, name)), ...folders];
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !name.endsWith('.test.ts')))
    hash.update(relative(absRoot, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function run(command, args) {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return;
  talk(`error: \`${[command, ...args].join(' ')}\` failed`);
  process.exit(done.status ?? 1);
}
