/** Serves the page and its API. Lets in what brings a cookie and a token; knows no socket. */
import { AppError, LOCAL_PRINCIPAL, type Clock, type Principal } from '../core/index.ts';
import { createCallContext, type CallContext, type CallParts } from '../tools/index.ts';
import { hasJsonBody, refuseContent, type Edge, type Exchange, type Reply } from '../transport/index.ts';
import { CLIENT_ROUTES } from './answers/clients.ts';
import { MAP_ROUTES } from './answers/code-map.ts';
import { COVERAGE_ROUTES } from './answers/coverage.ts';
import { LIVE_ROUTES } from './answers/live.ts';
import { MEMORY_ROUTES } from './answers/memory.ts';
import { PLAYGROUND_ROUTES } from './answers/playground.ts';
import { PROJECT_ROUTES } from './answers/projects.ts';
import { createLiveStream } from './live-stream.ts';
import { createPageAccess, isOwnPage, type PageAccess } from './page-access.ts';
import { createPageFiles, errorAsReply, failureReply, valueReply, type PageFile } from './page-replies.ts';
import type { PageParts, PageRoute } from './page-route.ts';
import { NONCE, noteTold, proveKey } from './tell-calls.ts';

export interface PageEdgeOptions
  extends CallParts, Pick<PageParts, 'log' | 'version' | 'toolsets' | 'examine' | 'connect'> {
  /** A file of the page as it ships. */
  readonly readFile: (name: PageFile) => string;
  readonly newSecret: () => string;
  readonly clock: Clock;
  /** Told of every write that the page was allowed to try. */
  readonly onWrite?: ((write: PageWrite) => void) | undefined;
  /** What another process of this user brings to be given a link. */
  readonly key: string;
  readonly hasKey: (authorization: string | undefined, key: string) => boolean;
}

export interface PageWrite {
  readonly principal: Principal;
  readonly tool: string;
  readonly client: string;
  readonly project?: string | undefined;
  readonly error?: string | undefined;
  readonly ms: number;
}

export interface PageEdge extends Edge {
  /** A code for a link, good once. */
  newCode(): string;
}

const ROUTES: readonly PageRoute[] = [
  ...PROJECT_ROUTES,
  ...LIVE_ROUTES,
  ...PLAYGROUND_ROUTES,
  ...COVERAGE_ROUTES,
  ...MEMORY_ROUTES,
  ...MAP_ROUTES,
  ...CLIENT_ROUTES,
];
const API = '/ui/api/';
const PAGE = 'waymark page';
const MOST_PATH = 4_096;
const SESSION = '/ui/api/session';
const CODE = '/ui/api/code';
const PROOF = '/ui/api/proof';
const CALLS = '/ui/api/calls';

export function createPageEdge(options: PageEdgeOptions): PageEdge {
  const { readFile, newSecret, clock, key, hasKey, onWrite, ...rest } = options;
  const { log, version, toolsets, examine, connect, ...parts } = rest;
  // The page is the one who runs the server: it shows nothing of other tenants.
  const { detector, services } = parts.partsOf(LOCAL_PRINCIPAL);
  const { engine } = services;
  const files = createPageFiles(readFile);
  const access = createPageAccess({ newSecret, clock });
  const live = createLiveStream({ log, engine, clock });
  const page: PageParts = {
    engine,
    detector,
    log,
    live,
    version,
    toolsets,
    clock,
    examine,
    connect,
  };

  return {
    newCode: () => access.newCode(),
    asksForItself: true,
    serves: (path) => path === '/' || path === '/ui' || path.startsWith('/ui/'),
    handle(exchange) {
      exchange.note.rpcMethod = 'page';
      if (!exchange.path.startsWith(API)) {
        const reply = files.reply(exchange);
        return reply === undefined ? undefined : Promise.resolve(refuseContent(exchange) ?? reply);
      }
      return serve(exchange);
    },
    close: async () => live.close(),
  };

  async function serve(exchange: Exchange): Promise<Reply> {
    const { path, method } = exchange;
    if (path === CODE && method === 'POST')
      return isOurs(exchange) ? valueReply({ code: access.newCode() }) : refuseAll();
    if (path === PROOF && method === 'POST') return proveOurs(exchange);
    if (path === CALLS && method === 'POST') return noteCalls(exchange);
    if (path === SESSION && method === 'POST') return openSession(exchange, access);
    const refusal = access.refuse(exchange);
    if (refusal !== undefined) return refusal;
    if (path === '/ui/api/live' && method === 'GET') return refuseContent(exchange) ?? live.open();
    const route = ROUTES.find((each) => each.path === path && each.verb === method);
    if (route === undefined)
      return failureReply(404, { code: 'not_found', message: 'There is nothing at this address.' });
    const args = await readArguments(exchange);
    if ('reply' in args) return args.reply;
    const wrote = route.writes ? noteWrite(exchange, args.args) : undefined;
    try {
      const answer = await route.run(args.args, { exchange, page, call: toCallContext(exchange) });
      wrote?.();
      return 'reply' in answer ? answer.reply : valueReply(answer.value);
    } catch (thrown) {
      wrote?.(thrown instanceof AppError ? thrown.code : 'internal');
      if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return errorAsReply(thrown);
      throw thrown;
    }
  }

  /** Another process of this user, never a browser. */
  function isOurs(exchange: Exchange): boolean {
    return exchange.header('origin') === undefined && hasKey(exchange.header('authorization'), key);
  }

  /** That this is the server of the note, before anything is told to it. */
  async function proveOurs(exchange: Exchange): Promise<Reply> {
    if (exchange.header('origin') !== undefined) return refuseAll();
    const args = await readArguments(exchange);
    if ('reply' in args) return args.reply;
    const asked = NONCE.safeParse(args.args);
    return asked.success ? valueReply({ proof: proveKey(key, asked.data.nonce) }) : refuseAll();
  }

  async function noteCalls(exchange: Exchange): Promise<Reply> {
    if (!isOurs(exchange)) return refuseAll();
    const args = await readArguments(exchange);
    if ('reply' in args) return args.reply;
    if (noteTold(log, args.args)) return valueReply({});
    return failureReply(400, { code: 'bad_argument', message: 'This is not what another server tells.' });
  }

  function noteWrite({ path, principal }: Exchange, args: object): ((error?: string) => void) | undefined {
    const since = clock.elapsed();
    const root: unknown = Reflect.get(args, 'root');
    const project = typeof root === 'string' ? root.slice(0, MOST_PATH) : undefined;
    const tool = `page ${path.slice(API.length)}`;
    return (error) =>
      onWrite?.({ principal, tool, client: PAGE, project, error, ms: Math.round(clock.elapsed() - since) });
  }

  /** The page is one client, whichever of its screens asks; what it asks is not among the calls it shows. */
  function toCallContext(exchange: Exchange): CallContext {
    return createCallContext(
      { ...parts, observe: undefined },
      {
        transport: 'http',
        clientName: () => PAGE,
        clientKey: `page ${exchange.clientKey}`,
        principal: exchange.principal,
        signal: exchange.signal,
        note: exchange.note,
        sources: () => ({ query: undefined }),
        progress: async () => {},
        choose: () => false,
        tipFor: () => undefined,
      },
    );
  }
}

async function openSession(exchange: Exchange, access: PageAccess): Promise<Reply> {
  if (!isOwnPage(exchange)) return refuseAll();
  const args = await readArguments(exchange);
  return 'reply' in args ? args.reply : access.exchange(exchange, Reflect.get(args.args, 'code'));
}

function refuseAll(): Reply {
  return failureReply(403, { code: 'page_locked', message: 'Only the page of this server may ask this.' });
}

/** Of a GET the query, of a POST the JSON object in its body. */
async function readArguments(
  exchange: Exchange,
): Promise<{ readonly args: object } | { readonly reply: Reply }> {
  if (exchange.method === 'GET') {
    const reply = refuseContent(exchange);
    return reply === undefined ? { args: Object.fromEntries(exchange.query) } : { reply };
  }
  const body = hasJsonBody(exchange) ? await exchange.readBody() : undefined;
  if (body?.kind === 'json' && typeof body.value === 'object' && body.value !== null)
    return { args: body.value };
  const message =
    body?.kind === 'too_large' ? body.message : 'The body has to be a JSON object, and said to be one.';
  return { reply: failureReply(body?.kind === 'too_large' ? 413 : 400, { code: 'bad_argument', message }) };
}
