/** A real authorization server, `oidc-provider`, in this process: it signs everyone in, can rotate its keys and can be down. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import Provider from 'oidc-provider';
import type { OnEnd } from './temp-folder.ts';

export interface Issuer {
  readonly url: string;
  /** Does in place of a person's browser what the address asks for; resolves with the address of the client that it leads to. */
  signIn(authorizationUrl: URL, person?: string): Promise<URL>;
  /** A token of its own key; what is said stands above what is usual. */
  sign(claims: Readonly<Record<string, unknown>>, header?: SignedHeader): Promise<string>;
  /** The public half of its key. */
  publicKey(): JWK;
  /** New tokens have another key, and the old one is gone. */
  rotate(): Promise<void>;
  /** While it is down, connections are cut. */
  setDown(isDown: boolean): void;
  /** How often its keys were asked for. */
  readonly asked: number;
}

interface SignedHeader {
  readonly kid?: string;
  readonly key?: CryptoKey | Uint8Array;
  readonly alg?: string;
}

export const CLIENT_ID = 'agent';
export const REDIRECT_URL = 'http://127.0.0.1:9/callback';
const SCOPES = 'search memory:read memory:write admin';

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

async function makeKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const told = { kid, alg: 'ES256', use: 'sig' };
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)]);
  return { kid, privateKey, privateJwk: { ...privateJwk, ...told }, publicJwk: { ...publicJwk, ...told } };
}

export async function openIssuer(onEnd: OnEnd): Promise<Issuer> {
  const server = createServer();
  const url = await listen(server);
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  let key = await makeKey('first');
  let isDown = false;
  let asked = 0;
  let person = 'ada';
  let provider = new Provider(url, configuration(key));
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (isDown) return void incoming.socket.destroy();
    if (incoming.url === '/jwks') {
      asked += 1;
      outgoing.setHeader('Content-Type', 'application/json');
      return void outgoing.end(JSON.stringify({ keys: [key.publicJwk] }));
    }
    if (incoming.url?.startsWith('/interaction/') === true)
      return void agree(provider, { incoming, outgoing, person });
    return void provider.callback()(incoming, outgoing);
  });

  return {
    url,
    async signIn(authorizationUrl, who = 'ada') {
      person = who;
      return follow(authorizationUrl);
    },
    sign: (claims, { kid = key.kid, key: signing = key.privateKey, alg = 'ES256' } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, sub: 'ada', scope: SCOPES, iat: now, exp: now + 600 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
        .sign(signing);
    },
    publicKey: () => key.publicJwk,
    async rotate() {
      key = await makeKey(`${key.kid}-next`);
      provider = new Provider(url, configuration(key));
    },
    setDown(down) {
      isDown = down;
    },
    get asked() {
      return asked;
    },
  };
}

function configuration(key: Key): Readonly<Record<string, unknown>> {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [REDIRECT_URL],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        id_token_signed_response_alg: 'ES256',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [key.privateJwk] },
    cookies: { keys: ['a key of a test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600 },
    pkce: { required: () => true },
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    extraTokenClaims: async () => ({ tenant: 'acme' }),
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context: unknown, resource: string) => ({
          scope: SCOPES,
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
}

interface Interaction {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly person: string;
}

/** Signs the person in, or agrees to all that the client wants. */
async function agree(provider: Provider, { incoming, outgoing, person }: Interaction): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(incoming, outgoing);
  const finish = (result: Readonly<Record<string, unknown>>): Promise<void> =>
    provider.interactionFinished(incoming, outgoing, result, { mergeWithLastSubmission: false });
  if (prompt.name === 'login') return finish({ login: { accountId: person } });
  const grant = new provider.Grant({ accountId: session?.accountId ?? person, clientId: CLIENT_ID });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(String(params['resource']), String(params['scope']));
  return finish({ consent: { grantId: await grant.save() } });
}

/** As a browser: redirect by redirect, with cookies. */
async function follow(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = start;
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`${at.href} answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
    if (at.href.startsWith(REDIRECT_URL)) return at;
  }
  throw new Error('it leads nowhere');
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    }),
  );
}
