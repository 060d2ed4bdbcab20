/** The index of a real project, on the command line. */
import { execFileSync, spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { createIndexStores, openIndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { git } from '../support/git.ts';
import { chunksWith } from '../support/indexed-words.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome, finished, run, start, watchOutput } from '../support/waymark.ts';

function shop() {
  return tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': '*.log\n',
    'src/cart.ts':
      '/** Adds up what is in the cart. */\nexport function totalOf(items: number[]): number {\n  return 0;\n}\n',
    'src/upload.py': 'def retry_failed_upload(queue):\n    return queue.pop()\n',
    'debug.log': 'noise\n',
    '.env': `PASSWORD=${['s3cr3t', 'v4lue', '0nly'].join('-')}\n`,
  });
}

function lockOf(home: ReturnType<typeof emptyHome>, root: string) {
  const cacheDir = home.folder.join('cache/waymark');
  return createIndexStores({ cacheDir, clock: systemClock, logger: silentLogger }).tryWriterLock(root);
}

async function openStore(cacheDir: string, root: string) {
  const store = await openIndexStore({ cacheDir, root, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.close());
  return store;
}

test('index makes files findable by their words, and says what it left out and why', async () => {
  const project = shop();
  const home = emptyHome();

  const indexed = await run(['index', '--json'], { home, cwd: project.path });
  const stats = await run(['stats', '--json'], { home, cwd: project.path });
  const files = await run(['files', '--json'], { home, cwd: project.path });
  const store = await openStore(home.folder.join('cache/waymark'), project.path);

  expect(indexed.code).toBe(0);
  expect(JSON.parse(stats.stdout)).toMatchObject({
    files: 3,
    byLanguage: expect.arrayContaining([{ language: 'python', files: 1, chunks: 1 }]),
  });
  expect(JSON.parse(files.stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ path: 'debug.log', reason: 'ignored' }),
      expect.objectContaining({ path: '.env', reason: 'secret_file' }),
    ]),
  );
  expect(await chunksWith(store, 'retry')).toMatchObject([
    { path: 'src/upload.py', startLine: 1, endLine: 2 },
  ]);
  expect(await store.definitionsOf('src/cart.ts')).toMatchObject([{ name: 'totalOf', kind: 'function' }]);
  expect(await store.isSound()).toBe(true);
});

test('a second run follows changes, renames and removals, and indexes nothing twice', async () => {
  const project = shop();
  const home = emptyHome();
  const index = async () => JSON.parse((await run(['index', '--json'], { home, cwd: project.path })).stdout);
  await index();

  renameSync(project.join('src/cart.ts'), project.join('src/basket.ts'));
  project.write({ 'src/upload.py': 'def give_up():\n    pass\n' });
  const changed = await index();
  rmSync(project.join('src/basket.ts'));
  const removed = await index();
  const store = await openStore(home.folder.join('cache/waymark'), project.path);

  expect(changed).toMatchObject({ indexed: 1, renamed: 1, removed: 0 });
  expect(removed).toMatchObject({ indexed: 0, renamed: 0, removed: 1 });
  expect((await store.manifest()).map(({ path }) => path)).toEqual(['.gitignore', 'src/upload.py']);
  expect(await chunksWith(store, 'retry')).toEqual([]);
});

test.each([
  ['index', []],
  ['index --exact', ['--exact']],
])(
  'only one process writes an index at a time: %s waits for the other, then goes on',
  async (_how, flags) => {
    const project = shop();
    const home = emptyHome();
    const lock = await lockOf(home, project.path);

    const waiting = start(['index', '--json', ...flags], { home, cwd: project.path });
    const done = finished(waiting);
    const said = watchOutput(waiting);
    await said(/"event":"waiting"/);
    await lock?.release();
    await said(/"indexed": 3,/);

    expect((await done).code).toBe(0);
  },
);

test('a command that waits for another process to index can be stopped', async () => {
  const project = shop();
  const home = emptyHome();
  const lock = await lockOf(home, project.path);
  onTestFinished(() => lock?.release());

  const waiting = start(['index'], { home, cwd: project.path });
  const done = finished(waiting);
  const said = watchOutput(waiting);
  await said(/Another process is indexing .+: waiting for it/);
  waiting.kill('SIGINT');

  await said(/Indexing was stopped before its end/);
  expect((await done).code).not.toBe(0);
});

test('no secret of a source file reaches the cache directory', async () => {
  const project = shop();
  const home = emptyHome();
  const secret = ['ghp', '_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('');
  project.write({ 'src/config.ts': `export const githubToken = '${secret}';\n` });

  await run(['index'], { home, cwd: project.path });

  const found = execFileSync('sh', [
    '-c',
    `grep -rliE "${secret}|${secret.toLowerCase()}" "${home.folder.join('cache')}" || true`,
  ]);
  expect(found.toString()).toBe('');
});

test('only the languages that are wanted are in the index, whatever was there before', async () => {
  const home = emptyHome();
  const project = tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'src/a.ts': 'export const a = 1;\n',
    'src/b.py': 'b = 1\n',
    'docs/c.md': '# C\n',
  });
  const from = { home, cwd: project.path };
  const indexed = async (): Promise<readonly string[]> => {
    const { stdout } = await run(['stats', '--json'], from);
    return JSON.parse(stdout).byLanguage.map(({ language }: { language: string }) => language);
  };
  await run(['index'], from);
  const all = await indexed();

  project.write({ '.waymark.json': '{ "languages": ["ts", "Python"], "exclude": [".waymark.json"] }' });
  await run(['index'], from);
  const some = await indexed();
  const why = await run(['files', '--why', 'docs/c.md'], from);
  project.write({ '.waymark.json': '{ "exclude": [".waymark.json"] }' });
  await run(['search', 'anything'], from);
  const again = await indexed();
  const unknown = await run(['index', '--language', 'klingon'], from);

  expect(all.toSorted()).toEqual(['markdown', 'python', 'typescript']);
  expect(some.toSorted()).toEqual(['python', 'typescript']);
  expect(why.stdout).toBe('other_language  docs/c.md  (markdown)\n');
  expect(again.toSorted()).toEqual(all.toSorted());
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no language `klingon`'),
  });
});

test('stats says whether the index is at the files, and indexes nothing', async () => {
  const home = emptyHome();
  const project = shop();
  const from = { home, cwd: project.path };
  await run(['index'], from);
  const fresh = await run(['stats'], from);

  project.write({ 'src/late.ts': 'export const late = 1;\n' });
  const behind = await run(['stats'], from);
  const value = JSON.parse((await run(['stats', '--json'], from)).stdout);

  expect(fresh.stdout).toMatch(/^index: fresh$/m);
  expect(behind.stdout).toMatch(/^index: 1 file differs from it; `waymark index` brings it up to date$/m);
  expect(value).toMatchObject({ index: { state: 'changed', count: 1 } });
});

test('files --why explains one path', async () => {
  const project = shop();

  const ignored = await run(['files', '--why', 'debug.log', '--json'], { cwd: project.path });
  const listed = await run(['files', '--why', 'src/cart.ts', '--json'], { cwd: project.path });

  expect(ignored.code).toBe(1);
  expect(JSON.parse(ignored.stdout)).toMatchObject({ kind: 'skipped', skip: { reason: 'ignored' } });
  expect(listed.code).toBe(0);
});

test('files --why says it in words, as the list of what is left out does', async () => {
  const project = shop();
  const why = async (path: string) => (await run(['files', '--why', path], { cwd: project.path })).stdout;

  expect(await why('debug.log')).toMatch(/^ignored {2}debug\.log {2}\(\.gitignore:\d+ .*\)\n$/);
  expect(await why('src/cart.ts')).toBe('indexed  src/cart.ts\n');
  expect(await why('src/nothing.ts')).toBe('missing  src/nothing.ts  (there is no such file)\n');
  expect(await why('../else')).toBe('outside  ../else  (not in the project)\n');
});

test('files takes the project as stats does, and --why without a file names all that is left out', async () => {
  const home = emptyHome();
  // No marker: it is a project only if it is named.
  const folder = tempFolder({
    'plain/a.ts': 'export const a = 1;\n',
    'plain/server.pem': '',
    'else/b.ts': '',
  });
  const plain = folder.join('plain');
  const from = { home, cwd: folder.join('else') };
  expect(await run(['index', plain], from)).toMatchObject({ code: 0 });

  const [all, alone, one, unnamed] = [
    await run(['files', plain, '--json'], from),
    await run(['files', plain, '--json', '--why'], from),
    await run(['files', '../plain', '--why', 'server.pem', '--json'], from),
    await run(['files', '--why'], from),
  ];

  expect(JSON.parse(all.stdout)).toMatchObject([{ path: 'server.pem', reason: 'secret_file' }]);
  expect(alone).toEqual(all);
  expect(one.code).toBe(1);
  expect(JSON.parse(one.stdout)).toMatchObject({ kind: 'skipped', skip: { reason: 'secret_file' } });
  expect(unnamed.code).toBeGreaterThan(0);
  expect(unnamed.stderr).toMatch(
    /^error: No project here.+\nhint: Change into a project, or begin one here/s,
  );
});

test.runIf(process.platform === 'linux')(
  'a cache where no directory can be made is an error, and no hang',
  () => {
    const project = shop();
    const home = emptyHome();
    // Killed by the hard way if it hangs: a loop that never ends hears no other signal.
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'index', '--cache-dir', '/proc/none'], {
      cwd: project.path,
      env: { ...process.env, ...home.env },
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect(status).toBeGreaterThan(0);
    expect(stderr).toMatch(/^error: .+\nhint: /);
  },
);

test('index --exact reads the commits of the project, and ranking knows what they say of its files', async () => {
  const project = tempFolder({
    'src/cart.ts': 'export const total = 0;\n',
    'src/other.ts': 'export const b = 1;\n',
  });
  const home = emptyHome();
  git(project.path, 'init', '-q');
  git(project.path, 'add', '-A');
  git(project.path, 'commit', '-q', '-m', 'begin');
  project.write({ 'src/cart.ts': 'export const total = 1;\n' });
  git(project.path, 'commit', '-q', '-a', '-m', 'tame the heron');

  const indexed = await run(['index', '--exact', '--json'], { home, cwd: project.path });
  const again = await run(['index', '--exact', '--json'], { home, cwd: project.path });
  const analyzed = await run(['analyze', 'total of the heron', '--json'], { home, cwd: project.path });

  expect(JSON.parse(indexed.stdout)).toMatchObject({ history: { commits: 2 } });
  expect(JSON.parse(again.stdout)).toMatchObject({ history: { commits: 0 } });
  const [first] = JSON.parse(analyzed.stdout).hits;
  expect(first).toMatchObject({
    path: 'src/cart.ts',
    features: expect.arrayContaining([
      expect.objectContaining({ feature: 'historyBm25', value: 1 }),
      expect.objectContaining({ feature: 'historyCommits', value: Math.log1p(2) }),
    ]),
  });
});
