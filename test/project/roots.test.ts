/** Section B of the contract: roots, and state that a modern client carries for us. */
import { describe, expect, test } from 'vitest';
import { openClient, type ClientKind } from '../support/clients.ts';
import { serve } from '../support/waymark.ts';
import { project, rootOf } from './projects.ts';

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
