/** An MCP server of the SDK with Waymark's listings, instructions and handlers. */
import { type Toolset, parseToolsets, TOOLSETS, InputNeeded } from '../core/index.ts';
import { CODEX_META } from '../project/index.ts';
import {
  describeTool,
  RESOURCE_TEMPLATES,
  type Prompt,
  type Resource,
  type Tool,
  type ToolAnswer,
  callTool,
  readResource,
} from '../tools/index.ts';
import { type UrlChoices, createCrashReporter, exchangeOf } from '../transport/index.ts';
import {
  createCallContexts,
  createClientNames,
  type ConnectionParts,
  askModernRoots,
} from './call-context.ts';
import type { ServerFactory } from './connection.ts';
import { SafeServer, unknownPrompt, unknownResource, unknownTool } from './error-answers.ts';
import { MODERN_VERSIONS } from './http/messages.ts';
import { parseStructured } from './http/request-checks.ts';
import { createRequestState, type RequestState, type StateKeys } from './request-state.ts';
import {
  type CallToolResult,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type Tool as WireTool,
  SUPPORTED_PROTOCOL_VERSIONS,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';

interface Line {
  /** The set whose tools it speaks of; without one it always holds. */
  readonly set?: Toolset;
  readonly text: string;
}

const LINES: readonly Line[] = [
  { text: 'Waymark knows the project you work in: its code, and what was learned in earlier sessions.' },
  {
    set: 'memory',
    text:
      '- When a session starts: checkpoint_resume says where the work stood and what is next.\n' +
      '- Before you start on something, and before you debug an error: recall, with the task or the message. It knows fixes, ' +
      'decisions, how things are done here and what the user prefers.',
  },
  {
    set: 'search',
    text:
      '- To find or understand code: search_code, before grep or reading files. Ask in a sentence, name a symbol, quote exact ' +
      'text or give a /regex/. The index is made and kept up to date by itself.',
  },
  {
    set: 'structure',
    text: '- Before you change or rename something: find_references says who uses it, get_file_impact which tests to run.',
  },
  {
    set: 'memory',
    text:
      '- When you learned something: remediation_save for an error that is fixed and verified, fact_save for a convention or ' +
      'preference, skill_save for a procedure. What no longer holds: memory_change.\n' +
      '- Before you stop, and before context is lost: checkpoint_save with what is done, decided and next.',
  },
  {
    set: 'project',
    text:
      'Answers name the project they speak of. If it is the wrong one, or none: switch_project with the absolute path of the ' +
      'folder you work in, or pass it as project with a call. project_status says how the project was found.',
  },
];

/** Speaks of no tool that is not served. */
export function renderInstructions(toolsets: readonly Toolset[]): string {
  return LINES.filter(({ set }) => set === undefined || toolsets.includes(set))
    .map(({ text }) => text)
    .join('\n');
}

/** One choice of toolsets and of the answers' form. Depends on the choice alone, never on the client. */
export interface ToolView {
  readonly listing: ListToolsResult;
  readonly instructions: string;
  /** By its name or an alias; undefined if there is none in these sets. */
  find(name: string): Tool | undefined;
  /** An answer in the form that the listing promises. */
  readonly toResult: (answer: ToolAnswer) => CallToolResult;
}

/** What holds where a URL chooses nothing. */
export interface ServedByDefault {
  readonly toolsets?: readonly Toolset[] | undefined;
  readonly structured?: boolean | undefined;
}

/** Views are cached: there are few choices, and a listing must cost nothing. */
export type ToolViews = (choices: UrlChoices | undefined) => ToolView;

export function createToolViews(
  tools: readonly Tool[],
  { toolsets = TOOLSETS, structured = false }: ServedByDefault = {},
): ToolViews {
  const views = new Map<string, ToolView>();
  const viewOf = (sets: readonly Toolset[], isStructured: boolean): ToolView => {
    const key = `${sets.join()} ${isStructured}`;
    const served = tools.filter(({ toolset }) => sets.includes(toolset));
    const view = views.get(key) ?? createView(served, sets, isStructured);
    views.set(key, view);
    return view;
  };
  const usual = viewOf(toolsets, structured);
  return (choices) =>
    choices?.toolsets === undefined && choices?.structured === undefined
      ? usual
      : viewOf(
          choices.toolsets === undefined ? toolsets : parseToolsets(choices.toolsets),
          parseStructured(choices.structured) ?? structured,
        );
}

function createView(tools: readonly Tool[], sets: readonly Toolset[], isStructured: boolean): ToolView {
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
  );
  let listing: ListToolsResult | undefined;
  return {
    get listing() {
      const isAll = sets.length === TOOLSETS.length;
      const listed = tools.filter(({ unlisted }) => isAll || !unlisted);
      return (listing ??= { tools: listed.map((tool) => toWireTool(tool, isStructured)) });
    },
    get instructions() {
      return renderInstructions(sets);
    },
    find: (name) => byName.get(name),
    toResult: isStructured ? toFullResult : toTextResult,
  };
}

export interface Listings {
  readonly resources: ListResourcesResult;
  readonly templates: ListResourceTemplatesResult;
  readonly prompts: ListPromptsResult;
}

export function createListings(parts: {
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}): Listings {
  return {
    resources: {
      resources: parts.resources.map(({ uri, name, title, description, mimeType }) => ({
        uri,
        name,
        title,
        description,
        mimeType,
      })),
    },
    templates: {
      resourceTemplates: RESOURCE_TEMPLATES.map((template) => ({ ...template, mimeType: 'text/markdown' })),
    },
    prompts: { prompts: parts.prompts.map(({ name, title, description }) => ({ name, title, description })) },
  };
}

/** Text alone: some clients hand their model only the structured form where there is one. */
function toTextResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return isError === true
    ? toFullResult({ text, structured, isError })
    : { content: [{ type: 'text', text }] };
}

function toFullResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...structured },
    ...(isError === true ? { isError: true } : {}),
  };
}

function toWireTool(tool: Tool, isStructured: boolean): WireTool {
  // zod made the schemas from object schemas, so they are objects; the SDK's types want to see that.
  const inputSchema = tool.inputSchema as WireTool['inputSchema'];
  // As above.
  const outputSchema = tool.outputSchema as NonNullable<WireTool['outputSchema']>;
  return { ...describeTool(tool), inputSchema, ...(isStructured ? { outputSchema } : {}) };
}

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
  readonly stateKeys: () => StateKeys | Promise<StateKeys>;
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
  const viewFor = ({ http }: ServerContext) => views(http && exchangeOf(http.req)?.choices);
  const prompts = new Map(parts.prompts.map((prompt) => [prompt.name, prompt]));
  const reportCrash = createCrashReporter(parts.logger, parts.newReference);
  const state = createRequestState(parts.stateKeys);
  const identity = { name: 'waymark', version: parts.version };
  const callParts = parts.observe === undefined ? parts : { ...parts, nameClient: createClientNames() };
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

  const factory: ServerFactory = ({ era, choices, ...connection }) => {
    const instructions = instructionsFor(choices);
    const options = { ...serverOptions, instructions };
    const server = new SafeServer(
      identity,
      era === 'modern' ? { ...options, supportedProtocolVersions: ALL_VERSIONS } : options,
      reportCrash,
    );
    const toCallContext = createCallContexts(server, { era, ...connection }, callParts);
    server.setRequestHandler('tools/list', async ({ params }, context: ServerContext) => {
      const { observe } = parts;
      if (observe !== undefined) {
        const { clientName, transport, principal } = toCallContext(context, params);
        observe.listing({ client: clientName(), transport, principal });
      }
      return viewFor(context).listing;
    });
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
        const call = toCallContext(context, params);
        const detection = await call.detect(undefined, { explain: false });
        const text = await prompt.render(detection, call.services);
        return {
          description: prompt.description,
          messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
        };
      });
    });
    return server;
  };
  return Object.assign(factory, { neededScope: createScopeTable(parts) });
}

/** A name that is not known needs nothing: it is answered with that. */
function createScopeTable({
  tools,
  resources,
  prompts,
}: Pick<ServerParts, 'tools' | 'resources' | 'prompts'>): NonNullable<ServerFactory['neededScope']> {
  const byTool = new Map(
    tools.flatMap(({ name, aliases, scope }) => [name, ...aliases].map((known) => [known, scope] as const)),
  );
  const byPrompt = new Map(prompts.map(({ name, scope }) => [name, scope]));
  const byResource = new Map(resources.map(({ uri, scope }) => [uri, scope]));
  return (method, { name, uri }) => {
    // Resources by template are what was saved.
    if (method === 'resources/read')
      return (typeof uri === 'string' ? byResource.get(uri) : undefined) ?? 'memory:read';
    return typeof name === 'string' ? (method === 'prompts/get' ? byPrompt : byTool).get(name) : undefined;
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
