/** From the header Authorization to a principal, or to a refusal that says what to send. */
import type { Clock, Principal, Scope } from '../core/index.ts';
import { errorReply, renderChallenge, RPC, type Admission, type Reply } from '../transport/index.ts';
import { findApiToken } from './api-tokens.ts';
import type { TokenVerdict, TokenVerifier } from './token-verifier.ts';

export interface AuthenticatorParts {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Whether the header holds the installation's own token; undefined where that one is not taken. */
  readonly hasOwnToken: ((authorization: string | undefined) => boolean) | undefined;
  /** Undefined without an issuer. */
  readonly verify: TokenVerifier | undefined;
  /** Where clients learn whose tokens are taken. */
  readonly metadataUrl: (() => string) | undefined;
}

export type Authenticator = (authorization: string | undefined) => Promise<Admission>;

/** What a client asks its issuer for at first; it is told of more when a call needs more. */
export const FIRST_SCOPES: readonly Scope[] = ['search', 'memory:read'];
const OWN_TOKEN: Principal = { kind: 'token', id: 'token', scopes: ['admin'] };
/** No issuer's token comes near it. */
const MAX_TOKEN_LENGTH = 8_192;
const RETRY_SECONDS = 30;
const UNKNOWN_TOKEN: TokenVerdict = { kind: 'invalid', why: 'The token is not known.' };

export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { dataDir, clock, hasOwnToken, verify } = parts;
  const refuse = (why: string | undefined): Admission => ({
    kind: 'refused',
    reply: unauthorized(why, parts),
  });
  return async (authorization) => {
    if (authorization === undefined) return refuse(undefined);
    if (hasOwnToken?.(authorization) === true) return { kind: 'admitted', principal: OWN_TOKEN };
    const given = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
    if (given === undefined || given.length > MAX_TOKEN_LENGTH) return refuse('The header holds no token.');
    const program = findApiToken(dataDir, given, clock);
    if (program !== undefined) return { kind: 'admitted', principal: program };
    const verdict = await (verify?.(given) ?? UNKNOWN_TOKEN);
    switch (verdict.kind) {
      case 'valid':
        return { kind: 'admitted', principal: verdict.principal };
      case 'invalid':
        return refuse(verdict.why);
      case 'unknown':
        return { kind: 'refused', reply: cannotTell() };
    }
  };
}

function unauthorized(
  why: string | undefined,
  { verify, metadataUrl }: Pick<AuthenticatorParts, 'verify' | 'metadataUrl'>,
): Reply {
  const words =
    verify === undefined
      ? 'send the header `Authorization: Bearer TOKEN`, with the token that the server was given, or else with the one ' +
        'that `waymark token` prints.'
      : 'sign in with the issuer that the header WWW-Authenticate leads to, or send a token of `waymark token create`.';
  return errorReply({
    status: 401,
    code: RPC.invalidRequest,
    message: `Unauthorized: ${why === undefined ? '' : `${why} To get in, `}${words}`,
    headers: {
      'WWW-Authenticate': renderChallenge({
        error: why === undefined ? undefined : 'invalid_token',
        description: verify === undefined ? undefined : why,
        scopes: verify === undefined ? undefined : FIRST_SCOPES,
        metadataUrl: metadataUrl?.(),
      }),
    },
  });
}

/** Not the client's fault: another token would fare no better. */
function cannotTell(): Reply {
  return errorReply({
    status: 503,
    code: RPC.internalError,
    message: 'The issuer of tokens cannot be asked for its keys. Try again later.',
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
