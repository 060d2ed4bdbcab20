/** Who may reach the server: where it listens, what it asks for, and what it says before it refuses to start. */
import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkBind, hasToken } from '../../src/http/index.ts';
import { send } from '../support/raw-http.ts';
import { initialize } from '../support/rpc.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

test('R104 listens on 127.0.0.1 unless it is told otherwise', async () => {
  const { url } = await serve();

  expect(new URL(url).hostname).toBe('127.0.0.1');
});

const HOUSE = 'for-the-house-and-those-who-live-in-it';
const ALL = ['--token', 'x'.repeat(32), '--allow-host', 'box.lan', '--allow-project-root', '/'];

const FLAGS = ['--token', '--allow-host', '--allow-project-root'];

test.each([
  [[], ['--token', '--allow-host', '--allow-project-root']],
  [ALL.slice(0, 2), ['--allow-host', '--allow-project-root']],
  [ALL.slice(0, 4), ['--allow-project-root']],
  [ALL.slice(2), ['--token']],
  [[...ALL.slice(0, 2), ...ALL.slice(4)], ['--allow-host']],
])('R104 --host 0.0.0.0 %j refuses to start and names what is missing: %j', async (given, missing) => {
  const { code, stderr, stdout } = await run(['serve', '--port', '0', '--host', '0.0.0.0', ...given]);

  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('Refusing to listen on 0.0.0.0');
  expect(FLAGS.filter((flag) => new RegExp(`[(] ?(?:--token-file, )?${flag}\\b`).test(stderr))).toEqual(
    missing,
  );
});

test.each(['127.0.0.1', '127.8.9.1', 'localhost', '::1'])('R104 %s is this machine', (host) => {
  expect(() => checkBind({ host, hasToken: false, allowHost: [], allowProjectRoot: [] })).not.toThrow();
});

test.each(['0.0.0.0', '::', '192.168.1.5', 'box.lan', '127.0.0.1.evil.com', '1270.0.0.1', ''])(
  'R104 "%s" is not only this machine',
  (host) => {
    expect(() => checkBind({ host, hasToken: true, allowHost: [], allowProjectRoot: ['/'] })).toThrow(
      /--allow-host/,
    );
  },
);

test('R104 with everything given, an allowed name is served to callers with the token', async () => {
  const folder = tempFolder();
  const flags = ['--token', HOUSE, '--allow-host', 'Box.LAN', '--allow-project-root', folder.path];
  // Another way to write 127.0.0.1, which counts as foreign: the test opens nothing to the network.
  const { port } = await serve(['--host', '::ffff:127.0.0.1', ...flags]);
  const authorization = `Bearer ${HOUSE}`;

  const named = await send(port, initialize(undefined, { headers: { host: 'box.lan:80', authorization } }));
  const nameless = await send(port, initialize(undefined, { headers: { host: '0.0.0.0', authorization } }));
  const tokenless = await send(port, initialize(undefined, { headers: { host: 'box.lan' } }));

  expect([named.status, nameless.status, tokenless.status]).toEqual([200, 421, 401]);
});

const OPEN = [
  '--host',
  '::ffff:127.0.0.1',
  '--token',
  'x'.repeat(32),
  '--allow-host',
  'box.lan',
  '--allow-project-root',
  '/',
];

/** How many requests pass before the first that does not; a bucket fills while it is emptied, so it may be a few more. */
async function passBeforeLimit(port: number, most: number): Promise<number> {
  for (let passed = 0; passed < most;) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => send(port, { method: 'HEAD', path: '/healthz' })),
    );
    const limited = replies.filter(({ status }) => status === 429);
    passed += replies.length - limited.length;
    if (limited.length === 0) continue;
    expect(limited[0]?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    return passed;
  }
  return most;
}

test('F24 where others can reach the server, one client may make 600 requests a minute', async () => {
  const { port } = await serve(OPEN);

  const passed = await passBeforeLimit(port, 3_000);

  expect(passed).toBeGreaterThanOrEqual(600);
  expect(passed).toBeLessThan(3_000);
});

test('F24 on this machine there is no limit unless --rate-limit sets one', async () => {
  const { port } = await serve();

  expect(await passBeforeLimit(port, 1_000)).toBe(1_000);
});

test('R104 `waymark token` prints one token until it is told to rotate, from a file of its own', async () => {
  const home = emptyHome();
  const token = async (...args: string[]) => (await run(['token', ...args], { home })).stdout.trim();

  const first = await token();
  const second = await token();
  const rotated = await token('--rotate');
  const file = home.folder.join('share', 'waymark', 'token');

  expect(first).toMatch(/^[\w-]{32,}$/);
  expect(second).toBe(first);
  expect(rotated).not.toBe(first);
  expect(await token()).toBe(rotated);
  expect(readFileSync(file, 'utf8').trim()).toBe(rotated);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('R104 --require-token asks for that token on loopback too, and health is open to all', async () => {
  const home = emptyHome();
  const { port } = await serve(['--require-token'], { home });
  const token = (await run(['token'], { home })).stdout.trim();

  const without = await send(port, initialize());
  const withIt = await send(port, initialize(undefined, { headers: { authorization: `bearer ${token}` } }));
  const health = await send(port, { method: 'GET', path: '/healthz' });
  const ready = await send(port, { method: 'HEAD', path: '/readyz' });

  expect([without.status, withIt.status, health.status, ready.status]).toEqual([401, 200, 200, 200]);
  expect(without.headers['www-authenticate']).toBe('Bearer realm="waymark"');
});

test.each([
  ['Bearer secret', true],
  ['bearer secret', true],
  ['BEARER   secret ', true],
  [undefined, false],
  ['', false],
  ['secret', false],
  ['Bearer', false],
  ['Bearer ', false],
  ['Bearer secre', false],
  ['Bearer secrets', false],
  ['Bearer Secret', false],
  ['Bearer secret, Bearer other', false],
  ['Basic secret', false],
  [`Bearer ${'s'.repeat(100_000)}`, false],
])('R104 the header %j holds the token: %j', (authorization, holds) => {
  expect(hasToken(authorization, 'secret')).toBe(holds);
});

test('R104 the token is compared in constant time', () => {
  const source = readFileSync('src/http/access.ts', 'utf8');

  expect(source).toContain('timingSafeEqual(digest(given), digest(token))');
  expect(source).not.toMatch(/given\s*===|===\s*token/);
});

test('R104 another loopback address is served under its own name', async () => {
  const { url, port } = await serve(['--host', '127.0.0.2']);

  const reply = await fetch(url.replace('/mcp', '/healthz'));

  expect(url).toBe(`http://127.0.0.2:${port}/mcp`);
  expect(reply.status).toBe(200);
});

test('R104 the line to paste names an allowed host, and no token but the one that is asked for', async () => {
  const folder = tempFolder();
  const flags = ['--allow-host', 'box.lan', '--allow-project-root', folder.path];
  const own = await serve(['--host', '::ffff:127.0.0.1', '--token', HOUSE, ...flags]);
  const kept = await serve(['--host', '::ffff:127.0.0.1', '--require-token', ...flags]);

  const [, ownHost, ownToken] = await own.saw(/waymark http:\/\/(.+):\d+\/mcp --header "(.+)"\n/);
  const [, keptHost, keptToken] = await kept.saw(/waymark http:\/\/(.+):\d+\/mcp --header "(.+)"\n/);
  await own.saw(/where WAYMARK_TOKEN holds the token that this server was given/);

  expect([ownHost, ownToken]).toEqual(['box.lan', 'Authorization: Bearer $WAYMARK_TOKEN']);
  expect([keptHost, keptToken]).toEqual(['box.lan', 'Authorization: Bearer $(waymark token)']);
});
