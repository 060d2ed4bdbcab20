/** One line per request at debug, that says who asked for what and how it went. */
import { expect, test } from 'vitest';
import { send } from '../support/raw-http.ts';
import { legacy, modern, openSession, post, rpc } from '../support/rpc.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

const CALL = { id: 1, method: 'tools/call', params: { name: 'project_status', arguments: {} } };

function lineOf(text: string): unknown {
  return JSON.parse(text);
}

test('an access line names verb, method, tool, era, client, project source, time, bytes and status', async () => {
  const project = tempFolder({ 'package.json': '{}' });
  const { port, saw } = await serve(['--log-level', 'debug', '--log-format', 'json', '--project-from-cwd'], {
    cwd: project.path,
  });
  const session = await openSession(port);

  const old = await send(port, legacy(session, CALL));
  const now = await send(port, modern(CALL));
  const [hello] = await saw(/^\{.*"method":"initialize".*\}$/m);
  const [legacyLine] = await saw(/^\{.*"method":"tools\/call".*"era":"legacy".*\}$/m);
  const [modernLine] = await saw(/^\{.*"method":"tools\/call".*"era":"modern".*\}$/m);

  const shared = { message: 'request', verb: 'POST', path: '/mcp', tool: 'project_status', project: 'cwd' };
  expect(lineOf(hello)).toMatchObject({ client: 'legacy-test', status: 200 });
  expect(lineOf(legacyLine)).toMatchObject({
    ...shared,
    client: 'legacy-test',
    status: 200,
    bytes: Buffer.byteLength(old.text),
    ms: expect.any(Number),
  });
  expect(lineOf(modernLine)).toMatchObject({
    ...shared,
    client: 'modern-test',
    bytes: Buffer.byteLength(now.text),
  });
});

test('a client cannot write log lines with its name', async () => {
  const { port, saw } = await serve(['--log-level', 'debug']);
  const clientInfo = { name: `x\n2026 error forged ${'y'.repeat(500)}`, version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

  await send(port, post(rpc({ id: 1, method: 'initialize', params })));
  const [line] = await saw(/^.* method=initialize .*$/m);

  expect(line).toContain('forged');
  expect(line).toMatch(/ status=200$/);
  expect(line).not.toContain('y'.repeat(65));
});

test('nothing is logged of a request at the default level', async () => {
  const { port, saw } = await serve();
  await send(port, modern(CALL));
  await send(port, { method: 'GET', path: '/', headers: { host: 'testserver' } });

  const [all] = await saw(/^[^]*Invalid Host header: testserver[^]*$/);

  expect(all).not.toContain(' debug ');
});
