/** The MCP Inspector's command line, as its users run it, against the real binary. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome, finished, serveBinary } from '../support/waymark.ts';

const INSPECTOR = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);
const LIST = ['--method', 'tools/list'];
const CALL = ['--method', 'tools/call', '--tool-name', 'project_status'];

async function inspect(args: readonly string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [INSPECTOR, '--cli', ...args], { env: { ...emptyHome().env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end();
  const { code, stdout, stderr } = await finished(child);
  if (code !== 0) throw new Error(`the Inspector ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

test('R067 the Inspector lists and calls tools over stdio', async () => {
  const project = tempFolder({ 'package.json': '{}' });
  const target = ['--cwd', project.path, '--', process.execPath, BIN, 'mcp'];

  const listed = await inspect([...LIST, ...target]);
  const called = await inspect([...CALL, ...target]);

  expect(listed).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'project_status' })]),
  });
  expect(JSON.stringify(called['content'])).toContain(`(${project.path}, via cwd)`);
});

test('R067 the Inspector lists and calls tools over HTTP', async () => {
  const project = tempFolder({ 'package.json': '{}' });
  const { url } = await serveBinary(['--project-from-cwd'], { cwd: project.path });

  const listed = await inspect([url, ...LIST]);
  const called = await inspect([url, ...CALL]);
  const old = await inspect([url.replace(/mcp$/, 'sse'), ...LIST]);

  expect(listed).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'project_status' })]),
  });
  expect(JSON.stringify(called['content'])).toContain(`(${project.path}, via cwd)`);
  expect(old).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'project_status' })]),
  });
});
