/** R036: state that a modern client carries for us from one round of a call to the next. */
import { readFileSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emptyHome, serve } from '../support/waymark.ts';
import { project } from './projects.ts';

describe('R036 state carried through a modern client', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };

  async function post(url: string, params: Record<string, unknown>, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}?structured=true`, {
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
    const otherQuestion = await post(
      url,
      { name: 'status', arguments: {}, inputResponses, requestState },
      { 'mcp-name': 'status' },
    );
    const unasked = await post(url, { arguments: {}, inputResponses });

    expect(asked.result?.resultType).toBe('input_required');
    expect(answered.result?.structuredContent?.project?.root).toBe(a.root);
    expect(otherQuestion.result?.resultType).toBe('input_required');
    expect(unasked.result?.resultType).toBe('input_required');
  });

  test('counts for nothing where only the arguments are others', async () => {
    const { url } = await serve();
    const inputResponses = { roots: { roots: [{ uri: project('a').uri }] } };
    const search = (query: string, more: Record<string, unknown> = {}) =>
      post(url, { name: 'search_code', arguments: { query }, ...more }, { 'mcp-name': 'search_code' });

    const { requestState } = (await search('one')).result ?? {};
    const other = await search('two', { inputResponses, requestState });
    const same = await search('one', { inputResponses, requestState });

    expect(other.result?.resultType).toBe('input_required');
    expect(same.result?.resultType).toBe('complete');
  });

  test('R031 that comes back with an error, an empty answer or none means the next source', async () => {
    const env = project('env');
    const { url } = await serve([], { env: { WAYMARK_PROJECT: env.root } });
    const answers = [
      {},
      { roots: { error: { code: -32601, message: 'Method not found' } } },
      { roots: {} },
      { roots: null },
      { roots: { roots: [] } },
      { roots: { roots: 'none' } },
      { other: { roots: [] } },
    ];

    const found: unknown[] = [];
    for (const inputResponses of answers) {
      const requestState = (await post(url, { arguments: {} })).result?.requestState;
      const { result, error } = await post(url, { arguments: {}, inputResponses, requestState });
      found.push(result?.structuredContent?.project?.root ?? error ?? result);
    }

    expect(found).toEqual(answers.map(() => env.root));
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

  test('is bound to the caller: what the holder of a token was given counts for no other', async () => {
    const home = emptyHome();
    const token = 't'.repeat(32);
    const { url: open } = await serve([], { home });
    const { url: guarded } = await serve(['--token', token], { home });
    const inputResponses = { roots: { roots: [{ uri: project('a').uri }] } };
    const bearer = { authorization: `Bearer ${token}` };
    const requestState = (await post(guarded, { arguments: {} }, bearer)).result?.requestState;
    const given = { arguments: {}, inputResponses, requestState };

    const same = await post(guarded, given, bearer);
    const other = await post(open, given);

    expect(same.result?.structuredContent?.project).toBeTruthy();
    expect(other.error?.code).toBe(-32602);
  });

  test('outlives the change of the key it was signed with', async () => {
    const home = emptyHome();
    const { url } = await serve([], { home });
    const a = project('a');
    const requestState = (await post(url, { arguments: {} })).result?.requestState;
    const keyFile = home.folder.join('share/waymark/state-key');
    const before = readFileSync(keyFile, 'utf8');
    const longAgo = Date.now() / 1000 - 40 * 24 * 3600;
    utimesSync(keyFile, longAgo, longAgo);

    const answer = await post(url, {
      arguments: {},
      inputResponses: { roots: { roots: [{ uri: a.uri }] } },
      requestState,
    });

    expect(answer.result?.structuredContent?.project?.root).toBe(a.root);
    expect(readFileSync(keyFile, 'utf8')).not.toBe(before);
  });
});
