/** From node's request to the exchange the protocol edge works with. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../mcp/index.ts';
import { readBody } from './read-body.ts';

export function toExchange(incoming: IncomingMessage, outgoing: ServerResponse, principal: string): Exchange {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  // Made when first asked for: most requests are answered before anybody wants to know.
  let gone: AbortController | undefined;
  const watch = (): AbortController => {
    const controller = new AbortController();
    const leave = (): void => {
      if (!outgoing.writableFinished) controller.abort();
    };
    // A pipelined answer has no socket yet; its client may be gone before anybody asks.
    if (outgoing.destroyed || incoming.socket.destroyed) controller.abort();
    outgoing.once('close', leave);
    if (outgoing.socket === null) {
      // Pipelined behind another answer: as long as it has no socket of its own, nobody tells it that the client went away.
      incoming.socket.once('close', leave);
      outgoing.once('close', () => incoming.socket.off('close', leave));
    }
    return controller;
  };
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
    get signal() {
      return (gone ??= watch()).signal;
    },
    note: {},
    principal,
    projectPath: undefined,
  };
}
