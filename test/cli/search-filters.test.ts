/** The filters of a search as options, several projects, and what is said of a question without quotes. */
import { expect, test } from 'vitest';
import { searchShop } from '../support/search-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

test('options mean what the filters of the query mean, and refuse what those refuse', async () => {
  const project = searchShop();
  const home = emptyHome();
  const search = async (...args: string[]) => {
    const { code, stdout } = await run(['search', ...args, '-C', '0'], { home, cwd: project.path });
    return { code, stdout };
  };
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { home, cwd: project.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };
  const pairs: readonly (readonly [string, readonly string[]])[] = [
    ['session lang:ts,py', ['session', '--lang', 'ts,py']],
    ['session lang:ts lang:py', ['session', '--lang', 'ts', '--lang', 'py']],
    ['cart path:src/*/*.{ts,py} -path:price*', ['cart', '--path', 'src/*/*.{ts,py}', '--path', '!price*']],
    ['session kind:doc,config', ['session', '--kind', 'doc', '--kind', 'config']],
    ['symbol:Cart.addItem', ['--symbol', 'Cart.addItem']],
    ['session limit:2 cursor:after-1', ['session', '--limit', '2', '--cursor', 'after-1']],
  ];

  for (const [query, options] of pairs) {
    const [written, given] = [await search(query), await search(...options)];
    expect(written.code).toBe(0);
    expect({ query, ...given }).toEqual({ query, ...written });
  }
  const everything = await search('session');
  expect(await search('session', '--kind', 'doc')).not.toEqual(everything);

  expect(await refused('search', 'cart', '--lang', 'klingon')).toContain('no language `klingon`');
  expect(await refused('search', 'cart', '--kind', 'class,gadget')).toContain('no kind `gadget`');
  expect(await refused('analyze', 'cart', '--kind', 'gadget')).toContain('Kinds are function, class');
  expect(await refused('search', 'cart', '--lang', ',')).toContain('--lang has no value');
  expect(await refused('search', 'cart limit:3', '--limit', '4')).toContain('one limit; here are two');
});

test('analyze takes the filters, a place instead of a query, and the page of the query', async () => {
  const project = searchShop();
  const home = emptyHome();
  const analyze = async (...args: string[]) => {
    const { code, stdout } = await run(['analyze', ...args, '--json'], { home, cwd: project.path });
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };

  const narrowed = await analyze('session limit:1 cursor:after-1', '--lang', 'ts', '--path', '!test');
  const like = await analyze('--similar-to', 'src/cart/cart.ts:5', '--kind', 'code');

  expect(narrowed).toMatchObject({
    filters: { languages: ['ts'], notPaths: ['test'] },
    hits: [{ rank: 2, path: expect.stringMatching(/^src\/.*\.ts$/) }],
  });
  expect(like.hits.length).toBeGreaterThan(0);
  expect(like.hits).not.toContainEqual(expect.objectContaining({ path: 'src/cart/cart.ts' }));
});

test('several projects are indexed and ranked together, each hit naming its own', async () => {
  const folder = tempFolder({
    'shop, old/package.json': '{}',
    'shop, old/src/send.ts': 'export function sendParcel(): void {}\n',
    'mail/package.json': '{}',
    'mail/src/send.ts': 'export function sendLetter(): void {}\n',
    'more/mail/package.json': '{}',
    'more/mail/src/send.ts': 'export function sendPigeon(): void {}\n',
  });
  const home = emptyHome();
  const projects = (...names: string[]) => names.flatMap((name) => ['--project', folder.join(name)]);
  const search = (...args: string[]) =>
    run(['search', '"function send"', ...args], { home, cwd: folder.join('mail') });

  const both = await search('-C', '0', ...projects('shop, old', 'mail', 'mail/'));
  const one = await search('-C', '0', ...projects('shop, old'));
  const sameName = await search('-C', '0', ...projects('mail', 'more/mail'));
  const json = await search('--json', ...projects('shop, old', 'mail'));
  const missing = await search(...projects('mail', 'nowhere'));

  expect(both).toMatchObject({ code: 0, stderr: '' });
  expect(both.stdout.trimEnd().split('\n').toSorted()).toEqual([
    'mail/src/send.ts:1  sendLetter (function)',
    'shop, old/src/send.ts:1  sendParcel (function)',
  ]);
  expect(one.stdout).toBe('../shop, old/src/send.ts:1  sendParcel (function)\n');
  expect(sameName.stdout.trimEnd().split('\n').toSorted()).toEqual([
    `${folder.join('mail')}/src/send.ts:1  sendLetter (function)`,
    `${folder.join('more/mail')}/src/send.ts:1  sendPigeon (function)`,
  ]);
  const { hits, index } = JSON.parse(json.stdout);
  expect(hits.map(({ root }: { root: string }) => root).toSorted()).toEqual([
    folder.join('mail'),
    folder.join('shop, old'),
  ]);
  expect(index).toMatchObject({ state: 'fresh' });
  expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('does not exist') });
});

test.each([
  [['analyze', 'send', '$file', '--limit', '3'], `waymark analyze 'send $file'`],
  [['analyze', '--', '-path:test', 'cart'], 'waymark analyze -- "-path:test cart"'],
  [['index', 'my', 'project'], 'waymark index "my project"'],
  [['analyze', 'a\u001b[31m', 'b'], 'waymark analyze "a\\x1b[31m b"'],
  [['completion', 'bash', 'zsh'], 'Add --help'],
  [['status', 'here'], 'Add --help'],
])('too many arguments, %j: the hint spells out the right line', async (args, hint) => {
  const { code, stdout, stderr } = await run(args);

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: Too many arguments: /);
  expect(stderr).toContain(hint);
});
