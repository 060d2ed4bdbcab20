/** waymark search as people and scripts use it. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/index.ts';
import { createApp } from '../../src/app.ts';
import { searchShop } from '../support/search-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome, finished, run } from '../support/waymark.ts';

test('a question or a bug report comes through a pipe, with `-` or without a word', async () => {
  const project = searchShop();
  const home = emptyHome();
  const report =
    'PaymentError: gave up after retry_limit attempts\n\nIt should say how often it was tried.\n';
  const search = (args: readonly string[], input: string) => run(args, { home, cwd: project.path, input });

  const piped = await search(['search', '--limit', '1'], report);
  const dash = await search(['search', '-', '--limit', '1'], report);
  const typed = await search(['search', report, '--limit', '1'], 'not read');
  const empty = await search(['search', '-'], '\n');
  const analyzed = await search(['analyze', '-'], report);

  expect(typed.stdout).toContain('src/payment/retry.py');
  expect([piped.stdout, dash.stdout]).toEqual([typed.stdout, typed.stdout]);
  expect(empty).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('search - < report.txt'),
  });
  expect(analyzed.stdout).toContain('src/payment/retry.py');
});

test('prints like grep: path and line, then numbered lines; 0 found, 1 nothing found, 2 any error', async () => {
  const project = searchShop();
  const home = emptyHome();
  const search = (...args: string[]) => run(['search', ...args], { home, cwd: project.path });

  const found = await search('"gave up after"');
  const nothing = await search('"no such text anywhere"');
  const bare = await search();
  const unknown = await search('lnag:ts x');
  const badNumber = await search('cart', '--limit', 'many');
  const ranges = [
    await search('cart', '--limit', '0'),
    await search('cart', '--limit', '51'),
    await search('cart', '-C', '201'),
    await run(['analyze', 'cart', '--limit', '21'], { home, cwd: project.path }),
  ];
  const badOption = await search('cart', '--colour');
  const minus = await search('-path:test Cart');
  const dashes = await search('-C', '0', '--', '-path:test Cart');
  rmSync(home.folder.join('cache'), { recursive: true, force: true });
  home.folder.write({ cache: 'in the way' });
  const broken = await search('cart');

  expect(found).toMatchObject({ code: 0, stderr: '' });
  expect(found.stdout).toBe(
    [
      'src/payment/retry.py:14-15  charge_with_retry (function)',
      '14\t            time.sleep(2 ** attempt)',
      '15\t    raise PaymentError("gave up after retry_limit attempts")',
      '',
    ].join('\n'),
  );
  expect(nothing).toMatchObject({ code: 1, stdout: '' });
  expect(nothing.stderr).toMatch(/^no match in \d+ files: text in quotes has to be there as it is/m);
  expect(bare).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nothing to look for') });
  expect(unknown.stderr).toContain('`lnag:ts` is read as text: did you mean `lang:`?');
  expect(badNumber).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit takes a number') });
  expect(ranges.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
    ranges.map(() => ({ code: 2, stdout: '' })),
  );
  expect(ranges.map(({ stderr }) => /takes a number from \d+ to \d+/.exec(stderr)?.[0])).toEqual([
    'takes a number from 1 to 50',
    'takes a number from 1 to 50',
    'takes a number from 0 to 200',
    'takes a number from 1 to 20',
  ]);
  expect(badOption).toMatchObject({ code: 2, stdout: '' });
  expect(minus).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('waymark search -- "-path:test …"'),
  });
  expect(dashes.stdout).toMatch(/^src\/cart\/cart\.ts:/);
  expect(dashes.stdout).not.toContain('test/');
  expect(broken).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('error:') });
});

test('says when a file matches at other places, too', async () => {
  const project = searchShop();
  project.write({ 'src/far.ts': `giraffe();\n${'// nothing\n'.repeat(30)}giraffe();\n` });

  const found = await run(['search', '"giraffe"', '-C', '1'], { cwd: project.path });
  const bare = await run(['search', '"giraffe"', '-C', '0'], { cwd: project.path });

  expect(found.stdout).toBe('src/far.ts:1-1  +1 more place: line 32\n1\tgiraffe();\n');
  expect(bare.stdout).toBe('src/far.ts:1\n');
});

test('--json gives everything, also when nothing was found; errors are JSON too', async () => {
  const project = searchShop();
  const home = emptyHome();
  const search = (...args: string[]) => run(['search', ...args, '--json'], { home, cwd: project.path });

  const found = await search('Cart.addItem lang:ts -path:test', '--limit', '1');
  const nothing = await search('"no such text anywhere"');
  const failed = await search('x', '--kind', 'gadget');

  expect(found.code).toBe(0);
  expect(JSON.parse(found.stdout)).toMatchObject({
    hits: [
      {
        path: 'src/cart/cart.ts',
        rank: 1,
        startLine: expect.any(Number),
        lines: expect.arrayContaining(['  addItem(id: string, count = 1): void {']),
        definition: { name: 'addItem', container: 'Cart' },
        reasons: expect.arrayContaining([{ feature: 'definesName', points: expect.any(Number) }]),
      },
    ],
    next: 'after-1',
    index: { state: 'fresh' },
  });
  expect(nothing.code).toBe(1);
  expect(JSON.parse(nothing.stdout)).toMatchObject({ hits: [], matched: 0 });
  expect(failed).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse(failed.stderr)).toMatchObject({
    ok: false,
    error: { code: 'bad_argument', hint: expect.any(String) },
  });
});

test('-C says how many lines, 0 for places alone; --cursor goes on; --open prints links', async () => {
  const project = searchShop();
  const home = emptyHome();
  const search = async (...args: string[]) =>
    (await run(['search', ...args], { home, cwd: project.path })).stdout.trimEnd().split('\n');

  const [, ...two] = await search('expireIdleSessions lang:ts', '--limit', '1', '-C', '2');
  const places = await search('session', '-C', '0', '--limit', '3');
  const next = await search('session', '-C', '0', '--limit', '3', '--cursor', 'after-3');
  const exact = await search('"lastSeen < idleMs"', '-C', '0');
  const [link] = await search('"lastSeen < idleMs"', '-C', '0', '--open');
  const like = await search('--similar-to', 'src/cart/cart.ts:5', '-C', '0', '--limit', '2');

  expect(two).toEqual([
    expect.stringMatching(/^14\t {2}\//),
    expect.stringMatching(/^15\t {2}expire/),
    '… to line 23',
  ]);
  expect(places).toHaveLength(3);
  expect(places.filter((line) => !/^[\w./-]+:\d+( .+)?$/.test(line))).toEqual([]);
  expect(next.filter((line) => places.includes(line))).toEqual([]);
  expect(exact).toEqual(['src/session/session-store.ts:18  SessionStore.expireIdleSessions (method)']);
  expect(link).toMatch(`vscode://file${project.join('src/session/session-store.ts')}:18`);
  expect(like).toHaveLength(2);
});

test('--all prints every match, each with its path and number, as the file has it', async () => {
  const project = searchShop();
  const rows = Array.from({ length: 1_400 }, (_, at) => `\tgiraffe(${at});`);
  project.write({ 'src/far.ts': rows.join('\n'), 'src/few.ts': 'giraffe(1);\n' });
  const home = emptyHome();
  const search = (...args: string[]) => run(['search', ...args], { home, cwd: project.path });

  const text = await search('"giraffe("', '--all');
  const pattern = await search('/giraffe\\(\\d+\\)/', '--all');
  const words = await search('session', '--all', '-C', '0');
  const some = await search('"giraffe("', '--all', '--limit', '1200');

  const lines = text.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1_401);
  expect(lines).toContain('src/far.ts:1400\t\tgiraffe(1399);');
  expect(lines).toContain('src/few.ts:1\tgiraffe(1);');
  expect(pattern.stdout.trimEnd().split('\n').toSorted()).toEqual(lines.toSorted());
  // Words are ranked: all is every file that a ranking gives.
  expect(words.stdout.trimEnd().split('\n').length).toBeGreaterThan(10);
  expect(some.stdout.trimEnd().split('\n')).toHaveLength(1_200);
});

test('what the project is not about is said, with the nearest places and no code', async () => {
  const project = searchShop();

  const far = await run(['search', 'zzzqqq'], { cwd: project.path });

  expect(far).toMatchObject({ code: 1, stdout: '' });
  expect(far.stderr).toMatch(/^Nothing here is about that\. Nearest places:\n(\S+:\d+.*\n){1,3}$/m);
});

test('languages are filtered with --lang; a setting of the index is no option here', async () => {
  const project = searchShop();
  const home = emptyHome();

  const refused = await run(['search', 'cart', '--language', 'py'], { home, cwd: project.path });
  const filtered = await run(['search', 'payment', '--lang', 'py', '-C', '0'], { home, cwd: project.path });

  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(filtered.stdout).toMatch(/^src\/payment\/retry\.py:\d+/);
});

test('a reader that goes away ends it quietly', async () => {
  const project = searchShop();
  const home = emptyHome();
  await run(['index', project.path], { home });
  const child = spawn('/bin/sh', ['-c', `"$0" "$1" search cart | head -1`, process.execPath, BIN], {
    env: home.env,
    cwd: project.path,
  });

  const { code, stdout, stderr } = await finished(child);

  expect({ code, lines: stdout.trimEnd().split('\n').length, stderr }).toEqual({
    code: 0,
    lines: 1,
    stderr: '',
  });
});

test('colours on a terminal, with what was looked for; none in a pipe beside one', async () => {
  const project = searchShop();
  const home = emptyHome();
  const search = async (isOut: boolean, isErr: boolean): Promise<string> => {
    let out = '';
    const code = await runCli({
      argv: ['search', 'addItem lang:ts -path:test', '--limit', '1', '--project', project.path],
      env: home.env,
      streams: {
        out: { write: (text: string) => (out += text), isTTY: isOut },
        err: { write: () => true, isTTY: isErr },
      },
      version: '0.0.0',
      stop: new AbortController().signal,
      openServices: async ({ config }) => createApp({ config, environment: () => home.env }),
    });
    expect(code).toBe(0);
    return out;
  };

  const [terminal, pipe] = [await search(true, true), await search(false, true)];

  expect(terminal).toContain('\u001b[1;33maddItem\u001b[0m(id: string');
  expect(pipe).not.toContain('\u001b');
  expect(pipe).toContain('addItem(id: string');
});

test('in a large project that is not indexed yet it waits for the index, and finds', async () => {
  const files = Array.from({ length: 3_100 }, (_, at) => [
    `src/f${at}.ts`,
    `export const value${at} = ${at};\n`,
  ]);
  const project = tempFolder({ 'package.json': '{}', ...Object.fromEntries(files) });
  const home = emptyHome();

  const found = await run(['search', 'value3099', '-C', '0'], { home, cwd: project.path });

  expect(found).toMatchObject({ code: 0, stdout: expect.stringMatching(/^src\/f3099\.ts:1/) });
  expect(found.stderr).not.toContain('updating');
});
