/** The curl checks of the guide, run as they are printed. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { finished, serve } from '../support/waymark.ts';

const GUIDE = new URL('../../docs/guides/http.md', import.meta.url);
const MARK = '--- next block ---';

/** The fenced blocks that call curl, in order. */
function curlBlocks(): readonly string[] {
  const text = readFileSync(GUIDE, 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map((match) => match[1] ?? '')
    .filter((block) => block.includes('curl '));
}

test('R128 the three curl checks of the guide work as printed', async () => {
  const project = tempFolder({ 'package.json': '{}' });
  const { url } = await serve(['--project-from-cwd'], { cwd: project.path });
  const blocks = curlBlocks();

  // One shell, as the guide says; the server has a port of its own so that tests can run side by side.
  const shell = spawn('sh', ['-eu', '-c', blocks.join(`\necho; echo '${MARK}'\n`)], {
    cwd: project.path,
    env: { PATH: process.env['PATH'] ?? '', WAYMARK_URL: url },
  });
  onTestFinished(() => void shell.kill('SIGKILL'));
  shell.stdin.end();
  const { code, stdout, stderr } = await finished(shell);
  const [hello = '', called = '', stream = ''] = stdout.replaceAll('\r', '').split(MARK);

  expect({ blocks: blocks.length, code }).toEqual({ blocks: 3, code: 0 });
  expect(hello).toMatch(/^HTTP\/1\.1 200 OK$/m);
  expect(hello).toMatch(/^Mcp-Session-Id: [0-9a-f-]{36}$/m);
  expect(hello).toMatch(/"protocolVersion":"2025-11-25"/);
  expect(JSON.parse(called)).toMatchObject({ id: 2, result: { content: [{ type: 'text' }] } });
  expect(called).toContain(`(${project.path}, via cwd)`);
  expect(stream).toMatch(/^HTTP\/1\.1 200 OK$/m);
  expect(stream).toMatch(/^Content-Type: text\/event-stream$/m);
  expect(stream).toMatch(/^curl ended with 28$/m);
  expect(stderr).toMatch(/^(curl: \(28\).*\n)?$/);
});

test('R128 the guide names the port that is the default', () => {
  expect(readFileSync(GUIDE, 'utf8')).toContain('${WAYMARK_URL:-http://127.0.0.1:7411/mcp}');
});

test('the guide explains every status of the error matrix', async () => {
  const { MATRIX } = await import('./error-matrix-rows.ts');
  const text = readFileSync(GUIDE, 'utf8');
  const statuses = new Set(MATRIX.flatMap(({ legacy, modern }) => [legacy?.status, modern?.status]));

  const missing = [...statuses].filter(
    (status) => status !== undefined && status !== 204 && !text.includes(`| ${status} |`),
  );

  expect(missing).toEqual([]);
});
