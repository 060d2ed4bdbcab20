/** What the small shop answers, as one can read it: a change in ranking or rendering shows here. */
import { expect, test } from 'vitest';
import { connect, hitsOf } from '../support/search-client.ts';
import { searchShop } from '../support/search-shop.ts';

const QUESTIONS = [
  'how are idle sessions expired',
  'where is the total price of a cart computed',
  'try a payment again when the network fails',
  'which handler answers a path',
  'Cart',
  'SessionStore.get',
  'priceOf',
  'tests of the cart',
  'idle minutes setting kind:config',
  '"unknown article"',
];

test('golden rankings', async () => {
  const client = await connect('stdio, version 2, modern', { cwd: searchShop().path });
  const lines: string[] = [];

  for (const query of QUESTIONS) {
    const answer = await client.call('search_code', { query, limit: 4 });
    lines.push(
      query,
      ...hitsOf(answer).map((hit) =>
        `  ${hit.path}:${hit.start_line}-${hit.end_line} ${hit.symbol ?? ''}`.trimEnd(),
      ),
      '',
    );
  }

  await expect(lines.join('\n')).toMatchFileSnapshot('__snapshots__/search-golden.txt');
});

test('a golden answer', async () => {
  const client = await connect('stdio, version 1', { cwd: searchShop().path });
  await client.call('search_code', { query: 'cart' });

  const { text } = await client.call('search_code', { query: 'how are idle sessions expired', limit: 2 });

  await expect(text.replace(/^project: .*$/m, 'project: …')).toMatchFileSnapshot(
    '__snapshots__/search-answer.txt',
  );
});
