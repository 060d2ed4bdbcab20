/** `npm run check`: runs every step and says in plain words what is wrong and what to do instead. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { renderFindings } from './check/finding.mjs';
import { REPO_ROOT } from './check/repo-root.mjs';
import { readSourceTree } from './check/source-tree.mjs';
import { STEPS } from './check/steps.mjs';

const USAGE = `usage: node scripts/check.mjs [--root DIR] [--only NAME,...] [--report FILE]\nsteps: ${STEPS.map((step) => step.name).join(', ')}`;

/** @param {string | undefined} only */
function chooseSteps(only) {
  if (only === undefined) return STEPS;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) throw new Error(`There is no step called ${unknown.join(', ')}.`);
  return STEPS.filter((step) => names.includes(step.name));
}

function parseCommandLine() {
  try {
    const { values } = parseArgs({
      options: { root: { type: 'string' }, only: { type: 'string' }, report: { type: 'string' } },
    });
    const root = resolve(values.root ?? REPO_ROOT);
    if (!existsSync(root)) throw new Error(`There is no folder ${root}.`);
    return {
      root,
      steps: chooseSteps(values.only),
      report: values.report,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}

/**
 * @param {import('./check/steps.mjs').Step} step
 * @param {import('./check/steps.mjs').Subject} subject
 */
async function runTimed(step, subject) {
  const startedAt = performance.now();
  const outcome = await step.run(subject);
  return { step, outcome, seconds: (performance.now() - startedAt) / 1000 };
}

const { root, steps, report } = parseCommandLine();
const width = Math.max(...steps.map((step) => step.name.length)) + 2;
/** @type {Promise<import('./check/source-tree.mjs').SourceTree> | undefined} */
let reading;
const subject = { root, tree: () => (reading ??= readSourceTree(root)) };
// All steps start at once; their lines are printed in the order of the list.
const runs = steps.map((step) => runTimed(step, subject));
const summary = [];
for (const run of runs) {
  const { step, outcome, seconds } = await run;
  const failed = outcome.findings.length > 0;
  summary.push({ name: step.name, ok: !failed });
  const note = outcome.note === undefined ? '' : `  ${outcome.note}`;
  process.stdout.write(
    `${step.name.padEnd(width)}${failed ? 'FAILED' : 'ok'}  ${seconds.toFixed(1)} s${note}\n`,
  );
  if (failed) process.stdout.write(`${renderFindings(outcome.findings, step.hint)}\n`);
}
// For the test command, which counts steps and tests together.
if (report !== undefined) writeFileSync(report, JSON.stringify(summary));
process.exitCode = summary.every((step) => step.ok) ? 0 : 1;
