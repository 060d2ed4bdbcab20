/** oxlint with type-aware rules; findings are put into our own words where we have some. */
import { join, relative } from 'node:path';
import { REPO_ROOT } from '../repo-root.mjs';
import { LINT_ADVICE } from './lint-advice.mjs';
import { runTool, toolFailure } from './run-tool.mjs';

const OXLINT = join(REPO_ROOT, 'node_modules/oxlint/bin/oxlint');
// Elsewhere, oxlint would look for the type-aware engine below the tree it checks.
const ENGINE = { OXLINT_TSGOLINT_PATH: join(REPO_ROOT, 'node_modules/.bin/tsgolint') };
const ARGUMENTS = ['--type-aware', '--report-unused-disable-directives-severity=error', '--format=json', '.'];

/**
 * @typedef {object} Diagnostic
 * @property {string} message
 * @property {string} [code]  `plugin(rule)`
 * @property {string} [help]
 * @property {string} [note]  The way around, for a cycle.
 * @property {string} [filename]
 * @property {ReadonlyArray<{ span: { line: number } }>} labels
 */

/**
 * @param {string} root
 * @returns {Promise<import('../finding.mjs').Outcome>}
 */
export async function checkLint(root) {
  const run = await runTool([OXLINT, ...ARGUMENTS], root, relative(REPO_ROOT, root) === '' ? {} : ENGINE);
  const diagnostics = parseReport(run.stdout);
  if (diagnostics === undefined || (run.code !== 0 && diagnostics.length === 0)) {
    return { findings: [toolFailure('oxlint', run)] };
  }
  return { findings: diagnostics.map(toFinding) };
}

/**
 * @param {string} text
 * @returns {readonly Diagnostic[] | undefined}
 */
function parseReport(text) {
  try {
    return JSON.parse(text).diagnostics;
  } catch {
    return undefined;
  }
}

/**
 * @param {Diagnostic} diagnostic
 * @returns {import('../finding.mjs').Finding}
 */
function toFinding({ message, code, help, note, filename, labels }) {
  const rule = /\((.*)\)/.exec(code ?? '')?.[1] ?? code;
  const way = rule === 'no-cycle' ? [...(note ?? '').matchAll(/\((\S+)\)/g)].map(([, path]) => path) : [];
  const what = way.length === 0 ? message : `Import cycle: ${[filename, ...way].join(' → ')}`;
  const words = [endSentence(what), rule === undefined ? undefined : LINT_ADVICE[rule]];
  if (words[1] === undefined && help) words.push(endSentence(help));
  return {
    path: filename || 'oxlint',
    line: labels[0]?.span.line ?? 1,
    message: `${words.filter(Boolean).join(' ')}${rule === undefined ? '' : ` [${rule}]`}`,
  };
}

/** @param {string} text */
function endSentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
