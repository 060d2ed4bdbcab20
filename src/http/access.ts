/** Who may talk to the listener: Host, Origin, fetch metadata, token, rate. Asked for every verb and route. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/index.ts';
import { emptyReply, type Headers, type Reply } from '../transport/index.ts';

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

/** What a request says of where it comes from. */
export interface Provenance {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which browsers set and pages cannot. */
  readonly site: string | undefined;
}

/**
 * Host against DNS rebinding, Origin against web pages; `null` is an origin like any other, and a foreign one. A page's images,
 * links and frames come without an Origin: of these a browser says that they are from another site.
 */
export function refuseForeign(
  rules: AccessRules,
  { host, origin, site }: Provenance,
): (Refusal & { readonly found: string }) | undefined {
  if (host === undefined || !rules.hosts.includes(hostName(host)))
    return { status: 421, message: 'Invalid Host header', found: host ?? '(none)' };
  if (origin !== undefined)
    return isAllowedOrigin(origin, rules)
      ? undefined
      : { status: 403, message: 'Invalid Origin header', found: origin };
  if (site !== undefined && !OWN_SITES.includes(site.trim().toLowerCase()))
    return { status: 403, message: 'Invalid Sec-Fetch-Site header', found: site };
  return undefined;
}

/** An address that the user typed, and a page of this very server. */
const OWN_SITES: readonly string[] = ['none', 'same-origin'];

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

/** How many requests one client may make: a token bucket per client. */
export interface RateLimit {
  /** Undefined if the request may pass, else how many seconds to wait. */
  take(client: string): number | undefined;
  /** Takes what a request turned out to cost, be it more than is left: the next ones wait for it. */
  spend(client: string, cost: number): void;
}

const MAX_CLIENTS = 10_000;

export function createRateLimit(perMinute: number, clock: Clock): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const fill = (client: string): { tokens: number; at: number } => {
    const now = clock.elapsed();
    const bucket = buckets.get(client) ?? { tokens: perMinute, at: now };
    bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) / 60_000) * perMinute);
    bucket.at = now;
    // Re-inserting keeps the table in order of use, so the cap evicts the least recently used.
    buckets.delete(client);
    buckets.set(client, bucket);
    if (buckets.size > MAX_CLIENTS) buckets.delete(buckets.keys().next().value ?? client);
    return bucket;
  };
  return {
    take(client) {
      const bucket = fill(client);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
      bucket.tokens -= 1;
      return undefined;
    },
    spend(client, cost) {
      fill(client).tokens -= cost;
    },
  };
}

/**
 * The address that a peer is known by. Of IPv6 the first half: one machine has all addresses of its network part, and could be
 * another client with each request.
 */
export function sourceOf(address: string | undefined): string {
  const plain = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined || !plain.includes(':')) return mapped ?? plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
