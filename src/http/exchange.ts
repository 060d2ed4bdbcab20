/** From node's request to the exchange the protocol edge works with. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../mcp/index.ts';
import { readBody } from './read-body.ts';

export function toExchange(incoming: IncomingMessage, outgoing: ServerResponse, principal: string): Exchange {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? url : url.slice(0, mark),
    get query() {
      return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
    },
    url,
    header(name) {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    readBody: () => readBody(incoming),
    signal: gone.signal,
    note: {},
    principal,
    projectPath: undefined,
  };
}
