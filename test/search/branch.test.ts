/** `branch:`: what changed since the work left a branch, read without git and compared with what git says. */
import {
  appendFileSync,
  cpSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { git } from '../support/memory-client.ts';
import { connect, pathsOf, SEARCH_CLIENTS } from '../support/search-client.ts';
import { collectEnds, tempFolder, type OnEnd, type TempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

function commit(root: string, message: string): void {
  git(root, 'add', '-A');
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', message);
}

/** On `work`: one file changed, one new, one renamed; meanwhile `main` went on by itself. */
function forkedProject(): TempFolder {
  const folder = tempFolder();
  cpSync(template.path, folder.path, { recursive: true, preserveTimestamps: true });
  return folder;
}

let template: TempFolder;

beforeAll(() => {
  const { onEnd, end } = collectEnds();
  template = makeForked(onEnd);
  return end;
});

function makeForked(onEnd: OnEnd): TempFolder {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/part${at % 5}/widget${at}.ts`,
      `/** A widget. */\nexport function widget${at}(): number {\n  return ${at};\n}\n`,
    ]),
  );
  const folder = tempFolder({ ...files, 'README.md': 'A widget for everybody.\n' }, onEnd);
  const { path: root } = folder;
  git(root, 'init', '-q', '-b', 'main');
  commit(root, 'first');
  for (let at = 0; at < 12; at++) {
    appendFileSync(
      folder.join(`src/part${at % 5}/widget${at}.ts`),
      `export const widgetNumber${at} = ${at};\n`,
    );
    commit(root, `step ${at}`);
  }
  git(root, 'switch', '-q', '-c', 'work');
  appendFileSync(folder.join('src/part1/widget1.ts'), 'export const widgetOfWork = 1;\n');
  folder.write({ 'src/new/widget-new.ts': 'export const newWidget = 1;\n' });
  renameSync(folder.join('src/part2/widget2.ts'), folder.join('src/part2/widget-two.ts'));
  commit(root, 'work');
  git(root, 'switch', '-q', 'main');
  appendFileSync(folder.join('src/part3/widget3.ts'), 'export const widgetOfMain = 1;\n');
  commit(root, 'main goes on');
  git(root, 'switch', '-q', 'work');
  return folder;
}

const CHANGED = ['src/new/widget-new.ts', 'src/part1/widget1.ts', 'src/part2/widget-two.ts'];

/** What git itself says, of files that are there. */
function byGit(root: string, branch: string): readonly string[] {
  const base = git(root, 'merge-base', 'HEAD', branch);
  const tracked = git(root, 'diff', '--name-only', '--no-renames', '--diff-filter=d', base);
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard');
  return [...tracked.split('\n'), ...untracked.split('\n')].filter((path) => path !== '').toSorted();
}

async function search(root: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await run(['search', ...args, '--limit', '50', '--json'], {
    home: emptyHome(),
    cwd: root,
  });
  // The command's own answer, or its own error.
  const { hits } = (code === 2 ? {} : JSON.parse(stdout)) as { hits?: readonly { path: string }[] };
  // How far the index is that it has to make first is told, too.
  const errors = stderr.replaceAll(/^\{"event":"progress".*\n/gm, '');
  return { code, stderr: errors, paths: (hits ?? []).map(({ path }) => path).toSorted() };
}

describe.each(SEARCH_CLIENTS)('%s', (kind) => {
  test('finds only what changed since the work left the branch, in the query and as argument', async () => {
    const folder = forkedProject();
    const client = await connect(kind, { cwd: folder.path });
    const find = async (args: Record<string, unknown>): Promise<readonly string[]> =>
      pathsOf(await client.call('search_code', { limit: 50, ...args })).toSorted();

    const committed = await find({ query: 'widget branch:main' });
    const asArgument = await find({ query: 'widget', branch: 'main' });
    const none = await client.call('search_code', { query: 'widget branch:nowhere' });
    appendFileSync(folder.join('src/part4/widget4.ts'), 'export const widgetOfToday = 1;\n');
    folder.write({ 'src/widget-untracked.ts': 'export const widgetUntracked = 1;\n' });
    const dirty = await find({ query: 'widget branch:main' });
    const both = await find({ query: 'widget branch:main changed:yes' });

    expect(committed).toEqual(CHANGED);
    expect(asArgument).toEqual(CHANGED);
    expect(none.isError).toBe(true);
    expect(none.text).toContain('no branch `nowhere`');
    expect(none.text).toContain('changed:yes');
    expect(dirty).toEqual(byGit(folder.path, 'main'));
    expect(both).toEqual(['src/part4/widget4.ts', 'src/widget-untracked.ts']);
  });
});

test('says the same as git, whether objects lie alone or in packs, in a worktree or without a branch', async () => {
  const folder = forkedProject();
  const { path: root } = folder;
  const expected = { code: 0, paths: CHANGED, stderr: '' };

  expect(byGit(root, 'main')).toEqual(CHANGED);
  expect(await search(root, 'widget', '--branch', 'main')).toEqual(expected);
  const analyzed = await run(['analyze', 'widget branch:main'], { home: emptyHome(), cwd: root });
  expect(analyzed.stdout).toContain('filters: branch main');
  expect(analyzed.stdout).toMatch(/pass the filters +3 /);
  git(root, 'gc', '-q', '--aggressive', '--prune=now');
  expect(readdirSync(join(root, '.git/refs/heads'))).toEqual([]);
  expect(await search(root, 'widget branch:main')).toEqual(expected);
  git(root, '-c', 'repack.useDeltaBaseOffset=false', 'repack', '-q', '-a', '-d', '-f');
  expect(await search(root, 'widget branch:main')).toEqual(expected);
  git(root, 'update-ref', 'refs/remotes/origin/trunk', 'main');
  expect(await search(root, 'widget branch:origin/trunk')).toEqual(expected);
  expect(await search(root, 'widget branch:trunk')).toEqual(expected);
  git(root, 'switch', '-q', '--detach');
  expect(await search(root, 'widget branch:main')).toEqual(expected);
  const other = tempFolder();
  git(root, 'worktree', 'add', '-q', other.join('linked'), 'work');
  expect(await search(other.join('linked'), 'widget branch:main')).toEqual(expected);
  // After a merge the histories part later.
  git(root, 'switch', '-q', '-c', 'merged');
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'merge', '-q', '--no-edit', 'main');
  expect(await search(root, 'widget branch:main')).toEqual(expected);
  // What was taken back is as it was, also when that is only staged.
  git(root, 'checkout', 'main', '--', 'src/part1/widget1.ts');
  expect((await search(root, 'widget branch:main')).paths).toEqual(byGit(root, 'main'));
  expect((await search(root, 'widget branch:main')).paths).not.toContain('src/part1/widget1.ts');
}, 60_000);

test('what cannot be told is an error that says why and what to use instead', async () => {
  const plain = tempFolder({ 'src/widget.ts': 'export const widget = 1;\n', '.waymark.json': '{}' });
  const folder = forkedProject();
  const { path: root } = folder;
  git(root, 'switch', '-q', '--orphan', 'apart');
  folder.write({ 'src/widget.ts': 'export const widget = 1;\n' });
  commit(root, 'apart');
  const shallow = tempFolder();
  git(shallow.path, 'clone', '-q', '--depth', '1', '--no-single-branch', `file://${root}`, 'clone');

  const cases = [
    [await search(plain.path, 'widget branch:main'), 'no git working tree'],
    [await search(plain.path, 'widget changed:yes'), 'no git working tree'],
    [await search(root, 'widget branch:main'), 'No commit was found that this branch and `main` share'],
    [await search(root, 'widget branch:main branch:work'), 'No commit was found'],
    [await search(shallow.join('clone'), 'widget branch:main'), 'No commit was found'],
  ] as const;

  for (const [{ code, stderr }, message] of cases) {
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  }
}, 60_000);

test('a repository that is damaged or lies is not followed: no file outside is read, and no program runs', async () => {
  const folder = forkedProject();
  const { path: root } = folder;
  const outside = tempFolder({ secret: `${'a'.repeat(40)}\n` });
  git(root, 'config', 'core.fsmonitor', `touch ${outside.join('was-run')}`);
  symlinkSync(outside.join('secret'), folder.join('.git/refs/heads/leak'));

  for (const name of [
    '../../../secret',
    '/etc/passwd',
    'leak',
    '.',
    '..',
    'main/',
    '-main',
    'HEAD',
    'main@{1}',
  ])
    expect((await search(root, 'widget', `--branch=${name}`)).stderr).toMatch(
      /no branch|No commit was found/,
    );
  expect((await search(root, 'widget branch:main')).paths).toEqual(CHANGED);

  rmSync(folder.join('.git/refs/heads/leak'));
  git(root, '-c', 'core.fsmonitor=', 'gc', '-q');
  const packs = folder.join('.git/objects/pack');
  const pack = join(packs, readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '');
  renameSync(packs, outside.join('pack'));
  symlinkSync(outside.join('pack'), packs);
  expect((await search(root, 'widget branch:main')).stderr).toContain('No commit was found');
  rmSync(packs);
  renameSync(outside.join('pack'), packs);
  expect((await search(root, 'widget branch:main')).paths).toEqual(CHANGED);
  rmSync(pack.replace(/pack$/, 'rev'), { force: true });
  truncateSync(pack, 200);
  expect((await search(root, 'widget branch:main')).code).toBe(2);
  rmSync(pack);
  writeFileSync(pack, '');
  expect((await search(root, 'widget branch:main')).code).toBe(2);
  expect(readdirSync(outside.path)).toEqual(['secret']);
}, 60_000);
