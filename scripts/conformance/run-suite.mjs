/** Runs one requirement set of the official conformance suite against a server and reads what it says. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { keepTools } from '../tool-packages.mjs';

const SHIM = new URL('./glob-shim.mjs', import.meta.url).href;
const SCENARIO = /^[✓✗] (?<name>\S+): (?<passed>\d+) passed, (?<failed>\d+) failed/;
const NOT_SCORED = /^ {2}[✓✗] (?<name>\S+) \((?<reason>[^)]+)\)$/;

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {number} passed  Checks that passed.
 * @property {number} failed  Checks that failed; a scenario passes if there are none.
 * @property {string | undefined} notScored  Why the suite runs it without counting it.
 */

/**
 * @param {{ url: string, revision: string, timeoutMs: number }} target
 * @returns {Promise<{ scenarios: Scenario[], output: string }>}
 */
export async function runSuite({ url, revision, timeoutMs }) {
  const suite = join(keepTools('conformance'), '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const output = await collect(
    ['--import', SHIM, suite, 'server', '--url', url, '--requirements', revision],
    timeoutMs,
  );
  return { scenarios: readScenarios(output), output };
}

/**
 * The summary of the suite: one line per scenario, then those that are not scored.
 *
 * @param {string} output
 * @returns {Scenario[]}
 */
export function readScenarios(output) {
  const summary = output.slice(output.lastIndexOf('=== SUMMARY ===')).split('\n');
  const reasons = new Map();
  for (const line of summary) {
    const found = NOT_SCORED.exec(line)?.groups;
    if (found !== undefined) reasons.set(found.name, found.reason);
  }
  return summary.flatMap((line) => {
    const found = SCENARIO.exec(line)?.groups;
    if (found === undefined) return [];
    const { name, passed, failed } = found;
    return [{ name, passed: Number(passed), failed: Number(failed), notScored: reasons.get(name) }];
  });
}

function collect(args, timeoutMs) {
  return new Promise((resolve, reject) => {
    // The suite's exit code says only whether a scored scenario failed, which its summary says better.
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}
