/** One SDK server for one connection or one request, built from the same parts each time and never shared. */
import type { Server, jsonSchemaValidator, ServerContext } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Logger } from '../core/index.ts';
import type { Detector } from '../project/index.ts';
import type { Prompt, Resource, Tool, ToolCall } from '../tools/index.ts';
import { callTool } from './call-tool.ts';
import { createCrashGuard } from './crash-guard.ts';
import { exchangeOf } from './http/exchange.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { StrictServer } from './strict-server.ts';
import { createListings, toWireResult, unknownPrompt, unknownResource, unknownTool } from './wire.ts';

export interface ServerParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly detector: Detector;
  readonly logger: Logger;
  /** A short name for a failure, said to the client and written to the log. */
  readonly newReference: () => string;
}

export interface Connection {
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly era: 'legacy' | 'modern';
}

export type ServerFactory = (connection: Connection) => Server;

/** Nothing in a listing depends on who asks, so clients and proxies may share it for a while. */
const LISTING = { ttlMs: 300_000, cacheScope: 'public' } as const;

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} } as const;

/** Does once what every server needs, and returns a maker that is cheap enough to run per request. */
export function createServerFactory(parts: ServerParts): ServerFactory {
  const listings = createListings(parts);
  const tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  const resources = new Map(parts.resources.map((resource) => [resource.uri, resource]));
  const prompts = new Map(parts.prompts.map((prompt) => [prompt.name, prompt]));
  const guard = createCrashGuard(parts.logger, parts.newReference);
  const serverOptions = {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    // One for all servers: the SDK would otherwise build a schema compiler for every request.
    jsonSchemaValidator: lazyValidator(),
    cacheHints: {
      'tools/list': LISTING,
      'prompts/list': LISTING,
      'resources/list': LISTING,
      'resources/templates/list': LISTING,
      'server/discover': LISTING,
    },
  };

  const toCall = (connection: Connection, context: ServerContext): ToolCall => ({
    async detect() {
      const detection = parts.detector.detect({
        transport: connection.transport === 'stdio' ? 'stdio' : 'http',
      });
      const note = exchangeOf(context.http?.req)?.note;
      if (note !== undefined) note.projectSource = detection.kind === 'found' ? detection.source : 'none';
      return detection;
    },
    signal: context.mcpReq.signal,
    logger: parts.logger,
  });

  return (connection) => {
    const server = new StrictServer({ name: 'waymark', version: parts.version }, serverOptions);
    server.setRequestHandler('tools/list', async () => listings.tools);
    server.setRequestHandler('resources/list', async () => listings.resources);
    server.setRequestHandler('resources/templates/list', async () => listings.templates);
    server.setRequestHandler('prompts/list', async () => listings.prompts);
    server.setRequestHandler('completion/complete', async () => ({
      completion: { values: [], total: 0, hasMore: false },
    }));
    server.setRequestHandler(
      'tools/call',
      guard('tools/call', async ({ params }, context: ServerContext) => {
        const answer = await callTool(
          { tools, logger: parts.logger },
          params.name,
          params.arguments,
          toCall(connection, context),
        );
        if (answer === undefined) throw unknownTool(params.name);
        return toWireResult(answer);
      }),
    );
    server.setRequestHandler(
      'resources/read',
      guard('resources/read', async ({ params }, context: ServerContext) => {
        const resource = resources.get(params.uri);
        if (resource === undefined) throw unknownResource(params.uri);
        const text = await resource.read(toCall(connection, context));
        return { contents: [{ uri: resource.uri, mimeType: resource.mimeType, text }] };
      }),
    );
    server.setRequestHandler(
      'prompts/get',
      guard('prompts/get', async ({ params }, context: ServerContext) => {
        const prompt = prompts.get(params.name);
        if (prompt === undefined) throw unknownPrompt(params.name);
        const text = await prompt.render(toCall(connection, context));
        return {
          description: prompt.description,
          messages: [{ role: 'user', content: { type: 'text', text } }],
        };
      }),
    );
    return server;
  };
}

/** The schema compiler is only needed to check what a user typed into a form, which Waymark never asks for. */
function lazyValidator(): jsonSchemaValidator {
  let validator: jsonSchemaValidator | undefined;
  return { getValidator: (schema) => (validator ??= new AjvJsonSchemaValidator()).getValidator(schema) };
}
