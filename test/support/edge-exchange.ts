/** The protocol edge without a socket, for tests that need to hold the clock. */
import { LOCAL_PRINCIPAL } from '../../src/core/index.ts';
import { createHttpEdge, type HttpEdge, type HttpEdgeOptions } from '../../src/mcp/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import type { Exchange, Reply } from '../../src/transport/index.ts';
import { fixtureFactory } from './fixture-factory.ts';
import type { RawRequest } from './raw-http.ts';

export interface HeldClock {
  readonly clock: HttpEdgeOptions['clock'];
  advance(ms: number): void;
}

export function holdClock(): HeldClock {
  let elapsed = 0;
  return {
    clock: { now: () => elapsed, elapsed: () => elapsed },
    advance: (ms) => void (elapsed += ms),
  };
}

export function openEdge(options: Partial<HttpEdgeOptions>): HttpEdge {
  let ids = 0;
  return createHttpEdge({
    factory: fixtureFactory({}),
    logger: silentLogger,
    clock: holdClock().clock,
    newId: () => `id-${++ids}`,
    newReference: () => 'ref-1',
    legacySse: true,
    stateless: false,
    lenient: false,
    maxSessions: 100,
    sessionIdleMs: 60_000,
    checkQuery: () => ({ kind: 'nothing', source: 'query_param', reason: 'none' }),
    ...options,
  });
}

export async function ask(edge: HttpEdge, asked: RawRequest): Promise<Reply> {
  const reply = await edge.handle(toExchange(asked));
  if (reply === undefined) throw new Error(`there is no route for ${asked.path}`);
  return reply;
}

function toExchange({ method, path, headers = {}, body }: RawRequest): Exchange {
  const [route = '', query = ''] = path.split('?');
  return {
    method,
    path: route,
    query: new URLSearchParams(query),
    url: path,
    header: (name) => {
      const value = headers[name];
      return value === undefined ? undefined : [value].flat().join(', ');
    },
    readBytes: async () => ({ kind: 'gone' }),
    readBody: async () => ({ kind: 'json', value: body }),
    signal: new AbortController().signal,
    note: {},
    principal: LOCAL_PRINCIPAL,
    clientKey: 'local',
    projectPath: undefined,
  };
}
