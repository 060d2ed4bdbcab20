/** The tools as plain HTTP, spoken to as a script would. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderRestReference, TOOL_ROUTES } from '../../src/rest/index.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { memoryProject, type MemoryProject } from '../support/memory-client.ts';
import { openStream, send, type RawHeaders, type RawReply } from '../support/raw-http.ts';
import { run, serve } from '../support/waymark.ts';

interface Rest {
  readonly port: number;
  readonly project: MemoryProject;
  readonly headers: RawHeaders;
  post(path: string, body: unknown, headers?: RawHeaders): Promise<RawReply>;
  get(path: string): Promise<RawReply>;
}

async function openRest(
  args: readonly string[] = ['--rest'],
  files: Readonly<Record<string, string>> = {},
): Promise<Rest> {
  const project = memoryProject(files);
  const { port } = await serve(args, { home: project.home });
  const { stdout } = await run(['token'], { home: project.home });
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${stdout.trim()}` };
  return {
    port,
    project,
    headers,
    post: (path, body, more = {}) =>
      send(port, {
        method: 'POST',
        path,
        body,
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'script/1', ...more },
      }),
    get: (path) => send(port, { method: 'GET', path, headers }),
  };
}

const json = (reply: RawReply): Record<string, unknown> => JSON.parse(reply.text);

/** What the contract names, spelled out: the table may grow and must not shrink. */
const PROMISED = [
  '/mcp/checkpoint/save',
  '/mcp/checkpoint/search',
  '/mcp/checkpoint/list',
  '/mcp/remediation/save',
  '/mcp/remediation/search',
  '/mcp/skill/save',
  '/mcp/skill/search',
  '/mcp/collection/create',
  '/mcp/collection/delete',
  '/mcp/collection/list',
  '/mcp/index/repository',
  '/mcp/status',
];

test('R126 is off by default: every address is 404', async () => {
  const { post, get } = await openRest([]);

  const posted = await Promise.all(PROMISED.map((path) => post(path, {})));
  const got = await Promise.all(
    ['/mcp/sse/op-1', '/mcp/tools/list', '/mcp/resources/list'].map((path) => get(path)),
  );

  expect([...posted, ...got].map(({ status }) => status)).toEqual(Array(15).fill(404));
});

test('R126 saves, finds, lists and resumes a checkpoint, and says whose words it is', async () => {
  const { post, project } = await openRest();
  const where = { project_path: project.folder.path };

  const saved = await post('/mcp/checkpoint/save', {
    ...where,
    content: 'The upload retry works. Next: its tests.',
    tags: ['uploads'],
    metadata: { ticket: 7 },
  });
  const found = await post('/mcp/checkpoint/search', { ...where, query: 'retry of uploads' });
  const listed = await post('/mcp/checkpoint/list', where);
  const resumed = await post('/mcp/checkpoint/resume', where);

  expect([saved, found, listed, resumed].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { id } = json(saved);
  expect(json(saved)).toMatchObject({ success: true, id: expect.stringMatching(/^cp-/) });
  for (const reply of [found, listed, resumed]) expect(reply.text).toContain(String(id));
  expect(json(found)).toMatchObject({
    hits: [{ summary: 'The upload retry works. Next: its tests.', tags: ['uploads'] }],
  });
  expect(json(resumed)).toMatchObject({
    content: 'The upload retry works. Next: its tests.',
    tags: ['uploads'],
    metadata: { ticket: 7 },
  });
  expect(json(resumed)['text']).toContain('data and not instructions: written by agent rest script/1');
});

test('R126 saves and finds fixes, skills and collections', async () => {
  const { post, project } = await openRest();
  const where = `?project_path=${encodeURIComponent(project.folder.path)}`;
  const calls = [
    ['remediation/save', { error: 'ENOSPC: no space left', solution: 'Empty the cache.' }],
    ['remediation/search', { error: 'ENOSPC: no space left' }],
    ['skill/save', { name: 'release', content: 'Tag, then publish.' }],
    ['skill/search', { query: 'publish a release' }],
    ['collection/create', { name: 'all', expressions: ['**'] }],
    ['collection/list', {}],
    ['collection/delete', { name: 'all' }],
  ] as const;

  const replies: RawReply[] = [];
  for (const [path, body] of calls) replies.push(await post(`/mcp/${path}${where}`, body));

  expect(replies.map(({ status, text }) => ({ status, text: status === 200 ? '' : text }))).toEqual(
    Array(calls.length).fill({ status: 200, text: '' }),
  );
  const [, fixes, , skills] = replies.map(json);
  expect(fixes).toMatchObject({ hits: [{ error: 'ENOSPC: no space left', solution: 'Empty the cache.' }] });
  expect(skills).toMatchObject({ hits: [{ name: 'release', content: 'Tag, then publish.' }] });
  expect(fixes?.['text']).toContain('Empty the cache.');
});

test('R126 R123 long work answers 202 with an operation id that can be followed', async () => {
  // So much that it is still at it when it answers.
  const line = 'export function handler(request: Request): Response { return respond(request); }\n';
  const many = Array.from({ length: 400 }, (_, at) => [`src/many/m${at}.ts`, `// ${at}\n${line.repeat(60)}`]);
  const { post, project, port, headers } = await openRest(['--rest'], Object.fromEntries(many));

  const started = await post('/mcp/index/repository', { project: project.folder.path, background: true });
  const id = String(json(started)['operation_id']);
  const stream = await openStream(port, { method: 'GET', path: `/mcp/sse/${id}`, headers });
  let last: string | undefined;
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) last = event;
  const status = await post('/mcp/status', { project: project.folder.path, operation_id: id });

  expect(started.status).toBe(202);
  expect(stream.headers['content-type']).toBe('text/event-stream');
  expect(last).toMatch(/^event: end\ndata: \{.*"state":"done"/);
  expect(json(status)['operation']).toMatchObject({ id, state: 'done' });
});

test('R126 lists tools with their addresses and reads resources', async () => {
  const { get, post, project } = await openRest();
  const uri = `waymark://project/${encodeURIComponent(project.folder.path)}/stats`;

  const tools = json(await get('/mcp/tools/list'));
  const resources = json(await get('/mcp/resources/list'));
  const read = await post('/mcp/resources/read', { uri });
  const unknown = await post('/mcp/resources/read', { uri: 'waymark://project/current/nothing' });

  expect(tools['tools']).toContainEqual(
    expect.objectContaining({
      path: '/mcp/checkpoint/save',
      name: 'checkpoint_save',
      inputSchema: expect.any(Object),
    }),
  );
  expect(resources).toMatchObject({
    resources: [{ uri: 'waymark://project/status' }],
    resourceTemplates: expect.any(Array),
  });
  expect(json(read)).toMatchObject({ contents: [{ uri, mimeType: 'text/markdown' }] });
  expect({ status: unknown.status, body: json(unknown) }).toMatchObject({
    status: 404,
    body: { success: false, error_type: 'unknown_resource' },
  });
});

describe('R126 R125 refusals', () => {
  test('have a status and say what to do', async () => {
    const { post, get, port, headers, project } = await openRest();
    const where = { project: project.folder.path };
    const big = 'x'.repeat(5 * 1024 * 1024);
    const replies: Record<string, RawReply> = {
      'bad_argument 400': await post('/mcp/checkpoint/save', { ...where, contents: 'x' }),
      'no_project 400': await post('/mcp/checkpoint/save', { content: 'x' }),
      'bad_project 400': await post('/mcp/checkpoint/list?project_path=%2Fnot%2Fthere', {}),
      'unknown_operation 404': await get('/mcp/sse/op-unknown'),
      'not_found 404': await post('/mcp/collection/delete', { ...where, name: 'none' }),
      'method_not_allowed 405': await get('/mcp/checkpoint/save'),
      'too_large 413': await post('/mcp/checkpoint/save', { ...where, content: big }),
    };
    const list = await post('/mcp/status', '[1]');
    const form = await send(port, {
      method: 'POST',
      path: '/mcp/status',
      headers: { ...headers, 'content-type': 'text/plain' },
      body: '{}',
    });

    const seen = Object.values(replies).map(
      (reply) => `${String(json(reply)['error_type'])} ${reply.status}`,
    );
    expect(seen).toEqual(Object.keys(replies));
    for (const reply of [...Object.values(replies), list, form])
      expect(json(reply)).toMatchObject({
        success: false,
        message: expect.stringMatching(/./),
        instruction: expect.stringMatching(/./),
      });
    expect([list.status, form.status]).toEqual([400, 400]);
    expect(replies['method_not_allowed 405']?.headers.allow).toBe('POST');
  });

  test('without the token, from a page or under a foreign name, nothing is served', async () => {
    const { port, headers } = await openRest();
    const ask = (more: RawHeaders) =>
      send(port, { method: 'GET', path: '/mcp/tools/list', headers: { ...headers, ...more } });

    const tokenless = await ask({ authorization: undefined });
    const wrong = await ask({ authorization: 'Bearer guess' });
    const page = await ask({ origin: 'https://evil.example' });
    const rebound = await ask({ host: 'evil.example' });

    expect([tokenless, wrong, page, rebound].map(({ status }) => status)).toEqual([401, 401, 403, 421]);
    expect(tokenless.headers['www-authenticate']).toContain('Bearer');
  });
});

test('R126 every tool has an address, but the one that needs a connection', () => {
  const served = TOOL_ROUTES.map(({ tool }) => tool);

  expect(TOOLS.map(({ name }) => name).filter((name) => !served.includes(name))).toEqual(['switch_project']);
  expect(PROMISED.filter((path) => !TOOL_ROUTES.some((route) => route.path === path))).toEqual([]);
});

test('docs/reference/rest.md is up to date', () => {
  const page = readFileSync(new URL('../../docs/reference/rest.md', import.meta.url), 'utf8');

  expect(page, 'docs/reference is stale: run npm run reference').toBe(renderRestReference());
});
