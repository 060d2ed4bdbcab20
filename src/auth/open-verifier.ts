/** What judges an issuer's tokens, and the library it needs: loaded by servers that have an issuer, and by nothing else. */
import type { TokenVerifier, VerifierParts } from './token-verifier.ts';

export async function openTokenVerifier(parts: VerifierParts): Promise<TokenVerifier> {
  const { createTokenVerifier } = await import('./token-verifier.ts');
  return createTokenVerifier(parts);
}
