/** Official clients that sign in with an issuer: PKCE, `resource`, and more scopes when a call needs them. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  UnauthorizedError as UnauthorizedV2,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as UnauthorizedV1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { CLIENT_ID, REDIRECT_URL, type Issuer } from './issuer.ts';

interface Tokens {
  access_token: string;
  token_type: string;
  scope?: string;
}

/** What a client keeps of its authorization; the same for both versions of the SDK. */
export interface Wallet {
  /** Every address that a person was sent to. */
  readonly asked: readonly URL[];
  readonly token: string;
}

export interface SignedInClient {
  readonly wallet: Wallet;
  /** From now on it shows this token. */
  show(token: string): void;
  /** Signs in again where the server asks for more. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
}

class MemoryWallet implements Wallet {
  readonly asked: URL[] = [];
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadata = {
    client_name: 'signed-in',
    redirect_uris: [REDIRECT_URL],
    token_endpoint_auth_method: 'none',
  };
  #tokens: Tokens | undefined;
  #verifier = '';

  get token(): string {
    return this.#tokens?.access_token ?? '';
  }
  clientInformation() {
    return { client_id: CLIENT_ID };
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: Tokens) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.asked.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

interface Connection {
  connect(): Promise<void>;
  finish(callback: URL): Promise<void>;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export const SIGNED_IN_KINDS = ['version 1', 'version 2, legacy', 'version 2, modern'] as const;
export type SignedInKind = (typeof SIGNED_IN_KINDS)[number];

export async function openSignedIn(
  kind: SignedInKind,
  { url, issuer, person }: { readonly url: string; readonly issuer: Issuer; readonly person: string },
): Promise<SignedInClient> {
  const wallet = new MemoryWallet();
  const open = (): Connection =>
    kind === 'version 1' ? connectionV1(url, wallet) : connectionV2(url, wallet, kind);
  let connection = open();
  const signIn = async (): Promise<void> => {
    const asked = wallet.asked.at(-1);
    if (asked === undefined) throw new Error('the client sent its person nowhere');
    await connection.finish(await issuer.signIn(asked, person));
  };
  const orSignIn = async <Result>(work: () => Promise<Result>, before: () => void): Promise<Result> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof UnauthorizedV1 || thrown instanceof UnauthorizedV2)) throw thrown;
      await signIn();
      before();
      return work();
    }
  };
  await orSignIn(
    () => connection.connect(),
    // A client that was turned away connects anew.
    () => void (connection = open()),
  );
  return {
    wallet,
    show: (token) => wallet.saveTokens({ access_token: token, token_type: 'Bearer' }),
    call: async (name, args) =>
      JSON.stringify(
        await orSignIn(
          () => connection.call(name, args),
          () => {},
        ),
      ),
  };
}

const INFO = { name: 'signed-in', version: '1.0.0' };

function connectionV1(url: string, authProvider: MemoryWallet): Connection {
  const client = new ClientV1(INFO);
  const transport = new HttpV1(new URL(url), { authProvider });
  onTestFinished(() => client.close());
  return {
    // The SDK's own class does not satisfy its own interface under exactOptionalPropertyTypes.
    connect: () => client.connect(transport as Parameters<ClientV1['connect']>[0]),
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
  };
}

function connectionV2(url: string, authProvider: MemoryWallet, kind: SignedInKind): Connection {
  const mode = kind.endsWith('modern') ? 'auto' : 'legacy';
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  const transport = new HttpV2(new URL(url), { authProvider });
  onTestFinished(() => client.close());
  return {
    connect: () => client.connect(transport),
    finish: (callback) => transport.finishAuth(callback.searchParams),
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
  };
}
