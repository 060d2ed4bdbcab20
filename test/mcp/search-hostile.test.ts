/** Absurd queries: each gets a clear answer, and the server goes on. */
import { expect, test } from 'vitest';
import { connect, pathsOf, shareReader } from '../support/search-client.ts';
import { searchShop } from '../support/search-shop.ts';

const KIND = 'stdio, version 2, modern';
const reader = shareReader();

const HOSTILE: readonly string[] = [
  'NEAR(cart price) AND NOT total OR "*"',
  'cart* ^price total:*',
  `'; DROP TABLE files; --`,
  '" OR 1=1 --',
  '"""""""',
  '\\"\\\\\\',
  'cart\u0000price',
  '\u0000',
  '\u001b]0;title\u0007 cart',
  '\ud800 lone surrogate',
  '\u202egnp.exe cart',
  '𝒸𝒶𝓇𝓉 ☃️ 👩‍👩‍👧‍👦',
  '$(rm -rf /) `id` %s %n {{7*7}}',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  '(((((((((((((((((((((',
  '[[[[]]]]',
  '__proto__ constructor hasOwnProperty toString',
  'x'.repeat(10_000),
  'cart '.repeat(2_000),
  '"a'.repeat(5_000),
  '👩'.repeat(5_000),
];

test('each is answered, and so is the question after it', async () => {
  for (const query of HOSTILE) {
    const answer = await reader.call('search_code', { query });
    const next = await reader.call('search_code', { query: 'Cart.addItem' });

    expect(answer.text.length).toBeLessThan(45_000);
    // oxlint-disable-next-line no-control-regex -- none of them may reach a terminal
    expect(answer.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(answer.isError).toBe(answer.structured['success'] === false);
    expect(Array.isArray(answer.structured['hits'])).toBe(!answer.isError);
    expect(typeof answer.structured['instruction']).toBe(answer.isError ? 'string' : 'undefined');
    expect(pathsOf(next)[0]).toBe('src/cart/cart.ts');
  }
});

test('a query that holds nothing to look for is told so', async () => {
  for (const query of ['', '   ', '\n\t', '"'])
    expect((await reader.call('search_code', { query })).structured).toMatchObject({
      success: false,
      error_type: 'bad_argument',
      message: 'The query is empty.',
      instruction: expect.stringContaining('Ask in words'),
    });
});

const many = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);

test.each([
  ['path', many(51, '**/*.ts'), '`path`: expected at most 50 items'],
  ['path', ['*a'.repeat(251)], '`path`: expected items of at most 500 characters'],
  ['symbol', many(51, 'Cart'), '`symbol`: expected at most 50 items'],
  ['symbol', ['a.'.repeat(1_800_000)], '`symbol`: expected items of at most 500 characters'],
  ['lang', many(9_000, 'ts'), '`lang`: expected at most 50 items'],
  ['projects', many(21, '.'), '`projects`: expected at most 20 items'],
  ['projects', ['x'.repeat(5_000)], '`projects`: expected items of at most 4096 characters'],
  ['similar_to', 'a/'.repeat(1_800_000), '`similar_to`: expected at most 4096 characters'],
  ['cursor', 'a'.repeat(3_600_000), '`cursor`: expected at most 100 characters'],
])('%s has a limit', async (argument, value, problem) => {
  const answer = await reader.call('search_code', { query: 'cart', [argument]: value });

  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(problem);
});

test('a project that is named twice is searched once', async () => {
  const { path } = reader.shop;

  const once = await reader.call('search_code', { query: 'Cart.addItem' });
  const often = await reader.call('search_code', { query: 'Cart.addItem', projects: many(20, path) });

  expect(pathsOf(often)).toEqual(pathsOf(once));
});

test('an expression that would run for ever is stopped; calls beside it are not held up', async () => {
  const project = searchShop();
  project.write({ 'src/bomb.ts': `const x = '${'a'.repeat(60)}!';\n` });
  const client = await connect(KIND, { cwd: project.path });
  await client.call('search_code', { query: 'cart' });
  const order: string[] = [];

  const bomb = client
    .call('search_code', { query: '/(a+)+$/ path:src/bomb.ts' })
    .finally(() => order.push('bomb'));
  const other = client.call('search_code', { query: 'Cart.addItem' }).finally(() => order.push('other'));

  expect((await bomb).structured).toMatchObject({
    success: false,
    message: 'The regular expression takes too long on this project.',
    instruction: expect.stringContaining('repetition inside repetition'),
  });
  expect(pathsOf(await other)[0]).toBe('src/cart/cart.ts');
  expect(order).toEqual(['other', 'bomb']);
});

test('what is no expression is text', async () => {
  for (const query of ['/(cart/', '/[cart/', '/*cart/', '/(?<n>cart)(?<n>b)/', `/${'('.repeat(400)}cart/`]) {
    const answer = await reader.call('search_code', { query });
    expect(pathsOf(answer).length).toBeGreaterThan(0);
    expect(answer.text).toContain('is read as text: it is no valid expression');
  }
});

test('words of other scripts are found where they stand', async () => {
  expect(pathsOf(await reader.call('search_code', { query: 'Schöne Grüße' }))[0]).toBe('src/i18n/texte.ts');
  const found = await reader.call('search_code', { query: 'ご挨拶' });
  expect(pathsOf(found)[0]).toBe('src/i18n/texte.ts');
  expect(found.text).toContain('店からのご挨拶');
  expect(pathsOf(await reader.call('search_code', { query: '挨拶' }))[0]).toBe('src/i18n/texte.ts');
});
