/** The compiler's opinion, for every tsconfig in the tree. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { REPO_ROOT } from '../repo-root.mjs';
import { runTool, toolFailure } from './run-tool.mjs';

/** @typedef {import('../finding.mjs').Finding} Finding */

const TSC = join(REPO_ROOT, 'node_modules/typescript/bin/tsc');
const PROJECTS = ['tsconfig.json', 'scripts/check/tsconfig.json', 'web/tsconfig.json', 'bench/tsconfig.json'];
const PLACE = /^(?<path>[^\s(][^(]*)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.*)$/;

/**
 * @param {string} root
 * @returns {Promise<import('../finding.mjs').Outcome>}
 */
export async function checkTypes(root) {
  const projects = PROJECTS.filter((project) => existsSync(join(root, project)));
  const runs = await Promise.all(
    projects.map((project) => runTool([TSC, '-p', project, '--noEmit', '--pretty', 'false'], root)),
  );
  return { findings: runs.flatMap((run) => (run.code === 0 ? [] : readErrors(run))) };
}

/**
 * @param {import('./run-tool.mjs').ToolRun} run
 * @returns {Finding[]}
 */
function readErrors(run) {
  /** @type {Finding[]} */
  const findings = [];
  for (const line of run.stdout.split('\n')) {
    const place = PLACE.exec(line)?.groups;
    const last = findings.at(-1);
    if (place !== undefined) {
      findings.push({
        path: place.path ?? '',
        line: Number(place.line),
        message: `${place.message} (${place.code})`,
      });
    } else if (last !== undefined && line.startsWith('  ')) {
      // The compiler explains itself on indented lines.
      last.message += `\n      ${line.trim()}`;
    }
  }
  return findings.length > 0 ? findings : [toolFailure('tsc', run)];
}
