/**
 * `npm run conformance`: the official suite against Waymark's own HTTP edge, with the servers of test/conformance behind it.
 * `--write` also puts the table into docs/conformance.md, `--json FILE` keeps it as raw data; `--verbose` shows everything the suite said.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runSuite } from './conformance/run-suite.mjs';
import { currentLoad, describeCommand, writeFigures } from './figures/record.mjs';
import { ensureBuilt, ensureInstalled, root, talk } from './setup.mjs';

/**
 * What has to hold. The counts are part of it: a suite that ran fewer scenarios was not passed, and a check that no longer
 * passes may be skipped or a mere warning instead of a failure.
 */
const GOALS = [
  { revision: '2025-11-25', total: 33, passed: 33, scored: 30, checks: 83 },
  { revision: '2026-07-28', total: 50, passed: 41, scored: 37, checks: 162 },
];
const SUITE_MS = 180_000;
const START_MS = 60_000;
const PAGE = join(root, 'docs', 'conformance.md');

const { values } = parseArgs({
  options: { write: { type: 'boolean' }, json: { type: 'string' }, verbose: { type: 'boolean' } },
});
const started = { startedAt: new Date(), load: currentLoad() };
ensureInstalled();
ensureBuilt();

const fixture = startFixture();
const rows = [];
let ok = true;
try {
  const url = await fixture.url;
  for (const goal of GOALS) {
    talk(`requirements ${goal.revision} against ${url} …`);
    const { scenarios, output } = await runSuite({ url, revision: goal.revision, timeoutMs: SUITE_MS });
    if (values.verbose) talk(output);
    const run = countRun(scenarios);
    const met = meets(run, goal);
    ok &&= met;
    rows.push(renderRow(goal.revision, run));
    reportFailures(run);
    if (met) continue;
    if (!values.verbose) talk(output);
    talk(`requirements ${goal.revision}: the goal is ${JSON.stringify(goal)}`);
  }
} catch (error) {
  ok = false;
  talk(`error: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  await fixture.stop();
}

const table = [
  '| requirement set | scenarios passed | scored scenarios passed | checks passed | checks failed |',
  '|---|---|---|---|---|',
  ...rows,
].join('\n');
process.stdout.write(`${table}\n`);
if (values.write && ok) writePage(table);
if (values.json !== undefined)
  writeFigures(values.json, { command: describeCommand('conformance', []), text: table, ...started });
process.exit(ok ? 0 : 1);

/** The fixture ends when its input does, so it cannot outlive us even if we are killed. */
function startFixture() {
  const script = [join(root, 'scripts', 'run-ts.mjs'), join(root, 'test', 'conformance', 'fixture.ts')];
  const child = spawn(process.execPath, script, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  // A fixture that died has closed its input; that it died is said below.
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error('the fixture did not start in time')), START_MS);
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(late);
      resolve(text.trim());
    });
    child.once('close', () => reject(new Error('the fixture ended before the suite did')));
  });
  return {
    url,
    async stop() {
      child.stdin.end();
      const force = setTimeout(() => child.kill(), 10_000);
      await ended;
      clearTimeout(force);
    },
  };
}

function countRun(all) {
  const passes = ({ failed }) => failed === 0;
  const scored = all.filter(({ notScored }) => notScored === undefined);
  const sum = (key) => all.reduce((total, scenario) => total + scenario[key], 0);
  return {
    all,
    scored,
    passed: all.filter(passes),
    scoredPassed: scored.filter(passes),
    checksPassed: sum('passed'),
    checksFailed: sum('failed'),
  };
}

function meets(run, goal) {
  return (
    run.all.length === goal.total &&
    run.passed.length >= goal.passed &&
    run.scored.length === goal.scored &&
    run.scoredPassed.length === goal.scored &&
    run.checksPassed >= goal.checks
  );
}

function renderRow(revision, run) {
  const share = (part, whole) => `${part.length} of ${whole.length}`;
  const cells = [revision, share(run.passed, run.all), share(run.scoredPassed, run.scored)];
  return `| ${[...cells, run.checksPassed, run.checksFailed].join(' | ')} |`;
}

function reportFailures({ all }) {
  for (const { name, failed, notScored } of all.filter((scenario) => scenario.failed > 0)) {
    talk(`  ${name}: ${failed} checks failed${notScored === undefined ? '' : ` (not scored: ${notScored})`}`);
  }
}

function writePage(text) {
  const versionOf = (name, folder = root) =>
    JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages[`node_modules/${name}`]
      .version;
  const made = [
    `Suite: \`@modelcontextprotocol/conformance\` ${versionOf('@modelcontextprotocol/conformance', join(root, 'tools', 'conformance'))}.`,
    `SDK: \`@modelcontextprotocol/server\` ${versionOf('@modelcontextprotocol/server')}.`,
    `Node: ${process.versions.node}.`,
  ].join(' ');
  const page = readFileSync(PAGE, 'utf8');
  const block = `<!-- result -->\n${made}\n\n${text}\n<!-- /result -->`;
  writeFileSync(
    PAGE,
    page.replace(/<!-- result -->[\s\S]*<!-- \/result -->/, () => block),
  );
}
