/** Secrets are taken out of whole records, by whatever way they come, and of what repositories show (R182). */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { git, memoryProject, openMemoryClient } from '../support/memory-client.ts';
import { run } from '../support/waymark.ts';

const body = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3h';
let last = 10;
/** Each looks like a token of its own. */
function token(): string {
  return `${['gh', 'p_'].join('')}${body}${(last += 1)}`;
}

/** All that was written below a folder. */
function written(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)
    .join('\n');
}

test('no field of a record keeps a secret: files, keys, nested metadata, names, client and branch (R182)', async () => {
  const project = memoryProject();
  git(project.folder.path, 'checkout', '-q', '-b', `fix-${token()}`);
  mkdirSync(project.home.folder.join('home'), { recursive: true });
  const client = await openClient({
    kind: 'stdio, version 2, modern',
    cwd: project.folder.path,
    env: project.home.env,
    args: [],
    name: `c-${token()}`,
  });
  const call = {
    name: token(),
    summary: token(),
    content: `12→${token()}`,
    tags: [token()],
    files: [`src/${token()}.ts`],
    metadata: {
      password: ['hunter2', { value: 'x7' }],
      api_key: { deep: { deeper: 'abc12345' } },
      [token()]: 1,
      [token()]: 2,
    },
    idempotency_key: token(),
  };

  const first = await client.call('checkpoint_save', call);
  const again = await client.call('checkpoint_save', call);
  const other = await client.call('checkpoint_save', { content: 'b', idempotency_key: token() });
  const resumed = await client.call('checkpoint_resume', {
    level: 'full',
    id: String(first.structured['id']),
  });
  await client.close();

  expect(again.structured).toMatchObject({ id: first.structured['id'], repeated: true });
  expect(other.structured['id']).not.toBe(first.structured['id']);
  expect(resumed.structured['metadata']).toEqual({
    password: ['[redacted:password]', { value: '[redacted:password]' }],
    api_key: { deep: { deeper: '[redacted:secret]' } },
    '[redacted:github-token]': 1,
    '[redacted:github-token] 2': 2,
  });
  const kept = written(project.home.folder.path);
  expect(kept).not.toContain(body);
  expect(kept.toLowerCase()).not.toContain(body.toLowerCase());
  for (const secret of ['hunter2', 'abc12345']) expect(kept).not.toContain(secret);
}, 60_000);

test('imported files and restored backups lose their secrets, and guides are shown without them (R182)', async () => {
  const project = memoryProject({
    '.waymark/guides/testing/one.md': `Log in with ${token()}.\n`,
    [`.waymark/guides/testing/${token()}.md`]: 'Named badly.\n',
  });
  const waymark = (...args: readonly string[]) => run(args, { home: project.home, cwd: project.folder.path });
  const skills = project.folder.join('skills/one');
  mkdirSync(skills, { recursive: true });
  writeFileSync(
    join(skills, 'SKILL.md'),
    `---\nname: deploy\ndescription: with ${token()}\nextra: ${token()}\n---\n12:${token()}\n`,
  );

  const imported = await waymark('memory', 'import', project.folder.join('skills'));
  const client = await openMemoryClient('stdio, version 2, modern', project, project.folder.path, [
    '--toolsets',
    'all',
  ]);
  const guides = await client.call('category_content', { category: 'testing' });
  const shown = await client.call('get_content', { expressions: ['testing/*'] });
  await client.close();

  expect(imported.stdout).toContain('1');
  for (const { text, structured } of [guides, shown]) {
    expect(text).toContain('[redacted:github-token]');
    expect(text + JSON.stringify(structured)).not.toContain(body);
  }
  expect(written(project.home.folder.path)).not.toContain(body);
}, 60_000);

test('files whose names hold a secret are left out of an index, and no store keeps their names (R182)', async () => {
  const named = token();
  const project = memoryProject({
    [`src/${named}.ts`]: 'export const b = 2;\n',
    [`${token()}/c.ts`]: 'let c;\n',
  });
  const waymark = (...args: readonly string[]) => run(args, { home: project.home, cwd: project.folder.path });

  const indexed = await waymark('index');
  const files = await waymark('files', '--json');

  expect(indexed.code).toBe(0);
  expect(files.stdout).toContain('its name holds a secret');
  expect(files.stdout).not.toContain(body);
  expect(written(project.home.folder.path)).not.toContain(body);
  expect((await waymark('search', 'b')).stdout).not.toContain(named);
}, 60_000);
