/**
 * The process that is measured. `worker MODE ROOT HOME`, one line of JSON on stdout.
 * cold: indexes and asks, and says what is in the index; again: indexes once more, unchanged; hash: only reads and hashes the same files;
 * running: indexes ROOT, says that it is ready, then indexes the roots that come on stdin, a line each, and answers each with how
 * long it took, as a server that is there already; running-complete: the same, and parses everything exactly.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { systemClock, tuneV8 } from '../../src/platform/index.ts';
import { openIndexStore, type IndexStore } from '../../src/storage/index.ts';
import { identifiersIn, silentLogger, termsOf } from '../../src/text/index.ts';

const [mode = '', root = '', home = ''] = process.argv.slice(2);
const cacheDir = join(home, 'cache');
const env = { HOME: home, WAYMARK_CACHE_DIR: cacheDir, WAYMARK_DATA_DIR: join(home, 'data') };

// As the bin does.
tuneV8();

function open(): App {
  return createApp({ config: resolveConfig({ env }).config });
}

function openStore(): Promise<IndexStore> {
  return openIndexStore({ cacheDir, root, clock: systemClock, logger: silentLogger });
}

async function index(app: App, of = root): Promise<number> {
  const started = performance.now();
  await app.indexing.run(of, { signal: new AbortController().signal });
  return performance.now() - started;
}

/** Searchable: a query through the product finds what was committed. */
async function requireFound(app: App, of = root): Promise<string> {
  const [first] = await (await app.indexing.store(of)).manifest();
  const name =
    first?.path
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '') ?? '';
  const word = identifiersIn(name).flatMap(termsOf)[0]?.stem ?? 'main';
  const { hits } = await app.search.run({ roots: [of], query: word });
  if (hits.length === 0) throw new Error(`${word} is not found.`);
  return word;
}

async function cold(): Promise<unknown> {
  const app = open();
  await index(app);
  const word = await requireFound(app);
  const store = await app.indexing.store(root);
  const stats = await store.stats();
  const paths = (await store.manifest()).map(({ path }) => path);
  // As the command does at its end: it counts towards the size of the index.
  await app.search.keep(root, 'whole');
  await app.close();
  return { word, paths, ...stats, ownRssMb: process.resourceUsage().maxRSS / 1024 };
}

async function again(): Promise<unknown> {
  const app = open();
  const unchangedMs = await index(app);
  await app.close();
  return { unchangedMs };
}

async function hash(): Promise<unknown> {
  const store = await openStore();
  const paths = (await store.manifest()).map(({ path }) => join(root, path));
  await store.close();
  const started = performance.now();
  let sizeBytes = 0;
  for (const path of paths) {
    const bytes = readFileSync(path);
    sizeBytes += bytes.length;
    createHash('sha256').update(bytes).digest('base64url');
  }
  return { hashMs: performance.now() - started, sizeBytes };
}

async function running(work: (app: App, one: string) => Promise<unknown>): Promise<unknown> {
  const app = open();
  await work(app, root);
  await requireFound(app, root);
  process.stdout.write('ready\n');
  for await (const one of createInterface({ input: process.stdin })) {
    const started = performance.now();
    await work(app, one);
    await requireFound(app, one);
    const ms = performance.now() - started;
    // The next request is for a first index again.
    await app.indexing.clear(one);
    process.stdout.write(`${ms}\n`);
  }
  await app.close();
  return {};
}

const MODES: Readonly<Record<string, () => Promise<unknown>>> = {
  cold,
  again,
  hash,
  running: () => running(index),
  'running-complete': () =>
    running((app, one) => app.indexing.complete(one, { signal: new AbortController().signal })),
};
const run = MODES[mode];
if (run === undefined) throw new Error(`There is no mode ${mode}.`);
process.stdout.write(`${JSON.stringify(await run())}\n`);
