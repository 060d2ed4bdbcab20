/** One SDK server for one connection or one request, built from the same parts each time and never shared. */
import {
  SUPPORTED_PROTOCOL_VERSIONS,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { InputNeeded, type Toolset } from '../core/index.ts';
import { CODEX_META } from '../project/index.ts';
import { callTool, readResource, type Prompt, type Resource, type Tool } from '../tools/index.ts';
import { createCrashReporter, exchangeOf, type UrlChoices } from '../transport/index.ts';
import { createCallContexts, type ConnectionParts } from './call-context.ts';
import type { ServerFactory } from './connection.ts';
import { SafeServer, unknownPrompt, unknownResource, unknownTool } from './error-answers.ts';
import { MODERN_VERSIONS } from './http/messages.ts';
import { createListings, createToolViews } from './listings.ts';
import { createRequestState, type RequestState, type StateKeys } from './request-state.ts';
import { askModernRoots } from './roots.ts';

export interface ServerParts extends ConnectionParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** The sets that are served where the URL chooses none; all of them if left out. */
  readonly toolsets?: readonly Toolset[];
  /** Whether successful answers have a structured form beside their text; failures always do. */
  readonly structured?: boolean;
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** The keys that sign the state which clients carry for us. Read when first needed. */
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
  const reportCrash = createCrashReporter(parts.logger, parts.newReference);
  const state = createRequestState(parts.stateKeys);
  const identity = { name: 'waymark', version: parts.version };
  const serverOptions = {
    capabilities: CAPABILITIES,
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
  /** A choice that is not valid is refused with the first message that depends on it. */
  const instructionsFor = (choices: UrlChoices | undefined): string => {
    try {
      return views(choices).instructions;
    } catch {
      return views(undefined).instructions;
    }
  };

  return ({ era, choices, ...connection }) => {
    const instructions = instructionsFor(choices);
    const options = { ...serverOptions, instructions };
    const server = new SafeServer(
      identity,
      era === 'modern' ? { ...options, supportedProtocolVersions: ALL_VERSIONS } : options,
      reportCrash,
    );
    const toCallContext = createCallContexts(server, { era, ...connection }, parts);
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
    server.setRequestHandler('tools/call', async ({ params }, context: ServerContext) => {
      const view = viewFor(context);
      const tool = view.find(params.name);
      if (tool === undefined) throw unknownTool(params.name);
      return asking(context, params, state, async () =>
        view.toResult(await callTool(tool, params.arguments, toCallContext(context, params))),
      );
    });
    server.setRequestHandler('resources/read', async ({ params }, context: ServerContext) =>
      asking(context, params, state, async () => {
        const found = await readResource(params.uri, parts.resources, toCallContext(context, params));
        if (found === undefined) throw unknownResource(params.uri);
        return { contents: [{ ...found }] };
      }),
    );
    server.setRequestHandler('prompts/get', async ({ params }, context: ServerContext) => {
      const prompt = prompts.get(params.name);
      if (prompt === undefined) throw unknownPrompt(params.name);
      return asking(context, params, state, async () => {
        const detection = await toCallContext(context, params).detect(undefined, { explain: false });
        const text = await prompt.render(detection, parts.services);
        return {
          description: prompt.description,
          messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
        };
      });
    });
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
