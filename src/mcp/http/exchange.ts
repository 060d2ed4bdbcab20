/** One HTTP request, as the protocol edge sees it. */

/** What the access line tells; filled in along the way by whoever knows. */
export interface AccessNote {
  rpcMethod?: string;
  tool?: string;
  era?: 'legacy' | 'modern' | 'sse';
  client?: string;
  projectSource?: string;
  /** A handler crashed: whatever its answer looks like, the status is a 500. */
  crashed?: boolean;
}

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_large'; readonly message: string }
  | { readonly kind: 'gone' };

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they were sent. */
  readonly url: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  readBody(): Promise<Body>;
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
  readonly note: AccessNote;
}

/**
 * The part of a web Request that the SDK reads, made from an exchange without the cost of a real one. It also carries the
 * exchange to whoever handles the message, because the SDK hands its request on untouched.
 */
export interface RequestFacade {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
  readonly exchange: Exchange;
}

export function toRequestFacade(exchange: Exchange): RequestFacade {
  return {
    method: exchange.method,
    url: `http://localhost${exchange.url}`,
    headers: { get: (name) => exchange.header(name.toLowerCase()) ?? null },
    signal: exchange.signal,
    exchange,
  };
}

/** The exchange a message came with, if it came over HTTP. */
export function exchangeOf(request: unknown): Exchange | undefined {
  if (typeof request !== 'object' || request === null || !('exchange' in request)) return undefined;
  // Only toRequestFacade makes requests with this property, and the SDK passes them through as they are.
  return (request as RequestFacade).exchange;
}
