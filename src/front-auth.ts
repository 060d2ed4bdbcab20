/** Who may ask the HTTP server: the installation's token, tokens of programs, and those of an issuer. */
import { join } from 'node:path';
import type { Config } from './config/index.ts';
import { AppError, type Logger, once } from './core/index.ts';
import { readGivenSecret, readOrCreateSecret, systemClock, systemIds } from './platform/index.ts';
import { isLoopback } from './text/index.ts';
import type { Admission, Edge } from './transport/index.ts';

export interface OpenAuth {
  /** Undefined where every program that reaches the server may ask. */
  readonly authenticate: ((authorization: string | undefined) => Promise<Admission>) | undefined;
  /** For what always wants a token. */
  readonly insist: (authorization: string | undefined) => Promise<Admission>;
  readonly metadataUrl: (() => string) | undefined;
  /** Where clients find the server. */
  readonly publicUrl: () => string;
  readonly edges: readonly Edge[];
  /** The host of the public address, which clients call. */
  readonly hosts: readonly string[];
}

interface AuthOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Where clients find the server if the settings do not say; asked for once it listens. */
  readonly clientUrl: () => string;
}

export async function openAuth({ config, logger, clientUrl }: AuthOptions): Promise<OpenAuth> {
  const [{ checkToken, hasToken }, auth] = await Promise.all([
    import('./http/index.ts'),
    import('./auth/index.ts'),
  ]);
  const { dataDir, oauthIssuer, oauthAudience } = config;
  const givenToken = readGivenToken(config);
  if (givenToken !== undefined) checkToken(givenToken);
  const wantsOwn = config.requireToken || givenToken !== undefined;
  const ownToken = once(() => givenToken ?? readOrCreateSecret(join(dataDir, 'token'), systemIds));
  const given = config.publicUrl === undefined ? undefined : auth.checkPublicUrl(config.publicUrl);
  const publicUrl = (): string => given ?? clientUrl();
  if (oauthIssuer !== undefined && given === undefined && !isLoopback(config.host))
    throw new AppError('bad_config', 'With --oauth-issuer, others have to know where this server is.', {
      hint: 'Say what clients write: --public-url https://waymark.example/mcp',
    });
  const issuer = oauthIssuer === undefined ? undefined : auth.checkIssuer(oauthIssuer);
  const metadataUrl = issuer === undefined ? undefined : () => auth.metadataUrlOf(publicUrl());
  const verify =
    issuer === undefined
      ? undefined
      : await auth.openTokenVerifier({
          issuer,
          audience: () => oauthAudience ?? publicUrl(),
          tenantClaim: config.oauthTenantClaim,
          clock: systemClock,
          logger,
        });
  const parts = { dataDir, clock: systemClock, verify, metadataUrl };
  const hasOwnToken = (authorization: string | undefined): boolean => hasToken(authorization, ownToken());
  // A file that is not believed is told of at start, not with the first request.
  if (wantsOwn || (config.rest && issuer === undefined)) ownToken();
  const authenticate =
    wantsOwn || issuer !== undefined
      ? auth.createAuthenticator({ ...parts, hasOwnToken: wantsOwn ? hasOwnToken : undefined })
      : undefined;
  return {
    authenticate,
    insist: authenticate ?? auth.createAuthenticator({ ...parts, hasOwnToken }),
    metadataUrl,
    publicUrl,
    edges: issuer === undefined ? [] : [auth.createMetadataEdge({ issuer, publicUrl })],
    hosts: given === undefined ? [] : [new URL(given).hostname],
  };
}

/** The token of the user's own; where it is given twice, both must be the same, or clients would be refused without a word why. */
function readGivenToken({ token, tokenFile }: Config): string | undefined {
  const inFile = tokenFile === undefined ? undefined : readGivenSecret(tokenFile);
  if (token === undefined || inFile === undefined || token === inFile) return token ?? inFile;
  throw new AppError('bad_config', '--token (WAYMARK_TOKEN) and --token-file hold different tokens.', {
    hint: 'Give one of them.',
  });
}
