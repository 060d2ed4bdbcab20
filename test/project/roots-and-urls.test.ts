/** Sections B and C of the contract: roots, client metadata, the URL, the environment, and choosing by hand. */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CLIENT_KINDS, keepsState, openClient, type ClientKind } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

function project(name: string) {
  const root = tempFolder({ [`${name}/.git/HEAD`]: 'ref: refs/heads/main\n' }).join(name);
  return { root, uri: pathToFileURL(root).href };
}

/** A client over HTTP whose answers to roots/list are counted. */
async function counting(
  kind: ClientKind,
  answer: () => readonly string[] | Promise<readonly string[]>,
  listChanged?: boolean,
) {
  const { url } = await serve();
  let asked = 0;
  const client = await openClient({
    kind,
    url,
    ...(listChanged === undefined ? {} : { listChanged }),
    roots: () => {
      asked += 1;
      return answer();
    },
  });
  return { client, asked: () => asked, url };
}

const rootOf = (answer: { structured: Readonly<Record<string, unknown>> }): unknown =>
  // The tool's own schema says so.
  (answer.structured['project'] as { root: string } | null)?.root ?? null;

describe('roots', () => {
  test('R030 R035 are asked for lazily, never at start, and only of a client that declares them', async () => {
    const { root, uri } = project('a');
    const { client, asked } = await counting('HTTP, version 1', () => [uri]);

    await client.raw.listTools();
    const before = asked();
    const answer = await client.call('project_status');

    expect(before).toBe(0);
    expect(asked()).toBe(1);
    expect(rootOf(answer)).toBe(root);
    expect(client.raw.getServerCapabilities()).not.toHaveProperty('roots');
  });

  test('R030 are not asked of a client that does not declare them', async () => {
    const { url } = await serve();
    const client = await openClient({ kind: 'HTTP, version 1', url });

    const { text } = await client.call('project_status');

    expect(text).toContain('the client declares no roots');
  });

  test('R031 an error or an empty list means the next source', async () => {
    const env = project('env');
    const { url } = await serve([], { env: { WAYMARK_PROJECT: env.root } });
    const empty = await openClient({ kind: 'HTTP, version 1', url, roots: () => [] });
    const failing = await openClient({
      kind: 'HTTP, version 1',
      url,
      roots: () => {
        throw new Error('Method not found');
      },
    });

    expect(rootOf(await empty.call('project_status'))).toBe(env.root);
    expect(rootOf(await failing.call('project_status'))).toBe(env.root);
  });

  test('R031 a client that never answers is asked once and then left alone for a while', async () => {
    const { client, asked } = await counting('HTTP, version 1', () => new Promise(() => {}));

    await client.call('project_status');
    await client.call('project_status');
    const { text } = await client.call('project_status');

    expect(asked()).toBe(1);
    expect(text).toContain('is not asked again for a while');
  });

  test('R032 the first existing directory wins; what is missing is passed over', async () => {
    const { root, uri } = project('there');
    const { client } = await counting('HTTP, version 1', () => ['file:///does/not/exist', 'untitled:x', uri]);

    const answer = await client.call('project_status');

    expect(rootOf(answer)).toBe(root);
    expect(answer.text).toContain('root 3 of 3');
  });

  test('R033 R009 are kept while the client promises to tell of changes, and asked anew after it did', async () => {
    const a = project('a');
    const b = project('b');
    let uri = a.uri;
    const { client, asked } = await counting('HTTP, version 1', () => [uri], true);

    const first = rootOf(await client.call('project_status'));
    uri = b.uri;
    const kept = rootOf(await client.call('project_status'));
    const askedBefore = asked();
    await client.rootsChanged();
    const changed = rootOf(await client.call('project_status'));

    expect([first, kept, changed]).toEqual([a.root, a.root, b.root]);
    expect([askedBefore, asked()]).toEqual([1, 2]);
  });

  test('R033 are asked for on each call of a client that makes no such promise', async () => {
    const a = project('a');
    const b = project('b');
    let uri = a.uri;
    const { client, asked } = await counting('HTTP, version 1', () => [uri]);

    const first = rootOf(await client.call('project_status'));
    uri = b.uri;
    const second = rootOf(await client.call('project_status'));

    expect([first, second, asked()]).toEqual([a.root, b.root, 2]);
  });

  test('R034 a later failure falls back to the roots last seen on that connection', async () => {
    const a = project('a');
    let broken = false;
    const { client } = await counting('HTTP, version 1', () => {
      if (broken) throw new Error('no longer');
      return [a.uri];
    });

    await client.call('project_status');
    broken = true;

    expect(rootOf(await client.call('project_status'))).toBe(a.root);
  });
});

describe('R036 state carried through a modern client', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };

  async function post(url: string, params: Record<string, unknown>, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'project_status',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'project_status', _meta: META, ...params },
      }),
    });
    // Only these fields are looked at.
    return (await response.json()) as {
      result?: {
        resultType: string;
        requestState?: string;
        structuredContent?: { project: { root: string } | null };
      };
      error?: { code: number };
    };
  }

  test('is honoured once it comes back with the answer, and only for the question it was made for', async () => {
    const a = project('a');
    const { url } = await serve();
    const inputResponses = { roots: { roots: [{ uri: a.uri }] } };

    const asked = await post(url, { arguments: {} });
    const requestState = asked.result?.requestState ?? '';
    const answered = await post(url, { arguments: {}, inputResponses, requestState });
    const otherQuestion = await post(url, { arguments: { project: '/x' }, inputResponses, requestState });
    const unasked = await post(url, { arguments: {}, inputResponses });

    expect(asked.result?.resultType).toBe('input_required');
    expect(answered.result?.structuredContent?.project?.root).toBe(a.root);
    expect(otherQuestion.result?.structuredContent?.project ?? null).toBeNull();
    expect(unasked.result?.resultType).toBe('input_required');
  });

  test('is rejected when any bit of it was changed', async () => {
    const { url } = await serve();
    const state = (await post(url, { arguments: {} })).result?.requestState ?? '';
    const changed = Array.from({ length: 60 }, (_, index) => {
      const at = Math.floor((index * state.length) / 60);
      return `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`;
    });

    const codes = await Promise.all(
      changed.map(
        async (requestState) =>
          (await post(url, { arguments: {}, requestState, inputResponses: {} })).error?.code,
      ),
    );

    expect(state.length).toBeGreaterThan(60);
    expect(codes).toEqual(changed.map(() => -32602));
  });

  test('of another installation is rejected', async () => {
    const { url: one } = await serve();
    const { url: other } = await serve();
    const requestState = (await post(one, { arguments: {} })).result?.requestState;

    const answer = await post(other, { arguments: {}, requestState, inputResponses: {} });

    expect(answer.error?.code).toBe(-32602);
  });
});

describe('R038 client metadata', () => {
  test.each([
    [
      'Codex, as a URI',
      (root: string) => ({ 'codex/sandbox-state-meta': { sandboxCwd: pathToFileURL(root).href } }),
    ],
    ['Codex, as a path', (root: string) => ({ 'codex/sandbox-state-meta': { sandboxCwd: root } })],
    ['Goose', (root: string) => ({ 'agent-working-dir': root })],
  ])('of %s names a directory whose project is found by walking up', async (_client, meta) => {
    const { root } = project('repo');
    const deep = tempFolder();
    const { url } = await serve();
    const client = await openClient({ kind: 'HTTP, version 1', url });

    const answer = await client.call('project_status', {}, meta(`${root}/.git`));
    const nowhere = await client.call('project_status', {}, meta(deep.path));

    expect(answer.structured['project']).toMatchObject({ root, source: 'client_meta' });
    expect(nowhere.structured['project']).toBeNull();
  });

  test('is invited from Codex by the capability it looks for', async () => {
    const { url } = await serve();
    const client = await openClient({ kind: 'HTTP, version 1', url });

    expect(client.raw.getServerCapabilities()?.experimental).toHaveProperty('codex/sandbox-state-meta');
  });
});

describe('the URL', () => {
  const INITIALIZE = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };

  async function post(
    url: string,
    method: string,
    params: unknown = {},
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params }),
    });
    const text = await response.text();
    // Only these fields are looked at.
    return {
      status: response.status,
      body: JSON.parse(text === '' ? '{}' : text) as {
        id?: unknown;
        error?: { code: number; message: string };
      },
    };
  }

  test.each([
    ['/bad/path', 'Project path does not exist: /bad/path'],
    ['./bad', 'Project path must be absolute: ./bad'],
    ['/etc/hostname', 'Project path is not a directory: /etc/hostname'],
  ])('R051 %s is refused before anything runs, with the id and the exact words', async (path, message) => {
    const { url } = await serve();

    const { status, body } = await post(
      `${url}?project_path=${encodeURIComponent(path)}`,
      'initialize',
      INITIALIZE,
    );

    expect(status).toBe(400);
    expect(body).toEqual({ jsonrpc: '2.0', id: 'q', error: { code: -32602, message } });
  });

  test('R051 is refused also where roots would have won', async () => {
    const a = project('a');
    const { url } = await serve();
    const client = await openClient({
      kind: 'HTTP, version 2, modern',
      url: `${url}?project_path=/bad/path`,
      roots: () => [a.uri],
    });

    await expect(client.call('project_status')).rejects.toThrow('Project path does not exist: /bad/path');
  });

  test('R052 never keeps a client from pinging, notifying or closing', async () => {
    const { url } = await serve();
    const opened = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }),
    });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const bad = `${url}?project_path=/gone`;

    const ping = await post(bad, 'ping', {}, session);
    const call = await post(bad, 'tools/call', { name: 'project_status' }, session);
    const read = await post(bad, 'resources/read', { uri: 'waymark://project/status' }, session);
    const prompt = await post(bad, 'prompts/get', { name: 'orient' }, session);
    const list = await post(bad, 'tools/list', {}, session);
    const closed = await fetch(bad, { method: 'DELETE', headers: session });

    expect([ping.status, list.status, closed.status]).toEqual([200, 200, 200]);
    expect([call.status, read.status, prompt.status]).toEqual([400, 400, 400]);
  });

  test('R050 two requests of one connection may name different projects', async () => {
    const a = project('a');
    const b = project('b');
    const { url } = await serve();
    const opened = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }),
    });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const ask = (root: string) =>
      post(`${url}?project_path=${root}`, 'tools/call', { name: 'project_status' }, session);

    const answers = [await ask(a.root), await ask(b.root), await ask(a.root)].map(({ body }) =>
      JSON.stringify(body),
    );

    expect(answers[0]).toContain(`(${a.root}, via query_param)`);
    expect(answers[1]).toContain(`(${b.root}, via query_param)`);
    expect(answers[2]).toContain(`(${a.root}, via query_param)`);
  });

  test('R050 is decoded once, and a plus stays a plus', async () => {
    const folder = tempFolder({ 'c++ code/.git/HEAD': '', 'a%20b/.git/HEAD': '' });
    const { url } = await serve();
    const ask = async (encoded: string) => {
      const client = await openClient({
        kind: 'HTTP, version 1',
        url: `${url}?project_path=${folder.path}/${encoded}`,
      });
      return rootOf(await client.call('project_status'));
    };

    expect(await ask('c++%20code')).toBe(folder.join('c++ code'));
    expect(await ask('a%2520b')).toBe(folder.join('a%20b'));
  });

  test('R054 outside the allowed folders a query is 403 and any other way of naming is a tool error', async () => {
    const inside = project('inside');
    const outside = project('outside');
    const { url } = await serve(['--allow-project-root', inside.root]);
    const client = await openClient({ kind: 'HTTP, version 1', url, roots: () => [] });
    const withRoots = await openClient({ kind: 'HTTP, version 1', url, roots: () => [outside.uri] });

    const query = await post(`${url}?project_path=${outside.root}`, 'initialize', INITIALIZE);
    const refused = [
      await client.call('project_status', { project: outside.root }),
      await client.call('switch_project', { project: outside.root }),
      await client.call('project_status', {}, { 'agent-working-dir': outside.root }),
      await withRoots.call('project_status'),
      await client.call('project_status', { project: `${inside.root}-sibling` }),
    ];
    const allowed = await client.call('project_status', { project: inside.root });

    expect(query.status).toBe(403);
    expect(query.body.error?.code).toBe(-32602);
    expect(refused.map(({ isError }) => isError)).toEqual([true, true, true, true, true]);
    expect(rootOf(allowed)).toBe(inside.root);
  });

  test('R054 a server that others can reach refuses to start without the folders', async () => {
    const { code, stderr } = await run([
      'serve',
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      '--token',
      'x'.repeat(32),
      '--allow-host',
      'box',
    ]);

    expect(code).toBe(2);
    expect(stderr).toContain('--allow-project-root');
  });

  test('R050 R052 over HTTP+SSE the stream names the project, a message may name another, and a bad one is 400', async () => {
    const a = project('a');
    const b = project('b');
    const { url } = await serve();
    const stream = await openSse(`${url.replace(/mcp$/, 'sse')}?project_path=${a.root}`);
    const message = (id: string, method: string, params: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const send = (id: string, query: string) =>
      stream.post(`${stream.endpoint}${query}`, message(id, 'tools/call', { name: 'project_status' }));
    await stream.post(
      stream.endpoint,
      message('i', 'initialize', { ...INITIALIZE, protocolVersion: '2024-11-05' }),
    );

    await send('one', '');
    await send('two', `&project_path=${b.root}`);
    const bad = await send('three', '&project_path=/gone');

    expect(await stream.answer('one')).toContain(`(${a.root}, via query_param)`);
    expect(await stream.answer('two')).toContain(`(${b.root}, via query_param)`);
    expect(bad).toMatchObject({ status: 400 });
    expect(bad.text).toContain('Project path does not exist: /gone');
    stream.close();
  });
});

/** A bare HTTP+SSE client: the SDK's own cannot post to another URL than it was told. */
async function openSse(url: string) {
  const target = new URL(url);
  let seen = '';
  const waiting: (() => void)[] = [];
  const stream = httpRequest(target, { headers: { accept: 'text/event-stream' } }, (response) => {
    response.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
      for (const check of waiting) check();
    });
  });
  stream.on('error', () => {});
  stream.end();
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = pattern.exec(seen);
        if (found !== null) resolve(found);
      };
      waiting.push(check);
      check();
    });
  const endpoint = new URL((await until(/event: endpoint\ndata: (.*)\n\n/))[1] ?? '', target.origin).href;
  return {
    endpoint,
    async post(to: string, body: string) {
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { status: response.status, text: await response.text() };
    },
    answer: async (id: string) => (await until(new RegExp(`^data: (.*"id":"${id}".*)$`, 'm')))[1] ?? '',
    close: () => void stream.destroy(),
  };
}

describe('R058 the environment', () => {
  test('a set but invalid WAYMARK_PROJECT warns once and falls through', async () => {
    const { root } = project('claude');
    const log = tempFolder().join('log');
    const client = await openClient({
      kind: 'stdio, version 1',
      args: ['--log-file', log],
      env: { WAYMARK_PROJECT: '/does/not/exist', CLAUDE_PROJECT_DIR: root },
    });

    await client.call('project_status');
    const answer = await client.call('project_status');

    expect(readFileSync(log, 'utf8').match(/WAYMARK_PROJECT is passed over/g)).toHaveLength(1);

    expect(answer.structured['project']).toMatchObject({ root, source: 'env' });
  });
});

describe('choosing by hand', () => {
  test.each(CLIENT_KINDS)(
    'R040 switch_project is remembered, or a handle is returned, over %s',
    async (kind) => {
      const { root } = project('chosen');
      const target = kind.startsWith('stdio')
        ? {}
        : { url: (await serve()).url.replace(/mcp$/, kind.startsWith('HTTP+SSE') ? 'sse' : 'mcp') };
      const client = await openClient({ kind, ...target });

      const chosen = await client.call('switch_project', { project: root });
      const later = await client.call('project_status');
      const byHandle = await client.call('project_status', { project: chosen.structured['handle'] });

      expect(chosen.structured).toMatchObject({ kept: keepsState(kind), handle: root });
      expect(rootOf(later)).toBe(keepsState(kind) ? root : null);
      expect(rootOf(byHandle)).toBe(root);
      expect(chosen.text.includes('pass project=')).toBe(!keepsState(kind));
    },
  );

  test('R040 takes the name of a known project, and aliases of the tool work', async () => {
    const { root } = project('by-name');
    const client = await openClient({ kind: 'stdio, version 1' });
    await client.call('switch_project', { project: root });

    const again = await client.call('set_project', { project: 'by-name' });
    const status = await client.call('status');

    expect(again.structured).toMatchObject({ handle: root });
    expect(rootOf(status)).toBe(root);
  });

  test('R044 waymark status explains every source on the command line', async () => {
    const { root } = project('cli');
    const { stdout } = await run(['status'], {
      home: emptyHome(),
      cwd: root,
      env: { WAYMARK_PROJECT: root, PWD: root },
    });

    expect(stdout).toContain(`project: cli (${root}, via env)`);
    expect(stdout).toMatch(/env +won: /);
    expect(stdout).toMatch(/cwd +lost to a more trusted source: .*weak/);
    expect(stdout).toMatch(/roots +nothing: /);
  });
});

test('R043 two clients that switch 1,000 times at once never see the other one’s project', async () => {
  const { url } = await serve();
  const mine = [project('a1'), project('a2')];
  const theirs = [project('b1'), project('b2')];
  const run = async (projects: readonly { root: string; uri: string }[]): Promise<number> => {
    let at = 0;
    const client = await openClient({
      kind: 'HTTP, version 1',
      url,
      roots: () => [projects[at % 2]?.uri ?? ''],
    });
    const own = projects.map(({ root }) => root);
    let foreign = 0;
    for (let turn = 0; turn < 500; turn++) {
      at = turn;
      const target = projects[turn % 2]?.root ?? '';
      const switched = turn % 3 === 0 ? await client.call('switch_project', { project: target }) : undefined;
      const status = await client.call('project_status');
      for (const answer of [switched, status]) {
        if (answer !== undefined && !own.includes(String(rootOf(answer)))) foreign += 1;
      }
    }
    return foreign;
  };

  expect(await Promise.all([run(mine), run(theirs)])).toEqual([0, 0]);
});
