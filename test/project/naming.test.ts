/** R015, R019: the project argument and its other names, and the project in the answer, in every tool. */
import { renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome } from '../support/waymark.ts';
import { project } from './projects.ts';

test('R015 every tool there is takes the project under three names, and two that disagree are an error', async () => {
  const a = project('a');
  const client = await openClient({ kind: 'stdio, version 1', args: ['--toolsets', 'all'] });
  const { tools } = await client.raw.listTools();

  const outcomes: string[] = [];
  for (const { name } of tools) {
    for (const [one, other] of [
      ['project', 'project_path'],
      ['project', 'index_name'],
      ['project_path', 'index_name'],
    ] as const) {
      const conflict = await client.call(name, { [one]: a.root, [other]: '/elsewhere' });
      if (!conflict.isError || !conflict.text.includes(`\`${one}\` and \`${other}\` name different projects`))
        outcomes.push(`${name} with ${one} and ${other}: ${conflict.text}`);
    }
    for (const alias of ['project_path', 'index_name']) {
      const { text } = await client.call(name, { [alias]: a.root });
      // Other arguments may be missing; this one is known.
      if (/unrecognized/i.test(text)) outcomes.push(`${name} with ${alias}: ${text}`);
    }
  }

  expect(tools.length).toBeGreaterThan(15);
  expect(outcomes).toEqual([]);
});

test('R019 every tool there is names its project in words and as a value, whether it succeeds or fails', async () => {
  const { root } = project('here');
  const client = await openClient({
    kind: 'stdio, version 1',
    args: ['--toolsets', 'all', '--no-tip'],
    env: { WAYMARK_PROJECT: root },
  });
  const { tools } = await client.raw.listTools();

  const namesRoot = ({ text, structured }: { text: string; structured: Record<string, unknown> }) =>
    text.startsWith(`project: here (${root}, via `) &&
    JSON.stringify(structured['project'] ?? null).includes(root);
  const nameless: string[] = [];
  let succeeded = 0;
  for (const { name } of tools) {
    // Wrong arguments are answered with some that would have worked.
    const wrong = await client.call(name, { no_such_argument: 1 });
    // What chooses a project has none before.
    if (name !== 'switch_project' && !namesRoot(wrong))
      nameless.push(`${name}, called wrongly: ${wrong.text.slice(0, 80)}`);
    const example =
      /with arguments such as (\{.*\})$/.exec(String(wrong.structured['instruction']))?.[1] ?? '{}';
    const args = name === 'switch_project' ? { project: root } : JSON.parse(example);
    const answer = await client.call(name, args);
    if (!answer.isError) succeeded += 1;
    if (!namesRoot(answer)) nameless.push(`${name}: ${answer.text.slice(0, 80)}`);
  }

  expect(nameless).toEqual([]);
  expect(succeeded).toBeGreaterThan(tools.length / 2);
});

test('R019 a write that is refused because its project is only a guess names that project', async () => {
  const root = tempFolder({ 'guess/package.json': '{}' }).join('guess');
  const client = await openClient({ kind: 'stdio, version 1', cwd: root });

  const { text, structured, isError } = await client.call('remediation_save', {
    error: 'E: x',
    solution: 'y',
  });

  expect(isError).toBe(true);
  expect(text).toContain(`project: guess (${root}, via cwd`);
  expect(structured).toMatchObject({
    error_type: 'weak_project',
    project: { name: 'guess', root, source: 'cwd' },
  });
});

test('R019 the client is not asked for roots to name the project of a call with wrong arguments', async () => {
  const [a, b] = [project('a'), project('b')];
  let asked = 0;
  const client = await openClient({
    kind: 'stdio, version 1',
    env: { WAYMARK_PROJECT: a.root },
    listChanged: true,
    roots: () => {
      asked += 1;
      return [b.uri];
    },
  });

  const before = await client.call('search_code', { no_such_argument: 1 });
  const named = await client.call('search_code', { no_such_argument: 1, project: a.root });
  const askedForThese = asked;
  await client.call('index_stats');
  const after = await client.call('search_code', { no_such_argument: 1 });

  // The environment's project would be the wrong one: roots come first.
  expect(before.structured).toMatchObject({ error_type: 'bad_argument' });
  expect(before.structured).not.toHaveProperty('project');
  expect(named.structured['project']).toEqual({ name: 'a', root: a.root, source: 'argument' });
  expect([askedForThese, asked]).toEqual([0, 1]);
  expect(after.structured['project']).toEqual({ name: 'b', root: b.root, source: 'roots' });
});

test('R015 a slash at the end makes no other project', async () => {
  const { root } = project('a');
  const client = await openClient({ kind: 'stdio, version 1' });

  for (const args of [
    { project: root, project_path: `${root}/` },
    { index_name: `${root}//`, project: root },
  ])
    expect((await client.call('index_stats', args)).structured['project']).toMatchObject({ root });
});

test('R015 a project that was moved or deleted leaves its name to the others', async () => {
  const folder = tempFolder({
    'one/api/.git/HEAD': 'ref: refs/heads/main\n',
    'two/api/.git/HEAD': 'ref: refs/heads/main\n',
  });
  const client = await openClient({ kind: 'stdio, version 1' });
  for (const name of ['one', 'two']) await client.call('index_stats', { project: folder.join(name, 'api') });

  const several = await client.call('index_stats', { project: 'api' });
  renameSync(folder.join('one'), folder.join('moved'));
  const only = await client.call('index_stats', { project: 'api' });
  const candidates = await client.call('index_stats');
  rmSync(folder.join('two'), { recursive: true });
  const gone = await client.call('index_stats', { project: 'api' });

  expect(several).toMatchObject({
    isError: true,
    text: expect.stringContaining('Several projects are named'),
  });
  expect(only.structured['project']).toMatchObject({ root: folder.join('two/api') });
  expect(candidates.structured['candidates']).toEqual([{ name: 'api', root: folder.join('two/api') }]);
  expect(gone).toMatchObject({ isError: true, text: expect.stringContaining('Several projects are named') });
});

test('R015 index_codebase names the index after the folder, and that name is enough from then on', async () => {
  const folder = tempFolder({ 'Web Shop.v2/a.ts': 'export const a = 1;\n' });
  const root = folder.join('Web Shop.v2');
  const client = await openClient({ kind: 'stdio, version 1', env: emptyHome().env });

  const indexed = await client.call('index_codebase', { project_path: root });
  const listed = await client.call('list_indexes');
  const byName = await client.call('index_stats', { index_name: 'Web Shop.v2' });
  const relative = await client.call('index_stats', { project: './Web Shop.v2' });
  const unknown = await client.call('index_stats', { project: 'never-heard-of' });

  expect(indexed.structured['project']).toEqual({ name: 'Web Shop.v2', root, source: 'argument' });
  expect(listed.structured['indexes']).toMatchObject([{ name: 'Web Shop.v2', root }]);
  expect(byName.structured['project']).toEqual({ name: 'Web Shop.v2', root, source: 'argument' });
  expect(relative).toMatchObject({ isError: true, text: expect.stringContaining('must be absolute') });
  expect(unknown).toMatchObject({
    isError: true,
    text: expect.stringContaining('No known project is named'),
  });
});

test('R015 an explicit project skips detection: no other source is looked at, and none can spoil it', async () => {
  const a = project('a');
  let asked = 0;
  const client = await openClient({
    kind: 'stdio, version 1',
    env: { WAYMARK_PROJECT: '/does/not/exist' },
    roots: () => {
      asked += 1;
      throw new Error('broken');
    },
  });

  const answer = await client.call('index_stats', { project: a.root });

  expect(answer.structured['project']).toEqual({ name: 'a', root: a.root, source: 'argument' });
  expect(asked).toBe(0);
});
