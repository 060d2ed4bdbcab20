/**
 * What a new user ran into in the first ten minutes with the terminal, point by point as it was written down, each as it is now.
 * Points that need a real pipe, a real terminal or a client stand where those are: 1 in piped-output.test.ts, 3 in
 * ../http/serve-project.test.ts, 6 in start.test.ts, 16 (`mcp` and `probe`) in screens.test.ts, 18 (setup) in
 * ../clients/setup-choice.test.ts and ../clients/uninstall.test.ts.
 */
import { beforeAll, expect, test } from 'vitest';
import { pipe, see, shopMachine, type Machine } from '../support/screen.ts';
import { collectEnds } from '../support/temp-folder.ts';

const PLAIN = { NO_COLOR: '1' };
const QUESTION = ['how', 'are', 'sessions', 'expired'];
let machine: Machine;
const look = (args: readonly string[], size?: readonly [number, number], cwd?: string) =>
  see(machine, args, { size, env: PLAIN, ...(cwd === undefined ? {} : { cwd }) });

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  machine = shopMachine(onEnd);
  await pipe(machine, ['index', '--exact']);
  return end;
});

test('5: an edit that opens no editor changes nothing, and a language in a search leaves the index as it is', async () => {
  const { stdout } = await pipe(machine, ['remember', 'Prices are in cents.', '--json']);
  const { id } = JSON.parse(stdout).entry;
  const before = JSON.parse((await pipe(machine, ['stats', '--json'])).stdout).files;

  const edited = await pipe(machine, ['memory', 'edit', id]);
  const shown = await pipe(machine, ['memory', 'show', id, '--json']);
  const found = await pipe(machine, ['search', 'session', '--lang', 'md', '--json']);
  const after = JSON.parse((await pipe(machine, ['stats', '--json'])).stdout).files;

  expect(edited.code).not.toBe(0);
  expect(JSON.parse(shown.stdout).version).toBe(1);
  expect(JSON.parse(found.stdout).hits.map(({ path }: { path: string }) => path)).toEqual(['README.md']);
  expect(after).toBe(before);
});

test('13: alone it is a home screen, and a question needs no command', async () => {
  const home = await look([]);
  const found = await look(QUESTION);

  expect(home.screen).toMatch(
    /project +shop in ~\/shop[^]*branch main[^]*fresh[^]*memory[^]*agents[^]*Try\n/,
  );
  expect(found).toMatchObject({ code: 0, screen: expect.stringContaining('src/session/session-store.ts') });
});

test('14: the best hits fit the window, begin at what they define, and have paths from where one is', async () => {
  const { screen } = await look(QUESTION, [80, 24], 'shop/src/session');
  const all = await look(['search', ...QUESTION, '--all', '--no-pager']);

  const lines = screen.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines[0]).toMatch(/^session-store\.ts:\d+ /);
  expect(lines[1]).not.toMatch(/│ +\*/);
  expect(all.screen.length).toBeGreaterThan(screen.length);
});

test('15: status is for people, and help lists the six options that matter', async () => {
  const status = await look(['status']);
  const verbose = await look(['status', '--verbose']);
  const help = await look(['search', '--help']);
  const all = await look(['search', '--help-all']);

  expect(status.screen).toMatch(/project[^]*git[^]*index[^]*memory[^]*agents/);
  expect(status.screen.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(verbose.screen).toMatch(/argument|env/);
  const options = (text: string): number => text.match(/^ +(?:-\w, )?--[a-z]/gm)?.length ?? 0;
  expect(options(help.screen)).toBeLessThanOrEqual(7);
  expect(options(all.screen)).toBeGreaterThan(15);
});

test('16: memory is saved here, tables break no word, times are those of this machine, and there are colours', async () => {
  const long = 'A fact that is longer than what is left of eighty columns beside id and time.';
  const saved = await look(['remember', long]);
  const table = await look(['memory', 'list']);
  const piped = await pipe(machine, ['memory', 'list']);
  const { colored } = await see(machine, ['status']);

  expect(saved.code).toBe(0);
  const row = table.screen.split('\n').find((line) => line.includes('A fact')) ?? '';
  expect(row).toMatch(/^fact-\w+ +\d{4}-\d\d-\d\d \d\d:\d\d +fact +A fact .*…$/);
  expect(row.length).toBeLessThanOrEqual(80);
  expect(piped.stdout).toContain(long);
  expect(colored).toContain('\u001b[');
});

test.each([
  [['help'], /COMMAND \[options\]/],
  [['-v'], /^\d+\.\d+\.\d+\n/],
  [['help', 'search'], /Usage: waymark search/],
  [['help', 'nope'], /There is no command `nope`/],
  [['memory', 'save'], /waymark remember "/],
  [['help', 'serch'], /Did you mean `waymark search --help`\?/],
  [['--versoin'], /Did you mean `waymark --version`\?/],
  [['search', 'x', '--limt', '3'], /Did you mean `--limit`\?/],
  [['search', ...QUESTION], /src\/session\/session-store\.ts/],
  [['recall', 'prices', 'in', 'cents'], /Prices are in cents/],
  [['help', 'serve'], /serve \[options\] \[path\]/],
  [['src/cart/cart.ts'], /class Cart/],
  [['memory'], /Try `waymark memory list`/],
])('17: `waymark %s` is understood', async (args, says) => {
  expect((await look(args)).screen).toMatch(says);
});

test('17: a path is a question for what it defines, and outline fits the window', async () => {
  const brief = await look(['outline'], [80, 14]);
  const all = await look(['outline', '--all', '--no-pager'], [80, 14]);
  const searched = await look(['search', 'src/cart/cart.ts']);
  const below = await look(['outline', 'price.ts'], [80, 24], 'shop/src/cart');

  expect(brief.screen.trimEnd().split('\n').length).toBeLessThanOrEqual(14);
  expect(brief.screen).toMatch(/\d+ more lines; --all shows all/);
  expect(all.screen).not.toContain('more lines');
  expect(searched.screen).toContain(
    'That is a path: `waymark outline src/cart/cart.ts` shows what it defines.',
  );
  // As it is typed there.
  expect(below.screen).toContain('price.ts  used by 1 file\n');
  expect(below.screen).toContain('function priceOf');
});

test('18: one file is one file, sizes are in units people use, and what is left out says how to see it', async () => {
  machine.folder.write({
    'home/single/.git/HEAD': 'ref: refs/heads/main\n',
    'home/single/one.ts': 'export const one = 1;\n',
  });
  const indexed = await look(['index'], undefined, 'single');
  const home = await look([], undefined, 'single');
  const projects = await look(['projects']);

  expect(`${indexed.screen}${home.screen}`).toMatch(/1 file\b/);
  expect(`${indexed.screen}${home.screen}${projects.screen}`).not.toMatch(/\b1 files|\d{4,} KB|index: there/);
  expect(projects.screen).toMatch(/\d+ (?:KB|MB)/);
});
