/** The exact pass over real projects: it improves what is there, and what it cannot read keeps its outline. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { runCli } from '../../src/cli/index.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { createAnalyzer } from '../../src/indexing/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { openIndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { childrenOf } from '../support/child-processes.ts';
import { openClient } from '../support/clients.ts';
import { dumpIndex, firstDifference } from '../support/dump-index.ts';
import { shop, warehouse } from '../support/shop.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serveBinary, start, watchOutput, type Home } from '../support/waymark.ts';

let child: BundledEntry;
beforeAll(async () => {
  child = await bundleEntry('test/parsing/faulty-child.ts');
});
afterAll(() => child.remove());

const noSignal = (): AbortSignal => new AbortController().signal;

async function openStore(home: Home, root: string) {
  const cacheDir = home.folder.join('cache/waymark');
  const store = await openIndexStore({ cacheDir, root, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.close());
  return store;
}

/** Waymark with parser children that break in the way a file's first line asks for. */
function openFaulty(home: Home): App {
  const app = createApp({
    config: resolveConfig({ env: { ...home.env, WAYMARK_LOG_LEVEL: 'error' } }).config,
    parser: { absChildModule: child.absPath, limits: { timeoutMs: 4_000, heapMb: 64 } },
  });
  onTestFinished(() => app.close());
  return app;
}

/** What only a parser sees: a class and its method on one line. */
function compact(): TempFolder {
  return tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'src/a.ts': 'export class Till { private count() { return 1; } }\n',
    'src/b.py': 'def total(items):\n    return sum(items)\n',
    'README.md': '# Shop\n',
  });
}

test('index --exact puts what the parser found in place of the outline, once', async () => {
  const project = compact();
  const home = emptyHome();
  const at = { home, cwd: project.path };
  const statsOf = async () => JSON.parse((await run(['stats', '--json'], at)).stdout);

  await run(['index'], at);
  const fast = await statsOf();
  const first = JSON.parse((await run(['index', '--exact', '--json'], at)).stdout);
  const exact = await statsOf();
  const again = JSON.parse((await run(['index', '--exact', '--json'], at)).stdout);
  const plain = JSON.parse((await run(['index', '--json'], at)).stdout);
  const store = await openStore(home, project.path);

  expect(fast.parsed).toEqual([]);
  expect(first).toMatchObject({ indexed: 0, unchanged: 3, parsed: { exact: 2, failed: 0 } });
  expect(exact.parsed).toEqual([
    { language: 'python', exact: 1, failed: 0, errorShare: 0 },
    { language: 'typescript', exact: 1, failed: 0, errorShare: 0 },
  ]);
  expect(again).toMatchObject({ indexed: 0, parsed: { exact: 0, failed: 0 } });
  expect(plain).toMatchObject({ indexed: 0, unchanged: 3 });
  expect(await store.definitionsOf('src/a.ts')).toMatchObject([
    { name: 'Till', kind: 'class' },
    { name: 'count', kind: 'method', container: 'Till', visibility: 'private' },
  ]);
  expect((await run(['stats'], at)).stdout).toContain('python      1 file  0.0 % not understood  0 failed');
});

test('a changed file has its outline at once and is parsed again; the index is the one a fresh pass makes', async () => {
  const project = compact();
  const [home, other] = [emptyHome(), emptyHome()];
  const at = { home, cwd: project.path };
  await run(['index', '--exact'], at);

  project.write({ 'src/a.ts': 'export class Till { public open() { return 1; } }\n' });
  await run(['index'], at);
  const store = await openStore(home, project.path);
  const between = await store.stats();
  await run(['index', '--exact'], at);
  await run(['index', '--exact'], { home: other, cwd: project.path });

  expect(between.parsed.map(({ language }) => language)).toEqual(['python']);
  expect(await store.definitionsOf('src/a.ts')).toMatchObject([{ name: 'Till' }, { name: 'open' }]);
  const fresh = await openStore(other, project.path);
  expect(firstDifference(await dumpIndex(store), await dumpIndex(fresh))).toBeUndefined();
});

test.each([
  [
    'behind the fast pass',
    async ({ indexing }: App, root: string) => {
      await indexing.run(root, { signal: noSignal() });
      return indexing.parse(root, { signal: noSignal() });
    },
  ],
  [
    'while they are read',
    async ({ indexing }: App, root: string) => (await indexing.complete(root, { signal: noSignal() })).parsed,
  ],
])(
  'faults in three of 150 files, parsed %s: exactly those are reported, and found by their outline',
  async (_when, parse) => {
    const faults = new Map([
      [37, 'crash'],
      [82, 'hang'],
      [125, 'memory'],
    ]);
    const files = Array.from({ length: 150 }, (_, at): [string, string] => {
      const fault = faults.get(at);
      const head = fault === undefined ? '' : `# fault: ${fault}\n`;
      return [`pkg/m${at}.py`, `${head}class C${at}:\n    def _f${at}(self): return g(self)\n`];
    });
    const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(files) });
    const home = emptyHome();
    const app = openFaulty(home);

    const outcome = await parse(app, project.path);
    const again = await app.indexing.parse(project.path, { signal: noSignal() });
    const stats = await app.indexing.stats(project.path);
    const { hits } = await app.search.run({ roots: [project.path], query: '_f82' });
    const listed = await run(['files', '--json'], { home, cwd: project.path });
    const why = await run(['files', '--json', '--why', 'pkg/m37.py'], { home, cwd: project.path });

    expect(outcome).toMatchObject({ exact: 147, failed: 3 });
    expect(again).toMatchObject({ exact: 0, failed: 0 });
    expect(stats).toMatchObject({
      files: 150,
      parsed: [{ language: 'python', exact: 147, failed: 3, errorShare: 0 }],
    });
    expect(JSON.parse(listed.stdout).filter(({ indexed }: { indexed?: boolean }) => indexed)).toEqual([
      {
        path: 'pkg/m125.py',
        reason: 'parser_failed',
        // On a slow machine the time is up before the memory is.
        detail: expect.stringMatching(/^(?:out of memory|timed out)$/),
        indexed: true,
      },
      { path: 'pkg/m37.py', reason: 'parser_failed', detail: 'crashed', indexed: true },
      { path: 'pkg/m82.py', reason: 'parser_failed', detail: 'timed out', indexed: true },
    ]);
    expect(JSON.parse(why.stdout)).toMatchObject({ kind: 'listed', note: { detail: 'crashed' } });
    expect(hits[0]).toMatchObject({ path: 'pkg/m82.py' });
    const store = await app.indexing.store(project.path);
    for (const [path] of files) {
      const isExact = (await store.definitionsOf(path)).some(({ visibility }) => visibility === 'private');
      expect([path, isExact]).toEqual([path, !faults.has(Number(/\d+/.exec(path)?.[0]))]);
    }
  },
);

test('a parser that does not start is not the fault of a file: nothing is noted, everything stays searchable', async () => {
  const project = shop();
  const home = emptyHome();
  const files = Array.from({ length: 8 }, (_, at): [string, string] => [`m${at}.py`, `def f${at}(): pass\n`]);
  project.write(Object.fromEntries(files));
  const app = createApp({
    config: resolveConfig({ env: { ...home.env, WAYMARK_LOG_LEVEL: 'error' } }).config,
    parser: { absChildModule: '/nowhere/child.mjs', limits: { children: 1 } },
  });
  onTestFinished(() => app.close());
  await app.indexing.run(project.path, { signal: noSignal() });

  const parsing = app.indexing.parse(project.path, { signal: noSignal() });

  await expect(parsing).rejects.toMatchObject({ code: 'parser_unavailable' });
  expect(await app.indexing.stats(project.path)).toMatchObject({ parsed: [] });
  expect(await app.indexing.parseFailures(project.path)).toEqual([]);
});

test.each([
  ['text', [], /^(.+): 3 indexed, 0 renamed, 0 removed, 0 unchanged in \d+ ms\n1 left out; .+\n$/],
  ['JSON', ['--json'], /"indexed": 3,[^]*"problems": \[\s+\{\s+"code": "parser_unavailable",/],
])(
  'index --exact without a parser tells the counts, and what is amiss, as %s',
  async (_how, flags, counts) => {
    const project = compact();
    const home = emptyHome();
    const said = { out: '', err: '' };

    const code = await runCli({
      argv: ['index', '--exact', project.path, ...flags],
      env: home.env,
      streams: {
        out: { write: (text: string) => (said.out += text) },
        err: { write: (text: string) => (said.err += text) },
      },
      version: '0.0.0',
      stop: noSignal(),
      openServices: async ({ config }) =>
        createApp({
          config,
          environment: () => home.env,
          parser: { absChildModule: '/nowhere/child.mjs', limits: { children: 1 } },
        }),
    });

    expect(code).toBe(1);
    expect(said.out).toMatch(counts);
    expect(said.err).toMatch(
      /could not be parsed: the processes for it do not start[^]*hint[^]*index --exact/,
    );
    const found = await run(['search', 'total', '--project', project.path], { home });
    expect(found.stdout).toContain('src/b.py');
  },
);

test('a server parses in the background, follows changes, and ends its parsers', async () => {
  const project = compact();
  const home = emptyHome();
  const server = await serveBinary([], { home });
  const client = await openClient({ kind: 'HTTP, version 2, modern', url: server.url });
  const args = { project: project.path };
  const parsed = async (): Promise<unknown> =>
    (await client.call('index_stats', args)).structured?.['parsed'];
  const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 200 });

  await client.call('index_codebase', args);
  await waitFor(async () => expect(await parsed()).toHaveLength(2));
  project.write({ 'src/c.go': 'package shop\n\nfunc Close() {}\n' });
  await waitFor(async () =>
    expect(await parsed()).toContainEqual({ language: 'go', exact: 1, failed: 0, error_share: 0 }),
  );

  const store = await openStore(home, project.path);
  expect(await store.definitionsOf('src/c.go')).toMatchObject([{ name: 'Close', visibility: 'public' }]);
  await waitFor(async () => expect(childrenOf(server.child.pid)).toEqual([]));
});

test('what another parser found is replaced, even where this one agrees with the outline', async () => {
  const text = 'def total(items):\n    return sum(items)\n\n\ndef other(items):\n    return items\n';
  const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', 'b.py': text });
  const open = (): App => createApp({ config: resolveConfig({ env: emptyHome().env }).config });
  const [app, fresh] = [open(), open()];
  onTestFinished(async () => void (await Promise.all([app.close(), fresh.close()])));
  await app.indexing.complete(project.path, { signal: noSignal() });
  const store = await app.indexing.store(project.path);
  const [entry] = await store.manifest();
  const { hash = '', analysis = '' } = entry ?? {};
  const analyzer = createAnalyzer(undefined);
  const definitions = (await store.definitionsOf('b.py')).slice(0, 1).map((one) => ({ ...one, endLine: 6 }));
  const rows = analyzer.rows(analyzer.read('b.py', Buffer.from(text)), definitions);
  const note = { parser: 'older', failure: undefined, errorShare: 0 };
  await store.commit({ parsed: [{ path: 'b.py', hash, analysis, note, definitions, rows }] });

  const again = await app.indexing.parse(project.path, { signal: noSignal() });
  await fresh.indexing.complete(project.path, { signal: noSignal() });

  expect(again).toMatchObject({ exact: 1 });
  const wanted = await dumpIndex(await fresh.indexing.store(project.path));
  expect(firstDifference(await dumpIndex(store), wanted)).toBeUndefined();
});

test('files that no grammar reads are committed while the rest is still parsed', async () => {
  const plain = Array.from({ length: 150 }, (_, at): [string, string] => [`n${at}.txt`, `note ${at}\n`]);
  const project = tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    ...Object.fromEntries(plain),
    'src/a.py': '# fault: hang\ndef total():\n    pass\n',
  });
  const home = emptyHome();
  const app = openFaulty(home);
  const stop = new AbortController();

  const running = app.indexing.complete(project.path, {
    signal: stop.signal,
    onProgress: ({ done }) => void (done >= 100 && stop.abort()),
  });
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });

  expect((await app.indexing.stats(project.path)).files).toBeGreaterThanOrEqual(100);
});

test('a pass that is killed while files are read, or behind the fast pass, goes on where it was, and ends as one that was not', async () => {
  const project = warehouse(400);
  const args = ['index', '--exact', '--json'];
  const other = emptyHome();
  await run(args, { home: other, cwd: project.path });
  const fresh = await openStore(other, project.path);
  const wanted = await dumpIndex(fresh);
  expect(await fresh.parseFailures()).toEqual([]);

  for (const [before, seen] of [
    [[], /"done":[1-9]\d\d,/],
    // All is known to the fast pass; a commit of the exact one.
    [['index'], /"done":0,"total":400[^]*"done":[1-9]\d*,/],
  ] as const) {
    const home = emptyHome();
    if (before.length > 0) await run(before, { home, cwd: project.path });
    const killed = start(args, { home, cwd: project.path });
    await watchOutput(killed)(seen);
    killed.kill('SIGKILL');
    const healed = await openStore(home, project.path);
    const [begun] = (await healed.stats()).parsed;
    await run(args, { home, cwd: project.path });

    expect(begun?.exact).toBeGreaterThan(0);
    expect((await healed.stats()).parsed).toEqual([
      { language: 'typescript', exact: 400, failed: 0, errorShare: 0 },
    ]);
    expect(firstDifference(await dumpIndex(healed), wanted)).toBeUndefined();
    expect(await healed.isSound()).toBe(true);
  }
});

test('a server that has nothing to parse loads no parser', async () => {
  const home = emptyHome();
  const coverage = home.folder.join('coverage');
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };

  const served = await run(['mcp'], {
    home,
    // With other flags than those of the build it loads file by file, so that what it loads shows.
    env: { NODE_V8_COVERAGE: coverage, NODE_OPTIONS: '--interpreted-frames-native-stack' },
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`,
  });

  const loaded = readdirSync(coverage)
    .map((name) => readFileSync(`${coverage}/${name}`, 'utf8'))
    .join('\n');
  expect(served.stdout).toContain('"protocolVersion"');
  expect(loaded).toMatch(/dist\/chunks\/mcp-\w+\.js"/);
  expect(loaded).not.toMatch(/dist\/chunks\/parsing-|tree-sitter/);
});

/** Where the system shows its processes. */

test('files that an answer waits for are parsed beside a pass over all, which leaves them out', async () => {
  const files = Array.from({ length: 120 }, (_, at): [string, string] => [
    `src/m${at}.ts`,
    // The largest come first in a pass: those that are asked for would be its last.
    `export const value${at} = 1;\n${'// more\n'.repeat(120 - at)}`,
  ]);
  const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(files) });
  const app = createApp({
    config: resolveConfig({ env: { ...emptyHome().env, WAYMARK_LOG_LEVEL: 'error' } }).config,
  });
  onTestFinished(() => app.close());
  await app.indexing.run(project.path, { signal: noSignal() });
  const asked = files.slice(-10).map(([path]) => path);

  const all = app.indexing.parse(project.path, { signal: noSignal() });
  const parsed = await app.indexing.parseWaiting(project.path, asked, {
    signal: noSignal(),
    maxMs: Infinity,
  });
  const { exact } = await all;

  expect(parsed).toBe(10);
  expect(exact).toBe(110);
  expect(await app.indexing.waitingPaths(project.path)).toEqual([]);
});

test('a caller whose time is over gets what was parsed so far, and the rest goes on', async () => {
  const project = compact();
  const app = createApp({
    config: resolveConfig({ env: { ...emptyHome().env, WAYMARK_LOG_LEVEL: 'error' } }).config,
  });
  onTestFinished(() => app.close());
  await app.indexing.run(project.path, { signal: noSignal() });

  const none = await app.indexing.parseWaiting(project.path, ['src/a.ts'], { signal: noSignal(), maxMs: 1 });
  const joined = await app.indexing.parseWaiting(project.path, ['src/a.ts'], {
    signal: noSignal(),
    maxMs: Infinity,
  });

  expect(none).toBe(0);
  expect(joined).toBe(1);
  expect(await app.indexing.waitingPaths(project.path)).toEqual(['src/b.py']);
});
