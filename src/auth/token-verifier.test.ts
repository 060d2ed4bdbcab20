import { UnsecuredJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openIssuer, type Issuer } from '../../test/support/issuer.ts';
import { collectEnds } from '../../test/support/temp-folder.ts';
import { silentLogger } from '../text/index.ts';
import { createTokenVerifier, type TokenVerdict, type TokenVerifier } from './token-verifier.ts';

const AUDIENCE = 'https://waymark.example/mcp';
const MINUTE = 60_000;
let issuer: Issuer;
let elapsed = 0;
let verify: TokenVerifier;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  issuer = await openIssuer(onEnd);
  return end;
});

beforeEach(() => {
  issuer.setDown(false);
  verify = open();
});

function open(tenantClaim?: string): TokenVerifier {
  return createTokenVerifier({
    issuer: issuer.url,
    audience: () => AUDIENCE,
    tenantClaim,
    clock: { now: () => Date.now(), elapsed: () => elapsed },
    logger: silentLogger,
  });
}

const sign = (claims: Readonly<Record<string, unknown>> = {}) => issuer.sign({ aud: AUDIENCE, ...claims });
const sayOf = (verdict: TokenVerdict): string => (verdict.kind === 'invalid' ? verdict.why : verdict.kind);
const seconds = (away: number): number => Math.floor(Date.now() / 1000) + away;

describe('R163 a token', () => {
  test('says who asks, for whom and what is allowed; scopes of others are none of ours', async () => {
    const token = await sign({ scope: 'openid search memory:write', tenant: 'acme' });

    const verdict = await open('tenant')(token);

    expect(verdict).toMatchObject({
      kind: 'valid',
      principal: { kind: 'person', issuer: issuer.url, subject: 'ada', tenant: 'acme' },
    });
    expect(verdict.kind === 'valid' && verdict.principal.scopes).toEqual(['search', 'memory:write']);
  });

  test('makes the same principal each time, and another for each subject and tenant', async () => {
    const ids = await Promise.all(
      [{}, {}, { sub: 'bob' }, { tenant: 'b' }, { sub: 'a', tenant: 'ab' }].map(async (claims) => {
        const verdict = await open('tenant')(await sign({ tenant: 'a', ...claims }));
        return verdict.kind === 'valid' ? verdict.principal.id : '';
      }),
    );

    expect(ids[0]).toMatch(/^person:[\w-]{22}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
  });

  test.each([
    ['of another audience', { aud: 'https://other.example/mcp' }, 'was not issued for this server'],
    ['of the audience above ours', { aud: 'https://waymark.example' }, 'was not issued for this server'],
    ['without an audience', { aud: undefined }, 'was not issued for this server'],
    ['of another issuer', { iss: 'https://other.example' }, 'not of the issuer'],
    ['without an issuer', { iss: undefined }, 'not of the issuer'],
    ['that has expired', { exp: seconds(-60) }, 'has expired'],
    ['without an end', { exp: undefined }, 'lacks a claim'],
    ['of the future', { nbf: seconds(120) }, 'not valid yet'],
    ['without a subject', { sub: undefined }, 'lacks a claim'],
    ['of an empty subject', { sub: '' }, 'names no subject'],
  ])('%s is refused', async (_what, claims, words) => {
    expect(sayOf(await verify(await sign(claims)))).toContain(words);
  });

  test('is taken for half a minute of difference between two clocks, and with a slash at the end of its audience', async () => {
    const verdicts = await Promise.all(
      [{ exp: seconds(-20) }, { nbf: seconds(20) }, { aud: [`${AUDIENCE}/`, 'x'] }].map(async (claims) =>
        verify(await sign(claims)),
      ),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(['valid', 'valid', 'valid']);
  });

  test('without the tenant that is asked for is refused', async () => {
    expect(sayOf(await open('tenant')(await sign()))).toContain('names no tenant');
  });

  test('that is signed by none, with the public key, by another key or with changed claims is refused', async () => {
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'ada', exp: seconds(60), scope: 'admin' };
    const none = new UnsecuredJWT(claims).encode();
    const publicText = new TextEncoder().encode(JSON.stringify(issuer.publicKey()));
    const hmac = await issuer.sign({ aud: AUDIENCE }, { key: publicText, alg: 'HS256' });
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
    ]);
    const forged = await issuer.sign({ aud: AUDIENCE }, { key: privateKey });
    const [head, , signature] = (await sign()).split('.');
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url');

    const verdicts = await Promise.all(
      [none, hmac, forged, `${head}.${body}.${signature}`, 'no.jwt', 'opaque', ''].map(async (token) =>
        verify(token),
      ),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(Array.from({ length: 7 }, () => 'invalid'));
  });
});

describe('R163 keys', () => {
  test('that are kept go on while the issuer is down, for a day; without any, nothing can be said', async () => {
    const token = await sign();
    await verify(token);

    issuer.setDown(true);
    elapsed += 11 * MINUTE;
    const later = await verify(token);
    elapsed += 25 * 60 * MINUTE;
    const nextDay = await verify(token);

    expect([later.kind, nextDay.kind, (await open()(token)).kind]).toEqual(['valid', 'unknown', 'unknown']);
  });

  test('are looked for again when a token names a new one, and an old one then ends', async () => {
    const old = await sign();
    await verify(old);

    await issuer.rotate();
    const fresh = await verify(await sign());

    expect(fresh.kind).toBe('valid');
    expect(sayOf(await verify(old))).toContain('no such key');
  });

  test('are asked for twice a minute at most, however many tokens name unknown ones at once', async () => {
    await verify(await sign());
    const before = issuer.asked;
    const odd = await Promise.all(
      Array.from({ length: 50 }, (_, at) => issuer.sign({ aud: AUDIENCE }, { kid: `../../${at}` })),
    );

    const verdicts = await Promise.all(odd.map(async (token) => verify(token)));
    await verify(odd[0] ?? '');

    expect(new Set(verdicts.map(sayOf))).toEqual(new Set(['The issuer has no such key.']));
    expect(issuer.asked - before).toBe(1);
  });

  test('an unknown one of an issuer that is down is no fault of the client', async () => {
    await verify(await sign());

    issuer.setDown(true);

    expect((await verify(await issuer.sign({ aud: AUDIENCE }, { kid: 'new' }))).kind).toBe('unknown');
  });
});
