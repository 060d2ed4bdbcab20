/** What commits say of files, read from real repositories without git: whole, grown, rewritten, cut, damaged, hostile. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readHistory } from '../../src/indexing/read-history.ts';
import { systemClock } from '../../src/platform/index.ts';
import { eachFileOf, unpackHistory } from '../../src/storage/index.ts';
import { identifiersIn } from '../../src/text/index.ts';
import { readFileHistory, readPlace } from '../../src/workspace/index.ts';
import { git } from '../support/git.ts';
import { createRandom } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ask = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' });

let seconds = 1_700_000_000;

/** Each a second after the one before, so that there is one order. */
function commit(root: string, files: Readonly<Record<string, string>>, subject: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git(root, 'add', '-A');
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...identity, 'commit', '-q', '--allow-empty', '-m', subject], {
    cwd: root,
    env: { ...process.env, GIT_COMMITTER_DATE: `${(seconds += 1)} +0000` },
  });
}

/** Forty commits in three folders, one of them deep; by one program, because forty take forty times as long. */
function makeHistory(): string {
  const root = tempFolder().path;
  git(root, 'init', '-q', '-b', 'main');
  const lines: string[] = [];
  const data = (text: string): string => `data ${text.length}\n${text}`;
  for (let at = 0; at < 40; at++) {
    const folder = ['src', 'src/deep/er', 'docs'][at % 3] ?? '';
    lines.push('commit refs/heads/main', `committer a <a@example.com> ${(seconds += 1)} +0000`);
    lines.push(data(`change number${at} of things`));
    lines.push(`M 644 inline ${folder}/file${at % 7}.ts`, data(`${'line\n'.repeat(at)}${at}`));
    lines.push('M 644 inline all.ts', data(`${at}`), '');
  }
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
  const isLoose = ['-c', 'fastimport.unpackLimit=1000'];
  execFileSync('git', [...isLoose, 'fast-import', '--quiet'], { cwd: root, input: lines.join('\n'), env });
  git(root, 'reset', '-q', '--hard');
  return root;
}

interface Told {
  readonly subject: string;
  readonly paths: readonly string[];
}

const byPath = (told: readonly Told[]): readonly string[] =>
  told.map(({ subject, paths }) => `${subject}: ${paths.toSorted().join(' ')}`).toSorted();

function told(root: string, folder = ''): readonly Told[] {
  const { identity, commit: head = '' } = readPlace(root, root);
  const history = readFileHistory({ commonDir: identity, folder, head, known: [], clock: systemClock });
  const all = [...history.commits].map(({ subject, changes }) => ({
    subject,
    paths: changes.map(({ path }) => path),
  }));
  history.close();
  return all;
}

function gitSays(root: string, folder = ''): readonly Told[] {
  const log = ask(
    root,
    'log',
    '--no-merges',
    '--no-renames',
    '--name-only',
    '--format=%x00%s',
    '--',
    `./${folder}`,
  );
  return log
    .split('\0')
    .slice(1)
    .map((one) => {
      const [subject = '', ...paths] = one.split('\n').filter((line) => line !== '');
      return { subject, paths: paths.map((path) => path.slice(folder === '' ? 0 : folder.length + 1)) };
    });
}

test('says what git log says: of loose objects, of a pack, of differences in a pack, of a folder', () => {
  const root = makeHistory();
  const expected = byPath(gitSays(root));

  expect(byPath(told(root))).toEqual(expected);
  git(root, 'repack', '-q', '-a', '-d', '--depth=0');
  expect(byPath(told(root))).toEqual(expected);
  git(root, 'gc', '-q', '--aggressive', '--prune=now');
  expect(byPath(told(root))).toEqual(expected);
  commit(root, { 'src/new.ts': 'x' }, 'beside the pack');
  expect(byPath(told(root))).toEqual(byPath(gitSays(root)));
  expect(byPath(told(root, 'src/deep'))).toEqual(byPath(gitSays(root, 'src/deep')));
  expect(expected).toHaveLength(40);
});

test('a worktree has the history of its own commit', () => {
  const root = makeHistory();
  const other = join(tempFolder().path, 'other');
  git(root, 'worktree', 'add', '-q', '-b', 'side', other, 'HEAD~5');
  commit(other, { 'side.ts': 's' }, 'on the side');

  expect(byPath(told(other))).toEqual(byPath(gitSays(other)));
  expect(told(other)).toHaveLength(36);
});

test('merged commits count once, and the merge itself does not', () => {
  const root = makeHistory();
  git(root, 'switch', '-q', '-c', 'side', 'HEAD~3');
  commit(root, { 'side.ts': 's' }, 'on the side');
  git(root, 'switch', '-q', 'main');
  git(root, 'merge', '-q', '--no-ff', '-m', 'merged', 'side');

  expect(byPath(told(root))).toEqual(byPath(gitSays(root)));
  expect(told(root).map(({ subject }) => subject)).not.toContain('merged');
});

test('a shallow clone tells what it has', () => {
  const root = makeHistory();
  const clone = join(tempFolder().path, 'clone');
  git(root, 'clone', '-q', '--depth', '4', `file://${root}`, clone);

  expect(told(clone).map(({ subject }) => subject)).toEqual(
    [39, 38, 37].map((at) => `change number${at} of things`),
  );
});

test('a history with missing commits or folders ends with what there is', () => {
  const root = makeHistory();
  const remove = (hash: string): void =>
    rmSync(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)), { force: true });
  remove(ask(root, 'rev-parse', 'HEAD~10:src').trim());
  remove(ask(root, 'rev-parse', 'HEAD~20').trim());
  const subjects = told(root).map(({ subject }) => subject);

  expect(subjects).toContain('change number39 of things');
  expect(subjects).toContain('change number21 of things');
  expect(subjects).not.toContain('change number19 of things');
});

type Before = Parameters<typeof readHistory>[0]['before'];

function gather(root: string, before?: Before, mostBytes = 1e6): ReturnType<typeof readHistory> {
  const { identity: commonDir, commit: head = '', folder } = readPlace(root, root);
  const paths = ask(root, 'ls-files').trim().split('\n');
  return readHistory({ commonDir, folder, head, paths, before, mostBytes }, systemClock);
}

/** By file: how many commits, and how many subjects hold a word. */
function saysOf({ packed }: ReturnType<typeof readHistory>, word: string): Record<string, [number, number]> {
  const history = unpackHistory(packed);
  const [term] = identifiersIn(word);
  if (history === undefined || term?.whole === undefined) throw new Error('There is no history, or no word.');
  const times = history.paths.map(() => 0);
  eachFileOf(history, term.whole.hash, (file, count) => (times[file] = count));
  return Object.fromEntries(
    history.paths.map((path, at) => [path, [history.commits[at] ?? 0, times[at] ?? 0]]),
  );
}

test('a file has the words and the number of the commits that changed it', () => {
  const root = makeHistory();
  const made = gather(root);

  expect(made).toMatchObject({ commits: 40, read: 40, tips: [ask(root, 'rev-parse', 'HEAD').trim()] });
  expect(saysOf(made, 'things')).toMatchObject({ 'all.ts': [40, 40], 'src/file0.ts': [2, 2] });
  expect(saysOf(made, 'number21')).toMatchObject({ 'all.ts': [40, 1], 'src/file0.ts': [2, 1] });
});

test('a moved file keeps its history', () => {
  const root = makeHistory();
  const before = gather(root);
  mkdirSync(join(root, 'moved'));
  renameSync(join(root, 'src/file0.ts'), join(root, 'moved/file0.ts'));
  commit(root, {}, 'move it');

  expect(saysOf(gather(root), 'things')).toMatchObject({ 'moved/file0.ts': [3, 2] });
  expect(saysOf(gather(root, before), 'things')).toMatchObject({ 'moved/file0.ts': [3, 2] });
});

test('of a history that has grown only what is new is read, and it comes to the same', () => {
  const root = makeHistory();
  const before = gather(root);
  commit(root, { 'src/file0.ts': 'new' }, 'growing words');
  const grown = gather(root, before);

  expect(grown.read).toBe(1);
  expect(grown).toEqual({ ...gather(root), read: 1 });
  expect(saysOf(grown, 'growing')['src/file0.ts']).toEqual([3, 1]);
});

test('a branch that was left and come back to is read once', () => {
  const root = makeHistory();
  const main = gather(root);
  git(root, 'switch', '-q', '-c', 'side', 'HEAD~3');
  commit(root, { 'all.ts': 'side' }, 'aside');
  const side = gather(root, main);
  git(root, 'switch', '-q', 'main');
  const back = gather(root, side);

  expect([side.read, back.read]).toEqual([1, 0]);
  expect(saysOf(back, 'aside')['all.ts']).toEqual([41, 1]);
  expect(saysOf(back, 'things')['src/file0.ts']).toEqual(saysOf(main, 'things')['src/file0.ts']);
});

test('a rewritten history is read anew', () => {
  const root = makeHistory();
  const before = gather(root);
  git(root, 'switch', '-q', '--orphan', 'other');
  commit(root, { 'all.ts': 'other' }, 'another beginning');
  const other = gather(root, before);

  expect(other).toMatchObject({ read: 1, commits: 1 });
  expect(saysOf(other, 'things')['all.ts']).toEqual([1, 0]);
  expect(gather(root, { ...before, tips: ['f'.repeat(40)] })).toEqual(other);
});

test('secrets in subjects are not kept [R182]', () => {
  const root = makeHistory();
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
  commit(root, { 'all.ts': 's' }, `rotate ${secret} now`);
  const made = gather(root);

  expect(saysOf(made, 'rotate')['all.ts']?.[1]).toBe(1);
  for (const word of [secret, secret.slice(4)]) expect(saysOf(made, word)['all.ts']?.[1]).toBe(0);
});

test('what is kept stays within its room: common words go first', () => {
  const root = makeHistory();
  const small = gather(root, undefined, 800);

  expect(gather(root).packed.length).toBeGreaterThan(800);
  expect(small.packed.length).toBeLessThanOrEqual(800);
  expect(saysOf(small, 'things')['all.ts']).toEqual([40, 0]);
});

function writeLoose(root: string, type: string, body: Buffer, name?: string): string {
  const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const hash = name ?? createHash('sha1').update(object).digest('hex');
  mkdirSync(join(root, '.git/objects', hash.slice(0, 2)), { recursive: true });
  writeFileSync(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)), deflateSync(object));
  return hash;
}

const commitBody = (tree: string, ...parents: readonly string[]): Buffer =>
  Buffer.from(
    `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nsubject\n`,
  );

test('folders that hold themselves many times over, and commits that are their own parents, come to an end', () => {
  const root = makeHistory();
  let tree = ask(root, 'rev-parse', 'HEAD^{tree}').trim();
  for (let depth = 0; depth < 80; depth++) {
    const entry = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(tree, 'hex')]);
    tree = writeLoose(root, 'tree', Buffer.concat(['a', 'b', 'c', 'd'].map(entry)));
  }
  const bomb = writeLoose(root, 'commit', commitBody(tree));
  const itself = 'ab'.repeat(20);
  writeLoose(root, 'commit', commitBody(tree, itself, bomb), itself);
  writeLoose(root, 'commit', commitBody(tree, ...Array.from({ length: 5_000 }, () => bomb)), 'cd'.repeat(20));
  for (const head of [bomb, itself, 'cd'.repeat(20)]) {
    writeFileSync(join(root, '.git/refs/heads/main'), `${head}\n`);
    const all = told(root);
    expect(all.length).toBeLessThanOrEqual(1);
    expect(all.flatMap(({ paths }) => paths).length).toBeLessThanOrEqual(1_000);
    expect(gather(root).commits).toBeLessThanOrEqual(1);
  }
});

test('a pack with other bytes tells less, and never breaks', () => {
  const root = makeHistory();
  git(root, 'gc', '-q', '--aggressive', '--prune=now');
  const packs = join(root, '.git/objects/pack');
  const names = readdirSync(packs).filter((name) => /\.(idx|pack)$/.test(name));
  const whole = new Map(names.map((name) => [name, readFileSync(join(packs, name))]));
  const expected = new Set(byPath(told(root)));
  const random = createRandom(2_027);
  let less = 0;
  for (let round = 0; round < 150; round++) {
    const name = names[round % names.length] ?? '';
    const bytes = Buffer.from(whole.get(name) ?? []);
    for (let flip = 0; flip <= round % 4; flip++)
      bytes.writeUInt8(random.below(256), random.below(bytes.length));
    chmodSync(join(packs, name), 0o600);
    writeFileSync(
      join(packs, name),
      round % 10 === 9 ? bytes.subarray(0, random.below(bytes.length)) : bytes,
    );
    if (told(root).length < expected.size) less += 1;
    writeFileSync(join(packs, name), whole.get(name) ?? '');
  }

  expect(less).toBeGreaterThan(0);
  expect(new Set(byPath(told(root)))).toEqual(expected);
});
