/** Makes the servers that the official conformance suite talks to: everything it asks for, and nothing of Waymark's own. */
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  fromJsonSchema,
  McpServer,
  type JsonSchemaType,
} from '@modelcontextprotocol/server';
import type { ServerFactory } from '../../src/mcp/index.ts';
import { CLIENT_TOOLS } from './client-tools.ts';
import { CONTENT_TOOLS } from './content-tools.ts';
import { addPrompts } from './fixture-prompts.ts';
import { addResources } from './fixture-resources.ts';
import { createInputTools, type RoundState } from './input-tools.ts';
import { STREAM_TOOLS } from './stream-tools.ts';

/** Lists never change here, as in Waymark, so no notifications are promised. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false, subscribe: true },
  completions: {},
  logging: {},
};

export function createFixtureServers(): ServerFactory {
  const state = createRequestStateCodec<RoundState>({
    key: randomBytes(32),
    bind: ({ mcpReq }) => mcpReq.method,
  });
  const tools = [...CONTENT_TOOLS, ...STREAM_TOOLS, ...CLIENT_TOOLS, ...createInputTools(state)].map(
    (tool) => ({
      ...tool,
      inputSchema: fromJsonSchema<Record<string, unknown>>(
        // The SDK's type knows the standard's keywords only; the fixture needs one of the protocol's own.
        (tool.inputSchema ?? { type: 'object', properties: {} }) as JsonSchemaType,
      ),
    }),
  );
  return () => {
    const server = new McpServer(
      { name: 'waymark-conformance-fixture', version: '1.0.0' },
      { capabilities: CAPABILITIES, requestState: { verify: state.verify } },
    );
    for (const { name, description, inputSchema, run } of tools) {
      server.registerTool(name, { description, inputSchema }, run);
    }
    addPrompts(server);
    addResources(server);
    return server;
  };
}
