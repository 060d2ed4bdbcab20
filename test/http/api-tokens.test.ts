/** Tokens of programs on a real server: what they allow, whose sessions are whose, and their end. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApiToken } from '../../src/auth/index.ts';
import type { Scope } from '../../src/core/index.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { openStream, send, type RawReply } from '../support/raw-http.ts';
import { initialize, legacy, modern, openSession, post, rpc } from '../support/rpc.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve, type Home } from '../support/waymark.ts';

let home: Home;
let port: number;
let reader: string;
let writer: string;

/** As `waymark token create` does, without a process for each. */
function create(name: string, ...scopes: Scope[]): string {
  const dataDir = home.folder.join('share', 'waymark');
  return createApiToken(
    dataDir,
    { name, scopes, expiresAt: undefined },
    { ids: systemIds, clock: systemClock },
  ).token;
}

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  home = emptyHome(onEnd);
  const flags = ['--require-token', '--rest', '--rate-limit', '200', '--metrics'];
  ({ port } = await serve(flags, { home, onEnd }));
  reader = create('reader', 'search', 'memory:read');
  writer = create('writer', 'memory:write');
  return end;
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const call = (name: string, token: string, args: Record<string, unknown> = {}) =>
  send(port, modern({ id: 1, method: 'tools/call', params: { name, arguments: args } }, bearer(token)));
const challengeOf = ({ headers }: RawReply) => headers['www-authenticate'];
const SAVE = { project: '/nowhere', content: 'A note.' };

describe('R163 a call needs its scope', () => {
  test('one that the token lacks is refused before the tool runs, and all scopes to come back with are named', async () => {
    const { status, headers, text } = await call('checkpoint_save', reader, SAVE);

    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBe(
      'Bearer realm="waymark", error="insufficient_scope", error_description="This call needs memory:write.", scope="search memory:read memory:write"',
    );
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  test.each([
    ['search_code', 'reader', 200],
    ['search_code', 'writer', 403],
    // A broader scope holds the narrower one.
    ['checkpoint_search', 'writer', 200],
    ['checkpoint_save', 'writer', 200],
    ['clear_index', 'writer', 403],
    ['no_such_tool', 'reader', 200],
  ])('%s by the %s is answered with %i', async (name, who, status) => {
    const reply = await call(name, who === 'reader' ? reader : writer, { project: '/nowhere' });

    expect(reply.status).toBe(status);
  });

  test('a resource and a prompt need theirs', async () => {
    const uri = 'waymark://project/current/checkpoints';
    const asked = [
      modern(
        { id: 1, method: 'resources/read', params: { uri: 'waymark://project/status' } },
        bearer(writer),
      ),
      modern({ id: 1, method: 'resources/read', params: { uri } }, bearer(writer)),
      modern({ id: 1, method: 'prompts/get', params: { name: 'resume' } }, bearer(create('only', 'search'))),
    ];

    const replies = await Promise.all(asked.map((request) => send(port, request)));

    expect(replies.map(({ status }) => status)).toEqual([403, 200, 403]);
  });

  test('of a batch all are named at once, and none is run', async () => {
    const session = await openSession(port, '2025-03-26', bearer(reader));
    const calls = ['checkpoint_save', 'clear_index'].map((name, id) =>
      rpc({ id, method: 'tools/call', params: { name, arguments: SAVE } }),
    );

    const headers = { ...bearer(reader).headers, 'mcp-session-id': session };
    const reply = await send(port, post(calls, { headers }));

    expect(reply.status).toBe(403);
    expect(challengeOf(reply)).toContain('scope="search memory:read memory:write admin"');
  });

  test('plain HTTP asks for the same', async () => {
    const address = { path: '/mcp/checkpoint/save', ...bearer(reader) };

    const [refused, stranger] = await Promise.all([
      send(port, post(SAVE, address)),
      send(port, post(SAVE, { path: '/mcp/checkpoint/save' })),
    ]);

    expect([refused.status, stranger.status]).toEqual([403, 401]);
    expect(challengeOf(refused)).toContain('error="insufficient_scope"');
  });

  test('the listing is the same for every token (R120)', async () => {
    const list = async (token: string) =>
      (await send(port, modern({ id: 1, method: 'tools/list' }, bearer(token)))).text;

    expect(await list(reader)).toBe(await list(writer));
  });
});

describe('R077 a session belongs to the token it was opened with', () => {
  test('to another token it does not exist, whatever is asked of it, and lives on', async () => {
    const session = await openSession(port, undefined, bearer(reader));
    const ping = { id: 2, method: 'ping' };
    const stream = { accept: 'text/event-stream', 'mcp-session-id': session };

    const thief = bearer(writer).headers;
    const replies = await Promise.all([
      send(port, legacy(session, ping, { headers: thief })),
      send(port, { method: 'GET', path: '/mcp', headers: { ...stream, ...thief } }),
      send(port, { method: 'DELETE', path: '/mcp', headers: { 'mcp-session-id': session, ...thief } }),
    ]);
    const own = await send(port, legacy(session, ping, bearer(reader)));
    const tokenless = await send(port, legacy(session, ping));

    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect([own.status, tokenless.status]).toEqual([200, 401]);
  });
});

test('R077 nor does a stream of HTTP+SSE take the messages of another token', async () => {
  const headers = { accept: 'text/event-stream', ...bearer(reader).headers };
  const stream = await openStream(port, { method: 'GET', path: '/sse', headers });
  const path = /data: (.+)/.exec((await stream.next()) ?? '')?.[1] ?? '';
  const ping = rpc({ id: 1, method: 'ping' });

  const stolen = await send(port, post(ping, { path, ...bearer(writer) }));
  const own = await send(port, post(ping, { path, ...bearer(reader) }));

  expect([stolen.status, own.status]).toEqual([404, 202]);
});

describe('a token of a program', () => {
  test('ends at once where it is revoked, on a server that runs', async () => {
    const made = await run(['token', 'create', 'short'], { home });
    const token = made.stdout.trim();
    const before = await send(port, initialize(undefined, bearer(token)));

    const { stdout } = await run(['token', 'revoke', 'short'], { home });
    const after = await send(port, initialize(undefined, bearer(token)));

    expect([before.status, after.status]).toEqual([200, 401]);
    expect(made.stderr).toMatch(/It allows search, and ends on \d{4}-.*It is not shown again/);
    expect(stdout).toContain('short can no longer be used');
    expect(challengeOf(after)).toContain('error="invalid_token"');
  });

  test('lies on disk as a digest alone, in files that only their owner reads', () => {
    const folder = home.folder.join('share', 'waymark', 'tokens');
    const files = readdirSync(folder).map((name) => `${folder}/${name}`);

    const kept = files.map((file) => readFileSync(file, 'utf8')).join('');

    expect([folder, ...files].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700,
      ...files.map(() => 0o600),
    ]);
    expect([reader, writer].filter((token) => kept.includes(token.slice(24)))).toEqual([]);
  });

  test.each([
    ['has expired', (kept: object) => ({ ...kept, expiresAt: 1 })],
    ['is of another digest', (kept: object) => ({ ...kept, digest: '0'.repeat(64) })],
    ['is damaged', () => []],
  ])('is none where its file says that it %s', async (what, change) => {
    const token = create(`changed ${what}`);
    const file = home.folder.join('share', 'waymark', 'tokens', `${token.split('_')[1]}.json`);

    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));

    expect((await send(port, initialize(undefined, bearer(token)))).status).toBe(401);
  });

  test('is listed without itself', async () => {
    const { stdout } = await run(['token', 'list'], { home });

    expect(stdout).toMatch(/^[0-9a-f]{16} {2}reader: search, memory:read; does not expire$/m);
    expect(stdout).toMatch(/writer: memory:write/);
    expect(stdout).not.toContain(reader.slice(24));
  });

  test.each([
    [['create'], 'has no name'],
    [['create', 'reader'], 'There is a token of the name reader'],
    [['create', 'x', '--scope', 'root'], 'no such scope'],
    [['create', 'x', '--expires', '0'], '--expires takes'],
    [['create', '../x\n'], 'A name has up to 64'],
    [['revoke', 'nothing'], 'no token of that name'],
  ])('waymark token %j is refused in plain words', async (args, words) => {
    const { code, stderr } = await run(['token', ...args], { home });

    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('R165 operators', () => {
  test('see figures with a token that may do everything, and no names of projects in them', async () => {
    await call('search_code', reader, { query: 'x', project: '/nowhere/of-mine' });
    const own = readFileSync(home.folder.join('share', 'waymark', 'token'), 'utf8').trim();
    const ask = (headers: Record<string, string>) => send(port, { method: 'GET', path: '/metrics', headers });

    const [figures, narrow, stranger] = await Promise.all([
      ask(bearer(own).headers),
      ask(bearer(reader).headers),
      ask({}),
    ]);

    expect([figures.status, narrow.status, stranger.status]).toEqual([200, 403, 401]);
    expect(figures.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(figures.text).toMatch(/^waymark_tool_calls_total\{tool="search_code",outcome="failed"\} \d+$/m);
    expect(figures.text).not.toMatch(/nowhere|reader/);
  });

  test('see who wrote what, in a file of their own that holds nothing of what was said', async () => {
    const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', 'a.ts': '' }).path;
    await call('checkpoint_save', writer, { project, content: 'Nothing of this.' });
    await call('clear_index', reader, { project });

    const file = home.folder.join('share', 'waymark', 'audit.jsonl');
    const text = readFileSync(file, 'utf8');
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));

    expect(entries).toContainEqual(
      expect.objectContaining({
        tool: 'checkpoint_save',
        kind: 'api_token',
        project,
        client: 'modern-test 1.0.0',
      }),
    );
    expect(entries).toContainEqual(expect.objectContaining({ tool: 'clear_index', outcome: 'refused' }));
    expect(text).not.toContain('Nothing of this');
    expect(text).not.toContain(writer.slice(24));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test('F24 a program is counted by its token, a stranger by the address', async () => {
  const busy = create('busy', 'search');
  const asked = Array.from({ length: 230 }, () => send(port, initialize(undefined, bearer(busy))));

  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  const other = await send(port, initialize(undefined, bearer(writer)));

  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(other.status).toBe(200);
});
