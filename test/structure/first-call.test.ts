/** The first question after a first index, when no file is parsed yet: the answer is the one that comes when all are, and soon. */
import { expect, onTestFinished, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { openClient } from '../support/clients.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { emptyHome, type Home, run, serve } from '../support/waymark.ts';

const OTHERS = 60;
const others = Object.fromEntries(
  Array.from({ length: OTHERS }, (_, at) => [
    `src/others/part${at}.ts`,
    `export function part${at}(): number {\n  return ${at};\n}\n`,
  ]),
);
const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  ...others,
  'src/money.ts':
    'export function round(amount: number): number {\n  return amount;\n}\nexport default class Money {\n  total() {\n    return round(1);\n  }\n}\n',
  'src/index.ts': "export { round as roundMoney } from './money.ts';\n",
  'src/cart.ts': "import { roundMoney } from './index.ts';\nexport const pay = () => roundMoney(2);\n",
  // Neither names what it uses.
  'src/desk.ts': "import Cash from './money.ts';\nexport const cash = new Cash();\n",
  'src/till.ts': "import { cash } from './desk.ts';\nexport const all = () => cash.total();\n",
  'test/till.test.ts': "import { all } from '../src/till.ts';\nall();\n",
  'py/store.py':
    'class Store:\n    def save(self):\n        return 1\n\n\ndef opened() -> Store:\n    return Store()\n',
  'py/app.py': 'from store import opened\n\n\ndef main():\n    opened().save()\n',
  'rust/Cargo.toml': '[package]\nname = "shop"\n',
  'rust/src/lib.rs': 'mod disk;\npub fn keep() -> u32 {\n    disk::write()\n}\n',
  'rust/src/disk.rs': 'pub fn write() -> u32 {\n    1\n}\n',
  'java/a/Bill.java': 'package a;\nclass Bill {\n  int sum() {\n    return 1;\n  }\n}\n',
  'java/a/Desk.java': 'package a;\nclass Desk {\n  int pay(Bill bill) {\n    return bill.sum();\n  }\n}\n',
  'cs/Ledger.cs':
    'namespace Shop.Books\n{\n  public class Ledger\n  {\n    public int Balance() { return 1; }\n  }\n}\n',
  'cs/Office.cs':
    'using Shop.Books;\nnamespace Shop\n{\n  class Office\n  {\n    int Look(Ledger ledger) { return ledger.Balance(); }\n  }\n}\n',
};
/** What only one file of each language tells of takes few others. */
const SYMBOLS = [
  'round',
  'Money.total',
  'Store.save',
  'write',
  'Bill.sum',
  'Ledger.Balance',
  'src/money.ts:4',
];

function openApp(home: Home): App {
  const { config } = resolveConfig({ env: { ...home.env, WAYMARK_LOG_LEVEL: 'error' } });
  const app = createApp({ config });
  onTestFinished(() => app.close());
  return app;
}

async function indexed(): Promise<{ readonly app: App; readonly project: TempFolder; readonly home: Home }> {
  const project = tempFolder(FILES);
  const home = emptyHome();
  const app = openApp(home);
  await app.indexing.run(project.path, { signal: new AbortController().signal });
  return { app, project, home };
}

const noSignal = (): AbortSignal => new AbortController().signal;

test.each(SYMBOLS)(
  'R130 R134 %s: the first answer is that of a project that is parsed to its end, and few files were parsed for it',
  async (symbol) => {
    const { app, project } = await indexed();
    const asked = { root: project.path, mayWrite: true, symbol };

    const first = await app.engine.findReferences(asked);
    const waiting = await app.indexing.waitingPaths(project.path);
    await app.indexing.parse(project.path, { signal: noSignal() });
    const later = await app.engine.findReferences(asked);

    expect(first.symbols.flatMap(({ references }) => references)).not.toEqual([]);
    expect(first).toEqual({ ...later, unseen: { ...later.unseen, waitedFor: first.unseen.waitedFor } });
    expect(first.unseen).toMatchObject({ waiting: 0 });
    expect(waiting.length).toBeGreaterThanOrEqual(OTHERS);
  },
);

test('R132 dependencies and impact need no more than the files on the way', async () => {
  const { app, project } = await indexed();
  const asked = { root: project.path, mayWrite: true };
  const ask = async () => ({
    out: (await app.engine.fileDependencies({ ...asked, file: 'src/till.ts', depth: 3 })).files,
    impact: (await app.engine.fileImpact({ ...asked, files: ['src/money.ts'] })).files,
    rust: (await app.engine.fileImpact({ ...asked, files: ['rust/src/disk.rs'] })).files,
    java: (await app.engine.fileImpact({ ...asked, files: ['java/a/Bill.java'] })).files,
    python: (await app.engine.fileImpact({ ...asked, files: ['py/store.py'] })).files,
  });

  const first = await ask();
  const waiting = await app.indexing.waitingPaths(project.path);
  await app.indexing.parse(project.path, { signal: noSignal() });

  expect(first).toEqual(await ask());
  expect(first.impact.map(({ path }) => path)).toContain('test/till.test.ts');
  expect(waiting.length).toBeGreaterThanOrEqual(OTHERS / 2);
});

test('R134 while files wait, impact says how many; the outline of one file needs only that', async () => {
  const { app, project } = await indexed();
  const asked = { root: project.path, mayWrite: true };

  const impact = await app.engine.fileImpact({ ...asked, files: ['src/money.ts'] });
  const outline = await app.engine.outline({ ...asked, path: 'src/others/part1.ts' });

  expect(impact.unseen.waiting).toBe((await app.indexing.waitingPaths(project.path)).length + 1);
  expect(outline.files).toMatchObject([{ path: 'src/others/part1.ts', definitions: [{ name: 'part1' }] }]);
  expect(outline.files[0]?.users).toBeUndefined();
  expect(outline.unseen).toMatchObject({ waiting: 0, waitedFor: 1 });
});

test('R131 R134 a name in files that wait is not called missing', async () => {
  const { app, project } = await indexed();
  // Nothing may be parsed for this caller.
  const asked = { root: project.path, mayWrite: false };

  await expect(app.engine.findReferences({ ...asked, symbol: 'roundMoney' })).rejects.toMatchObject({
    code: 'too_busy',
    message: 'Not found so far: 2 files that may hold it are not parsed yet.',
  });
  await expect(app.engine.findReferences({ ...asked, symbol: 'src/money.ts:1' })).rejects.toMatchObject({
    code: 'too_busy',
    message: 'Not found so far: a file that may hold it is not parsed yet.',
  });
  await expect(app.engine.fileImpact({ ...asked, files: ['src/none.ts'] })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('R131 a name that stands in no file is refused at once, with near names from files that wait', async () => {
  const { app, project } = await indexed();

  await expect(
    app.engine.findReferences({ root: project.path, mayWrite: true, symbol: 'roundd' }),
  ).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no symbol `roundd` in the index.',
    hint: expect.stringContaining('`round`'),
  });
  expect(await app.indexing.waitingPaths(project.path)).toHaveLength(Object.keys(FILES).length - 1);
});

test('R134 a client that asks at once, and a command in a project without an index, get the whole answer', async () => {
  const project = tempFolder(FILES);
  const { url } = await serve([], { home: emptyHome() });
  const client = await openClient({ kind: 'HTTP, version 2, modern', url });

  await client.call('index_codebase', { project: project.path });
  const { text, isError } = await client.call('find_references', { symbol: 'round', project: project.path });
  const typed = await run(['references', 'round'], { home: emptyHome(), cwd: project.path });

  expect(isError).toBe(false);
  expect(text).toContain('2 pay: export const pay = () => roundMoney(2);');
  expect(text).not.toContain('not seen');
  expect(typed.stdout).toContain('2 pay: export const pay = () => roundMoney(2);');
  expect(typed.stdout).not.toContain('not seen');
});
