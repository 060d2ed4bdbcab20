/** Who uses what, through a client of a server and on the command line. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClient, type OpenClient } from '../support/clients.ts';
import { git } from '../support/git.ts';
import { collectEnds, type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { emptyHome, type Home, run, serve } from '../support/waymark.ts';

const FILES = {
  // The compiler reads what git ignores.
  '.gitignore': 'package.json\n',
  'package.json': '{ "name": "shop", "imports": { "#money": "./src/money.ts" } }',
  'src/money.ts': [
    'export function round(amount: number): number {',
    '  return Math.round(amount);',
    '}',
    'export default class Money {',
    '  constructor(private readonly amount: number) {}',
    '  total(): number {',
    '    return round(this.amount);',
    '  }',
    '  static zero(): Money {',
    '    return new Money(0);',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/index.ts':
    "export { round as roundMoney } from './money.ts';\nexport { default as Cash } from './money.ts';\n",
  'src/cart.ts': [
    "import { roundMoney, Cash } from './index.ts';",
    "import type Money from '#money';",
    'export class Cart {',
    '  items: Money[] = [];',
    '  pay(): number {',
    '    const first = this.items[0];',
    '    return roundMoney(Cash.zero().total()) + first.total();',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/other.ts': 'export function round(corner: string): string {\n  return corner;\n}\nround("left");\n',
  'src/loose.ts': 'export function loose(thing: any) {\n  return thing.total() + thing.items;\n}\n',
  'src/desk.ts':
    'export function desk(make: any) {\n  return make({\n    refund() {},\n  });\n}\nexport const back = (at: any) => at.refund();\n',
  'test/cart.test.ts': "import { Cart } from '../src/cart.ts';\nnew Cart().pay();\n",
  'py/store.py':
    'class Store:\n    def save(self, entry):\n        return entry\n\n\ndef open_store() -> Store:\n    return Store()\n',
  'py/app.py':
    'from store import open_store as opened\n\n\ndef main():\n    kept = opened()\n    kept.save(1)\n',
  'go.mod': 'module example.com/shop\n\ngo 1.22\n',
  'pay/pay.go': 'package pay\n\ntype Till struct{ Sum int }\n\nfunc (t *Till) Add(n int) { t.Sum += n }\n',
  'main.go':
    'package main\n\nimport "example.com/shop/pay"\n\nfunc main() {\n\tt := pay.Till{}\n\tt.Add(1)\n}\n',
  'lib/queue.dart': 'int enqueue(int job) {\n  return job;\n}\nvoid main() {\n  enqueue(1);\n}\n',
};

describe('a project in several languages', () => {
  const ends = collectEnds();
  let project: TempFolder;
  let home: Home;
  let client: OpenClient;

  beforeAll(async () => {
    project = tempFolder(FILES, ends.onEnd);
    git(project.path, 'init', '-q');
    git(project.path, 'add', '.');
    git(project.path, 'commit', '-qm', 'first');
    home = emptyHome(ends.onEnd);
    await run(['index', '--exact', project.path], { home, onEnd: ends.onEnd });
    const { url } = await serve([], { home, onEnd: ends.onEnd });
    client = await openClient({ kind: 'HTTP, version 2, modern', url, onEnd: ends.onEnd });
  }, 120_000);
  afterAll(ends.end);

  const ask = async (symbol: string, more: object = {}) =>
    client.call('find_references', { symbol, project: project.path, ...more });
  /** `path:line grade` of each use. */
  const usesOf = async (symbol: string, more: object = {}): Promise<readonly string[]> => {
    const { structured } = await ask(symbol, more);
    // The tool's output schema says so, and the client has checked it.
    const symbols = structured['symbols'] as {
      references: { path: string; line: number; grade: string }[];
    }[];
    return symbols.flatMap(({ references }) =>
      references.map((each) => `${each.path}:${each.line} ${each.grade}`),
    );
  };

  test('R130 follows imports through renamed re-exports, and does not take another symbol of the name', async () => {
    expect(await usesOf('src/money.ts:1')).toEqual(['src/cart.ts:7 sure', 'src/money.ts:7 sure']);
    expect(await usesOf('other.round')).toEqual(['src/other.ts:4 sure']);
  });

  test('R130 finds methods by the type of what stands before the dot; the rest is hidden or marked', async () => {
    expect(await usesOf('Money.total')).toEqual(['src/cart.ts:7 sure', 'src/loose.ts:2 likely']);
    expect(await usesOf('Money.zero')).toEqual(['src/cart.ts:7 sure']);
    expect(await usesOf('Store.save')).toEqual(['py/app.py:6 sure']);
    expect(await usesOf('open_store')).toEqual(['py/app.py:5 sure']);
    expect(await usesOf('Till.Add')).toEqual(['main.go:7 sure']);
    expect(await usesOf('Till.Sum', { kind: ['write'] })).toEqual(['pay/pay.go:5 sure']);
  });

  test('R130 tells kinds, paths, imports and what a symbol uses itself', async () => {
    expect(await usesOf('Cart', { kind: ['import'] })).toEqual(['test/cart.test.ts:1 sure']);
    expect(await usesOf('Cart.pay', { path: ['src/**'] })).toEqual([]);
    const { text } = await ask('Cart.pay', { direction: 'out' });
    expect(text).toContain('Money.total');
    expect(text).toContain('round');
    expect(text).not.toContain('other.ts');
  });

  test('R130 R131 one line a use with the definition around it, tests apart, each symbol of a shared name', async () => {
    const { text } = await ask('round');

    expect(text).toContain('round function src/money.ts:1  (1 more of this name: src/other.ts:1)');
    expect(text).toContain('  7 Cart.pay: return roundMoney(Cash.zero().total()) + first.total();');
    expect(text).toContain('round function src/other.ts:1');
    expect((await ask('Cart')).text).toContain('tests: test/cart.test.ts:2');
  });

  test('R131 a symbol that does not exist is an error with near names', async () => {
    const { text, isError, structured } = await ask('rounnd');

    expect(isError).toBe(true);
    expect(structured).toMatchObject({ success: false, error_type: 'not_found' });
    expect(text).toContain('`round`');
    expect((await ask('Cart.total')).text).toContain('`Money.total`');
    expect((await ask('src/nowhere.ts:3')).isError).toBe(true);
  });

  test('R134 a language without scopes is told by name, and no known use is never called dead', async () => {
    expect((await ask('enqueue')).text).toContain('by name only');
    expect(await usesOf('enqueue')).toEqual(['lib/queue.dart:5 possible']);
    const { text } = await ask('loose');
    expect(text).toContain('no known use: that does not prove that it is unused');
    expect(text).not.toMatch(/dead/);
    const possible = await ask('src/desk.ts:3');
    expect(possible.text).toContain('no sure use, 1 possible use by name: include: possible');
    expect(possible.text).not.toContain('no known use');
  });

  test('R132 dependencies in both directions, by depth', async () => {
    const out = await client.call('get_file_dependencies', { file: 'src/cart.ts', project: project.path });
    const back = await client.call('get_file_dependencies', {
      file: 'money.ts',
      direction: 'in',
      depth: 3,
      project: project.path,
    });

    expect(out.structured['files']).toMatchObject([{ path: 'src/index.ts' }, { path: 'src/money.ts' }]);
    expect(back.structured['files']).toMatchObject([
      { path: 'src/cart.ts', distance: 1 },
      { path: 'src/index.ts', distance: 1 },
      { path: 'test/cart.test.ts', distance: 2, via: 'src/cart.ts', test: true },
    ]);
  });

  test('R133 an outline of a file with its signatures, and a map of the project, the most used first', async () => {
    const file = await client.call('outline', { path: 'src/money.ts', project: project.path });
    const map = await client.call('outline', { project: project.path, focus: ['pay'] });
    const short = await client.call('outline', { project: project.path, budget: 100 });

    expect(file.text).toContain('src/money.ts  used by 2 files');
    expect(file.text).toContain('total(): number');
    expect(map.text.indexOf('pay/pay.go')).toBeLessThan(map.text.indexOf('src/money.ts'));
    expect(short.text.length).toBeLessThan(map.text.length);
  });

  test('R132 the impact of what changed, nearest first, with the tests to run; a saved file counts at once', async () => {
    project.write({ 'src/late.ts': "import { round } from './money.ts';\nround(2);\n" });

    expect(await usesOf('src/money.ts:1', { path: ['src/late.ts'] })).toEqual(['src/late.ts:2 sure']);
    project.write({ 'src/money.ts': `${FILES['src/money.ts']}// changed\n` });
    const { text } = await client.call('get_file_impact', { changed: true, project: project.path });
    expect(text).toMatch(/src\/cart\.ts[^]*tests to run: test\/cart\.test\.ts/);
  });

  test('the commands print the same, and --json for programs', async () => {
    const at = { home, cwd: project.path };
    const references = await run(['references', 'Money.total', '--json'], at);
    const deps = await run(['deps', 'src/cart.ts'], at);
    const impact = await run(['impact', 'src/index.ts'], at);
    const outline = await run(['outline', 'src/money.ts'], at);
    const unknown = await run(['references', 'rounnd'], at);
    const bare = await run(['impact'], at);

    expect(JSON.parse(references.stdout)).toMatchObject({
      symbols: [{ name: 'Money.total', path: 'src/money.ts' }],
    });
    expect(deps.stdout).toContain('src/index.ts');
    expect(impact.stdout).toContain('tests to run: test/cart.test.ts');
    expect(outline.stdout).toContain('static zero(): Money');
    expect(unknown).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Near names: `round`'),
    });
    expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining('No file is named') });
  });

  test('commands take and print paths as they are typed in the working directory', async () => {
    const at = { home, cwd: project.join('py') };
    const references = await run(['references', 'store.py:2'], at);
    const deps = await run(['deps', 'app.py'], at);
    const impact = await run(['impact', '../src/index.ts'], at);
    const outline = await run(['outline', 'store.py'], at);

    expect(references.stdout).toContain(
      'Store.save method store.py:2\n1 use in 1 file\napp.py\n  6 main: kept.save(1)\n',
    );
    expect(deps.stdout).toContain('app.py\n1 file imported, 0 test files\ndistance 1\n  store.py\n');
    expect(impact.stdout).toContain('tests to run: ../test/cart.test.ts');
    expect(outline.stdout).toContain('store.py  used by 1 file\n');
  });
});
