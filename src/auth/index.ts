/** Whose token is it? The installation's own, those made for programs, and those of an issuer that the user trusts. */
export {
  createApiToken,
  findApiToken,
  listApiTokens,
  revokeApiTokens,
  type ApiToken,
  type ApiTokenDraft,
} from './api-tokens.ts';
export {
  createAuthenticator,
  FIRST_SCOPES,
  type Authenticator,
  type AuthenticatorParts,
} from './authenticator.ts';
export { checkIssuer, checkPublicUrl } from './checked-urls.ts';
export { createMetadataEdge, metadataUrlOf } from './metadata-edge.ts';
export { openTokenVerifier } from './open-verifier.ts';
export type { TokenVerdict, TokenVerifier } from './token-verifier.ts';
