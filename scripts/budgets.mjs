/**
 * `npm run budgets`: what a user downloads, unpacks and waits for, against what it may be. Packs, unpacks, installs without a network
 * where npm's cache has the packages. Exit code 1 over a budget; `--json FILE` keeps the table as raw data.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { currentLoad, describeCommand, writeFigures } from './figures/record.mjs';
import { buildNpmTarball } from './package/npm-tarball.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const MB = 1_000_000;
const { values } = parseArgs({ options: { json: { type: 'string' } } });
ensureInstalled();
ensureBuilt();
const started = { startedAt: new Date(), load: currentLoad() };
const folder = mkdtempSync(join(tmpdir(), 'waymark-budgets-'));
const rows = [];
try {
  const packed = buildNpmTarball(folder);
  const place = join(folder, 'installed');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const tarball = join(folder, packed.filename);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball];
  const before = performance.now();
  execFileSync('npm', args, { cwd: place, stdio: 'ignore', shell: process.platform === 'win32' });
  const seconds = (performance.now() - before) / 1000;
  const modules = join(place, 'node_modules');
  rows.push(
    ['tarball, MB', packed.size / MB, 25],
    ['package unpacked, MB', sizeOf(join(modules, 'waymark')) / MB, 60],
    ['node_modules of an installation, MB', sizeOf(modules) / MB, 90],
    ['npm install of the tarball, s', seconds, 15],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const text = [
  '| what | measured | at most | |',
  '|---|---|---|---|',
  ...rows.map(
    ([what, measured, most]) =>
      `| ${what} | ${measured.toFixed(1)} | ${most} | ${measured <= most ? 'ok' : 'OVER'} |`,
  ),
].join('\n');
process.stdout.write(`${text}\n`);
if (values.json !== undefined)
  writeFigures(values.json, { command: describeCommand('budgets', []), text, ...started });
process.exitCode = rows.every(([, measured, most]) => measured <= most) ? 0 : 1;

function sizeOf(absFolder) {
  return readdirSync(absFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
