/** Section A of the contract, through real clients. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import {
  addressFor,
  CLIENT_KINDS,
  isStdio,
  openClient,
  type ClientKind,
  type OpenClient,
} from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder, type OnEnd } from '../support/temp-folder.ts';
import { BIN, serve } from '../support/waymark.ts';

let fixture: BundledEntry;
beforeAll(async () => {
  fixture = await bundleEntry('test/support/fixture-program.ts');
});
afterAll(() => fixture.remove());

const TIP = 'Tip: Use Claude Code for automatic project detection';
const NO_PROJECT = 'No project detected. Set WAYMARK_PROJECT or use --project-from-cwd.';

function gitProject(name = 'web-shop', onEnd?: OnEnd) {
  const folder = tempFolder({ [`${name}/.git/HEAD`]: 'ref: refs/heads/main\n' }, onEnd);
  return { folder, root: folder.join(name) };
}

const file = collectEnds();
afterAll(file.end);
const { root: envRoot } = gitProject('web-shop', file.onEnd);
const ENV = { WAYMARK_PROJECT: envRoot };
const server = shareServers();

/** A client of any kind against the fixture program, with or without a project in its environment. */
async function open(
  kind: ClientKind,
  more: {
    env?: Record<string, string>;
    roots?: () => readonly unknown[];
    args?: string[];
    query?: string;
    onEnd?: OnEnd;
  } = {},
) {
  const { env = {}, args = [], query = '', onEnd } = more;
  const shared = {
    kind,
    ...(more.roots === undefined ? {} : { roots: more.roots }),
    ...(onEnd === undefined ? {} : { onEnd }),
  };
  if (isStdio(kind)) return openClient({ ...shared, env, args, program: fixture.absPath });
  const { url } = await server(args, { env, program: fixture.absPath });
  return openClient({ ...shared, url: `${addressFor(kind, url)}${query}` });
}

// Two connections of each kind, with and without a project; what they remember comes last.
describe.each(CLIENT_KINDS)('over %s', (kind) => {
  const { onEnd, end } = collectEnds();
  afterAll(end);
  let lost: OpenClient;
  let found: OpenClient;
  beforeAll(async () => {
    lost = await open(kind, { onEnd });
    found = await open(kind, { env: ENV, onEnd });
  });

  test('R006 R041 R042 no source yields a path: an error with the exact next call and candidates', async () => {
    const answer = await lost.call('fixture_read');

    expect(answer.isError).toBe(true);
    expect(answer.text.startsWith(NO_PROJECT)).toBe(true);
    expect(answer.text).toContain(
      'Project context not available. Call switch_project with the basename of the current working directory.',
    );
    expect(answer.structured).toMatchObject({
      success: false,
      error_type: 'no_project',
      instruction: 'Call switch_project with your project name',
      candidates: [],
    });
  });

  test('R015 takes the project under three names and refuses two that disagree', async () => {
    const { root } = gitProject();

    const answers = [
      await lost.call('fixture_read', { project: root }),
      await lost.call('fixture_read', { project_path: root }),
      await lost.call('fixture_read', { index_name: root, project: root }),
      // Known by now, so its name is enough.
      await lost.call('fixture_read', { project: 'web-shop' }),
    ];
    const conflict = await lost.call('fixture_read', { project: root, project_path: '/elsewhere' });

    expect(answers.map(({ structured }) => structured['project'])).toEqual(
      answers.map(() => ({ name: 'web-shop', root, source: 'argument' })),
    );
    expect(conflict.isError).toBe(true);
    expect(conflict.text).toContain('name different projects');
  });

  test('R011 gives the tip once per connection when the project was guessed, never to modern HTTP', async () => {
    const tips = [await found.call('fixture_read'), await found.call('fixture_read')].map(({ text }) =>
      text.includes(TIP),
    );

    expect(tips).toEqual([kind !== 'HTTP, version 2, modern', false]);
  });

  test('R019 a failure of the tool names the project it happened in', async () => {
    const answer = await found.call('fixture_fail');

    expect(answer).toMatchObject({
      isError: true,
      text: `project: web-shop (${envRoot}, via env)\nThe index is busy.\nnext: Try again in a moment.`,
      structured: { error_type: 'storage_busy', project: { name: 'web-shop', root: envRoot, source: 'env' } },
    });
  });

  test('R019 every answer names its project, in words and as a value', async () => {
    for (const [tool, args] of [
      ['fixture_read', {}],
      ['project_status', {}],
      ['switch_project', { project: envRoot }],
    ] as const) {
      const { text, structured } = await found.call(tool, args);
      expect(text).toMatch(/^project: web-shop \(.+\/web-shop, via (env|switched)\)/);
      expect(structured['project']).toMatchObject({ name: 'web-shop', root: envRoot });
    }
  });
});

test('R011 gives no tip to a client that names the project, nor with --no-tip', async () => {
  const root = envRoot;
  const uri = pathToFileURL(root).href;
  const env = ENV;
  const withRoots = await open('stdio, version 1', { env, roots: () => [uri] });
  const quiet = await open('stdio, version 1', { env, args: ['--no-tip'] });
  const byQuery = await open('HTTP, version 1', { query: `?project_path=${root}` });
  const plain = await open('stdio, version 1', { env });

  const texts = [
    await withRoots.call('fixture_read'),
    await quiet.call('fixture_read'),
    await byQuery.call('fixture_read'),
    await plain.call('fixture_read', { project: root }),
    await plain.call('fixture_read', {}, { 'agent-working-dir': root }),
    // It has not heard the tip so far, so that it would now.
    await plain.call('switch_project', { project: root }),
    await plain.call('fixture_read'),
  ].map(({ text }) => text);

  expect(texts.filter((text) => text.includes(TIP))).toEqual([]);
});

test.each(['stdio, version 1', 'stdio, version 2, modern'] as const)(
  'R011 Claude Code itself is not told to use Claude Code, over %s',
  async (kind) => {
    const { root } = gitProject();
    const shared = { kind, program: fixture.absPath, cwd: root };
    const itself = await openClient({ ...shared, name: 'claude-code' });
    const another = await openClient({ ...shared, name: 'claude-code-proxy' });

    const texts = [await itself.call('fixture_read'), await another.call('fixture_read')];

    expect(texts.map(({ text }) => text.includes(TIP))).toEqual([false, true]);
  },
);

test.each([
  ['cwd', (root: string) => ({ cwd: root })],
  ['pwd', (root: string) => ({ env: { PWD: root } })],
])(
  'R011 the tip comes once where the project was found by %s, whichever tool is called first',
  async (source, where) => {
    const { root } = gitProject();
    const client = await openClient({ kind: 'stdio, version 1', program: fixture.absPath, ...where(root) });

    const answers = [
      await client.call('project_status'),
      await client.call('fixture_read'),
      await client.call('project_status'),
    ];

    expect(answers.map(({ text }) => text.includes(TIP))).toEqual([true, false, false]);
    expect(answers[1]?.structured['project']).toMatchObject({ source });
  },
);

test('R011 over HTTP with --project-from-cwd each connection hears the tip once', async () => {
  const { root } = gitProject();
  const { url } = await serve(['--project-from-cwd'], { cwd: root });
  const clients = [
    await openClient({ kind: 'HTTP, version 1', url }),
    await openClient({ kind: 'HTTP, version 1', url }),
  ];

  const tips: boolean[] = [];
  for (const client of [...clients, ...clients])
    tips.push((await client.call('project_status')).text.includes(TIP));

  expect(tips).toEqual([true, true, false, false]);
});

test.each(['stdio, version 1', 'HTTP, version 1'] as const)(
  'R004 a tool, a prompt and a resource of one connection speak of the same project over %s',
  async (kind) => {
    const { root } = gitProject();
    const client = await open(kind, { roots: () => [pathToFileURL(root).href] });
    const line = `project: web-shop (${root}, via roots)`;

    const tool = await client.call('fixture_read');
    const prompt = await client.raw.getPrompt({ name: 'orient' });
    const resource = await client.raw.readResource({ uri: 'waymark://project/status' });

    expect(tool.text).toContain(line);
    expect(JSON.stringify(prompt.messages)).toContain(line);
    expect(JSON.stringify(resource.contents)).toContain(line);
  },
);

test.each(CLIENT_KINDS)('R007 nonsense in one source never breaks the call over %s', async (kind) => {
  const client = await open(kind, {
    env: ENV,
    roots: () => [7, null, { uri: {} }, 'file:///a%00b', 'file://%'],
  });
  const meta = { 'codex/sandbox-state-meta': { sandboxCwd: ['/'] }, 'agent-working-dir': '\0/../\ud800' };

  const answer = await client.call('project_status', {}, meta);

  expect(answer).toMatchObject({
    isError: false,
    structured: { project: { root: envRoot, source: 'env' } },
  });
});

test('R007 a working directory that is removed under the process breaks nothing', async () => {
  const { root } = gitProject();
  const folder = tempFolder({ 'gone/x': '' });
  const client = await openClient({
    kind: 'stdio, version 1',
    cwd: folder.join('gone'),
    env: { PWD: root },
    program: BIN,
  });
  rmSync(folder.join('gone'), { recursive: true });

  const { text, structured } = await client.call('project_status');

  expect(structured['project']).toMatchObject({ root, source: 'pwd' });
  expect(text).toMatch(/cwd +nothing: the working directory no longer exists/);
});

test('R008 a running server sees at once where its variable, its working directory and PWD lead now', async () => {
  const env = gitProject('env');
  const cwd = gitProject('cwd');
  const pwd = gitProject('pwd');
  const client = await openClient({
    kind: 'stdio, version 1',
    cwd: cwd.root,
    env: { WAYMARK_PROJECT: env.root, PWD: pwd.root },
    program: BIN,
  });
  const found = async () => (await client.call('project_status')).structured['project'];
  const moved = cwd.folder.join('moved');

  const first = await found();
  rmSync(env.root, { recursive: true });
  const second = await found();
  // The process stands in the folder, whatever it is called now.
  renameSync(cwd.root, moved);
  const third = await found();
  rmSync(`${moved}/.git`, { recursive: true });
  const fourth = await found();
  rmSync(`${pwd.root}/.git`, { recursive: true });
  const fifth = await found();
  mkdirSync(env.root);
  const sixth = await found();

  expect([first, second, third, fourth, fifth, sixth]).toEqual([
    { name: 'env', root: env.root, source: 'env' },
    { name: 'cwd', root: cwd.root, source: 'cwd' },
    { name: 'moved', root: moved, source: 'cwd' },
    { name: 'pwd', root: pwd.root, source: 'pwd' },
    null,
    { name: 'env', root: env.root, source: 'env' },
  ]);
});

test('R013 R016 the working directory counts on HTTP with the flag only', async () => {
  const { root } = gitProject();
  const plain = await serve([], { cwd: root });
  const flagged = await serve(['--project-from-cwd'], { cwd: root });

  const without = await (
    await openClient({ kind: 'HTTP, version 1', url: plain.url })
  ).call('project_status');
  const withFlag = await (
    await openClient({ kind: 'HTTP, version 1', url: flagged.url })
  ).call('project_status');

  expect(without.structured['project']).toBeNull();
  expect(withFlag.structured['project']).toMatchObject({ root, source: 'cwd' });
});

test('R021 two projects of one name stay apart, and the name alone is an error that lists both', async () => {
  const a = gitProject('api');
  const b = gitProject('api');
  const client = await open('stdio, version 1');
  await client.call('fixture_read', { project: a.root });
  await client.call('fixture_read', { project: b.root });

  const ambiguous = await client.call('fixture_read', { project: 'api' });

  expect(ambiguous.isError).toBe(true);
  expect(ambiguous.text).toContain(a.root);
  expect(ambiguous.text).toContain(b.root);
});

test('R042 candidates are the ten projects used last, the latest first', async () => {
  const client = await open('stdio, version 1');
  const roots = Array.from({ length: 12 }, (_, index) => gitProject(`p${index}`).root);
  for (const project of roots) await client.call('fixture_read', { project });

  const { structured, text } = await client.call('fixture_read');

  const latest = roots.toReversed().slice(0, 10);
  expect(structured['candidates']).toEqual(latest.map((root) => ({ name: root.split('/').at(-1), root })));
  expect(text.match(/^ {2}p\d+ \(/gm)).toHaveLength(10);
});

test('R053 a directory that the URL names and that vanishes while the client is asked for roots is a tool error', async () => {
  const { root } = gitProject();
  const client = await open('HTTP, version 1', {
    query: `?project_path=${root}`,
    roots: () => {
      rmSync(root, { recursive: true, force: true });
      return [];
    },
  });

  const answer = await client.call('fixture_read');

  expect(answer).toMatchObject({ isError: true, structured: { error_type: 'bad_project' } });
  expect(answer.text).toContain(`Project path does not exist: ${root}`);
});

test('R044 project_status explains a refusal too: it is what the refusal tells to call', async () => {
  const { root } = gitProject();
  const client = await open('stdio, version 1', { env: { WAYMARK_PROJECT: root } });

  const refused = await client.call('fixture_read', { project: '/does/not/exist' });
  const explained = await client.call('project_status', { project: '/does/not/exist' });

  expect(refused.text).toContain('Call project_status');
  expect(explained).toMatchObject({
    isError: true,
    structured: { error_type: 'bad_project', project: null },
  });
  expect(explained.text).toMatch(/^Project path does not exist: \/does\/not\/exist\n/);
  expect(explained.text).toMatch(/argument +refused: /);
  expect(explained.text).toContain(`lost to a more trusted source: ${root}`);
});

test('R053 a directory that vanishes between two calls gives a tool error with the same sentence', async () => {
  const { root } = gitProject();
  const client = await open('stdio, version 1');
  await client.call('switch_project', { project: root });
  rmSync(root, { recursive: true });
  mkdirSync(`${root}-other`);

  const answer = await client.call('fixture_read');

  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(`Project path does not exist: ${root}`);
});
