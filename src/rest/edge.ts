/** Serves the table of addresses: checks the token, reads the body, calls the tool. Knows no socket. */
import type { Scope } from '../core/index.ts';
import { PROJECT_PARAMETER } from '../project/index.ts';
import { renderClient } from '../text/index.ts';
import {
  callTool,
  createCallContext,
  describeTool,
  readResource,
  RESOURCE_TEMPLATES,
  RESOURCES,
  TOOLS,
  unknownOperation,
  type CallContext,
  type CallParts,
} from '../tools/index.ts';
import {
  hasJsonBody,
  jsonReply,
  readQueryValue,
  refuseContent,
  refuseScopes,
  type Admission,
  type Edge,
  type Exchange,
  type Reply,
} from '../transport/index.ts';
import { createFollowers } from './follow.ts';
import { answerReply, failureReply } from './replies.ts';
import { matchRoute, TOOL_ROUTES, type MatchedRoute } from './routes.ts';

export interface RestEdgeOptions extends CallParts {
  /** Also where the listener lets in every program of this machine. */
  readonly authenticate: (authorization: string | undefined) => Promise<Admission>;
  readonly metadataUrl?: (() => string) | undefined;
  /** Told of requests whose token does not allow them. */
  readonly onRefused?: ((exchange: Exchange) => void) | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

const SEE_TOOLS = 'GET /mcp/tools/list names every address with its arguments.';

export function createRestEdge({ authenticate, metadataUrl, onRefused, ...parts }: RestEdgeOptions): Edge {
  const followers = createFollowers();

  return {
    serves: (path) => matchRoute(path) !== undefined,
    handle(exchange) {
      const route = matchRoute(exchange.path);
      return route === undefined ? undefined : serve(exchange, route);
    },
    close: async () => followers.close(),
  };

  async function serve(exchange: Exchange, route: MatchedRoute): Promise<Reply> {
    exchange.note.rpcMethod = 'rest';
    const admission = await authenticate(exchange.header('authorization'));
    if (admission.kind === 'refused') return admission.reply;
    exchange.principal = admission.principal;
    if (exchange.method !== route.verb) {
      const message = `${exchange.path} is asked with ${route.verb}.`;
      return failureReply(
        { errorType: 'method_not_allowed', message, instruction: SEE_TOOLS },
        { Allow: route.verb },
      );
    }
    exchange.projectPath = readQueryValue(exchange.url, PROJECT_PARAMETER);
    if (route.kind === 'follow') {
      const refused = refuse(exchange, 'search');
      if (refused !== undefined) return refused;
    }
    if (route.verb === 'GET') return refuseContent(exchange) ?? answerGet(exchange, route);
    const body = await readArguments(exchange);
    if (body.kind === 'refused') return body.reply;
    return route.kind === 'tool' ? call(exchange, route.tool, body.args) : read(exchange, body.args);
  }

  async function answerGet({ principal }: Exchange, route: MatchedRoute): Promise<Reply> {
    if (route.kind === 'follow') {
      const { engine } = parts.partsOf(principal).services;
      const operation = await engine.operation({ id: route.operationId });
      return operation === undefined ? answerReply(unknownOperation()) : followers.follow(engine, operation);
    }
    return jsonReply(200, route.kind === 'list_tools' ? listTools() : listResources());
  }

  async function call(exchange: Exchange, name: string, args: Arguments): Promise<Reply> {
    exchange.note.tool = name;
    const tool = TOOLS.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`the table names a tool that does not exist: ${name}`);
    const refusal = refuse(exchange, tool.scope);
    if (refusal !== undefined) return refusal;
    return answerReply(await callTool(tool, args, toCallContext(exchange)));
  }

  async function read(exchange: Exchange, { uri, ...others }: Arguments): Promise<Reply> {
    const extra = Object.keys(others);
    if (typeof uri !== 'string' || extra.length > 0) {
      const message =
        extra.length > 0 ? 'Only `uri` is taken here.' : 'The body has to name a resource as `uri`.';
      const instruction = 'POST {"uri":"waymark://project/current/checkpoints"}';
      return failureReply({ errorType: 'bad_argument', message, instruction });
    }
    const own = RESOURCES.find((resource) => resource.uri === uri);
    const refusal = refuse(exchange, own?.scope ?? 'memory:read');
    if (refusal !== undefined) return refusal;
    const found = await readResource(uri, RESOURCES, toCallContext(exchange));
    if (found !== undefined) return jsonReply(200, { contents: [found] });
    return failureReply({
      errorType: 'unknown_resource',
      message: 'There is no such resource, or no project to read it from.',
      instruction: 'GET /mcp/resources/list, and name the project in the address or with ?project_path=.',
    });
  }

  function refuse(exchange: Exchange, needed: Scope): Reply | undefined {
    const refusal = refuseScopes(exchange.principal, { needed: [needed], metadataUrl: metadataUrl?.() });
    if (refusal !== undefined) onRefused?.(exchange);
    return refusal;
  }

  /** Plain HTTP has no connection: nothing is asked back, remembered or told ahead of the answer. */
  function toCallContext(exchange: Exchange): CallContext {
    return createCallContext(parts, {
      transport: 'http',
      clientName: () => clientOf(exchange),
      clientKey: exchange.clientKey,
      principal: exchange.principal,
      signal: exchange.signal,
      note: exchange.note,
      sources: () => ({ query: exchange.projectPath }),
      progress: async () => {},
      choose: () => false,
      tipFor: () => undefined,
    });
  }
}

type ReadArguments =
  | { readonly kind: 'args'; readonly args: Arguments }
  | { readonly kind: 'refused'; readonly reply: Reply };

async function readArguments(exchange: Exchange): Promise<ReadArguments> {
  // Nothing at all means no arguments.
  if (exchange.header('content-length') === '0') return { kind: 'args', args: {} };
  if (!hasJsonBody(exchange)) return refused('bad_argument', 'Content-Type must be application/json.');
  const body = await exchange.readBody();
  switch (body.kind) {
    case 'json':
      return isObject(body.value)
        ? { kind: 'args', args: body.value }
        : refused('bad_argument', 'The body must be one JSON object with the arguments.');
    case 'too_large':
      return refused('too_large', body.message);
    case 'malformed':
      return refused('bad_argument', 'The body is not valid JSON.');
    case 'gone':
      return refused('bad_argument', 'The body ended early.');
  }
}

function refused(errorType: string, message: string): ReadArguments {
  return { kind: 'refused', reply: failureReply({ errorType, message, instruction: SEE_TOOLS }) };
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Who a saved note is said to come from: plain HTTP has no handshake, only this header. */
function clientOf(exchange: Exchange): string {
  return `rest ${renderClient([exchange.header('user-agent')])}`;
}

function listTools(): unknown {
  return {
    tools: TOOL_ROUTES.flatMap(({ path, tool: name }) =>
      TOOLS.filter((tool) => tool.name === name).map((tool) => ({
        path,
        ...describeTool(tool),
        outputSchema: tool.outputSchema,
      })),
    ),
  };
}

function listResources(): unknown {
  return {
    resources: RESOURCES.map(({ read: _read, ...resource }) => resource),
    resourceTemplates: RESOURCE_TEMPLATES,
  };
}
