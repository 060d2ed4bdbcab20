/** Layout is decided by oxfmt and needs no discussion. */
import { join } from 'node:path';
import { REPO_ROOT } from '../repo-root.mjs';
import { runTool, toolFailure } from './run-tool.mjs';

const OXFMT = join(REPO_ROOT, 'node_modules/oxfmt/bin/oxfmt');

/**
 * @param {string} root
 * @returns {Promise<import('../finding.mjs').Outcome>}
 */
export async function checkFormat(root) {
  const run = await runTool([OXFMT, '--list-different', '.'], root);
  if (run.code === 0) return { findings: [] };
  if (run.code !== 1) return { findings: [toolFailure('oxfmt', run)] };
  const paths = run.stdout.split('\n').filter((line) => line.trim() !== '');
  if (paths.length === 0) return { findings: [toolFailure('oxfmt', run)] };
  return {
    findings: paths.map((path) => ({ path, line: 1, message: 'Not formatted. Run `npm run format`.' })),
  };
}
