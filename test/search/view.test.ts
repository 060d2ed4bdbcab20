/** What search holds in memory, while files change below it: the first load, then only what changed since. */
import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { SHOP_FILES, searchShop } from '../support/search-shop.ts';
import { emptyHome } from '../support/waymark.ts';

function openApp(): App {
  const { env } = emptyHome();
  const app = createApp({ config: resolveConfig({ env }).config, environment: () => env });
  onTestFinished(() => app.close());
  return app;
}

async function update(app: App, root: string): Promise<void> {
  await app.indexing.ensure(root, { signal: new AbortController().signal, mayWrite: true });
}

async function paths(app: App, root: string, query: string): Promise<string[]> {
  return (await app.search.run({ roots: [root], query, limit: 50 })).hits.map(({ path }) => path);
}

test('one commit is loaded once; a later one adds a segment, and what it replaced is dead', async () => {
  const project = searchShop();
  const app = openApp();
  const root = project.path;
  await update(app, root);
  const [first, again] = await Promise.all([app.search.searcher(root), app.search.searcher(root)]);

  project.write({
    'src/cart/cart.ts': `${SHOP_FILES['src/cart/cart.ts']}\nexport function emptyTrolley(): void {}\n`,
    'src/new/coupon.ts': 'export function redeemCoupon(code: string): number {\n  return code.length;\n}\n',
  });
  rmSync(project.join('src/payment/invoice.go'));
  await update(app, root);
  const { view } = (await app.search.searcher(root)).ranker;

  expect(again).toBe(first);
  expect(first.ranker.view.segments).toHaveLength(1);
  expect(view.segments).toHaveLength(2);
  expect(view.segments[0]).toMatchObject({ files: first.ranker.view.segments[0]?.files, firstFile: 0 });
  expect(view.segments[1]?.files.map(({ path }) => path).toSorted()).toEqual([
    'src/cart/cart.ts',
    'src/new/coupon.ts',
  ]);
  expect(view.liveFiles).toBe(first.ranker.view.liveFiles);
  expect(view.generation).toBeGreaterThan(first.ranker.view.generation);
  expect(await paths(app, root, 'symbol:emptyTrolley')).toEqual(['src/cart/cart.ts']);
  expect(await paths(app, root, 'symbol:redeemCoupon')).toEqual(['src/new/coupon.ts']);
  expect(await paths(app, root, 'invoice render cents')).not.toContain('src/payment/invoice.go');
  expect((await paths(app, root, 'cart')).filter((path) => path === 'src/cart/cart.ts')).toHaveLength(1);
});

test('segments side by side find what one segment finds', async () => {
  const project = searchShop();
  const [grown, whole] = [openApp(), openApp()];
  const root = project.path;
  await update(grown, root);
  await grown.search.searcher(root);
  project.write({
    'src/extra/stock.ts': 'export class StockList {\n  countPieces(): number {\n    return 1;\n  }\n}\n',
  });
  await update(grown, root);
  await update(whole, root);

  for (const query of [
    'StockList',
    'count pieces in stock',
    'idle sessions',
    'Cart.total',
    '"countPieces"',
    '/Stock\\w+/',
  ])
    expect((await paths(grown, root, query))[0]).toBe((await paths(whole, root, query))[0]);
  expect((await grown.search.searcher(root)).ranker.view.segments).toHaveLength(2);
  expect((await whole.search.searcher(root)).ranker.view.segments).toHaveLength(1);
});

test('a page and its next come from one ranking; a new commit begins a new one', async () => {
  const project = searchShop();
  const app = openApp();
  const root = project.path;
  await update(app, root);
  const ask = (cursor?: string) =>
    app.search.run({ roots: [root], query: 'cart', limit: 2, ...(cursor === undefined ? {} : { cursor }) });

  const first = await ask();
  const second = await ask(first.next);
  project.write({ 'src/cart/cart-of-carts.ts': 'export class CartOfCarts {\n  cart = 1;\n}\n' });
  await update(app, root);
  const later = await app.search.run({ roots: [root], query: 'cart', limit: 50 });

  expect([...first.hits, ...second.hits].map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
  expect(later.hits.map(({ path }) => path)).toContain('src/cart/cart-of-carts.ts');
});
