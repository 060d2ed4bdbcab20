/** What a person does with the memory. */
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, memoryProject, openMemoryClient, type MemoryProject } from '../support/memory-client.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { run, type RunResult } from '../support/waymark.ts';

function waymark(
  project: MemoryProject,
  args: readonly string[],
  more: { cwd?: string; input?: string } = {},
): Promise<RunResult> {
  return run(args, { home: project.home, cwd: project.folder.path, ...more });
}

async function json(project: MemoryProject, args: readonly string[], cwd?: string): Promise<unknown> {
  const { stdout, stderr, code } = await waymark(
    project,
    [...args, '--json'],
    cwd === undefined ? {} : { cwd },
  );
  expect([stderr, code]).toEqual(['', 0]);
  return JSON.parse(stdout);
}

/** Saves a few entries as an agent would and returns the ids. */
async function fill(project: MemoryProject, cwd = project.folder.path): Promise<readonly string[]> {
  const client = await openMemoryClient('stdio, version 2, modern', project, cwd);
  const saves = [
    [
      'checkpoint_save',
      {
        name: 'upload retries',
        content: 'Backoff is done.\n\n---\nnot: front matter\r\n',
        tags: ['a', 'b'],
        metadata: { n: 1, s: 'ü' },
      },
    ],
    [
      'remediation_save',
      {
        error: "Error: can't open '/x/y'",
        solution: 'Open it.',
        root_cause: 'closed',
        stack: 'at f (a.ts:1:2)',
      },
    ],
    ['skill_save', { name: 'release', content: 'npm test\n', when_to_use: 'a version: "goes" out' }],
    ['skill_save', { name: 'release', content: 'npm test && tag\n', when_to_use: 'a version: "goes" out' }],
  ] as const;
  const ids: string[] = [];
  for (const [tool, args] of saves) ids.push(String((await client.call(tool, args)).structured['id']));
  await client.close();
  return ids;
}

function readTree(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  );
}

test('recall, list, show, edit, delete, undo and log', async () => {
  const project = memoryProject();
  const [id = ''] = await fill(project);

  const recalled = await json(project, ['recall', 'failed uploads']);
  const edited = await waymark(project, ['memory', 'edit', id, '--content', '-', '--tags', 'x, y'], {
    input: 'Now by hand.',
  });
  const shown = await json(project, ['memory', 'show', id, '--versions']);
  await waymark(project, ['memory', 'delete', id]);
  const gone = await waymark(project, ['recall', 'by hand']);
  const bin = await json(project, ['memory', 'list', '--bin']);
  await waymark(project, ['memory', 'undo', id]);
  const back = await json(project, ['memory', 'list', '--kind', 'checkpoint']);
  const log = await json(project, ['memory', 'log']);
  const wrong = await waymark(project, ['memory', 'show', 'cp-none']);

  expect(recalled).toMatchObject([{ entry: { id, name: 'upload retries' } }]);
  expect(edited).toMatchObject({ code: 0, stdout: `${id} is at version 2 now.\n` });
  expect(shown).toMatchObject({
    content: 'Now by hand.',
    tags: ['x', 'y'],
    provenance: { origin: 'typed', client: 'waymark' },
    versions: [
      {
        content: expect.stringContaining('Backoff'),
        provenance: { origin: 'agent', client: 'memory-test 1' },
      },
    ],
  });
  expect(gone.stdout).not.toContain(id);
  expect(bin).toMatchObject([{ id }]);
  expect(back).toMatchObject([{ id, version: 2 }]);
  expect(JSON.stringify(log)).toMatch(/undo.*delete.*edit.*edit.*save/);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no such entry') });
});

test('recall without words says where the work stands, and a fact is said once', async () => {
  const project = memoryProject();
  const nothing = await waymark(project, ['recall']);
  await waymark(project, ['remember', 'Half way. Next: the red test.', '--checkpoint']);
  await waymark(project, ['remember', 'Prices are in cents.']);

  const last = await waymark(project, ['recall']);
  const value = await json(project, ['recall']);
  const fact = await waymark(project, ['recall', 'prices']);
  const kind = await waymark(project, ['recall', '--kind', 'fact']);

  expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining('--checkpoint') });
  expect(last).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^cp-\w+.*\n[^]*Next: the red test\./),
  });
  expect(value).toMatchObject({ entry: { kind: 'checkpoint', content: 'Half way. Next: the red test.' } });
  expect(fact.stdout.match(/Prices are in cents/g)).toHaveLength(1);
  expect(kind).toMatchObject({ code: 2, stderr: expect.stringContaining('needs an argument') });
});

test('export, wipe, import and export again gives the same bytes, history and all', async () => {
  const project = memoryProject();
  await fill(project);
  const folder = tempFolder();
  await waymark(project, ['memory', 'export', folder.join('first')]);
  rmSync(project.home.folder.join('share', 'waymark', 'memory'), { recursive: true });

  const report = await json(project, ['memory', 'import', folder.join('first')]);
  await waymark(project, ['memory', 'export', folder.join('second')]);
  const again = await json(project, ['memory', 'import', folder.join('first')]);

  const first = readTree(folder.join('first'));
  expect(Object.keys(first)).toHaveLength(4);
  expect(readTree(folder.join('second'))).toEqual(first);
  expect(report).toEqual({ added: 3, known: 0, ignored: [] });
  expect(again).toEqual({ added: 0, known: 3, ignored: [] });
  // Whatever a file claims, it was imported.
  expect(await json(project, ['memory', 'list', '--kind', 'checkpoint'])).toMatchObject([
    { provenance: { origin: 'imported', source: folder.join('first') } },
  ]);
});

test('a folder of SKILL.md files round-trips', async () => {
  const project = memoryProject();
  const skills = tempFolder({
    'deploy/SKILL.md':
      '---\nname: deploy\ndescription: How we deploy, safely\nlicense: MIT\n---\n\n# Deploy\n\n1. Tag.\n',
    'review/SKILL.md': "---\nname: 'review'\ndescription: >-\n  folded\n---\nRead it.",
    'notes.md': 'no skill',
  });
  const folder = tempFolder();

  const report = await json(project, ['memory', 'import', skills.path]);
  await waymark(project, ['memory', 'export', folder.path, '--skills']);
  const found = await json(project, ['recall', 'deploy safely', '--kind', 'skill']);

  expect(report).toEqual({ added: 2, known: 0, ignored: ['notes.md'] });
  const { 'notes.md': _other, ...expected } = readTree(skills.path);
  expect(readTree(folder.path)).toEqual(expected);
  expect(found).toMatchObject([{ entry: { name: 'deploy' } }]);
});

test('a backup is taken and restored while a server is running', async () => {
  const project = memoryProject();
  const [id = ''] = await fill(project);
  const client = await openMemoryClient('stdio, version 2, modern', project, project.folder.path);
  await client.call('checkpoint_list');
  const folder = tempFolder();

  await json(project, ['backup', folder.join('copy')]);
  await client.call('checkpoint_save', { content: 'After the backup.' });
  await waymark(project, ['memory', 'delete', id]);
  const restored = await json(project, ['restore', folder.join('copy')]);
  const list = await client.call('checkpoint_list');

  expect(restored).toMatchObject({ restored: [{ entries: 3 }] });
  expect(list.structured['checkpoints']).toMatchObject([{ id }]);
  expect(await waymark(project, ['backup', folder.join('copy')])).toMatchObject({ code: 2 });
});

test('clones share only when told to, and a moved project keeps its memory', async () => {
  const project = memoryProject();
  await fill(project);
  const folder = tempFolder();
  const clone = folder.join('clone');
  git(project.folder.path, 'clone', '-q', project.folder.path, clone);
  const moved = folder.join('moved');

  const apart = await json(project, ['memory', 'list'], clone);
  await json(project, ['memory', 'link', project.folder.path], clone);
  const together = await json(project, ['memory', 'list'], clone);
  await json(project, ['memory', 'link', '--undo'], clone);
  const apartAgain = await json(project, ['memory', 'list'], clone);
  const merged = await json(project, ['memory', 'merge', project.folder.path], clone);
  renameSync(clone, moved);
  const lost = await json(project, ['memory', 'list'], moved);
  await json(project, ['memory', 'move', clone], moved);
  const found = await json(project, ['memory', 'list'], moved);

  expect([apart, apartAgain, lost]).toEqual([[], [], []]);
  expect(together).toHaveLength(3);
  expect(merged).toMatchObject({ copied: 3 });
  expect(found).toHaveLength(3);
});

test('one command forgets everything an origin wrote, here or everywhere, for good if asked', async () => {
  const project = memoryProject();
  const other = memoryProject();
  await fill(project);
  await fill(project, other.folder.path);
  const typed = await json(project, ['memory', 'list', '--kind', 'skill']);
  // What a person has rewritten is theirs.
  const [{ id = '' } = {}] = typed as readonly { id?: string }[]; // the list command prints entries
  await waymark(project, ['memory', 'edit', id, '--content', 'by hand']);

  const forgotten = await json(project, [
    'memory',
    'forget-origin',
    'memory-test',
    '--all-projects',
    '--for-good',
  ]);

  const counts = (forgotten as readonly { ids: readonly string[] }[]).map(({ ids }) => ids.length); // what the command prints
  expect(counts.toSorted((a, b) => a - b)).toEqual([2, 3]);
  expect(await json(project, ['memory', 'list'])).toMatchObject([{ id }]);
  const kept = await waymark(project, ['memory', 'show', id]);
  expect(kept.stdout).toContain('by hand');
  expect(kept.stdout).not.toContain('goes');
  expect(await json(project, ['memory', 'list'], other.folder.path)).toEqual([]);
  expect(await json(project, ['memory', 'list', '--bin'], other.folder.path)).toEqual([]);
});

test('a damaged memory of one project leaves the others alone and heals by itself', async () => {
  const project = memoryProject();
  const other = memoryProject();
  await fill(project);
  await fill(project, other.folder.path);
  const directory = project.home.folder.join('share', 'waymark', 'memory');
  const [first = ''] = readdirSync(directory).filter(
    (name) => name.startsWith(project.folder.path.split('/').at(-1) ?? '') && name.endsWith('.db'),
  );
  const fd = openSync(join(directory, first), 'r+');
  writeSync(fd, Buffer.alloc(4096), 0, 4096, 0);
  closeSync(fd);

  expect(await json(project, ['memory', 'list'], other.folder.path)).toHaveLength(3);
  const healed = await waymark(project, ['memory', 'list']);

  expect(healed.stdout.trim().split('\n')).toHaveLength(3);
  expect(healed.stderr).toContain('A damaged store was moved aside');
});

test('R144 files begin in a repository without any; a branch without them deletes nothing, and `link --files` writes them again', async () => {
  const project = memoryProject();
  const folder = join(project.folder.path, '.waymark', 'memory');
  const markdown = (): readonly string[] => Object.keys(readTree(folder));
  await waymark(project, ['remember', 'Ports start at 4000.']);

  const linked = await waymark(project, ['memory', 'link', '--files']);
  const first = markdown();
  rmSync(join(project.folder.path, '.waymark'), { recursive: true });
  const without = await json(project, ['memory', 'list']);
  await waymark(project, ['memory', 'link', '--files']);

  expect([linked.stderr, linked.code]).toEqual(['', 0]);
  expect(first).toHaveLength(1);
  expect(without).toMatchObject([{ content: 'Ports start at 4000.' }]);
  expect(markdown()).toEqual(first);
});
