/** `waymark restore`, `memory import` and `memory export` with what they must not take or follow. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';
import { sumOf } from '../../src/storage/memory-rows.ts';
import { openClient } from '../support/clients.ts';
import { memoryProject, type MemoryProject } from '../support/memory-client.ts';
import { collectEnds, tempFolder, type OnEnd } from '../support/temp-folder.ts';
import { run, type RunResult } from '../support/waymark.ts';

const { onEnd, end } = collectEnds();
afterAll(end);

function waymark(project: MemoryProject, ...args: readonly string[]): Promise<RunResult> {
  return run(args, { home: project.home, cwd: project.folder.path, onEnd });
}

interface Prepared {
  readonly project: MemoryProject;
  readonly folder: string;
  /** The one backup in it. */
  readonly file: string;
}

/** A memory with one checkpoint, and a backup of it. */
async function prepared(onEnd?: OnEnd): Promise<Prepared> {
  const project = memoryProject({}, onEnd);
  await remember(project, 'The cache is warm.');
  const folder = tempFolder({}, onEnd).join('backup');
  await waymark(project, 'backup', folder);
  return { project, folder, file: join(folder, readdirSync(folder)[0] ?? '') };
}

/** For what is refused: the memory of all these tests stays as it is, each has the backup for itself. */
let untouched: Prepared;
beforeAll(async () => {
  untouched = await prepared(onEnd);
});

function withOwnBackup(): Prepared {
  const folder = tempFolder().join('backup');
  cpSync(untouched.folder, folder, { recursive: true });
  return { ...untouched, folder, file: join(folder, readdirSync(folder)[0] ?? '') };
}

async function remember({ folder, home }: MemoryProject, content: string): Promise<void> {
  const kind = 'stdio, version 2, modern';
  const client = await openClient({ kind, cwd: folder.path, env: home.env, onEnd });
  await client.call('checkpoint_save', { content });
  await client.close();
}

const memoryOf = (project: MemoryProject): string => project.home.folder.join('share', 'waymark', 'memory');

/** No command that reads the memory may end in an internal error, and what was there is there. */
async function expectWhole(project: MemoryProject): Promise<void> {
  const list = await waymark(project, 'memory', 'list');
  const recall = await waymark(project, 'recall', 'is the cache warm');
  const log = await waymark(project, 'memory', 'log');
  expect([list, recall, log].map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(list.stdout).toContain('The cache is warm.');
  expect(recall.stdout).toContain('The cache is warm.');
}

test('R181 a folder with links.db in it is restored without it, and later commands work', async () => {
  const { project, folder, file } = await prepared();
  copyFileSync(file, join(folder, 'links.db'));

  const { code, stdout } = await waymark(project, 'restore', folder);

  expect(code).toBe(0);
  expect(stdout).toContain('1 memory was restored');
  expect(stdout).toContain('not a memory, left out: links.db');
  await expectWhole(project);
  expect((await waymark(project, 'memory', 'link', '--undo')).code).toBe(0);
});

/** Changes the document of the only entry, with a check sum that is right. */
async function forge(file: string, change: (doc: Record<string, unknown>) => void): Promise<void> {
  const database = (await loadDriver()).connect(file, { readOnly: false, timeout: 0 });
  const row = database.prepare('SELECT id, doc, save_key FROM entry').get() ?? {};
  const value: Record<string, unknown> = JSON.parse(String(row['doc']));
  change(value);
  const doc = JSON.stringify(value);
  const key = typeof row['save_key'] === 'string' ? row['save_key'] : undefined;
  database
    .prepare('UPDATE entry SET doc = ?, sum = ?')
    .run(doc, sumOf('entry', [String(row['id']), doc, undefined, key]));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

test('R181 a backup with a date beyond the calendar is refused whole, and the message names it', async () => {
  const { project, folder, file } = withOwnBackup();
  await forge(file, (doc) => (doc['createdAt'] = 9e15));

  const { code, stderr } = await waymark(project, 'restore', folder);

  expect(code).toBe(2);
  expect(stderr).toMatch(/entry cp-[0-9a-f]{12}: createdAt is not a valid date\. Nothing was changed\./);
  await expectWhole(project);
});

test('R181 of two backups in a folder, a bad second one keeps the good first one out', async () => {
  const { project, folder, file } = await prepared();
  writeFileSync(join(folder, 'zz-0123456789abcdef.db'), readFileSync(file).subarray(0, 9_000));
  await remember(project, 'Saved after the backup.');

  const { code } = await waymark(project, 'restore', folder);

  expect(code).toBe(2);
  expect((await waymark(project, 'memory', 'list')).stdout).toContain('Saved after the backup.');
  expect(existsSync(join(memoryOf(project), 'zz-0123456789abcdef.db'))).toBe(false);
});

const ODD: readonly (readonly [string, string, (file: string) => void])[] = [
  ['a pipe', 'it is no regular file', (file) => void execFileSync('mkfifo', [file])],
  ['a link to /dev/zero', 'it is a link', (file) => symlinkSync('/dev/zero', file)],
  ['a folder', 'it is a folder', (file) => mkdirSync(file)],
  [
    'a sparse file of 50 GB',
    'it is larger than 2 GB',
    (file) => {
      writeFileSync(file, '');
      truncateSync(file, 50 * 1024 ** 3);
    },
  ],
  ['a text', 'it is no database', (file) => writeFileSync(file, 'hello '.repeat(100))],
];

test.each(ODD)('R181 restore refuses %s at once and says what it is', async (_name, said, make) => {
  const { project, folder, file } = withOwnBackup();
  rmSync(file);
  make(file);

  const { code, stderr } = await waymark(project, 'restore', folder);

  expect(code).toBe(2);
  expect(stderr).toContain(said);
  expect(stderr).not.toContain('Something went wrong');
  expect((await waymark(project, 'memory', 'list')).stdout).toContain('The cache is warm.');
});

test.each(['/dev/zero', '/nonexistent', '.'])('restore of %s, which is no backup, says so', async (place) => {
  const { code, stderr } = await waymark(untouched.project, 'restore', place);

  expect(code).toBe(2);
  expect(stderr).toContain('There is no backup in');
});

test('R181 an import with one bad file takes nothing, and names the file and the field', async () => {
  const { project } = await prepared();
  await remember(project, 'A second one.');
  const folder = tempFolder();
  await waymark(project, 'memory', 'export', folder.join('out'));
  const [first = ''] = readdirSync(folder.join('out', 'checkpoints'));
  const file = folder.join('out', 'checkpoints', first);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^created_at: .*$/m, 'created_at: 9e15'));
  const other = memoryProject();

  const { code, stderr } = await waymark(other, 'memory', 'import', folder.join('out'));

  expect(code).toBe(2);
  expect(stderr).toContain(`checkpoints/${first}: \`created_at\` is not a valid date. Nothing was imported.`);
  expect((await waymark(other, 'memory', 'list')).stdout).toContain('Nothing here.');
});

test('R181 forged rows in a live memory are mended on the next use, and the file is kept aside', async () => {
  const { project } = await prepared();
  const file = join(
    memoryOf(project),
    readdirSync(memoryOf(project)).find((name) => name.endsWith('.db')) ?? '',
  );
  await forge(file, (doc) => (doc['createdAt'] = 9e15));

  const list = await waymark(project, 'memory', 'list');

  expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('The cache is warm.') });
  expect(readdirSync(memoryOf(project)).some((name) => name.includes('.db.damaged-'))).toBe(true);
});

test('R181 doctor finds a memory that no command could show, and --fix says where it is put', async () => {
  const { project } = await prepared();
  const file = join(
    memoryOf(project),
    readdirSync(memoryOf(project)).find((name) => name.endsWith('.db')) ?? '',
  );
  await forge(file, (doc) => (doc['updatedAt'] = -7));
  // What an earlier release made of a backup with links.db in it: a memory under that name.
  const links = join(memoryOf(project), 'links.db');
  copyFileSync(file, links);
  const database = (await loadDriver()).connect(links, { readOnly: false, timeout: 0 });
  database.exec('DROP TABLE bin; PRAGMA user_version = 1; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();

  const found = await waymark(project, 'doctor');
  const fixed = await waymark(project, 'doctor', '--fix');
  const after = await waymark(project, 'doctor');

  const said = found.stdout.replaceAll(/\s+/g, ' ');
  expect(found.code).toBe(1);
  expect(said).toContain('updatedAt is not a valid date');
  expect(said).toContain('links.db: it has tables that are not ours');
  expect(fixed.code).toBe(0);
  expect(fixed.stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /was repaired: 1 entry is kept; as it was, it is in .*\.db\.damaged-/,
  );
  expect(after.code).toBe(0);
  await expectWhole(project);
});

test('R181 export writes through no link that the repository placed, and only its owner can read it', async () => {
  const { project } = await prepared();
  const outside = tempFolder({ 'victim.md': 'untouched' });
  const root = project.folder.path;
  mkdirSync(join(root, '.waymark'));
  symlinkSync(outside.path, join(root, '.waymark', 'memory'));
  mkdirSync(join(root, 'plain'));
  symlinkSync(outside.path, join(root, 'plain', 'checkpoints'));
  await waymark(project, 'memory', 'export', 'good');
  const [name = ''] = readdirSync(join(root, 'good', 'checkpoints'));
  mkdirSync(join(root, 'files', 'checkpoints'), { recursive: true });
  symlinkSync(outside.join('victim.md'), join(root, 'files', 'checkpoints', name));

  const linked = await waymark(project, 'memory', 'export', '.waymark/memory');
  const inner = await waymark(project, 'memory', 'export', 'plain');
  const file = await waymark(project, 'memory', 'export', 'files');

  expect([linked.code, inner.code, file.code]).toEqual([1, 1, 0]);
  expect(linked.stderr).toContain('is a link; nothing is written there.');
  expect(readdirSync(outside.path)).toEqual(['victim.md']);
  expect(readFileSync(outside.join('victim.md'), 'utf8')).toBe('untouched');
  expect(statSync(join(root, 'good', 'checkpoints', name)).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'good', 'checkpoints')).mode & 0o777).toBe(0o700);
});
