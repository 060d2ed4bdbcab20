/** Runs an installed tool and collects what it prints, whatever its exit code. */
import { spawn } from 'node:child_process';

/** @typedef {{ code: number | null, stdout: string, stderr: string }} ToolRun */

/**
 * @param {readonly string[]} command  A script for Node and its arguments.
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} env  Added to the environment.
 * @returns {Promise<ToolRun>}
 */
export function runTool(command, cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * A tool that failed without naming a place must not look like success.
 * @param {string} tool
 * @param {ToolRun} run
 * @returns {import('../finding.mjs').Finding}
 */
export function toolFailure(tool, run) {
  const output = `${run.stderr}\n${run.stdout}`.trim().replaceAll('\n', '\n    ');
  return {
    path: tool,
    line: 1,
    message: `${tool} itself failed (exit code ${run.code}). It says:\n    ${output}`,
  };
}
