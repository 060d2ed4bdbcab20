/** Section B of the contract: the URL that names a project. */
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { run, serve } from '../support/waymark.ts';
import { project, rootOf } from './projects.ts';

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
    // An answer that takes longer comes as a stream of events.
    const json =
      text
        .split('\n')
        .findLast((line) => line.startsWith('data: {'))
        ?.slice('data: '.length) ?? text;
    return {
      status: response.status,
      // Only these fields are looked at.
      body: JSON.parse(json === '' ? '{}' : json) as {
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

  test.each([
    ['empty', 'project_path=', 'Project path must be absolute: '],
    ['without a value', 'project_path', 'Project path must be absolute: '],
    [
      'a variable that the client left as it was',
      'project_path=${workspaceFolder}',
      'Project path must be absolute: ${workspaceFolder}',
    ],
    [
      'given twice',
      'project_path=/tmp&project_path=/usr',
      'Project path is given more than once: /tmp, /usr',
    ],
  ])(
    'R051 %s is refused too: no answer comes from a project that was not named',
    async (_what, query, message) => {
      const { root } = project('env');
      const { url } = await serve([], { env: { WAYMARK_PROJECT: root } });

      const { status, body } = await post(`${url}?${query}`, 'initialize', INITIALIZE);

      expect(status).toBe(400);
      expect(body).toEqual({ jsonrpc: '2.0', id: 'q', error: { code: -32602, message } });
    },
  );

  test('R051 a modern client is told the same, word for word', async () => {
    const { url } = await serve();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'project_status',
    };

    const { status, body } = await post(
      `${url}?project_path=/bad/path`,
      'tools/call',
      { name: 'project_status', arguments: {}, _meta },
      headers,
    );

    expect(status).toBe(400);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'q',
      error: { code: -32602, message: 'Project path does not exist: /bad/path' },
    });
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
    const notified = await fetch(bad, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }),
    });
    const stream = await fetch(bad, { headers: { accept: 'text/event-stream', ...session } });
    const oldStream = await fetch(bad.replace('/mcp', '/sse'), { headers: { accept: 'text/event-stream' } });
    await stream.body?.cancel();
    await oldStream.body?.cancel();
    const closed = await fetch(bad, { method: 'DELETE', headers: session });

    expect([ping.status, list.status, closed.status]).toEqual([200, 200, 200]);
    expect([notified.status, stream.status, oldStream.status]).toEqual([202, 200, 200]);
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

  test.each([
    ['R052 that cannot be used', 400, -32602, 'Project path does not exist: '],
    [
      'R054 outside the allowed folders',
      403,
      undefined,
      'Project path is outside the folders this server allows: ',
    ],
  ])(
    'over HTTP+SSE a path in the address of the stream %s is answered to the message',
    async (what, status, code, words) => {
      const folder = tempFolder({ 'allowed/x': '', 'hidden/x': '' });
      const limit = what.startsWith('R054') ? ['--allow-project-root', folder.join('allowed')] : [];
      const path = folder.join(what.startsWith('R054') ? 'hidden' : 'gone');
      const { url } = await serve(limit);
      const stream = await openSse(`${url.replace(/mcp$/, 'sse')}?project_path=${path}`);
      const send = (id: string, method: string, params: unknown) =>
        stream.post(stream.endpoint, JSON.stringify({ jsonrpc: '2.0', id, method, params }));

      const opened = await send('i', 'initialize', { ...INITIALIZE, protocolVersion: '2024-11-05' });

      expect(opened.status).toBe(status);
      expect(JSON.parse(opened.text)).toMatchObject({
        jsonrpc: '2.0',
        id: 'i',
        error: { ...(code === undefined ? {} : { code }), message: `${words}${path}` },
      });
      stream.close();
    },
  );
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
