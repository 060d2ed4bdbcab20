/** `npm test`: sets up, then runs every check and every test, names them, and closes with one plain line. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './find-browser.mjs';
import { ensureBuilt, ensureInstalled, root, talk } from './setup.mjs';

ensureInstalled();
ensureBuilt();
// Fetched before the tests begin; the tests of the page say so too where there is none.
await findBrowser().catch((error) => talk(`warning: ${error.message}`));

/** Tests wait for the disk half of their time, and nothing they write outlives them: where there is room, temporary files are in memory. */
const MEMORY_DISK = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

const folder = mkdtempSync(join(tmpdir(), 'waymark-test-report-'));
const temporary = process.env['TMPDIR'] ?? memoryFolder() ?? tmpdir();
const tally = { passed: 0, failed: 0, skipped: 0 };
const before = new Set(ourFolders());
try {
  talk('checks: format, lint, types, rooms, sizes; and tests');
  const checking = runNode(join(root, 'scripts', 'check.mjs'), ['--report', join(folder, 'checks.json')], {
    stdout: 'kept',
  });
  const report = join(folder, 'tests.json');
  const testing = runNode(
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
    { stdout: 'shown' },
  );
  const [checked, tested] = await Promise.all([checking, testing]);
  process.stdout.write(checked.text);
  countSteps(checked.status);
  countTests(report, tested.status);
  countLeft();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''}\n`,
);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

/** What is kept is shown when everything has ended, so that it is not lost between the lines of the tests. */
function runNode(script, args, { stdout }) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', stdout === 'kept' ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, TMPDIR: temporary },
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((resolve) => {
    child.once('error', () => resolve({ status: 1, text }));
    child.once('close', (status) => resolve({ status: status ?? 1, text }));
  });
}

/** The system's folder in memory, where it has room and programs can be started from it. */
function memoryFolder() {
  let tried;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    tried = mkdtempSync(join(MEMORY_DISK, 'waymark-try-'));
    const script = join(tried, 'try');
    writeFileSync(script, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    return spawnSync(script).status === 0 ? MEMORY_DISK : undefined;
  } catch {
    // There is none, or it is not ours to write to.
    return undefined;
  } finally {
    if (tried !== undefined) rmSync(tried, { recursive: true, force: true });
  }
}

function countSteps(status) {
  const steps = readJson(join(folder, 'checks.json'));
  if (steps === undefined) tally.failed += 1;
  else for (const step of steps) tally[step.ok ? 'passed' : 'failed'] += 1;
  if (status !== 0 && tally.failed === 0) tally.failed += 1;
}

function countTests(report, status) {
  const result = readJson(report);
  const failedBefore = tally.failed;
  if (result !== undefined) {
    tally.passed += result.numPassedTests;
    tally.failed += result.numFailedTests;
    tally.skipped += result.numPendingTests + result.numTodoTests;
  }
  // A suite that could not even load counts no test: it must still count as a failure.
  if (status !== 0 && tally.failed === failedBefore) tally.failed += 1;
}

function ourFolders() {
  return readdirSync(temporary).filter((name) => name.startsWith('waymark-'));
}

/** Tests leave the temporary directory as it was. */
function countLeft() {
  const left = ourFolders().filter((name) => !before.has(name));
  tally[left.length === 0 ? 'passed' : 'failed'] += 1;
  if (left.length > 0)
    process.stderr.write(
      `left in ${temporary}: ${left.join(', ')}\nhint: a test did not tidy up, or another run is using them\n`,
    );
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
