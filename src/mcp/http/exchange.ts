/** One HTTP request, as the protocol edge sees it. */
import type { QueryPath } from '../../project/index.ts';
import type { UrlChoices } from './url-choices.ts';

/** What the access line tells; filled in along the way by whoever knows. */
export interface AccessNote {
  /** The id to answer with if everything else breaks. */
  id?: string | number;
  rpcMethod?: string;
  tool?: string;
  era?: 'legacy' | 'modern' | 'sse';
  client?: string;
  projectSource?: string;
  /** Whether the answer is a stream, which ends when somebody goes away. */
  stream?: boolean;
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
  /** Who asks, as far as we know: the holder of the token, or anybody on this machine. */
  readonly principal: string;
  /** The project that the URL names, percent-decoded; for HTTP+SSE the stream's, unless the message names its own. */
  projectPath: QueryPath | undefined;
  /** What the URL chooses of the listing and the answers, by the same rule. */
  choices?: UrlChoices;
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
  return new ExchangeRequest(exchange);
}

/** A class for the same reason as the exchange itself: getters of its own would keep the request for long. */
class ExchangeRequest implements RequestFacade {
  readonly exchange: Exchange;
  readonly method: string;
  readonly headers: RequestFacade['headers'];

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.method = exchange.method;
    this.headers = { get: (name) => exchange.header(name.toLowerCase()) ?? null };
  }

  get url(): string {
    return `http://localhost${this.exchange.url}`;
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }
}

/** The exchange a message came with, if it came over HTTP. */
export function exchangeOf(request: unknown): Exchange | undefined {
  if (typeof request !== 'object' || request === null || !('exchange' in request)) return undefined;
  // Only toRequestFacade makes requests with this property, and the SDK passes them through as they are.
  return (request as RequestFacade).exchange;
}

const MAX_CLIENT_NAME = 64;

/** Keeps a client's name for the access line, from whatever it says it is. */
export function noteClient({ note }: Exchange, client: unknown): void {
  if (typeof client !== 'object' || client === null || !('name' in client)) return;
  if (typeof client.name === 'string') note.client = client.name.slice(0, MAX_CLIENT_NAME);
}
