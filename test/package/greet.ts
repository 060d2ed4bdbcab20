/** A client of a server that was packaged, started as its package says. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'vitest';
import { z } from 'zod';

const { version: VERSION }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export interface Greeting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly look?: (client: Client) => Promise<void>;
}

export const entrySchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
});

/** Starts the server as an entry says, looks at it, and asks it which project it sees. */
export async function greet(
  entry: unknown,
  { cwd, env: own, look = async () => {} }: Greeting,
): Promise<unknown> {
  const { command, args, env = {} } = entrySchema.parse(entry);
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: { ...own, WAYMARK_STRUCTURED: 'true', ...env },
    stderr: 'pipe',
  });
  await client.connect(transport, { timeout: 120_000 });
  try {
    expect(client.getServerVersion()).toMatchObject({ name: 'waymark', version: VERSION });
    await look(client);
    const { structuredContent } = await client.callTool({ name: 'project_status', arguments: {} });
    return structuredContent;
  } finally {
    await client.close();
  }
}
