/** A pasted report, log or piece of code is answered by the definitions it is about, whatever its punctuation. */
import { expect, test } from 'vitest';
import { tryTexts } from '../campaigns/texts/try-texts.ts';
import { connect, cursorOf, hitsOf, pathsOf, shareReader, type FoundHit } from '../support/search-client.ts';
import { searchShop } from '../support/search-shop.ts';

const reader = shareReader();

const REPORT = `addItem ignores "count": cart shows 1
### Steps
1. call \`Cart.addItem("apple", 3)\`

  File "src/cart/cart.ts", line 15, in addItem
TypeError: path: is not a function, lang:ts kind:gadget limit:x /(/
`;

test('a report finds the function it is about, and says why', async () => {
  const answer = await reader.call('search_code', { query: REPORT });

  expect(hitsOf(answer)[0]).toMatchObject({ path: 'src/cart/cart.ts', symbol: 'Cart.addItem' });
  expect(hitsOf(answer)[0]?.why).not.toEqual([]);
  expect(answer.text).toContain('addItem(id: string, count = 1): void {');
});

test('a report of thousands of words is answered as one of its parts that tell the most', async () => {
  const common = Array.from({ length: 60 }, () => 'const return export number string this').join('\n');
  const unknown = Array.from({ length: 1_500 }, (_, at) => `filler${at}`).join(' ');

  const answer = await reader.call('search_code', { query: `${REPORT}\n${unknown}\n${common}` });

  expect(hitsOf(answer)[0]).toMatchObject({ path: 'src/cart/cart.ts', symbol: 'Cart.addItem' });
});

test('pages of its places join without a gap, and arguments filter', async () => {
  const place = ({ path, start_line }: FoundHit): string => `${path}:${start_line}`;

  const whole = await reader.call('search_code', { query: REPORT, limit: 6, detail: 'locations' });
  const first = await reader.call('search_code', { query: REPORT, limit: 3, detail: 'locations' });
  const next = await reader.call('search_code', {
    query: REPORT,
    limit: 3,
    detail: 'locations',
    cursor: cursorOf(first),
  });
  const narrow = await reader.call('search_code', { query: REPORT, lang: ['py'] });

  expect([...hitsOf(first), ...hitsOf(next)].map(place)).toEqual(hitsOf(whole).map(place));
  expect(pathsOf(narrow).every((path) => path.endsWith('.py'))).toBe(true);
});

test.each([
  ['lnag:ts cart', '`lnag:ts` is read as text: did you mean `lang:`?'],
  ['lang: ts cart', undefined],
  ['/cart/y', 'an expression has no flag `y` here'],
  ['cart kind:gadget', 'kinds are function'],
  ['cart lang:klingon', 'there is no language `klingon`'],
  ['Error: no "such/module" in cart', 'Nothing matches the query as it is written. Searched by its words.'],
  ['GET path:/api/cart status:200', 'Searched by its words.'],
  ['/usr/cart/', 'Searched by its words.'],
  ['branch:a\\|b:c cart', 'no branch has such a name'],
  ['ERROR cart failed branch:error changed:yes', 'Searched by its words.'],
  ['/(cart/', 'it is no valid expression'],
])('%s is text, and the answer says so where it may have been meant', async (query, note) => {
  const answer = await reader.call('search_code', { query });

  expect(answer.isError).toBe(false);
  expect(answer.text).toContain('cart.ts');
  expect(answer.text).toContain(note ?? 'cart.ts');
});

test.each([
  ['PaymentError: gave up after 7 attempts', 'src/payment/'],
  ['gave up after retry_limit attempts', 'src/payment/'],
  [
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nPaymentError: gave up after 3 attempts',
    'src/payment/',
  ],
])('the message %j finds the code that spells it', async (query, folder) => {
  const answer = await reader.call('search_code', { query });

  expect(hitsOf(answer)[0]?.path).toContain(folder);
});

test('a short text in quotes that is all over the project narrows nothing: the words beside it decide', async () => {
  const project = searchShop();
  const many = Array.from({ length: 1_100 }, (_, at) => [`many/m${at}.ts`, `export const m${at} = 1;\n`]);
  project.write(Object.fromEntries(many));
  const { call } = await connect('stdio, version 1', { cwd: project.path });

  const message = await call('search_code', { query: 'PaymentError: gave up on "const" after 3 attempts' });
  const alone = await call('search_code', { query: '"const"' });

  expect(message.text).toContain('stands in too many files to tell them apart. Searched by its words.');
  expect(message.text).not.toContain('not every file was looked at');
  expect(hitsOf(message)[0]?.path).toBe('src/payment/retry.py');
  expect(alone.text).toContain('not every file was looked at');
});

test('of many lines with the text in quotes the one is shown that holds the words beside it', async () => {
  const project = searchShop();
  const filler = Array.from({ length: 60 }, (_, at) => `use('u32', ${at});`);
  filler[41] = "fail('expected type u32, found nothing');";
  project.write({ 'src/types.ts': `${filler.join('\n')}\n` });
  const { call } = await connect('stdio, version 1', { cwd: project.path });

  const message = await call('search_code', { query: 'error: expected type "u32"' });
  const alone = await call('search_code', { query: '"u32"' });

  expect(hitsOf(message)[0]).toMatchObject({ path: 'src/types.ts' });
  expect(message.text).toContain("42\tfail('expected type u32");
  expect(hitsOf(alone)[0]).toMatchObject({ path: 'src/types.ts', start_line: 1 });
});

test('a mistyped word is read as the one that is meant, and what is said around a question does not count', async () => {
  const plain = await reader.call('search_code', { query: 'how are idle sessions expired' });
  const mistyped = await reader.call('search_code', { query: 'how are idle sesions expired' });
  const polite = await reader.call('search_code', {
    query: 'Hi there, can you please show me how are idle sessions expired? Thanks a lot!',
  });

  expect(mistyped.text).toContain('no file holds `sesions`: read as `sessions`');
  expect(pathsOf(mistyped)).toEqual(pathsOf(plain));
  expect(pathsOf(polite)).toEqual(pathsOf(plain));
});

test('no text is an error or finds nothing because of its signs', async () => {
  const { findings } = await tryTexts({
    ask: async (query) => {
      const { isError, text } = await reader.call('search_code', { query });
      if (isError) return text;
      return text.includes('src/') ? undefined : 'empty';
    },
    count: 80,
    seed: 7,
    sources: [REPORT, JSON.stringify({ path: 'C:\\x', error: '"quoted" text: lang:py' })],
  });

  expect(findings).toEqual([]);
});
