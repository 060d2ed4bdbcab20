/** The official SDKs' own clients, both versions and both eras, against the real binary. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { collectEnds, tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome, serveBinary } from '../support/waymark.ts';

const NAME = { name: 'waymark-test', version: '1.0.0' };

interface Called {
  readonly tools: readonly string[];
  readonly text: string;
  readonly resource: string;
  readonly prompt: string;
}

/** Everything a client does with a server: lists, calls, reads, gets. */
async function useAll(client: ClientV1 | ClientV2): Promise<Called> {
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const called = await client.callTool({ name: 'project_status', arguments: {} });
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0]?.uri ?? '' });
  const { prompts } = await client.listPrompts();
  const got = await client.getPrompt({ name: prompts[0]?.name ?? '' });
  return {
    tools: tools.map((tool) => tool.name),
    text: JSON.stringify(called.content),
    resource: JSON.stringify(read.contents),
    prompt: JSON.stringify(got.messages),
  };
}

function checkAll(called: Called, root: string): void {
  expect(called.tools).toContain('project_status');
  for (const text of [called.text, called.resource, called.prompt])
    expect(text).toContain(`(${root}, via cwd)`);
}

function stdioTarget() {
  const project = tempFolder({ 'package.json': '{}' });
  const home = emptyHome();
  return {
    project,
    how: { command: process.execPath, args: [BIN, 'mcp'], cwd: project.path, env: { ...home.env } },
  };
}

let http: { readonly project: TempFolder; readonly url: URL };

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  const project = tempFolder({ 'package.json': '{}' }, onEnd);
  const { url } = await serveBinary(['--project-from-cwd'], { cwd: project.path, onEnd });
  http = { project, url: new URL(url) };
  return end;
});

const V2_MODES = [
  { label: 'legacy', negotiation: { mode: 'legacy' } },
  { label: 'modern', negotiation: { mode: { pin: '2026-07-28' } } },
  { label: 'auto', negotiation: { mode: 'auto' } },
] as const;

describe('R067 the official clients connect and use everything', () => {
  test('version 1 over stdio', async () => {
    const { project, how } = stdioTarget();
    const client = new ClientV1(NAME);
    await client.connect(new StdioV1(how));

    checkAll(await useAll(client), project.path);
    expect(await client.ping()).toEqual({});
  });

  test('version 1 over Streamable HTTP', async () => {
    const { project, url } = http;
    const client = new ClientV1(NAME);
    const transport = new HttpV1(url);
    await client.connect(transport);

    checkAll(await useAll(client), project.path);
    expect(await client.ping()).toEqual({});
    await transport.terminateSession();
  });

  test.each(['/sse', '/mcp', '/mcp/sse'])('version 1 over HTTP+SSE on %s', async (path) => {
    const { project, url } = http;
    const client = new ClientV1(NAME);
    await client.connect(new SseV1(new URL(path, url)));

    checkAll(await useAll(client), project.path);
    expect(await client.ping()).toEqual({});
  });

  test.each(V2_MODES)('version 2, $label, over stdio', async ({ negotiation }) => {
    const { project, how } = stdioTarget();
    const client = new ClientV2(NAME, { versionNegotiation: negotiation });
    await client.connect(new StdioV2(how));

    checkAll(await useAll(client), project.path);
  });

  test.each(V2_MODES)('version 2, $label, over HTTP', async ({ negotiation }) => {
    const { project, url } = http;
    const client = new ClientV2(NAME, { versionNegotiation: negotiation });
    await client.connect(new HttpV2(url));

    checkAll(await useAll(client), project.path);
  });

  test('version 2, legacy, pings', async () => {
    const client = new ClientV2(NAME, { versionNegotiation: { mode: 'legacy' } });
    onTestFinished(() => client.close());
    await client.connect(new HttpV2(http.url));

    expect(await client.ping()).toEqual({});
  });
});
