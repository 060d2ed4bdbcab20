/** Who asks, and what they may do. */

/** From the least to the most: each tool needs one of them. */
export const SCOPES = ['search', 'memory:read', 'memory:write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a broader scope holds besides itself. */
const IMPLIED: Readonly<Record<Scope, readonly Scope[]>> = {
  search: [],
  'memory:read': [],
  'memory:write': ['memory:read'],
  admin: ['search', 'memory:read', 'memory:write'],
};

export function parseScope(text: string): Scope | undefined {
  return SCOPES.find((scope) => scope === text);
}

/** Those of the needed scopes that the granted ones do not hold, in their fixed order. */
export function missingScopes(granted: readonly Scope[], needed: readonly Scope[]): readonly Scope[] {
  const held = granted.flatMap((scope) => [scope, ...IMPLIED[scope]]);
  return SCOPES.filter((scope) => needed.includes(scope) && !held.includes(scope));
}

/** The tenant of who runs the server; no token can name it. */
export const OWN_TENANT = 'default';
/** What issuers call them: ids, domains, addresses. */
const TENANT = /^[\p{L}\p{N}][\p{L}\p{N} ._:@/|+-]{0,199}$/u;

export function isTenantName(name: string): boolean {
  return TENANT.test(name) && name !== OWN_TENANT;
}

export interface Principal {
  /**
   * `local`: any program that reaches a server without a token. `token`: the holder of the installation's token.
   * `api_token`: a program with a token of its own. `person`: the subject of an issuer's token.
   */
  readonly kind: 'local' | 'token' | 'api_token' | 'person';
  /** Never two principals', and the same for all requests of one. Names no secret. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** Only of persons, as their issuer names them. */
  readonly issuer?: string;
  readonly subject?: string;
  /** Whom the principal works for, by the claim that the settings name. */
  readonly tenant?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}

/** Whether it is the person who runs the server: others sign in, or have tokens of their own. */
export function isOwner({ kind }: Pick<Principal, 'kind'>): boolean {
  return kind === 'local' || kind === 'token';
}

/** Any program on this machine. */
export const LOCAL_PRINCIPAL: Principal = { kind: 'local', id: 'local', scopes: ['admin'] };
