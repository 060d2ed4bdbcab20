/** `similar_to`: what is like the code at a place, alone and with words. */
import { expect, test } from 'vitest';
import { connect, pathsOf } from '../support/search-client.ts';
import { searchShop, SHOP_FILES } from '../support/search-shop.ts';
import { emptyHome, run } from '../support/waymark.ts';

const STDIO = 'stdio, version 2, modern';

test('similar_to finds what is like the code at a place, not the place itself', async () => {
  const project = searchShop();
  project.write({
    'src/cart/basket.ts': (SHOP_FILES['src/cart/cart.ts'] ?? '')
      .replaceAll('Cart', 'Basket')
      .replaceAll('cart', 'basket'),
  });
  const client = await connect(STDIO, { cwd: project.path });

  const found = await client.call('search_code', { query: '', similar_to: 'src/cart/cart.ts:15' });
  const filtered = await client.call('search_code', {
    query: 'lang:go',
    similar_to: `${project.path}/src/cart/cart.ts:15`,
  });

  expect(pathsOf(found)[0]).toBe('src/cart/basket.ts');
  expect(pathsOf(found)).not.toContain('src/cart/cart.ts');
  expect(pathsOf(filtered)).toEqual(['src/payment/invoice.go']);
});

test('a line that the file does not have is an error', async () => {
  const client = await connect(STDIO, { cwd: searchShop().path });

  const beyond = await client.call('search_code', { query: '', similar_to: 'src/cart/cart.ts:900' });

  expect(beyond.isError).toBe(true);
  expect(beyond.text).toMatch(/`src\/cart\/cart\.ts` has \d+ lines, and none is 900\./);
});

test('words beside similar_to count: what is like the code and holds them stands before what is only like it', async () => {
  const project = searchShop();
  const like = (name: string, about: string): string =>
    (SHOP_FILES['src/cart/cart.ts'] ?? '')
      .replaceAll('Cart', name)
      .replaceAll('cart', name.toLowerCase())
      .replace('/** The sum of all prices, in cents. */', `/** ${about} */`);
  project.write({
    'src/cart/basket.ts': like('Basket', 'What all of it costs.'),
    'src/cart/trolley.ts': like('Trolley', 'What all of it costs, with the voucher of a wholesale customer.'),
  });
  const client = await connect(STDIO, { cwd: project.path });
  const find = async (query: string) =>
    client.call('search_code', { query, similar_to: 'src/cart/cart.ts:15', limit: 50 });

  const plain = await find('');
  const voucher = await find('voucher of a wholesale customer');
  const basket = await find('Basket');
  const exact = await find('"wholesale customer"');
  const byCommand = await run(
    ['search', 'voucher of a wholesale customer', '--similar-to', 'src/cart/cart.ts:15', '-C', '0'],
    { home: emptyHome(), cwd: project.path },
  );

  expect(new Set(pathsOf(plain).slice(0, 2))).toEqual(new Set(['src/cart/basket.ts', 'src/cart/trolley.ts']));
  expect(pathsOf(voucher)[0]).toBe('src/cart/trolley.ts');
  expect(pathsOf(voucher)).toContain('src/cart/basket.ts');
  expect(pathsOf(basket)[0]).toBe('src/cart/basket.ts');
  expect(pathsOf(exact)).toEqual(['src/cart/trolley.ts']);
  expect(byCommand.stdout.split('\n')[0]).toMatch(/^src\/cart\/trolley\.ts:/);
});
