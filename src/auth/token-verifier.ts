/** Judges the tokens of an issuer: signature, issuer, audience and time; and reads from them who asks and what is allowed. */
import { createHash } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import {
  isTenantName,
  parseScope,
  type Clock,
  type Logger,
  type Principal,
  type Scope,
} from '../core/index.ts';
import { createIssuerKeys, IssuerUnreachable } from './issuer-keys.ts';

export interface VerifierParts {
  readonly issuer: string;
  /** Whom tokens have to be made for. */
  readonly audience: () => string;
  /** The claim that names the tenant. Where it is set, a token without it is none. */
  readonly tenantClaim: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type TokenVerdict =
  | { readonly kind: 'valid'; readonly principal: Principal }
  | { readonly kind: 'invalid'; readonly why: string }
  /** The issuer's keys cannot be had. */
  | { readonly kind: 'unknown' };

export type TokenVerifier = (token: string) => Promise<TokenVerdict>;

/** Signatures that only the issuer can make. What is not named is refused: `none`, and HMACs, whose key could be a public one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Clocks of two machines differ by so much. */
const SKEW_SECONDS = 30;
const MAX_CLAIM_LENGTH = 256;

export function createTokenVerifier(parts: VerifierParts): TokenVerifier {
  const { issuer, audience, clock, tenantClaim } = parts;
  const getKey = createIssuerKeys(parts);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, getKey, {
        issuer,
        audience: withAndWithoutSlash(audience()),
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(clock.now()),
        requiredClaims: ['sub', 'exp'],
      } satisfies JWTVerifyOptions);
      return toVerdict(payload, issuer, tenantClaim);
    } catch (thrown) {
      if (thrown instanceof IssuerUnreachable) return { kind: 'unknown' };
      return { kind: 'invalid', why: explain(thrown) };
    }
  };
}

function toVerdict(payload: JWTPayload, issuer: string, tenantClaim: string | undefined): TokenVerdict {
  const subject = readName(payload.sub);
  const tenant = tenantClaim === undefined ? undefined : readName(payload[tenantClaim]);
  if (subject === undefined) return { kind: 'invalid', why: 'The token names no subject.' };
  if (tenantClaim !== undefined && tenant === undefined)
    return { kind: 'invalid', why: 'The token names no tenant.' };
  if (tenant !== undefined && !isTenantName(tenant))
    return { kind: 'invalid', why: 'The token names a tenant that this server cannot have.' };
  // A digest, because issuers put anything into a subject, and a list, because no two of them may come to the same text.
  const id = createHash('sha256')
    .update(JSON.stringify([issuer, subject, tenant]))
    .digest('base64url')
    .slice(0, 22);
  return {
    kind: 'valid',
    principal: {
      kind: 'person',
      id: `person:${id}`,
      issuer,
      subject,
      tenant,
      scopes: readScopes(payload),
      expiresAt: (payload.exp ?? 0) * 1000,
    },
  };
}

function readName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM_LENGTH ? value : undefined;
}

/** `scope` as RFC 9068 has it, or `scp` as some issuers write it. */
function readScopes(payload: JWTPayload): readonly Scope[] {
  const words = [payload['scope'], payload['scp']]
    .flat()
    .flatMap((part) => (typeof part === 'string' ? part.split(' ') : []));
  return [...new Set(words)].flatMap((word) => parseScope(word) ?? []);
}

/** Some issuers write an address with a slash at its end, clients ask for it without. */
function withAndWithoutSlash(audience: string): string[] {
  const bare = audience.replace(/\/$/, '');
  return [bare, `${bare}/`];
}

/** In our own words, and without anything of the token. */
function explain(thrown: unknown): string {
  if (thrown instanceof errors.JWTExpired) return 'The token has expired.';
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    if (thrown.claim === 'aud') return 'The token was not issued for this server.';
    if (thrown.claim === 'iss') return 'The token is not of the issuer that this server trusts.';
    if (thrown.claim === 'nbf') return 'The token is not valid yet.';
    return 'The token lacks a claim that is needed.';
  }
  if (thrown instanceof errors.JWKSNoMatchingKey) return 'The issuer has no such key.';
  if (thrown instanceof errors.JOSEAlgNotAllowed) return 'The token is signed in a way that is not accepted.';
  return 'The token is not valid.';
}
