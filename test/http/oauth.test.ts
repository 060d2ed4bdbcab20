/** A server that trusts an issuer: official clients sign in, and what is no token for this server is none. */
import { readFileSync } from 'node:fs';
import { UnsecuredJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openIssuer, type Issuer } from '../support/issuer.ts';
import { send } from '../support/raw-http.ts';
import { initialize, legacy, modern, openSession } from '../support/rpc.ts';
import { openSignedIn, SIGNED_IN_KINDS } from '../support/signed-in-client.ts';
import { collectEnds, tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { run, serve, type ServedWaymark } from '../support/waymark.ts';

const OWN_TOKEN = 'a-token-of-the-house-with-40-characters-1';
let issuer: Issuer;
let served: ServedWaymark;
let project: TempFolder;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  project = tempFolder(
    {
      'tenants/acme/shop/.git/HEAD': 'ref: refs/heads/main\n',
      'tenants/acme/shop/a.ts': 'export const answer = 42;\n',
      'own/.keep': '',
    },
    onEnd,
  );
  issuer = await openIssuer(onEnd);
  const flags = ['--oauth-issuer', issuer.url, '--oauth-tenant-claim', 'tenant', '--token', OWN_TOKEN];
  const roots = [
    '--allow-project-root',
    project.join('own'),
    '--tenant-project-root',
    project.join('tenants'),
  ];
  const places = [...roots, '--log-file', project.join('server.log')];
  served = await serve([...flags, ...places, '--log-level', 'debug'], {
    onEnd,
  });
  return end;
});

beforeEach(() => issuer.setDown(false));

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const sign = (claims: Readonly<Record<string, unknown>> = {}) =>
  issuer.sign({ aud: served.url, tenant: 'acme', ...claims });
const hello = (token: string) => send(served.port, initialize(undefined, bearer(token)));
const readLog = () => readFileSync(project.join('server.log'), 'utf8');
const origin = () => new URL(served.url).origin;

describe.each(SIGNED_IN_KINDS)('R163 an official client (%s)', (kind) => {
  test('signs in with PKCE and resource, and comes back with more scopes when a call needs them', async () => {
    const client = await openSignedIn(kind, { url: served.url, issuer, person: 'ada' });
    const [first] = client.wallet.asked;
    const found = await client.call('search_code', {
      query: 'answer',
      project: project.join('tenants/acme/shop'),
    });

    const saved = await client.call('checkpoint_save', {
      content: `Note of ${kind}.`,
      project: project.join('tenants/acme/shop'),
    });
    const stepUp = client.wallet.asked.at(-1);
    const again = await client.call('search_code', {
      query: 'answer',
      project: project.join('tenants/acme/shop'),
    });

    const said = Object.fromEntries(first?.searchParams ?? []);
    expect(said).toMatchObject({
      resource: served.url,
      code_challenge_method: 'S256',
      scope: 'search memory:read',
    });
    expect(client.wallet.asked.length).toBe(2);
    expect(stepUp?.searchParams.get('scope')?.split(' ').toSorted()).toEqual([
      'memory:read',
      'memory:write',
      'search',
    ]);
    expect([found, again].every((text) => text.includes('a.ts'))).toBe(true);
    expect(saved).toContain('Checkpoint saved');
    expect(readLog()).not.toContain(client.wallet.token.slice(-40));
  });
});

describe.each(SIGNED_IN_KINDS)('R163 an official client (%s) that shows what is no token here', (kind) => {
  test('signs in again, and its call is answered', async () => {
    const client = await openSignedIn(kind, { url: served.url, issuer, person: 'ada' });
    const query = { query: 'answer', project: project.join('tenants/acme/shop') };
    const claims = { iss: issuer.url, aud: served.url, tenant: 'acme', sub: 'ada', exp: 2_000_000_000 };
    const publicText = new TextEncoder().encode(JSON.stringify(issuer.publicKey()));
    const tokens = {
      'for another server': await sign({ aud: 'https://other.example/mcp' }),
      'of another issuer': await sign({ iss: 'https://other.example' }),
      expired: await sign({ exp: 1_000_000 }),
      forged: `${(await sign()).slice(0, -6)}AAAAAA`,
      'signed with the public key': await issuer.sign(claims, { key: publicText, alg: 'HS256' }),
      'alg none': new UnsecuredJWT(claims).encode(),
    };
    const told: Record<string, string> = {};

    for (const [what, token] of Object.entries(tokens)) {
      const before = client.wallet.asked.length;
      client.show(token);
      const found = await client.call('search_code', query);
      told[what] = `${client.wallet.asked.length - before} ${found.includes('a.ts')}`;
    }

    expect(told).toEqual(Object.fromEntries(Object.keys(tokens).map((what) => [what, '1 true'])));
  });

  test('signs in again once the issuer has another key, and goes on while the issuer is down', async () => {
    const own = await openIssuer(onTestFinished);
    const flags = ['--oauth-issuer', own.url, '--allow-project-root', project.join('own')];
    const { url } = await serve(flags);
    const ada = await openSignedIn(kind, { url, issuer: own, person: 'ada' });
    const here = { project: project.join('own') };
    await own.rotate();

    const kept = await ada.call('project_status', here);
    const before = ada.wallet.asked.length;
    const bob = await openSignedIn(kind, { url, issuer: own, person: 'bob' });
    const renewed = await ada.call('project_status', here);
    own.setDown(true);
    const down = await bob.call('project_status', here);

    expect([before, ada.wallet.asked.length]).toEqual([1, 2]);
    for (const text of [kept, renewed, down]) expect(text).toContain(project.join('own'));
  });
});

describe('R163 metadata', () => {
  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'at %s names the server and its issuer, to callers without a token',
    async (path) => {
      const { status, text } = await send(served.port, { method: 'GET', path, headers: {} });

      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual({
        resource: served.url,
        authorization_servers: [issuer.url],
        scopes_supported: ['search', 'memory:read', 'memory:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Waymark',
      });
    },
  );

  test('is behind the checks of Host and Origin as everything is (R103), and is only read', async () => {
    const path = '/.well-known/oauth-protected-resource';

    const replies = await Promise.all([
      send(served.port, { method: 'GET', path, headers: { host: 'evil.example' } }),
      send(served.port, { method: 'GET', path, headers: { origin: 'https://evil.example' } }),
      send(served.port, { method: 'POST', path, headers: {}, body: {} }),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([421, 403, 405]);
  });

  test('is where a caller without a token is sent', async () => {
    const { status, headers } = await send(served.port, initialize());

    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="waymark", scope="search memory:read", resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('R163 a request', () => {
  test.each([
    ['for another server', { aud: 'https://other.example/mcp' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['that has expired', { exp: 1_000_000 }],
    ['without the tenant', { tenant: undefined }],
  ])('with a token %s is answered with 401 and where to get one', async (_what, claims) => {
    const { status, headers, text } = await hello(await sign(claims));

    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/error="invalid_token".*resource_metadata="http/);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  test('with a forged token, one signed by none or one signed with the public key is answered with 401', async () => {
    const claims = { iss: issuer.url, aud: served.url, tenant: 'acme', sub: 'ada', exp: 2_000_000_000 };
    const publicText = new TextEncoder().encode(JSON.stringify(issuer.publicKey()));
    const good = await sign();
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      await issuer.sign(claims, { key: publicText, alg: 'HS256' }),
      `${good.slice(0, -6)}AAAAAA`,
    ];

    const statuses = (await Promise.all(tokens.map(hello))).map(({ status }) => status);

    expect([...statuses, (await hello(good)).status]).toEqual([401, 401, 401, 200]);
  });

  test('with a token in its query is answered with 401', async () => {
    const token = await sign();

    const replies = await Promise.all(
      ['access_token', 'token'].map((name) =>
        send(served.port, initialize(undefined, { path: `/mcp?${name}=${token}` })),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    expect(readLog()).not.toContain(token.slice(-40));
  });

  test('with the token of the house is another principal, which may do all', async () => {
    const call = {
      id: 1,
      method: 'tools/call',
      params: { name: 'clear_index', arguments: { project: '/nowhere' } },
    };

    const own = await send(served.port, modern(call, bearer(OWN_TOKEN)));
    const person = await send(
      served.port,
      modern(call, bearer(await sign({ scope: 'search memory:write' }))),
    );

    expect([own.status, person.status]).toEqual([200, 403]);
    expect(person.headers['www-authenticate']).toMatch(
      /scope="search memory:write admin", resource_metadata="http/,
    );
  });
});

describe('R077 a session of a person', () => {
  test('does not exist for another person, nor for the same one of another tenant', async () => {
    const session = await openSession(served.port, undefined, bearer(await sign()));
    const ping = { id: 2, method: 'ping' };
    const others = [await sign({ sub: 'bob' }), await sign({ tenant: 'other' }), OWN_TOKEN];

    const stolen = await Promise.all(
      others.map(async (token) => (await send(served.port, legacy(session, ping, bearer(token)))).status),
    );
    const renewed = await send(served.port, legacy(session, ping, bearer(await sign({ scope: 'search' }))));

    expect(stolen).toEqual([404, 404, 404]);
    expect(renewed.status).toBe(200);
  });
});

test('R163 while the issuer is down its kept keys go on, and a token of a new one is answered with 503', async () => {
  await hello(await sign());

  issuer.setDown(true);
  const known = await hello(await sign());
  const unknown = await hello(await issuer.sign({ aud: served.url, tenant: 'acme' }, { kid: 'new' }));

  expect([known.status, unknown.status]).toEqual([200, 503]);
  expect(unknown.headers['retry-after']).toBe('30');
});

test.each([
  [['--oauth-issuer', 'http://issuer.example'], '--oauth-issuer takes an https address'],
  [['--oauth-issuer', 'https://issuer.example/?x=1'], '--oauth-issuer takes an https address'],
  [['--oauth-issuer', 'https://i.example', '--public-url', 'waymark.example'], '--public-url takes an https'],
  [['--oauth-issuer', 'https://i.example', '--host', '0.0.0.0'], 'where this server is'],
])('R163 settings that would not hold are refused at start: %j', async (args, words) => {
  const { code, stderr } = await run(['serve', '--port', '0', ...args]);

  expect(code).toBe(2);
  expect(stderr).toContain(words);
});
