/**
 * The keys of an issuer. They are kept for as long as it answers and for a day when it does not, and looked for again when a token
 * names one that is not among them; however many such tokens come, the issuer is asked twice a minute at most.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock, Logger } from '../core/index.ts';
import { getJson } from '../platform/index.ts';
import { isSafeUrl } from './checked-urls.ts';

export interface IssuerKeysParts {
  readonly issuer: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Thrown where a token cannot be judged, because the issuer's keys cannot be had. */
export class IssuerUnreachable extends Error {}

const FRESH_MS = 10 * 60_000;
const STALE_MS = 24 * 3_600_000;
/** How often the issuer is asked at most. */
const ASKS = { most: 2, withinMs: 60_000 };
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

interface Known {
  readonly getKey: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** Finds the key of a token. Rejects with jose's errors where the token names none of them. */
export function createIssuerKeys({ issuer, clock, logger }: IssuerKeysParts): JWTVerifyGetKey {
  let known: Known | undefined;
  let asking: Promise<void> | undefined;
  let askedAt: readonly number[] = [];
  let isDown = false;

  const ask = async (): Promise<void> => {
    const at = clock.elapsed();
    askedAt = [...askedAt, at].slice(-ASKS.most);
    try {
      known = { getKey: createLocalJWKSet(await fetchKeys(issuer)), fetchedAt: at };
      isDown = false;
    } catch (thrown) {
      isDown = true;
      const reason = thrown instanceof Error ? thrown.message : 'unknown';
      logger.warn('the keys of the issuer could not be fetched', { reason });
    }
  };
  /** Requests that come together share one look. */
  const refresh = (): Promise<void> => {
    const [first] = askedAt.length < ASKS.most ? [] : askedAt;
    const mayAsk = first === undefined || clock.elapsed() - first >= ASKS.withinMs;
    if (asking === undefined && !mayAsk) return Promise.resolve();
    return (asking ??= ask().finally(() => (asking = undefined)));
  };
  const ageMs = (): number => (known === undefined ? Infinity : clock.elapsed() - known.fetchedAt);
  const usable = (): Known => {
    if (known === undefined || ageMs() > STALE_MS) throw new IssuerUnreachable();
    return known;
  };

  return async (header, token) => {
    if (ageMs() > STALE_MS) await refresh();
    // Old keys serve while new ones are on their way.
    else if (ageMs() > FRESH_MS) void refresh();
    const { getKey } = usable();
    try {
      return await getKey(header, token);
    } catch (thrown) {
      if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown;
      await refresh();
      if (isDown) throw new IssuerUnreachable();
      return usable().getKey(header, token);
    }
  };
}

/** By the issuer's own metadata: OpenID Connect's, or else that of OAuth. */
async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  const metadata = (await fetchObject(places[0] ?? '')) ?? (await fetchObject(places[1] ?? ''));
  if (metadata === undefined) throw new Error(`there is no metadata at ${places.join(' or ')}`);
  if (metadata['issuer'] !== issuer) throw new Error('its metadata names another issuer');
  const address = metadata['jwks_uri'];
  if (typeof address !== 'string' || !URL.canParse(address) || !isSafeUrl(new URL(address)))
    throw new Error('its metadata names no https address of its keys');
  const set = await fetchObject(address);
  if (!Array.isArray(set?.['keys'])) throw new Error(`there are no keys at ${address}`);
  // jose checks each key before it is used.
  return set as unknown as JSONWebKeySet;
}

async function fetchObject(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { signal } = new AbortController();
  const outcome = await getJson(url, { headers: {}, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
  if (outcome.kind !== 'answer') throw new Error(`${url} cannot be reached`);
  const { body } = outcome;
  // Any object's fields may be looked at; what is in them is checked one by one.
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
}
