/** Who gets into the page, and who does not: asked without a browser, which would be too polite. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { send, type RawReply, type RawRequest } from '../support/raw-http.ts';
import type { ServedPage } from '../support/served-page.ts';

const WRITES = ['project/index', 'project/clear', 'search', 'memory/edit', 'memory/forget', 'memory/undo'];
const FOREIGN = [
  'http://evil.example',
  'https://evil.example',
  'null',
  'http://127.0.0.1:1',
  'http://localhost:3000',
  'http://127.0.0.1.evil.example',
  'http://[::1]:9',
  'chrome-extension://abcdefghijklmnop',
];

export interface Session {
  readonly cookie: string;
  readonly token: string;
}

/** Exchanges the code of a link as the page does. */
export async function enter(port: number, link: string): Promise<Session & { readonly reply: RawReply }> {
  const reply = await ask(port, { path: 'session', body: { code: codeIn(link) } });
  const cookie = String(reply.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const token: unknown = reply.status === 200 ? Reflect.get(Object(JSON.parse(reply.text)), 'token') : '';
  return { reply, cookie, token: String(token) };
}

export function codeIn(link: string): string {
  return /#code=(\S+)$/.exec(link)?.[1] ?? '';
}

interface Asked {
  readonly path: string;
  readonly body?: unknown;
  readonly session?: Partial<Session>;
  readonly headers?: RawRequest['headers'];
}

export function ask(port: number, { path, body, session, headers = {} }: Asked): Promise<RawReply> {
  return send(port, {
    method: body === undefined ? 'GET' : 'POST',
    path: `/ui/api/${path}`,
    headers: {
      host: `127.0.0.1:${port}`,
      ...(body === undefined
        ? {}
        : { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' }),
      ...(session?.cookie === undefined ? {} : { cookie: session.cookie }),
      ...(session?.token === undefined ? {} : { 'x-waymark-page': session.token }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

export function describeAccess(server: () => Promise<{ served: ServedPage; newLink(): Promise<string> }>) {
  describe('R151 who is let in', () => {
    test('a code is good for one exchange; the cookie is for this page alone and out of reach of scripts', async () => {
      const { served, newLink } = await server();
      const link = await newLink();

      const first = await enter(served.port, link);
      const again = await enter(served.port, link);

      expect(first.reply.status).toBe(200);
      expect(String(first.reply.headers['set-cookie'])).toMatch(/; Path=\/ui; HttpOnly; SameSite=Strict$/);
      expect(again.reply.status).toBe(403);
      expect(again.reply.headers['set-cookie']).toBeUndefined();
      expect((await ask(served.port, { path: 'projects', session: first })).status).toBe(200);
    });

    test('of 300 writes from another origin, without the cookie or token, or with a used code, none succeeds', async () => {
      const { served, newLink } = await server();
      const { port } = served;
      const link = await newLink();
      const session = await enter(port, link);
      const statuses = new Map<number, number>();
      const note = ({ status }: RawReply): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const body = { root: '/', id: 'cp-000000000000', query: 'x' };

      for (let at = 0; at < 100; at++) {
        const path = WRITES[at % WRITES.length] ?? '';
        const origin = FOREIGN[at % FOREIGN.length] ?? '';
        note(await ask(port, { path, body, session, headers: { origin } }));
        const half = [{}, { cookie: session.cookie }, { token: session.token }][at % 3] ?? {};
        note(await ask(port, { path, body, session: half }));
        note(await ask(port, { path: 'session', body: { code: codeIn(link) } }));
      }

      expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(300);
      expect(new Set(statuses.keys())).toEqual(new Set([401, 403]));
    });

    test('a write without an Origin, and a read for another site, are refused', async () => {
      const { served, newLink } = await server();
      const session = await enter(served.port, await newLink());

      const write = await ask(served.port, {
        path: 'search',
        body: {},
        session,
        headers: { origin: undefined },
      });
      const read = await ask(served.port, {
        path: 'projects',
        session,
        headers: { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
      });
      const mixed = await ask(served.port, { path: 'projects', session: { ...session, token: 'another' } });

      expect([write.status, read.status, mixed.status]).toEqual([403, 403, 401]);
    });

    test('the note of a running server gives a link to its user, and to no page', async () => {
      const { served } = await server();

      const foreign = await ask(served.port, { path: 'code', body: {} });
      const guessed = await ask(served.port, {
        path: 'code',
        body: {},
        headers: { origin: undefined, authorization: `Bearer ${'x'.repeat(43)}` },
      });

      expect([foreign.status, guessed.status]).toEqual([403, 403]);
    });

    test('the browser is told to run own scripts only, with trusted types, and to keep nothing', async () => {
      const { served } = await server();
      const { port } = served;

      const page = await send(port, { method: 'GET', path: '/ui/', headers: { host: `127.0.0.1:${port}` } });

      expect(page.status).toBe(200);
      expect(String(page.headers['content-security-policy']).split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(page.text).not.toMatch(/https?:|<style|\s(?:style|on\w+)=/);
    });

    test('R150 the page is at most 90 KB in all, packed', () => {
      const sizes = ['index.html', 'page.js', 'styles.css', 'icon.svg'].map(
        (name) =>
          gzipSync(readFileSync(new URL(`../../dist/web/${name}`, import.meta.url)), { level: 9 }).length,
      );

      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(90_000);
    });
  });
}
