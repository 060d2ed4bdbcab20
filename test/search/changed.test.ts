/** `changed:yes`: only files with uncommitted changes. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { git, memoryProject } from '../support/memory-client.ts';
import { connect, pathsOf, SEARCH_CLIENTS } from '../support/search-client.ts';
import { searchShop } from '../support/search-shop.ts';

describe.each(SEARCH_CLIENTS)('%s', (kind) => {
  test('changed:yes finds what is not committed as it is, and nothing else', async () => {
    const { path: cwd, join } = searchShop();
    const commit = (): void => {
      git(cwd, 'add', '-A');
      git(cwd, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'all');
    };
    const client = await connect(kind, { cwd });
    const find = async (args: Record<string, unknown>): Promise<readonly string[]> =>
      pathsOf(await client.call('search_code', { limit: 50, ...args })).toSorted();

    const empty = await client.call('search_code', { query: 'cart changed:yes' });
    rmSync(join('.git'), { recursive: true, force: true });
    git(cwd, 'init', '-q');
    git(cwd, 'add', 'src');
    const uncommitted = await client.call('search_code', { query: 'cart changed:yes' });
    commit();
    const clean = await find({ query: 'cart total price changed:yes' });
    appendFileSync(join('src/cart/cart.ts'), '\n// the total price of a cart\n');
    writeFileSync(join('src/cart/voucher.ts'), 'export const cartVoucherPrice = 1;\n');
    const dirty = await find({ query: 'cart total price changed:yes' });
    const asArgument = await find({ query: 'cart total price', changed: true });
    commit();
    const again = await find({ query: 'cart total price changed:yes' });

    for (const { isError, text } of [empty, uncommitted]) {
      expect(isError).toBe(true);
      expect(text).toContain('nothing has been committed in this git repository');
    }
    expect(clean).toEqual([]);
    expect(dirty).toEqual(['src/cart/cart.ts', 'src/cart/voucher.ts']);
    expect(asArgument).toEqual(dirty);
    expect(again).toEqual([]);
  });
});

test.each(['changed:yes', 'branch:main'])(
  '%s works in a project that is a folder of a repository',
  async (filter) => {
    const { folder } = memoryProject({
      'packages/shop/package.json': '{}\n',
      'packages/shop/src/cart.ts': 'export const cartTotal = 1;\n',
      'packages/shop/src/price.ts': 'export const cartPrice = 1;\n',
      'packages/other/cart.ts': 'export const cartOfOthers = 1;\n',
    });
    git(folder.path, 'switch', '-q', '-c', 'work');
    const project = folder.join('packages/shop');
    const client = await connect('stdio, version 1', { cwd: project });
    const find = async (): Promise<readonly string[]> =>
      pathsOf(await client.call('search_code', { project, limit: 50, query: `cart ${filter}` })).toSorted();

    const clean = await find();
    appendFileSync(folder.join('packages/shop/src/cart.ts'), '// the cart\n');
    appendFileSync(folder.join('packages/other/cart.ts'), '// the cart\n');
    writeFileSync(folder.join('packages/shop/src/cart-voucher.ts'), 'export const cartVoucher = 1;\n');
    const changed = await find();

    expect(clean).toEqual([]);
    expect(changed).toEqual(['src/cart-voucher.ts', 'src/cart.ts']);
  },
);
