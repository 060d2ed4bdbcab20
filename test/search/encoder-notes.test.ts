/** What an answer says when another model than the configured one made its nearness. */
import { expect, test } from 'vitest';
import { openClient, type CallAnswer } from '../support/clients.ts';
import { embeddingServer } from '../support/embedding-server.ts';
import { moneyModel, settings } from '../support/money-model.ts';
import { searchShop } from '../support/search-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

test('notes on the encoder are in text and values alike, of every project that has one', async () => {
  const [shop, other, home] = [
    searchShop(),
    tempFolder({ '.git/HEAD': 'x', 'cart.rb': 'class Cart\nend\n' }),
    emptyHome(),
  ];
  const server = await embeddingServer({ vectorOf: moneyModel });
  const env = settings(server);
  const waymark = (...args: string[]) => run(args, { home, env });
  for (const { path } of [shop, other]) await waymark('index', path);
  // Not followed, so that nothing is embedded meanwhile.
  const client = await openClient({
    kind: 'stdio, version 2, modern',
    args: ['--watch', 'off', '--auto-index', 'never', '--toolsets', 'all'],
    env: { ...home.env, ...env },
    cwd: shop.path,
  });
  const ask = (query: string) => client.call('search_code', { query, projects: [other.path] });
  const line = 'meaning by the static model: money-1 has embedded 0 % of the files';
  const names = [shop, other].map(({ path }) => path.split('/').at(-1));

  const neither = await ask('Cart');
  await waymark('index', shop.path, '--embed');
  const one = await ask('zebra');
  await server.stop();
  const down = await ask('ostrich');
  const analyzed = await client.call('analyze_query', { query: 'giraffe' });

  const encoderNotes = ({ structured }: CallAnswer) =>
    toLines(structured['notes']).filter((note) => String(note).includes('static model'));
  expect(encoderNotes(neither)).toEqual([line]);
  expect(encoderNotes(one)).toEqual([`${names[1]}: ${line}`]);
  expect(encoderNotes(down)).toEqual([
    `${names[0]}: meaning by the static model: money-1 could not be reached`,
    `${names[1]}: ${line}`,
  ]);
  for (const { text, structured } of [neither, one, down])
    for (const note of toLines(structured['notes'])) expect(text.split('\n')).toContain(note);
  expect(analyzed.structured['notes']).toEqual(['meaning by the static model: money-1 could not be reached']);
});

function toLines(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
