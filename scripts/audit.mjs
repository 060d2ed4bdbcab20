/** `npm run audit`: known vulnerabilities in what users install. Where the registry does not answer, it says so and fails nothing. */
import { spawnSync } from 'node:child_process';
import { root } from './setup.mjs';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' });
const report = parse(stdout);
if (report?.vulnerabilities === undefined) {
  process.stdout.write('The registry does not answer `npm audit`: nothing was checked.\n');
} else {
  const found = Object.values(report.vulnerabilities);
  for (const { name, severity } of found) process.stdout.write(`${severity}: ${name}\n`);
  process.stdout.write(`${found.length} known vulnerabilities in the production tree\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
