/** The official SDKs' own clients, both versions and both eras, against the real binary. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome, serve } from '../support/waymark.ts';

const NAME = { name: 'waymark-test', version: '1.0.0' };

interface Called {
  readonly names: readonly string[];
  readonly text: string;
}

async function callProjectStatus(client: ClientV1 | ClientV2): Promise<Called> {
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: 'project_status', arguments: {} });
  return { names: tools.map((tool) => tool.name), text: JSON.stringify(result.content) };
}

function stdioTarget() {
  const project = tempFolder({ 'package.json': '{}' });
  const home = emptyHome();
  return {
    project,
    how: { command: process.execPath, args: [BIN, 'mcp'], cwd: project.path, env: { ...home.env } },
  };
}

async function httpTarget() {
  const project = tempFolder({ 'package.json': '{}' });
  const { url } = await serve(['--project-from-cwd'], { cwd: project.path });
  return { project, url: new URL(url) };
}

const V2_MODES = [
  { label: 'legacy', negotiation: { mode: 'legacy' } },
  { label: 'modern', negotiation: { mode: { pin: '2026-07-28' } } },
  { label: 'auto', negotiation: { mode: 'auto' } },
] as const;

describe('project_status answers the official clients', () => {
  test('version 1 over stdio', async () => {
    const { project, how } = stdioTarget();
    const client = new ClientV1(NAME);
    await client.connect(new StdioV1(how));

    const called = await callProjectStatus(client);

    expect(called.names).toContain('project_status');
    expect(called.text).toContain(`(${project.path}, via cwd)`);
  });

  test('version 1 over HTTP', async () => {
    const { project, url } = await httpTarget();
    const client = new ClientV1(NAME);
    await client.connect(new HttpV1(url));

    const called = await callProjectStatus(client);

    expect(called.names).toContain('project_status');
    expect(called.text).toContain(`(${project.path}, via cwd)`);
  });

  test.each(V2_MODES)('version 2, $label, over stdio', async ({ negotiation }) => {
    const { project, how } = stdioTarget();
    const client = new ClientV2(NAME, { versionNegotiation: negotiation });
    await client.connect(new StdioV2(how));

    const called = await callProjectStatus(client);

    expect(called.names).toContain('project_status');
    expect(called.text).toContain(`(${project.path}, via cwd)`);
  });

  test.each(V2_MODES)('version 2, $label, over HTTP', async ({ negotiation }) => {
    const { project, url } = await httpTarget();
    const client = new ClientV2(NAME, { versionNegotiation: negotiation });
    await client.connect(new HttpV2(url));

    const called = await callProjectStatus(client);

    expect(called.names).toContain('project_status');
    expect(called.text).toContain(`(${project.path}, via cwd)`);
  });
});
