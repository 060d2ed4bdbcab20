/** Asks a client for authorization, or for more of it: RFC 6750, with the metadata of RFC 9728. */
import { missingScopes, SCOPES, type Principal, type Scope } from '../core/index.ts';
import { errorReply, RPC, type Reply, type RequestId } from './exchange.ts';

export interface Challenge {
  readonly error?: 'invalid_token' | 'insufficient_scope' | undefined;
  /** Plain ASCII without quotes. */
  readonly description?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  /** Where clients learn whose tokens are taken. */
  readonly metadataUrl?: string | undefined;
}

/** The value of `WWW-Authenticate`. */
export function renderChallenge({ error, description, scopes, metadataUrl }: Challenge): string {
  const parts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['realm', 'waymark'],
    ['error', error],
    ['error_description', description],
    ['scope', scopes?.join(' ')],
    ['resource_metadata', metadataUrl],
  ];
  const written = parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  return `Bearer ${written.join(', ')}`;
}

export interface NeededScopes {
  readonly needed: readonly Scope[];
  readonly id?: RequestId | undefined;
  readonly metadataUrl: string | undefined;
}

/**
 * Undefined if the principal may. All scopes that its next token has to have are named at once, those that it has among them:
 * there are clients that ask for what the challenge names and nothing else.
 */
export function refuseScopes(
  { scopes }: Principal,
  { needed, id, metadataUrl }: NeededScopes,
): Reply | undefined {
  const missing = missingScopes(scopes, needed);
  if (missing.length === 0) return undefined;
  const description = `This call needs ${missing.join(' and ')}.`;
  const wanted = SCOPES.filter((scope) => scopes.includes(scope) || missing.includes(scope));
  return errorReply({
    status: 403,
    code: RPC.invalidRequest,
    message: `Forbidden: the token does not allow this. ${description}`,
    id,
    headers: {
      'WWW-Authenticate': renderChallenge({
        error: 'insufficient_scope',
        description,
        scopes: wanted,
        metadataUrl,
      }),
    },
  });
}
