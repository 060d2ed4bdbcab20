/** The product as an agent meets it on its first day: a server that was started just now, and the first calls it gets. */
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface FirstIndex {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** A word that is in the project. */
  readonly word: string;
}

/** From the call that indexes a project to the answer of a search that finds something in it. */
export async function timeFirstIndex({ root, env, word }: FirstIndex): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('dist/main.js'), 'mcp'],
      env: { ...env, WAYMARK_STRUCTURED: 'true' },
      stderr: 'ignore',
    }),
  );
  try {
    const started = performance.now();
    // A second call joins the running job.
    while ((await call(client, 'index_codebase', { project: root }))['state'] === 'running');
    const { hits } = await call(client, 'search_code', { project: root, query: word });
    const ms = performance.now() - started;
    if (!Array.isArray(hits) || hits.length === 0) throw new Error(`${word} is not found.`);
    return ms;
  } finally {
    await client.close();
  }
}

async function call(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
  if (isError === true) throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`);
  // Every tool of ours answers with an object.
  return structuredContent as Readonly<Record<string, unknown>>;
}
