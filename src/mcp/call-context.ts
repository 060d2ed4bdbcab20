/** What a tool call knows of its client and its project over MCP: the call context, and the client's roots. */
import { InputNeeded, LOCAL_PRINCIPAL, type Clock, type Logger } from '../core/index.ts';
import type { RootsAnswer } from '../project/index.ts';
import { renderClient } from '../text/index.ts';
import { createCallContext, type CallContext, type CallParts } from '../tools/index.ts';
import { exchangeOf } from '../transport/index.ts';
import type { Connection } from './connection.ts';
import { digestQuestion, type RequestState, type RoundState } from './request-state.ts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  SdkError,
  SdkErrorCode,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
  CLIENT_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

export interface RootsReader {
  /** `unasked`: throws InputNeeded rather than ask the client. */
  read(context: ServerContext, params: unknown, unasked: boolean): Promise<RootsAnswer>;
  /** What the client told last, without asking. */
  known(): RootsAnswer | undefined;
}

export function createRootsReader(era: 'legacy' | 'modern', options: LegacyRootsOptions): RootsReader {
  if (era === 'modern') return { read: readModernRoots, known: () => undefined };
  const legacy = createLegacyRoots(options);
  return {
    async read(context, _params, unasked) {
      if (!unasked) return legacy.ask(context);
      const settled = legacy.settled();
      if (settled === undefined) throw new InputNeeded();
      return settled;
    },
    known: legacy.known,
  };
}

/** What a client comes to that declares no roots. */
const NO_ROOTS: RootsAnswer = {
  kind: 'none',
  reason: 'the client declares no roots',
  silence: 'not given',
};

/** A malformed root keeps its place as an empty text, which is no file URI, and is passed over like any other unusable one. */
function readRootUris(roots: readonly unknown[]): readonly string[] {
  return roots.map((root) => {
    const uri: unknown = typeof root === 'object' && root !== null ? Reflect.get(root, 'uri') : undefined;
    return typeof uri === 'string' ? uri : '';
  });
}

interface LegacyRoots {
  ask(context: ServerContext): Promise<RootsAnswer>;
  /** What asking would come to where the client need not be asked; undefined where it has to be. */
  settled(): RootsAnswer | undefined;
  /** What the client told last, without asking. */
  known(): RootsAnswer | undefined;
}

export interface LegacyRootsOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Question {
  /** How often the client had told of changes when it was asked. */
  readonly generation: number;
  /** Questions are counted, because answers may come in another order. */
  readonly number: number;
}

/** What came of a question; `gone` if the call it was asked for was cancelled before the client answered. */
type Outcome = { readonly kind: 'answered'; readonly answer: RootsAnswer } | { readonly kind: 'gone' };

/** Looser than the SDK's own schema, which rejects every root because of one that is malformed. */
const ROOTS = z.object({ roots: z.array(z.unknown()) });
const TIMEOUT_MS = 2_000;
/** Exponential backoff after a client did not answer. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

export function createLegacyRoots({ server, clock, logger }: LegacyRootsOptions): LegacyRoots {
  let generation = 0;
  let questions = 0;
  /** What the client said last; an answer to a new question only as long as it promises to tell of changes. */
  let told: (Question & { readonly uris: readonly string[] }) | undefined;
  let open: (Question & { readonly outcome: Promise<Outcome> }) | undefined;
  let pauseMs = 0;
  let quietUntil = 0;

  server.setNotificationHandler('notifications/roots/list_changed', () => {
    logger.info('the client says its roots have changed');
    generation += 1;
    quietUntil = 0;
  });

  const fallBack = (reason: string): RootsAnswer =>
    told === undefined ? { kind: 'none', reason } : { kind: 'roots', uris: told.uris, earlier: true };

  /** Only silence backs off: an error comes at once, and the next call may get an answer. */
  const heedSilence = ({ generation: asked, number }: Question): void => {
    const outdated = asked !== generation || (told !== undefined && told.number > number);
    if (outdated || clock.elapsed() < quietUntil) return;
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
    quietUntil = clock.elapsed() + pauseMs;
  };

  const put = async (context: ServerContext, question: Question): Promise<Outcome> => {
    const { signal } = context.mcpReq;
    try {
      const { roots } = await context.mcpReq.send({ method: 'roots/list' }, ROOTS, {
        timeout: TIMEOUT_MS,
        signal,
      });
      const uris = readRootUris(roots);
      if (told === undefined || told.number < question.number) told = { ...question, uris };
      pauseMs = 0;
      return { kind: 'answered', answer: { kind: 'roots', uris } };
    } catch (thrown) {
      // The caller went away; that says nothing about the client's roots.
      if (signal.aborted) return { kind: 'gone' };
      if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) heedSilence(question);
      logger.debug('the client did not tell its roots', {
        reason: thrown instanceof Error ? thrown.message : 'unknown',
        pauseMs,
      });
      return { kind: 'answered', answer: fallBack('the client declares roots but did not tell them') };
    }
  };

  const start = (context: ServerContext): Promise<Outcome> => {
    const question = { generation, number: ++questions };
    const outcome = put(context, question).finally(() => {
      if (open?.number === question.number) open = undefined;
    });
    open = { ...question, outcome };
    return outcome;
  };

  const settled = (): RootsAnswer | undefined => {
    const declared = server.getClientCapabilities()?.roots;
    if (declared === undefined) return NO_ROOTS;
    if (declared.listChanged === true && told?.generation === generation)
      return { kind: 'roots', uris: told.uris };
    return clock.elapsed() < quietUntil
      ? fallBack('the client did not tell its roots and is not asked again for a while')
      : undefined;
  };

  return {
    settled,
    known: () => (told === undefined ? undefined : { kind: 'roots', uris: told.uris, earlier: true }),
    async ask(context) {
      const tellsChanges = server.getClientCapabilities()?.roots?.listChanged === true;
      for (;;) {
        const answer = settled();
        if (answer !== undefined) return answer;
        // Calls that arrive together share a question, if nothing can have changed since it was asked.
        const shared = tellsChanges && open?.generation === generation ? open.outcome : undefined;
        const outcome = await (shared ?? start(context));
        if (outcome.kind === 'answered') return outcome.answer;
        // Shared with a call that was cancelled: this one asks for itself.
        if (shared === undefined || context.mcpReq.signal.aborted)
          return fallBack('the call was cancelled before the client told its roots');
      }
    },
  };
}

const KEY = 'roots';
const ANSWER = z.object({ [KEY]: ROOTS });

/** Whether this request says that its client has roots. */
export function declaresModernRoots(context: ServerContext): boolean {
  // The key is the envelope's own; its type spells it as a computed name that TypeScript cannot follow.
  const envelope = context.mcpReq.envelope as
    | Readonly<Record<string, ClientCapabilities | undefined>>
    | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.roots !== undefined;
}

/** Throws InputNeeded if the client can be asked and has not been; `params` is what the question belongs to. */
async function readModernRoots(context: ServerContext, params: unknown): Promise<RootsAnswer> {
  if (!declaresModernRoots(context)) return NO_ROOTS;
  // The server verified the signature before this handler ran; what is left is whether it was this question.
  const state = context.mcpReq.requestState<RoundState>();
  if (state?.asked !== digestQuestion(context.mcpReq.method, params)) throw new InputNeeded();
  const told = ANSWER.safeParse(context.mcpReq.inputResponses);
  if (!told.success) return { kind: 'none', reason: 'the client declares roots but did not tell them' };
  return { kind: 'roots', uris: readRootUris(told.data[KEY].roots) };
}

/** The answer that asks a modern client for its roots: it calls again with them. */
export async function askModernRoots(
  context: ServerContext,
  params: unknown,
  state: RequestState,
): Promise<InputRequiredResult> {
  const asked = digestQuestion(context.mcpReq.method, params);
  return inputRequired({
    inputRequests: { [KEY]: inputRequired.listRoots() },
    requestState: await state.mint({ asked }, context),
  });
}

export interface ConnectionParts extends CallParts {
  readonly clock: Clock;
  readonly tip: boolean;
  /** A client's name as it may be shown. Given where every call asks for it. */
  readonly nameClient?: ClientNames | undefined;
}

type ClientNames = (name: string | undefined, version: string | undefined) => string;

const MOST_NAMES = 500;

/** Cleaning a name costs as much as a small call: it is done once for each. */
export function createClientNames(): ClientNames {
  const known = new Map<string, string>();
  return (name, version) => {
    const key = `${name ?? ''}\n${version ?? ''}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const shown = renderClient([name, version]);
    if (known.size >= MOST_NAMES) known.clear();
    known.set(key, shown);
    return shown;
  };
}

const TIP = 'Tip: Use Claude Code for automatic project detection';

/** Whose user has followed the tip already. */
function isClaudeCode(name: string | undefined): boolean {
  return name !== undefined && /^claude[ -]?code$/i.test(name);
}

/** Makes the context of each call; `params` are those of the request that it serves. */
export type CallContexts = (context: ServerContext, params: unknown) => CallContext;

export function createCallContexts(
  server: Server,
  connection: Connection,
  parts: ConnectionParts,
): CallContexts {
  const transport = connection.transport === 'stdio' ? 'stdio' : 'http';
  const roots = createRootsReader(connection.era, { server, clock: parts.clock, logger: parts.logger });
  // A modern request stands alone, so nothing said in one may count in the next; only stdio remembers that it gave the tip.
  const keepsChoice = connection.era === 'legacy' && connection.keeps !== false;
  const givesTip = parts.tip && (connection.transport === 'stdio' || keepsChoice);
  let switched: string | undefined;
  let tipGiven = false;

  return (context, params) => {
    const exchange = context.http && exchangeOf(context.http.req);
    const { signal, _meta: meta } = context.mcpReq;
    const name = readClientInfo(server, context, 'name');
    const version = readClientInfo(server, context, 'version');
    const principal = exchange?.principal ?? LOCAL_PRINCIPAL;
    return createCallContext(parts, {
      transport,
      clientName: () => parts.nameClient?.(name, version) ?? renderClient([name, version]),
      clientKey: context.sessionId ?? exchange?.clientKey ?? 'stdio',
      principal,
      signal,
      note: exchange?.note,
      sources: (unasked) => ({
        switched,
        roots: () => roots.read(context, params, unasked),
        knownRoots: () => roots.known(),
        meta,
        query: exchange?.projectPath,
        client: name,
      }),
      async progress({ done, total, message }) {
        const progressToken = meta?.progressToken;
        if (progressToken === undefined) return;
        const report = { progressToken, progress: done, total, message };
        // A client that went away does not want progress either.
        await context.mcpReq.notify({ method: 'notifications/progress', params: report }).catch(() => {});
      },
      choose(project) {
        parts.partsOf(principal).known.remember(project);
        if (keepsChoice) switched = project.root;
        return keepsChoice;
      },
      tipFor(detection) {
        const guessed = detection.kind === 'found' && ['env', 'cwd', 'pwd'].includes(detection.source);
        if (tipGiven || !givesTip || !guessed || isClaudeCode(name)) return undefined;
        tipGiven = true;
        return TIP;
      },
    });
  };
}

/** A legacy client names itself in the handshake, a modern one with every request. */
function readClientInfo(server: Server, context: ServerContext, field: string): string | undefined {
  const envelope: object = context.mcpReq.envelope ?? {};
  const info: unknown = Reflect.get(envelope, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (typeof info !== 'object' || info === null) return undefined;
  const value: unknown = Reflect.get(info, field);
  return typeof value === 'string' ? value : undefined;
}
