/** One SDK server for one connection or one request, built from the same parts each time and never shared. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type Tool as WireTool,
} from '@modelcontextprotocol/server';
import type { Logger } from '../core/index.ts';
import type { Detector, Transport } from '../project/index.ts';
import type { Tool, ToolAnswer } from '../tools/index.ts';
import { callTool } from './call-tool.ts';

export const INSTRUCTIONS = [
  'Waymark tells you which project you are in and how it knows.',
  'Call project_status when you start, or when an answer seems to come from the wrong project.',
].join('\n');

export interface ServerParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly detector: Detector;
  readonly logger: Logger;
}

export interface Connection {
  readonly transport: Transport;
}

export type ServerFactory = (connection: Connection) => Server;

/** Does once what every server needs, and returns a maker that is cheap enough to run per request. */
export function createServerFactory(parts: ServerParts): ServerFactory {
  const listing = { tools: parts.tools.map(toWireTool) };
  const tools = new Map(parts.tools.map((tool) => [tool.name, tool]));

  return (connection) => {
    const server = new Server(
      { name: 'waymark', version: parts.version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'public' } },
      },
    );
    server.setRequestHandler('tools/list', async () => listing);
    server.setRequestHandler('tools/call', async (request, context) => {
      const { name, arguments: args } = request.params;
      const answer = await callTool({ tools, logger: parts.logger }, name, args, {
        detect: async () => parts.detector.detect({ transport: connection.transport }),
        signal: context.mcpReq.signal,
        logger: parts.logger,
      });
      if (answer === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool: ${name}`);
      return toWireResult(answer);
    });
    return server;
  };
}

function toWireTool(tool: Tool): WireTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    // zod made these from object schemas, so they are objects; the SDK's type wants to hear it.
    inputSchema: tool.inputSchema as WireTool['inputSchema'],
    // Same as above.
    outputSchema: tool.outputSchema as NonNullable<WireTool['outputSchema']>,
    annotations: { title: tool.title, ...tool.hints },
  };
}

function toWireResult(answer: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: answer.text }],
    structuredContent: { ...answer.structured },
    ...(answer.isError === true ? { isError: true } : {}),
  };
}
