/** Brings a checkout to where it can run: installs what is missing, builds what is stale. Plain Node, no dependency. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const installStamp = join(root, 'node_modules', '.waymark-install');
const buildStamp = join(root, 'dist', '.build');

/** Whether exactly this lock file was installed. */
export function isInstalled() {
  return readStamp(installStamp) === lockDigest();
}

/** Whether dist/ was built from exactly these sources. */
export function isBuilt() {
  return readStamp(buildStamp) === sourceDigest() && existsSync(join(root, 'dist', 'main.js'));
}

/** Installs the locked dependencies where they are missing. */
export function ensureInstalled() {
  if (isInstalled()) return;
  talk('installing dependencies …');
  // No package needs its install script: the SQLite package carries its binaries.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(installStamp, lockDigest());
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
  writeFileSync(buildStamp, sourceDigest());
}

export function talk(text) {
  process.stderr.write(`${text}\n`);
}

function lockDigest() {
  return digest([join(root, 'package-lock.json')]);
}

function sourceDigest() {
  const files = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.types.json',
    'scripts/build.mjs',
    'scripts/copy-grammars.mjs',
  ]
    .map((name) => join(root, name))
    .concat(filesBelow(join(root, 'src')));
  return digest(files.filter((file) => !file.endsWith('.test.ts')));
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
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
