/** The indexes of this machine: listing, clearing, keeping house. */
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { indexFile, openIndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { shop } from '../support/shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, type Home } from '../support/waymark.ts';

const LONG_AGO = new Date('2020-01-01');

async function json(args: readonly string[], home: Home, cwd?: string) {
  const result = await run([...args, '--json'], { home, ...(cwd === undefined ? {} : { cwd }) });
  if (result.code !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout);
}

function fileOf(home: Home, root: string): string {
  return indexFile(home.folder.join('cache/waymark'), root);
}

/** Holds the index open as another process would. */
async function openElsewhere(home: Home, root: string) {
  const cacheDir = home.folder.join('cache/waymark');
  const store = await openIndexStore({ cacheDir, root, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.close());
  return store;
}

test('projects lists what was indexed, most recent first, with the size of each index', async () => {
  const home = emptyHome();
  const [first, second] = [shop(), shop()];
  const none = await run(['projects'], { home });
  await json(['index', first.path], home);
  await json(['index', second.path], home);

  const text = await run(['projects'], { home });
  const rows = await json(['projects'], home);

  expect(none.stdout).toBe('No project is known yet.\n');
  expect(existsSync(home.folder.join('share/waymark/catalog.db'))).toBe(true);
  expect(rows).toMatchObject([
    { root: second.path, indexBytes: expect.any(Number), isGone: false },
    { root: first.path, indexBytes: expect.any(Number), isGone: false },
  ]);
  expect(rows[0].indexBytes).toBeGreaterThan(0);
  expect(text.stdout).toMatch(
    new RegExp(`${first.path} {2,}\\d+ KB {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`, 'm'),
  );
  expect(text.stdout).not.toContain('not known');
});

test('an index of a project that is not known counts, too', async () => {
  const home = emptyHome();
  const [known, unknown] = [shop(), shop()];
  await json(['index', known.path], home);
  await json(['index', unknown.path, '--data-dir', home.folder.join('elsewhere')], home);

  const { stdout } = await run(['projects'], { home });

  expect(stdout).not.toContain(unknown.path);
  expect(stdout).toMatch(/^of projects that are not known {2}\d+ KB$/m);
});

test('asking for projects makes no file', async () => {
  const home = emptyHome();

  await run(['projects'], { home });
  await run(['projects', 'prune'], { home });

  expect(readdirSync(home.folder.path)).toEqual(['home']);
});

test('clear deletes the index and nothing else; a second time there is nothing to do', async () => {
  const home = emptyHome();
  const project = shop();
  await json(['index'], home, project.path);

  const cleared = await json(['clear'], home, project.path);
  const again = await json(['clear', project.path], home);
  const stats = await run(['stats'], { home, cwd: project.path });

  expect(cleared).toEqual({ root: project.path, cleared: true });
  expect(again).toEqual({ root: project.path, cleared: false });
  expect(existsSync(fileOf(home, project.path))).toBe(false);
  expect(existsSync(project.join('src/cart.ts'))).toBe(true);
  expect(stats).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no index of') });
});

test('an index that another process reads is emptied, not taken away from it', async () => {
  const home = emptyHome();
  const project = shop();
  await json(['index'], home, project.path);
  const reader = await openElsewhere(home, project.path);

  const cleared = await json(['clear'], home, project.path);

  expect(cleared).toMatchObject({ cleared: true });
  expect(await reader.stats()).toMatchObject({ files: 0, skips: 0 });
  expect(await json(['index'], home, project.path)).toMatchObject({ indexed: 3 });
  expect(await reader.stats()).toMatchObject({ files: 3 });
});

test('prune forgets projects that are gone, with their indexes; others stay', async () => {
  const home = emptyHome();
  const [stays, goes] = [shop(), shop()];
  await json(['index', stays.path], home);
  await json(['index', goes.path], home);
  renameSync(goes.path, `${goes.path}-elsewhere`);
  onTestFinished(() => rmSync(`${goes.path}-elsewhere`, { recursive: true }));

  const pruned = await json(['projects', 'prune'], home);
  const rows = await json(['projects'], home);

  expect(pruned).toMatchObject({
    removed: [{ root: goes.path, reason: 'project_gone' }],
    forgotten: [goes.path],
  });
  expect(rows).toMatchObject([{ root: stays.path }]);
  expect(existsSync(fileOf(home, goes.path))).toBe(false);
  expect(existsSync(fileOf(home, stays.path))).toBe(true);
});

test('the cap removes the least recently used index, never one that is open', async () => {
  const home = emptyHome();
  const [open, idle, latest] = [shop(), shop(), shop()];
  for (const { path } of [open, idle]) await json(['index', path], home);
  await openElsewhere(home, open.path);
  truncateSync(fileOf(home, idle.path), 3 * 1024 * 1024);

  // The one that is open was used least recently, and stays all the same.
  const indexed = await run(['index', latest.path, '--cache-limit-mb', '1'], { home });

  expect(indexed.code).toBe(0);
  expect([open, idle, latest].map(({ path }) => existsSync(fileOf(home, path)))).toEqual([true, false, true]);
});

test("another release's index stays while it is used and goes when it is long unused", async () => {
  const home = emptyHome();
  const project = shop();
  await json(['index'], home, project.path);
  const current = fileOf(home, project.path);
  const other = current.replace(/-v\d+\.db$/, '-v999.db');
  const unknown = current.replace(/-[0-9a-f]{16}-/, '-ffffffffffffffff-');
  const damaged = `${current}.damaged-20200101T000000Z`;
  for (const file of [other, unknown, damaged]) writeFileSync(file, '');

  const kept = await json(['projects', 'prune'], home);
  for (const file of [other, unknown, damaged]) utimesSync(file, LONG_AGO, LONG_AGO);
  const pruned = await json(['projects', 'prune'], home);

  expect(kept.removed).toEqual([]);
  expect(pruned.removed.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual([
    'damaged',
    'other_release',
    'unknown_project',
  ]);
  expect([current, other, unknown, damaged].map((file) => existsSync(file))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('R020 below a known folder that nothing marks as a project, commands say how to work on it', async () => {
  const home = emptyHome();
  const tree = tempFolder({ 'sub/deep/a.ts': 'export const a = 1;\n' });
  await json(['index', tree.path], home);
  const at = { home, cwd: tree.join('sub/deep') };

  const found = await run(['search', 'a'], at);
  const status = await run(['status'], at);
  const named = await run(['search', 'a', '-C', '0'], { ...at, env: { WAYMARK_PROJECT: tree.path } });
  const unknown = await run(['search', 'a'], { home, cwd: tempFolder({}).path });

  expect(found).toMatchObject({ code: 2, stdout: '' });
  expect(found.stderr).toContain(`set WAYMARK_PROJECT=${tree.path} to work on it`);
  expect(status.stdout).toContain(`export WAYMARK_PROJECT=${tree.path}`);
  expect(named.stdout).toContain('a.ts:1');
  expect(unknown.stderr).toContain('begin one here with `git init`');
});
