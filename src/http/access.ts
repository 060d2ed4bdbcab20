/** Who may talk to the listener: bind address, Host, Origin, token, rate. Asked for every verb and route. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, type Clock } from '../core/index.ts';
import { isLoopback } from '../text/index.ts';
import { emptyReply, errorReply, RPC, type Headers, type Reply } from '../transport/index.ts';

export interface BindFacts {
  readonly host: string;
  readonly hasToken: boolean;
  readonly allowHost: readonly string[];
  readonly allowProjectRoot: readonly string[];
}

/** Throws unless the address is a loopback one, or everything that makes another one safe was given. */
export function checkBind({ host, hasToken, allowHost, allowProjectRoot }: BindFacts): void {
  if (isLoopback(host)) return;
  const missing = [
    ...(hasToken ? [] : ['a token (--token, or --require-token with the one `waymark token` prints)']),
    ...(allowHost.length > 0 ? [] : ['the host names clients will use (--allow-host)']),
    ...(allowProjectRoot.length > 0 ? [] : ['the folders clients may name (--allow-project-root)']),
  ];
  if (missing.length === 0) return;
  throw new AppError(
    'bad_config',
    `Refusing to listen on ${host}, which other machines can reach, without ${missing.join(', ')}.`,
    {
      hint: 'Give what is missing, or leave --host out to listen on 127.0.0.1 only.',
    },
  );
}

export interface AccessRules {
  /** Host names, lower-case, without ports. */
  readonly hosts: readonly string[];
  /** Origins beyond the loopback ones, as `https://app.example` or with a port. */
  readonly origins: readonly string[];
}

export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Host against DNS rebinding, Origin against web pages. A request without an Origin does not come from a web page; `null` is an
 * origin like any other, and a foreign one.
 */
export function refuseForeign(
  rules: AccessRules,
  host: string | undefined,
  origin: string | undefined,
): Refusal | undefined {
  if (host === undefined || !rules.hosts.includes(hostName(host)))
    return { status: 421, message: 'Invalid Host header' };
  if (origin !== undefined && !isAllowedOrigin(origin, rules))
    return { status: 403, message: 'Invalid Origin header' };
  return undefined;
}

/** Whether the user named this origin: only such a page may read the answers. */
function isNamedOrigin(origin: string | undefined, rules: AccessRules): origin is string {
  return origin !== undefined && rules.origins.includes(origin.toLowerCase());
}

function isAllowedOrigin(origin: string, rules: AccessRules): boolean {
  if (isNamedOrigin(origin, rules)) return true;
  const host = /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
  return host !== undefined && LOOPBACK_HOSTS.includes(hostName(host));
}

/** The name in a Host header, lower-case, any port removed; empty for text that is no host. */
function hostName(host: string): string {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]\s/@?#]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase() ?? '';
}

const CORS_REQUEST_HEADERS =
  'Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';

/** Only for the origins the user named. */
export function corsHeaders(origin: string | undefined, rules: AccessRules): Headers {
  if (!isNamedOrigin(origin, rules)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, Mcp-Protocol-Version',
    Vary: 'Origin',
  };
}

/** Undefined for an origin that was not named: it gets the 405 of any other verb, without a word about origins. */
export function answerPreflight(origin: string | undefined, rules: AccessRules): Reply | undefined {
  if (!isNamedOrigin(origin, rules)) return undefined;
  return emptyReply(204, {
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': CORS_REQUEST_HEADERS,
    'Access-Control-Max-Age': '600',
  });
}

/** Compared as digests, so that neither the time nor the length tells how much of a guess was right. */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function unauthorized(authorization: string | undefined): Reply {
  const problem = authorization === undefined ? '' : ', error="invalid_token"';
  return errorReply({
    status: 401,
    code: RPC.invalidRequest,
    message:
      'Unauthorized: send the header `Authorization: Bearer TOKEN`, with the token that the server was given, or else ' +
      'with the one that `waymark token` prints.',
    headers: { 'WWW-Authenticate': `Bearer realm="waymark"${problem}` },
  });
}

/** How many requests one client may make: a token bucket per client. */
export interface RateLimit {
  /** Undefined if the request may pass, else how many seconds to wait. */
  take(client: string): number | undefined;
}

const MAX_CLIENTS = 10_000;

export function createRateLimit(perMinute: number, clock: Clock): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(client) {
      const now = clock.elapsed();
      const bucket = buckets.get(client) ?? { tokens: perMinute, at: now };
      bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) / 60_000) * perMinute);
      bucket.at = now;
      // Re-inserting keeps the table in order of use, so the cap evicts the least recently used.
      buckets.delete(client);
      buckets.set(client, bucket);
      if (buckets.size > MAX_CLIENTS) buckets.delete(buckets.keys().next().value ?? client);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
      bucket.tokens -= 1;
      return undefined;
    },
  };
}
