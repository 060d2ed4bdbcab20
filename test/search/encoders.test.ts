/** Vectors by a service, in the index and in search: what it costs, what it changes, and what happens when it is not there. */
import { readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import type { HttpLimits } from '../../src/embedding/index.ts';
import { openClient } from '../support/clients.ts';
import { embeddingServer, type EmbeddingServer, type Fault } from '../support/embedding-server.ts';
import { KEY, moneyModel, settings } from '../support/money-model.ts';
import { searchShop, SHOP_FILES } from '../support/search-shop.ts';
import { pathsOf } from '../support/search-client.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve, type Home } from '../support/waymark.ts';

const never = (): AbortSignal => new AbortController().signal;

function openApp(home: Home, env: Record<string, string>, limits: Partial<HttpLimits> = {}): App {
  const { config } = resolveConfig({ env: { ...home.env, WAYMARK_LOG_LEVEL: 'error', ...env } });
  const app = createApp({ config, encoder: { limits: { restMs: 0, ...limits } } });
  onTestFinished(() => app.close());
  return app;
}

async function indexed(app: App, root: string): Promise<void> {
  await app.indexing.run(root, { signal: never() });
}

/** A shop, the service, and Waymark that has indexed the one and knows the other. */
async function indexedShop(limits: Partial<HttpLimits> = {}) {
  const project = searchShop();
  const home = emptyHome();
  const server = await embeddingServer({ vectorOf: moneyModel });
  const app = openApp(home, settings(server), limits);
  await indexed(app, project.path);
  return { project, home, server, app };
}

/** The same, with all vectors of the service, and at rest. */
async function embeddedShop() {
  const { app, ...shop } = await indexedShop();
  await embed(app, shop.project.path);
  await app.close();
  return shop;
}

const embed = (app: App, root: string) => app.indexing.embed?.(root, { signal: never() });
const search = (app: App, root: string, query: string) => app.search.run({ roots: [root], query });

test('the service is asked for what the index lacks, and its vectors answer once they are there', async () => {
  const { project, server, app } = await indexedShop();

  const before = await search(app, project.path, 'zebra');
  const asked = server.requests.length;
  const outcome = await embed(app, project.path);
  const after = await search(app, project.path, 'zebra');
  // The static model knows no part of it.
  const foreign = await search(app, project.path, '支払い');
  const state = await app.indexing.encoder(project.path);

  expect(asked).toBe(0);
  expect(before.encoderNotes).toEqual([
    { root: project.path, text: 'meaning by the static model: money-1 has embedded 0 % of the files' },
  ]);
  expect(outcome).toMatchObject({ files: 11, sent: new Set(server.texts()).size - 2 });
  expect(after.encoderNotes).toEqual([]);
  expect(after.hits[0]?.path).toBe('src/payment/retry.py');
  expect(after.hits[0]?.path).not.toBe(before.hits[0]?.path);
  expect(foreign.hits[0]?.path).toBe('src/payment/retry.py');
  expect(state).toMatchObject({
    kind: 'http',
    model: 'money-1',
    files: 11,
    embedded: 11,
    problem: undefined,
  });
  expect(server.texts()).toContain('zebra');
});

test('only chunks that changed are sent again, none if nothing did or a file was renamed', async () => {
  const { project, server, app } = await indexedShop();
  await embed(app, project.path);
  const all = server.texts().length;

  const again = await embed(app, project.path);
  const source = SHOP_FILES['src/payment/invoice.go'] ?? '';
  project.write({ 'src/payment/invoice.go': `${source}\n${'// More.\n'.repeat(60)}\nfunc refund() {}\n` });
  await indexed(app, project.path);
  const between = await search(app, project.path, 'zebra');
  const third = await embed(app, project.path);

  expect(again).toMatchObject({ files: 0, sent: 0 });
  // One file of eleven waits: the service's vectors answer, and the static ones for that file.
  expect(between.encoderNotes).toEqual([]);
  expect(between.hits[0]?.path).toBe('src/payment/retry.py');
  expect(third).toMatchObject({ files: 1 });
  const sent = server
    .texts()
    .slice(all)
    .filter((text) => text !== 'zebra');
  expect(sent.join('\n')).toContain('refund');
  expect(sent.join('\n')).not.toContain('type Invoice struct');
  renameSync(project.join('src/payment/retry.py'), project.join('src/payment/again.py'));
  await indexed(app, project.path);
  expect(await embed(app, project.path)).toMatchObject({ files: 1, sent: 0 });
  expect((await search(app, project.path, 'zebra')).hits[0]?.path).toBe('src/payment/again.py');
});

test('a model that spreads its numbers otherwise ranks as its meaning says', async () => {
  const project = searchShop();
  const encoder = loadStaticEncoder();
  // The static model itself, and the same with all its vectors drawn together.
  const plain = (text: string) => [...encoder.encode(text)];
  const narrow = (text: string) => [...encoder.encode(text), 3];
  const query = 'customers pay for what they buy';
  const ranking = async (vectorOf: EmbeddingServer['vectorOf']) => {
    const server = await embeddingServer({ vectorOf });
    const app = openApp(emptyHome(), settings(server));
    await indexed(app, project.path);
    await embed(app, project.path);
    const { hits } = await search(app, project.path, query);
    return hits.map(({ path, score }) => [path, score] as const);
  };

  const [wide, close] = [await ranking(plain), await ranking(narrow)];

  expect(close.map(([path]) => path)).toEqual(wide.map(([path]) => path));
  close.forEach(([, score], at) => expect(score).toBeCloseTo(wide[at]?.[1] ?? 0, 0));
});

test('secrets are taken out before anything is sent', async () => {
  const secret = 'AKIAIOSFODNN7REALKEY';
  const project = tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'src/cloud.ts': `export const accessKey = '${secret}';\nexport const region = 'eu-west-1';\n`,
  });
  const server = await embeddingServer({ vectorOf: moneyModel });
  const app = openApp(emptyHome(), settings(server));
  await indexed(app, project.path);

  await embed(app, project.path);

  expect(server.texts().join()).toContain('eu-west-1');
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(secret);
  // Nor the path: text of chunks, and nothing else.
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('cloud.ts');
});

test('a service that is gone or slow: the static vectors answer, and the answer says so', async () => {
  const { project, server, app } = await indexedShop({ askMs: 200 });
  const before = await search(app, project.path, 'idle sessions');
  await embed(app, project.path);

  server.fail('silence');
  const slow = await search(app, project.path, 'idle sessions');
  await server.stop();
  const gone = await search(app, project.path, 'idle sessions');
  await server.start();
  const back = await search(app, project.path, 'idle sessions');

  expect(slow.encoderNotes).toEqual([
    { root: project.path, text: 'meaning by the static model: money-1 did not answer in time' },
  ]);
  expect(gone.encoderNotes).toEqual([
    { root: project.path, text: 'meaning by the static model: money-1 could not be reached' },
  ]);
  expect(back.encoderNotes).toEqual([]);
  const scores = ({ hits }: typeof before) => hits.map(({ path, score }) => [path, score]);
  expect(scores(slow)).toEqual(scores(before));
  expect(scores(gone)).toEqual(scores(before));
});

test('a service that goes away midway: what is there stays, and the next pass goes on from it', async () => {
  const files = Array.from({ length: 250 }, (_, at): [string, string] => [
    `src/m${at}.py`,
    `def f${at}(): return "charge ${at}"\n`,
  ]);
  const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(files) });
  const server = await embeddingServer({ vectorOf: moneyModel });
  const app = openApp(emptyHome(), settings(server), { attempts: 1 });
  await indexed(app, project.path);
  let left = 4;
  server.judge = (): Fault | undefined => (left-- > 0 ? undefined : { status: 503 });

  await expect(embed(app, project.path)).rejects.toMatchObject({ code: 'encoder_unavailable' });
  const midway = await app.indexing.encoder(project.path);
  const answer = await search(app, project.path, 'f17');
  server.judge = () => undefined;
  const resumed = await embed(app, project.path);

  expect(midway).toMatchObject({ files: 250, embedded: 100 });
  expect(answer.hits[0]?.path).toBe('src/m17.py');
  expect(answer.encoderNotes).toEqual([
    { root: project.path, text: 'meaning by the static model: money-1 has embedded 40 % of the files' },
  ]);
  expect(resumed).toMatchObject({ files: 150, sent: 150 });
});

test('another model: the vectors before answer until its own are all there, then they go', async () => {
  const { project, home, server } = await embeddedShop();
  // The new one has other axes, and more of them.
  server.vectorOf = (text, model) =>
    model === 'money-1'
      ? moneyModel(text)
      : [text.includes('Router') || text === 'zebra' ? 9 : 0, 1, 0, 0, 0];

  const second = openApp(home, settings(server, { WAYMARK_ENCODER_MODEL: 'router-2' }));
  const between = await search(second, project.path, 'zebra');
  const askedOf = server.requests.at(-1)?.model;
  await embed(second, project.path);
  const after = await search(second, project.path, 'zebra');
  const store = await second.indexing.store(project.path);

  expect(askedOf).toBe('money-1');
  expect(between.hits[0]?.path).toBe('src/payment/retry.py');
  expect(between.encoderNotes).toEqual([
    { root: project.path, text: 'meaning by money-1: router-2 has embedded 0 % of the files' },
  ]);
  expect(after.hits[0]?.path).toBe('src/http/router.ts');
  expect(after.encoderNotes).toEqual([]);
  expect(await store.embeddedModels()).toEqual([`http 1 openai ${server.url}/v1 router-2`]);
});

test('a model whose vectors have another length than those in the index is refused, and these still answer', async () => {
  const { project, home, server } = await embeddedShop();
  server.vectorOf = () => [1, 2];
  project.write({ 'src/new.ts': 'export const fresh = 1;\n' });

  const second = openApp(home, settings(server));
  await indexed(second, project.path);
  const failed = embed(second, project.path);

  await expect(failed).rejects.toMatchObject({
    code: 'encoder_refused',
    message: expect.stringContaining('gives vectors of 2 numbers by money-1 where 4 are expected'),
    hint: expect.stringMatching(/Set encoderDimensions .* to 2\b.*waymark clear/s),
  });
  const answer = await search(second, project.path, 'zebra');
  expect(answer.encoderNotes).toEqual([
    {
      root: project.path,
      text: expect.stringMatching(/money-1 gave no vector that fits: set encoderDimensions/),
    },
  ]);
});

test('none: no vectors are made, and search goes by words', async () => {
  const project = searchShop();
  const home = emptyHome();
  const app = openApp(home, { WAYMARK_ENCODER: 'none' });
  await indexed(app, project.path);

  const { hits, encoderNotes } = await search(app, project.path, 'how are idle sessions expired');
  const store = await app.indexing.store(project.path);
  const { files } = await store.files();

  expect(hits[0]?.path).toBe('src/session/session-store.ts');
  expect(hits.flatMap(({ reasons }) => reasons.map(({ feature }) => feature))).not.toContain(
    'passageNearness',
  );
  expect(encoderNotes).toEqual([]);
  expect(await store.vectors(files.map(({ id }) => id))).toEqual([]);
  expect(app.indexing.embed).toBeUndefined();
  expect(
    (await run(['stats'], { home, cwd: project.path, env: { WAYMARK_ENCODER: 'none' } })).stdout,
  ).toContain('vectors: none, search goes by words alone');
});

test('a repository cannot set any of it', async () => {
  const server = await embeddingServer();
  for (const key of [
    'encoder',
    'encoderUrl',
    'encoderModel',
    'encoderApi',
    'encoderDimensions',
    'encoderKey',
  ]) {
    const project = searchShop();
    const value = key === 'encoderDimensions' ? 4 : key === 'encoderUrl' ? server.url : 'http';
    project.write({ '.waymark.json': JSON.stringify({ [key]: value }) });

    const { code, stderr } = await run(['index'], { cwd: project.path });

    expect(code).toBe(2);
    expect(stderr).toContain(`a repository is not trusted with ${key}`);
  }
  expect(server.requests).toEqual([]);
});

test('the commands: index --embed, stats, doctor, search; the key is in no file and in no word', async () => {
  const project = searchShop();
  const home = emptyHome();
  const server = await embeddingServer({ vectorOf: moneyModel });
  const env = settings(server, { WAYMARK_LOG_LEVEL: 'debug', WAYMARK_LOG_FILE: home.folder.join('log') });
  const waymark = (...args: string[]) => run(args, { home, cwd: project.path, env });

  const index = await waymark('index', '--embed', '--json');
  const stats = await waymark('stats');
  const doctor = await waymark('doctor');
  const found = await waymark('search', 'zebra', '--limit', '1', '-C', '0');
  const shown = await waymark('config', 'show');
  server.judge = () => ({ status: 401 });
  const refused = await waymark('search', 'ostrich');
  const analyzed = await waymark('analyze', 'ostrich');
  const failing = await waymark('doctor');
  await server.stop();
  project.write({ 'src/late.ts': 'export const late = 1;\n' });
  server.judge = () => undefined;
  await server.start();
  server.fail({ status: 403 });
  const embedding = await waymark('index', '--embed');
  const none = await run(['index', '--embed'], { home, cwd: project.path });

  expect(JSON.parse(index.stdout)).toMatchObject({ indexed: 11, embedded: { files: 11 } });
  expect(stats.stdout).toContain(`vectors: money-1 at ${server.url}/v1, 100 % of the files\n`);
  expect(doctor.stdout).toMatch(/money-1\s+answers/);
  expect(found.stdout).toMatch(/^src\/payment\/retry\.py:/);
  expect(shown.stdout).toMatch(/encoderKey +\(set\)/);
  expect(refused.stderr).toContain('meaning by the static model: money-1 answered with status 401');
  expect(analyzed.stdout).toContain('meaning by the static model: money-1 answered with status 401');
  expect(failing).toMatchObject({ code: 1, stdout: expect.stringMatching(/answered\s+with\s+status\s+401/) });
  expect(embedding).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 indexed, 0 renamed, 0 removed, 11 unchanged'),
    stderr: expect.stringContaining('WAYMARK_ENCODER_KEY'),
  });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('none is configured') });
  const said = [index, stats, doctor, found, shown, refused, failing, embedding].map(
    ({ stdout, stderr }) => stdout + stderr,
  );
  expect(said.join('\n')).not.toContain(KEY);
  const files = filesIn(home.folder.path);
  expect(files.filter((file) => file.endsWith('.db') || file.endsWith('log'))).not.toEqual([]);
  expect(files.filter((file) => readFileSync(file).includes(KEY))).toEqual([]);
});

test('a wrong address stops every command that would use it, before anything is sent', async () => {
  const project = searchShop();
  const env = {
    WAYMARK_ENCODER: 'http',
    WAYMARK_ENCODER_URL: 'http://example.com',
    WAYMARK_ENCODER_MODEL: 'm',
  };

  const { code, stderr } = await run(['index'], { cwd: project.path, env });

  expect(code).toBe(2);
  expect(stderr).toContain('encoderUrl is neither an https address nor an http address of this machine.');
  expect(stderr).toContain('Code is never sent in the clear');
});

test('a server embeds in the background, again after a change, and answers meanwhile', async () => {
  const project = searchShop();
  const home = emptyHome();
  const server = await embeddingServer({ vectorOf: moneyModel });
  const env = settings(server, { WAYMARK_ENCODER_API: 'ollama', WAYMARK_ENCODER_URL: server.url });
  const { url } = await serve([], { home, env });
  const client = await openClient({ kind: 'HTTP, version 2, modern', url });
  const args = { project: project.path };
  const percent = async (): Promise<unknown> =>
    (await client.call('index_stats', args)).structured?.['encoder'];
  const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 1_500 });

  const first = await client.call('search_code', { ...args, query: 'zebra' });
  await waitFor(async () =>
    expect(await percent()).toEqual({ kind: 'http', model: 'money-1', url: server.url, percent: 100 }),
  );
  const second = await client.call('search_code', { ...args, query: 'zebra' });
  project.write({ 'src/zoo.ts': 'export const charge = "payment payment payment";\n' });
  await waitFor(async () => expect(server.texts().join()).toContain('payment payment payment'));

  expect(first.text).toContain('meaning by the static model: money-1 has embedded 0 % of the files');
  expect(second.text).not.toContain('meaning by');
  expect(pathsOf(second)[0]).toBe('src/payment/retry.py');
  expect(server.requests[0]?.path).toBe('/api/embed');
});

test('nothing is sent anywhere unless it is configured', async () => {
  const project = searchShop();
  const home = emptyHome();
  const server = await embeddingServer();
  // All but the switch.
  const { WAYMARK_ENCODER: _switch, ...env } = settings(server);

  await run(['index', '--exact'], { home, cwd: project.path, env });
  await run(['search', 'cart'], { home, cwd: project.path, env });

  expect(server.requests).toEqual([]);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
