/** What search keeps beside an index for the next process: used when it is whole, of no effect when it is not. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { createViewLoader } from '../../src/search/view/view.ts';
import type { IndexStore } from '../../src/storage/index.ts';
import { SHOP_FILES, searchShop } from '../support/search-shop.ts';
import { emptyHome, run, type Home } from '../support/waymark.ts';

const QUESTIONS = [
  'idle sessions',
  'Cart.addItem',
  'how are routes registered',
  '"retry"',
  'symbol:priceOf',
  'money',
  '/Cart\\b/',
];

async function openApp({ env }: Home): Promise<App> {
  const app = createApp({ config: resolveConfig({ env }).config, environment: () => env });
  onTestFinished(() => app.close());
  return app;
}

async function index(app: App, root: string): Promise<void> {
  await app.indexing.run(root, { signal: new AbortController().signal });
}

async function answers(app: App, root: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const query of QUESTIONS) {
    const { hits, matched, words, isGuess } = await app.search.run({ roots: [root], query, limit: 50 });
    found.push({ query, matched, words, isGuess, hits });
  }
  return found;
}

/** What an index that was never kept gives. */
async function freshAnswers(root: string): Promise<unknown[]> {
  const app = await openApp(emptyHome());
  await index(app, root);
  return answers(app, root);
}

/** An indexed shop whose view was kept by a process that is gone. */
async function keptShop() {
  const project = searchShop();
  const home = emptyHome();
  const first = await openApp(home);
  await index(first, project.path);
  const isKept = await first.search.keep(project.path, 'whole');
  await first.close();
  if (!isKept) throw new Error('The view was not kept.');
  return { project, home, root: project.path, file: viewFile(home) };
}

function viewFile({ env }: Home): string {
  const folder = join(env['XDG_CACHE_HOME'] ?? '', 'waymark', 'indexes');
  const [name] = readdirSync(folder).filter((one) => one.endsWith('-view'));
  if (name === undefined) throw new Error('No view is kept.');
  return join(folder, name);
}

/** The same store, and how many files' rows were asked of it. */
function counting(store: IndexStore): { readonly store: IndexStore; readonly rows: () => number } {
  let rows = 0;
  return {
    rows: () => rows,
    store: {
      ...store,
      contents(ids) {
        rows += ids.length;
        return store.contents(ids);
      },
    },
  };
}

test('the next process reads no rows and answers the same; only its owner may read what is kept', async () => {
  const { home, root, file } = await keptShop();
  const next = await openApp(home);
  const { store, rows } = counting(await next.indexing.store(root));

  const view = await createViewLoader(store).current();

  expect(rows()).toBe(0);
  expect(view.segments).toHaveLength(1);
  expect(view.segments[0]?.vectors).toBeDefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await answers(next, root)).toEqual(await freshAnswers(root));
});

test('of a later commit only what changed is read beside it', async () => {
  const { project, home, root } = await keptShop();
  project.write({
    'src/cart/cart.ts': `${SHOP_FILES['src/cart/cart.ts']}\nexport function emptyTrolley(): void {}\n`,
    'src/new/coupon.ts': 'export function redeemCoupon(code: string): number {\n  return code.length;\n}\n',
  });
  rmSync(project.join('src/payment/invoice.go'));
  const next = await openApp(home);
  await index(next, root);
  const { store, rows } = counting(await next.indexing.store(root));

  const view = await createViewLoader(store).current();
  const [trolley, gone] = await Promise.all(
    ['symbol:emptyTrolley', 'invoice render cents'].map((query) =>
      next.search.run({ roots: [root], query, limit: 50 }),
    ),
  );

  expect(rows()).toBe(2);
  expect(view.segments).toHaveLength(2);
  expect(view.segments.every(({ vectors }) => vectors !== undefined)).toBe(true);
  expect(trolley?.hits.map(({ path }) => path)).toEqual(['src/cart/cart.ts']);
  expect(gone?.hits.map(({ path }) => path)).not.toContain('src/payment/invoice.go');
});

test('kept anew after changes, it is as if it had been kept for the first time', async () => {
  const { project, home, root } = await keptShop();
  project.write({ 'src/new/coupon.ts': 'export function redeemCoupon(): void {}\n' });
  const second = await openApp(home);
  await index(second, root);
  await second.search.keep(root, 'whole');
  await second.close();
  const third = await openApp(home);
  const { store, rows } = counting(await third.indexing.store(root));

  const view = await createViewLoader(store).current();

  expect([rows(), view.segments.length]).toEqual([0, 1]);
  expect(await answers(third, root)).toEqual(await freshAnswers(root));
});

const HARMS: Readonly<Record<string, (file: string) => void>> = {
  'a byte that differs': (file) => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  },
  'its end cut off': (file) => truncateSync(file, statSync(file).size - 100),
  'nothing in it': (file) => truncateSync(file, 0),
  'other text in it': (file) => writeFileSync(file, '{"format":1}'.repeat(1_000)),
  'been removed': (file) => rmSync(file),
};

test.each(Object.keys(HARMS))('one that has %s counts as none, and is made again', async (harm) => {
  const { home, root, file } = await keptShop();
  const before = existsSync(file) ? readFileSync(file) : undefined;
  HARMS[harm]?.(file);
  const next = await openApp(home);

  const found = await answers(next, root);
  const isKept = await next.search.keep(root, 'loaded');

  expect(found).toEqual(await freshAnswers(root));
  expect(isKept).toBe(true);
  expect(readFileSync(file)).toEqual(before);
});

test('one of another project, or of an index that was there before, counts as none', async () => {
  const [one, other] = [await keptShop(), await keptShop()];
  other.project.write({ 'src/only/here.ts': 'export function onlyHere(): void {}\n' });
  const app = await openApp(other.home);
  await app.indexing.clear(other.root);
  await index(app, other.root);
  copyFileSync(one.file, other.file);

  expect(await (await app.indexing.store(other.root)).keptView()).toBeUndefined();
  expect(await answers(app, other.root)).toEqual(await freshAnswers(other.root));
});

test('two processes: the first indexes, the second searches what it kept; clear leaves nothing of it', async () => {
  const project = searchShop();
  const home = emptyHome();
  const options = { home, cwd: project.path };

  const indexed = await run(['index'], options);
  const file = viewFile(home);
  const kept = readFileSync(file);
  const found = await run(['search', 'idle sessions', '--json'], options);
  const after = readFileSync(file);
  const cleared = await run(['clear'], options);

  expect([indexed.code, found.code, cleared.code]).toEqual([0, 0, 0]);
  expect(found.stdout).toContain('session-store.ts');
  expect(after).toEqual(kept);
  expect(existsSync(file)).toBe(false);
});

test('an index that another process has open is emptied, and what was kept of it goes too', async () => {
  const { project, home, root, file } = await keptShop();
  const reader = await openApp(home);
  await reader.search.run({ roots: [root], query: 'cart' });

  const cleared = await run(['clear'], { home, cwd: project.path });
  const { hits } = await reader.search.run({ roots: [root], query: 'cart' });

  expect(cleared.code).toBe(0);
  expect(hits).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

test('a process that cannot write keeps nothing, and answers', async () => {
  const project = searchShop();
  const home = emptyHome();
  const app = await openApp(home);
  await index(app, project.path);
  const folder = join(home.env['XDG_CACHE_HOME'] ?? '', 'waymark', 'indexes');
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.db'));
  // A folder where the file should be: none can be put there.
  mkdirSync(join(folder, `${name}-view`, 'in the way'), { recursive: true });

  expect(await app.search.keep(project.path, 'whole')).toBe(false);
  expect((await app.search.run({ roots: [project.path], query: 'cart' })).hits).not.toEqual([]);
  expect(readdirSync(folder).filter((one) => one.endsWith('.part'))).toEqual([]);
  rmSync(join(folder, `${name}-view`), { recursive: true });
});
