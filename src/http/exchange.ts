/** From node's request to the exchange the protocol edge works with. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessNote, Body, Exchange } from '../mcp/index.ts';
import { readBody } from './read-body.ts';
import { parseTarget } from './request-target.ts';

export function toExchange(incoming: IncomingMessage, outgoing: ServerResponse, principal: string): Exchange {
  return new NodeExchange(incoming, outgoing, principal);
}

/**
 * A class, and no object with getters of its own: with those, 2.1 KB of each request to /healthz outlived the young
 * collections, and with the class 0.15 (Node 20). We think that V8 makes a long-lived shape for each such object, which
 * holds on to the getters and so to the request until the next full collection.
 */
class NodeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly principal: string;
  readonly note: AccessNote = {};
  projectPath: Exchange['projectPath'] = undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #gone: AbortController | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, principal: string) {
    const { url } = parseTarget(incoming.url ?? '/');
    const mark = url.indexOf('?');
    this.method = incoming.method ?? 'GET';
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.url = url;
    this.principal = principal;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }

  /** Made when first asked for: most requests are answered before anybody wants to know. */
  get signal(): AbortSignal {
    return (this.#gone ??= watchClient(this.#incoming, this.#outgoing)).signal;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  readBody(): Promise<Body> {
    return readBody(this.#incoming, () => this.#outgoing.writeContinue());
  }
}

/** Aborts when the client goes away before it has its answer. */
function watchClient(incoming: IncomingMessage, outgoing: ServerResponse): AbortController {
  const controller = new AbortController();
  const leave = (): void => {
    if (!outgoing.writableFinished) controller.abort();
  };
  // A pipelined answer has no socket yet; its client may be gone before anybody asks.
  if (outgoing.destroyed || incoming.socket.destroyed) controller.abort();
  outgoing.once('close', leave);
  if (outgoing.socket === null) {
    // Pipelined behind another answer: as long as it has no socket of its own, nobody tells it that the client went away.
    // As many may wait as were sent; node would warn of a leak at the eleventh.
    incoming.socket.setMaxListeners(0).once('close', leave);
    outgoing.once('close', () => incoming.socket.off('close', leave));
  }
  return controller;
}
