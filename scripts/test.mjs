/** `npm test`: sets up, then runs every check and every test, names them, and closes with one plain line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, talk } from './setup.mjs';

ensureInstalled();
ensureBuilt();

const folder = mkdtempSync(join(tmpdir(), 'waymark-test-report-'));
const tally = { passed: 0, failed: 0, skipped: 0 };
const before = new Set(ourFolders());
try {
  talk('checks: format, lint, types, rooms, sizes');
  countSteps(runNode(join(root, 'scripts', 'check.mjs'), ['--report', join(folder, 'checks.json')]));

  talk('tests');
  const report = join(folder, 'tests.json');
  const status = runNode(join(root, 'node_modules', 'vitest', 'vitest.mjs'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ]);
  countTests(report, status);
  countLeft();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''}\n`,
);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

function runNode(script, args) {
  return (
    spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
      .status ?? 1
  );
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
  return readdirSync(tmpdir()).filter((name) => name.startsWith('waymark-'));
}

/** Tests leave the temporary directory as it was. */
function countLeft() {
  const left = ourFolders().filter((name) => !before.has(name));
  tally[left.length === 0 ? 'passed' : 'failed'] += 1;
  if (left.length > 0)
    process.stderr.write(
      `left in ${tmpdir()}: ${left.join(', ')}\nhint: a test did not tidy up, or another run is using them\n`,
    );
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
