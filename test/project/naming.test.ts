/** R015, R019: the project argument and its other names, and the project in the answer, in every tool. */
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

  const nameless: string[] = [];
  let succeeded = 0;
  for (const { name } of tools) {
    // Whoever gets the arguments wrong is shown some that would have worked.
    const wrong = await client.call(name, { no_such_argument: 1 });
    const example =
      /with arguments such as (\{.*\})$/.exec(String(wrong.structured['instruction']))?.[1] ?? '{}';
    const args = name === 'switch_project' ? { project: root } : JSON.parse(example);
    const { text, structured, isError } = await client.call(name, args);
    if (!isError) succeeded += 1;
    const value = JSON.stringify(structured['project'] ?? null);
    if (!text.startsWith(`project: here (${root}, via `) || !value.includes(root))
      nameless.push(`${name}: ${text.slice(0, 80)} ${value}`);
  }

  expect(nameless).toEqual([]);
  expect(succeeded).toBeGreaterThan(tools.length / 2);
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
