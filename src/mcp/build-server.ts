/** One SDK server for one connection or one request, built from the same parts each time and never shared. */
import {
  SUPPORTED_PROTOCOL_VERSIONS,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { InputNeeded, TOOLSETS, type Toolset } from '../core/index.ts';
import { CODEX_META } from '../project/index.ts';
import {
  type ProgressStep,
  type Prompt,
  type Resource,
  type Tool,
  type ToolServices,
} from '../tools/index.ts';
import { callTool } from './call-tool.ts';
import { clientName } from './client-name.ts';
import type { ServerFactory } from './connection.ts';
import {
  createConnectionProject,
  type ConnectionProject,
  type ConnectionProjectParts,
} from './connection-project.ts';
import { MODERN_VERSIONS } from './http/classify.ts';
import { exchangeOf } from './http/exchange.ts';
import { createCrashGuard } from './crash-guard.ts';
import { renderInstructions } from './instructions.ts';
import { askModernRoots } from './modern-roots.ts';
import { readResource } from './read-resource.ts';
import { createRequestState, type RequestState, type StateKeys } from './request-state.ts';
import { StrictServer } from './strict-server.ts';
import { createToolViews } from './tool-views.ts';
import { createListings, unknownPrompt, unknownResource, unknownTool } from './wire.ts';

export interface ServerParts extends ConnectionProjectParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** The sets that are served to whoever does not choose; all of them if left out. */
  readonly toolsets?: readonly Toolset[];
  /** Whether successful answers have a structured form beside their text; failures always do. */
  readonly structured?: boolean;
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** What tools work with. */
  readonly services: ToolServices;
  /** The keys that state is signed with which clients carry for us. Read when first needed. */
  readonly stateKeys: () => StateKeys;
  /** A short name for a failure, said to the client and written to the log. */
  readonly newReference: () => string;
}

/** Nothing in a listing depends on who asks, so clients and proxies may share it for a while. */
const LISTING = { ttlMs: 300_000, cacheScope: 'public' } as const;

const CAPABILITIES = {
  tools: {},
  resources: {},
  prompts: {},
  completions: {},
  logging: {},
  // Codex tells its working directory with every call to servers that declare this.
  experimental: { [CODEX_META]: {} },
} as const;

/** The SDK's list is the legacy one; a server that also lists this revision may serve it on any modern transport. */
const ALL_VERSIONS = [...SUPPORTED_PROTOCOL_VERSIONS, ...MODERN_VERSIONS];

/** Does once what every server needs, and returns a maker that is cheap enough to run per request. */
export function createServerFactory(parts: ServerParts): ServerFactory {
  const listings = createListings(parts);
  const views = createToolViews(parts.tools, parts);
  const viewFor = (context: ServerContext) => views(exchangeOf(context.http?.req)?.choices);
  const prompts = new Map(parts.prompts.map((prompt) => [prompt.name, prompt]));
  const guard = createCrashGuard(parts.logger, parts.newReference);
  const state = createRequestState(parts.stateKeys);
  const identity = { name: 'waymark', version: parts.version };
  const serverOptions = {
    capabilities: CAPABILITIES,
    instructions: renderInstructions(parts.toolsets ?? TOOLSETS),
    // One for all servers: the SDK would otherwise make one for every request. The build leaves its default, Ajv, out.
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    requestState: { verify: (text: string, context: ServerContext) => state.verify(text, context) },
    cacheHints: {
      'tools/list': LISTING,
      'prompts/list': LISTING,
      'resources/list': LISTING,
      'resources/templates/list': LISTING,
      'server/discover': LISTING,
    },
  };

  const modernOptions = { ...serverOptions, supportedProtocolVersions: ALL_VERSIONS };

  return (connection) => {
    const server = new StrictServer(identity, connection.era === 'modern' ? modernOptions : serverOptions);
    const project = createConnectionProject(server, connection, parts);
    server.setRequestHandler(
      'tools/list',
      async (_request, context: ServerContext) => viewFor(context).listing,
    );
    server.setRequestHandler('resources/list', async () => listings.resources);
    server.setRequestHandler('resources/templates/list', async () => listings.templates);
    server.setRequestHandler('prompts/list', async () => listings.prompts);
    server.setRequestHandler('completion/complete', async () => ({
      completion: { values: [], total: 0, hasMore: false },
    }));
    server.setRequestHandler(
      'tools/call',
      guard('tools/call', async ({ params }, context: ServerContext) => {
        const view = viewFor(context);
        const tool = view.find(params.name);
        if (tool === undefined) throw unknownTool(params.name);
        return asking(context, params, state, async () =>
          view.toResult(
            await callTool(tool, params.arguments, {
              ...surroundings(parts, project, context, params),
              client: clientName(server, context),
            }),
          ),
        );
      }),
    );
    server.setRequestHandler(
      'resources/read',
      guard('resources/read', async ({ params }, context: ServerContext) => {
        return asking(context, params, state, async () => {
          const found = await readResource(params.uri, {
            resources: parts.resources,
            services: parts.services,
            detect: (argument, explain) => project.detect(context, params, { argument, explain }),
          });
          if (found === undefined) throw unknownResource(params.uri);
          return { contents: [{ ...found }] };
        });
      }),
    );
    server.setRequestHandler(
      'prompts/get',
      guard('prompts/get', async ({ params }, context: ServerContext) => {
        const prompt = prompts.get(params.name);
        if (prompt === undefined) throw unknownPrompt(params.name);
        return asking(context, params, state, async () => {
          const detection = await project.detect(context, params, { explain: false });
          const text = await prompt.render(detection, parts.services);
          return {
            description: prompt.description,
            messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
          };
        });
      }),
    );
    return server;
  };
}

/** Where an answer needs the client's roots first, the answer is the question. */
async function asking<Result>(
  context: ServerContext,
  params: unknown,
  state: RequestState,
  answer: () => Promise<Result>,
): Promise<Result | InputRequiredResult> {
  try {
    return await answer();
  } catch (thrown) {
    if (!(thrown instanceof InputNeeded)) throw thrown;
    return askModernRoots(context, params, state);
  }
}

function surroundings(
  parts: ServerParts,
  project: ConnectionProject,
  context: ServerContext,
  params: unknown,
) {
  const token = context.mcpReq._meta?.progressToken;
  return {
    logger: parts.logger,
    signal: context.mcpReq.signal,
    services: parts.services,
    detect: (argument: string | undefined, explain: boolean) =>
      project.detect(context, params, { argument, explain }),
    detectUnasked: (argument: string | undefined) =>
      project.detect(context, params, { argument, explain: false, unasked: true }),
    name: (text: string) => project.name(text),
    choose: project.choose,
    git: project.git,
    recheck: project.recheck,
    candidates: project.candidates,
    tipFor: project.tipFor,
    async progress({ done, total, message }: ProgressStep) {
      if (token === undefined) return;
      const report = { progressToken: token, progress: done, total, message };
      // A client that went away does not want to hear of progress either.
      await context.mcpReq.notify({ method: 'notifications/progress', params: report }).catch(() => {});
    },
  };
}
