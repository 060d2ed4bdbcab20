/** What one connection remembers between its calls, and the context of each of them. */
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';
import { createCallContext, type CallContext, type CallParts } from '../tools/index.ts';
import { exchangeOf } from '../transport/index.ts';
import type { Connection } from './connection.ts';
import { createRootsReader } from './roots.ts';

export interface ConnectionParts extends CallParts {
  readonly clock: Clock;
  readonly tip: boolean;
}

const TIP = 'Tip: Use Claude Code for automatic project detection';
const MAX_CLIENT_CHARS = 80;

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
    const exchange = exchangeOf(context.http?.req);
    const { signal, _meta: meta } = context.mcpReq;
    const name = readClientInfo(server, context, 'name');
    const version = readClientInfo(server, context, 'version');
    return createCallContext(parts, {
      transport,
      client: renderClient([name, version]),
      clientKey: context.sessionId ?? exchange?.clientKey ?? 'stdio',
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
        parts.known.remember(project);
        if (keepsChoice) switched = project.root;
        return keepsChoice;
      },
      tipFor(detection) {
        const guessed = detection.kind === 'found' && ['env', 'cwd', 'pwd'].includes(detection.source);
        if (tipGiven || !givesTip || !guessed) return undefined;
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

function renderClient(words: readonly (string | undefined)[]): string {
  const text = words.filter((word) => word !== undefined).join(' ');
  return escapeControl(text).slice(0, MAX_CLIENT_CHARS) || 'unknown client';
}
