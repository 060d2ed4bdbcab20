/** search_code through real clients: filters, details, pages, budgets, projects, freshness. */
import { rmSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathToFileURL } from 'node:url';
import { addressFor, isStdio, openClient, type OpenClient } from '../support/clients.ts';
import { connect, cursorOf, hitsOf, pathsOf, SEARCH_CLIENTS, shareReader } from '../support/search-client.ts';
import { SHOP_FILES, searchShop } from '../support/search-shop.ts';
import { shareServers } from '../support/shared-servers.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

/** What every file holds: nothing is left out but by the filters. */
const ALL = '/\\w/';
const STDIO = 'stdio, version 2, modern';

const server = shareServers();
/** Tests that only read share it, and the clients that are connected to it. */
const reader = shareReader();
const { shop: shared } = reader;

describe.each(SEARCH_CLIENTS)('%s', (kind) => {
  const { onEnd, end } = collectEnds();
  afterAll(end);
  let client: OpenClient;
  beforeAll(async () => {
    const { path: cwd } = shared;
    client = isStdio(kind)
      ? await connect(kind, { cwd, onEnd })
      : await openClient({
          kind,
          url: addressFor(kind, (await server(['--project-from-cwd'], { cwd })).url),
          onEnd,
        });
  });

  test('finds by sentence, by symbol, by exact text and by expression', async () => {
    const sentence = await client.call('search_code', { query: 'how are idle sessions expired' });
    const symbol = await client.call('search_code', { query: 'Cart.addItem' });
    const exact = await client.call('search_code', { query: '"gave up after"' });
    const pattern = await client.call('search_code', { query: String.raw`/retry_\w+ attempts/` });

    expect(hitsOf(sentence)[0]).toMatchObject({
      path: 'src/session/session-store.ts',
      symbol: 'SessionStore.expireIdleSessions',
      why: expect.arrayContaining([expect.any(String)]),
    });
    expect(sentence.text).toContain('expireIdleSessions(now: number, idleMs: number): number {');
    expect(sentence.text).toContain('index: fresh');
    expect(sentence.structured).toMatchObject({ index: { state: 'fresh' } });
    expect(pathsOf(symbol)[0]).toBe('src/cart/cart.ts');
    expect(pathsOf(exact)).toEqual(['src/payment/retry.py']);
    expect(exact.text).toContain('raise PaymentError("gave up after retry_limit attempts")');
    expect(pathsOf(pattern)).toEqual(['src/payment/retry.py']);
  });

  test('filters hold in the query and as arguments alike', async () => {
    const find = async (args: Record<string, unknown>): Promise<readonly string[]> =>
      pathsOf(await client.call('search_code', { limit: 50, ...args })).toSorted();
    const both = async (text: string, args: Record<string, unknown>): Promise<readonly string[]> => {
      const inQuery = await find({ query: `${ALL} ${text}` });
      expect(await find({ query: ALL, ...args })).toEqual(inQuery);
      return inQuery;
    };

    expect(await both('lang:py', { lang: ['py'] })).toEqual(['src/payment/retry.py']);
    expect(await both('lang:python,go', { lang: ['python', 'go'] })).toEqual([
      'src/payment/invoice.go',
      'src/payment/retry.py',
    ]);
    expect(await both('Lang:py', { lang: ['py'] })).toEqual(['src/payment/retry.py']);
    expect(await find({ query: '/GAVE up/gi' })).toEqual(['src/payment/retry.py']);
    expect(await both('path:src/cart', { path: ['src/cart'] })).toEqual([
      'src/cart/cart.ts',
      'src/cart/price.ts',
    ]);
    expect(await both('path:*.md', { path: ['*.md'] })).toEqual(['README.md']);
    const absolute = `${shared.path}/src/cart`;
    expect(await both(`path:"${absolute}"`, { path: [absolute] })).toEqual([
      'src/cart/cart.ts',
      'src/cart/price.ts',
    ]);
    expect(await find({ query: ALL, path: [`!${absolute}`, shared.path] })).not.toContain('src/cart/cart.ts');
    expect(await both('path:**/cart* -path:test', { path: ['**/cart*', '!test'] })).toEqual([
      'src/cart/cart.ts',
      'src/cart/price.ts',
    ]);
    expect((await both('-path:test', { path: ['!test'] })).filter((path) => path.includes('test/'))).toEqual(
      [],
    );
    expect(await both('kind:test', { kind: ['test'] })).toEqual([
      'packages/admin/test/report.test.ts',
      'test/cart.test.ts',
    ]);
    expect(await both('kind:doc', { kind: ['doc'] })).toEqual(['README.md']);
    expect(await both('kind:config', { kind: ['config'] })).toEqual(['config/shop.yaml']);
    expect(await both('kind:class', { kind: ['class'] })).toEqual(
      expect.arrayContaining(['src/cart/cart.ts', 'src/payment/invoice.go', 'src/payment/retry.py']),
    );
    expect(await both('kind:class', { kind: ['class'] })).not.toContain('src/cart/price.ts');
    expect(
      await both('kind:function lang:ts path:src', { kind: ['function'], lang: ['ts'], path: ['src'] }),
    ).toContain('src/cart/price.ts');
    expect(await both('symbol:priceOf', { symbol: ['priceOf'] })).toEqual(['src/cart/price.ts']);
    expect(await both('symbol:Cart.addItem', { symbol: ['Cart.addItem'] })).toEqual(['src/cart/cart.ts']);
    expect(await find({ query: 'symbol:Cart' })).toEqual(['src/cart/cart.ts']);
    expect(await both('lang:ts path:docs', { lang: ['ts'], path: ['docs'] })).toEqual([]);
  });

  test('pages: no hit twice and none missing, whatever the limit and the budget', async () => {
    const whole = await client.call('search_code', {
      query: 'cart session payment',
      limit: 50,
      detail: 'locations',
      budget: 8000,
    });

    for (const page of [{ limit: 1 }, { limit: 3 }, { limit: 50, budget: 300 }]) {
      const paths: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await client.call('search_code', {
          query: 'cart session payment',
          ...page,
          ...(cursor === undefined ? {} : { cursor }),
        });
        paths.push(...pathsOf(answer));
        cursor = cursorOf(answer);
        expect(answer.text.includes(`cursor="${cursor}"`)).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      expect(paths).toEqual(pathsOf(whole));
    }
  });

  test('what cannot be understood is an error that says what to do', async () => {
    const fail = async (args: Record<string, unknown>) => (await client.call('search_code', args)).structured;
    const failure = (message: string, instruction: string) => ({
      success: false,
      message: expect.stringContaining(message),
      instruction: expect.stringContaining(instruction),
    });

    expect(await fail({ query: 'cart', lang: ['klingon'] })).toMatchObject(
      failure('no language `klingon`', 'typescript'),
    );
    expect(await fail({ query: 'cart', kind: ['gadget'] })).toMatchObject(
      failure('kind', 'Call search_code with'),
    );
    expect(await fail({ query: 'cart', where: 'here' })).toMatchObject(
      failure('`where`', 'Call search_code with'),
    );
    expect(await fail({ query: 'cart', cursor: 'nowhere' })).toMatchObject(
      failure('cursor', 'Leave cursor out'),
    );
    expect(await fail({ query: 'cart', projects: ['/no/such/place'] })).toMatchObject(
      failure('/no/such/place', 'Known projects are `waymark-test-'),
    );
    expect(await fail({ query: 'cart', projects: ['no-such-name'] })).toMatchObject(
      failure('No known project is named no-such-name', 'Known projects are `waymark-test-'),
    );
    expect(await fail({ query: '', similar_to: 'src/none.ts:3' })).toMatchObject(
      failure('`src/none.ts`', 'with a line'),
    );
  });
});

test('details: places with one line, pieces, whole definitions', async () => {
  const find = (detail: string) =>
    reader.call('search_code', { query: 'symbol:SessionStore', detail, limit: 1 });

  const [locations, snippets, full] = [await find('locations'), await find('snippets'), await find('full')];

  expect(locations.text).toMatch(
    /^src\/session\/session-store\.ts:7-24 {2}SessionStore \(class\).*\n7\texport class SessionStore \{$/m,
  );
  expect(hitsOf(snippets)[0]).toMatchObject({ start_line: 6, end_line: 13, cut: '… to line 24' });
  expect(snippets.text).toContain('\n… to line 24\n\n');
  expect(snippets.text).toContain('the same call with detail="full" shows more');
  expect(hitsOf(full)[0]).toMatchObject({ start_line: 6, end_line: 24 });
  expect(full.text).toContain('expired += 1;');
});

test('the place of an exact match is its line, with tabs as they are; the others are counted', async () => {
  const far = Array.from({ length: 300 }, (_, at) => (at % 140 === 9 ? `at 2026-01-0${at % 7}` : `// ${at}`));
  const project = searchShop();
  project.write({ 'src/far.ts': far.join('\n') });
  const find = (query: string, detail = 'snippets') =>
    reader.call('search_code', { query, detail, project: project.path });

  const place = await find('"return \\"free\\""', 'locations');
  const first = await find('/class SessionStore/', 'locations');
  const lines = await find('Invoice.Render');
  const many = await find('/\\d{4}-\\d\\d-/');
  const whole = await find('/\\d{4}-\\d\\d-/', 'full');

  expect(hitsOf(place)[0]).toMatchObject({ path: 'src/payment/invoice.go', start_line: 14, end_line: 14 });
  // One line, though the class goes on behind it.
  expect(first.text).toMatch(/^src\/session\/session-store\.ts:7\texport class .*\{$/m);
  expect(first.text).not.toMatch(/^…/m);
  expect(many.text).toMatch(/^src\/far\.ts:9-11 {2}\+2 more places: lines 150, 290$/m);
  expect(whole.text).toMatch(/^src\/far\.ts:9-151 {2}\+1 more place: line 290$/m);
  expect(lines.text).toContain('13\t\tif i.Cents == 0 {\n14\t\t\treturn "free"');
});

test('R124 an answer stays within its budget, says what it left out, and how to get it', async () => {
  const wide = Array.from({ length: 40 }, (_, at): [string, string] => [
    `src/wide-${at}.ts`,
    `export function gather${at}(): string[] {\n${`  push('日本 {[(<>)]}', ${at}, "${'ab '.repeat(60)}");\n`.repeat(30)}}\n`,
  ]);
  const project = tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(wide) });

  for (const [budget, detail] of [
    [100, 'snippets'],
    [500, 'snippets'],
    [undefined, 'snippets'],
    [2000, 'full'],
    [8000, 'full'],
  ] as const) {
    const answer = await reader.call('search_code', {
      project: project.path,
      query: 'gather push',
      limit: 50,
      detail,
      ...(budget === undefined ? {} : { budget }),
    });
    const hits = hitsOf(answer);
    expect(countTokens(answer.text)).toBeLessThanOrEqual(budget ?? 2000);
    expect(answer.text.length).toBeLessThan(45_000);
    expect(hits.length).toBeGreaterThan(0);
    expect(answer.text.includes(`cursor="after-${hits.length}"`)).toBe(hits.length < 40);
    expect(answer.text).toMatch(/without lines for want of budget|… to line \d+|more files ranked/);
  }
});

test('several projects are ranked together, each hit names its own; none is searched twice', async () => {
  const home = emptyHome();
  const [shop, other] = [
    searchShop(),
    tempFolder({ '.git/HEAD': 'x', 'lib/cart.rb': 'class Cart\n  def add_item(id)\n  end\nend\n' }),
  ];
  const client = await connect(STDIO, { home, cwd: shop.path });

  const first = await client.call('search_code', { query: 'Cart', projects: [other.path] });
  const listed = await client.call('list_indexes');
  const both = await client.call('search_code', {
    query: 'Cart',
    projects: [other.path, shop.path, other.path],
  });
  other.write({ 'lib/basket.rb': 'class CartBasket\n  def weigh\n  end\nend\n' });
  const later = await client.call('search_code', { query: 'CartBasket', projects: [other.path] });
  const like = await client.call('search_code', {
    query: '',
    similar_to: 'lib/cart.rb:2',
    projects: [other.path],
  });

  expect(hitsOf(first).map(({ path }) => path)).toContain('lib/cart.rb');
  expect(listed.structured['indexes']).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ root: other.path })]),
  );
  const places = hitsOf(both).map(({ project, path }) => `${project}/${path}`);
  expect(places).toContain(`${other.path}/lib/cart.rb`);
  expect(places).toContain(`${shop.path}/src/cart/cart.ts`);
  expect(new Set(places).size).toBe(places.length);
  expect(both.text).toContain(`${other.path.split('/').at(-1)}/lib/cart.rb:`);
  expect(hitsOf(later)[0]).toMatchObject({ path: 'lib/basket.rb', project: other.path });
  expect(hitsOf(like)[0]?.path).toMatch(/cart|basket/);
  expect(hitsOf(like).filter(({ path }) => path === 'lib/cart.rb')).toEqual([]);
});

test('a file of a project inside of another one is shown once', async () => {
  const outer = tempFolder({
    '.git/HEAD': 'x',
    'lib/package.json': '{"name":"lib"}',
    'lib/cart.rb': 'class Cart\n  def add_item(id)\n  end\nend\n',
    'main.rb': 'Cart.new.add_item(1)\n',
  });
  const found = await reader.call('search_code', {
    query: 'Cart add_item',
    projects: [outer.path, `${outer.path}/lib`],
  });

  const places = hitsOf(found).map(({ project, path }) => `${project}/${path}`);
  expect(places.toSorted().filter((place) => place.endsWith('.rb'))).toEqual([
    `${outer.path}/lib/cart.rb`,
    `${outer.path}/main.rb`,
  ]);
});

test('* means every folder that the client has open', async () => {
  const home = emptyHome();
  const [shop, other] = [searchShop(), tempFolder({ '.git/HEAD': 'x', 'lib/cart.rb': 'class Cart\nend\n' })];
  for (const { path } of [shop, other]) await run(['index', path], { home });
  const client = await connect('stdio, version 1', {
    home,
    cwd: shop.path,
    roots: () => [shop.path, other.path].map((path) => pathToFileURL(path).href),
  });

  const found = await client.call('search_code', { query: 'Cart', projects: ['*'] });

  expect(new Set(hitsOf(found).map(({ project }) => project))).toEqual(new Set([shop.path, other.path]));
});

test('shown lines are lines on disk, also of a file that changed since it was indexed', async () => {
  const project = searchShop();
  const home = emptyHome();
  await run(['index', project.path], { home });
  // Never indexed again: what is shown can only come from the disk.
  const client = await connect(STDIO, { home, cwd: project.path, args: ['--auto-index', 'never'] });
  const moved = `// one\n// two\n// three\n${SHOP_FILES['src/session/session-store.ts']?.replace('expired += 1', 'expired += 2')}`;
  project.write({ 'src/session/session-store.ts': moved });
  rmSync(project.join('src/cart/cart.ts'));
  project.write({ 'src/cart/price.ts': '' });

  const changed = await client.call('search_code', {
    query: 'expire idle sessions expired',
    limit: 1,
    detail: 'full',
  });
  const line = 'if (now - session.lastSeen < idleMs) continue;';
  const exact = await client.call('search_code', { query: `"${line}"` });
  project.write({ 'src/session/session-store.ts': moved.replace(line, 'break;') });
  const noMore = await client.call('search_code', { query: `"${line}"` });
  const gone = await client.call('search_code', { query: 'cart total price', limit: 3 });

  const [hit] = hitsOf(changed);
  const lines = moved.split('\n').slice((hit?.start_line ?? 0) - 1, hit?.end_line);
  expect(changed.text).toContain('expired += 2');
  expect(changed.text).not.toContain('expired += 1');
  expect(changed.text.endsWith(lines.join('\n').trimEnd()) || changed.text.includes(lines[0] ?? '?')).toBe(
    true,
  );
  expect(changed.structured).toMatchObject({ index: { state: 'stale' } });
  expect(hitsOf(exact)[0]).toMatchObject({ path: 'src/session/session-store.ts', start_line: 20 });
  expect(pathsOf(noMore)).toEqual([]);
  expect(pathsOf(gone)).toHaveLength(3);
  expect(pathsOf(gone)).not.toContain('src/cart/cart.ts');
  expect(pathsOf(gone)).not.toContain('src/cart/price.ts');
});

test('secrets are neither shown nor found, and text that would act on a terminal is shown as signs', async () => {
  const key = ['AKIA', 'IOSFODNN7', 'QWERTYU'].join('');
  const project = tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'src/upload.ts': `export const accessKey = '${key}';\nexport function uploadBackup(): void {}\n// \u001b[31mred\u0007\n`,
  });
  const find = (args: object) => reader.call('search_code', { ...args, project: project.path });

  const byLine = await find({ query: '/red|accessKey/', detail: 'full' });
  const byText = await find({ query: `"${key}"` });
  const byPattern = await find({ query: '/AKIA[A-Z0-9]+/' });

  expect(byLine.text).toContain('accessKey');
  expect(byLine.text).toContain('\\x1b[31mred\\x07');
  for (const answer of [byLine, byText, byPattern]) expect(answer.text).not.toContain(key);
  expect(hitsOf(byText)).toEqual([]);
});

test('a cleared index is made again, and the search goes on', async () => {
  const project = searchShop();
  const args = { query: 'Cart.addItem', project: project.path };

  const before = await reader.call('search_code', args);
  await reader.call('clear_index', { project: project.path });
  const after = await reader.call('search_code', args);

  expect(pathsOf(after)).toEqual(pathsOf(before));
});

test('says so when nothing matches, when no more is left, and when words are only near', async () => {
  const nothing = await reader.call('search_code', { query: '"no such text anywhere"' });
  const behind = await reader.call('search_code', { query: 'cart', cursor: 'after-900' });
  const near = await reader.call('search_code', { query: 'qqzzxx' });
  const unknown = await reader.call('search_code', { query: '8675309' });
  const foreign = await reader.call('search_code', { query: '日本語テスト' });

  expect(nothing.text).toMatch(/no match in 11 files: text in quotes has to be there as it is/);
  expect(behind.text).toMatch(/no more results/);
  expect(near.text).toMatch(/Nothing here is about that\. Nearest places:\n(\S+:\d+-\d+.*\n?){1,3}$/);
  expect(near.structured).toMatchObject({
    hits: [],
    matched: 0,
    nearest: [{ path: expect.any(String) }, {}, {}],
  });
  // The model knows neither: there is nothing that they could be near to.
  for (const { text, structured } of [unknown, foreign]) {
    expect(text).toMatch(/no match in 11 files/);
    expect(structured).toMatchObject({ hits: [], matched: 0 });
  }
});
