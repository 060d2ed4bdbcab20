/** R183: what a command prints arrives in full, however its reader reads, or ends in silence when the reader goes. */
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBy, readByFile, readSlowly, type Reading } from '../support/readers.ts';
import { collectEnds, tempFolder, type OnEnd } from '../support/temp-folder.ts';
import { emptyHome, run, start, type RunResult } from '../support/waymark.ts';

/** What a pipe of Linux holds when it is not read. */
const PIPE_BYTES = 65_536;
const LONG = 'carts-and-orders-'.repeat(9);

const numbered = <Value>(count: number, make: (at: number) => readonly [string, Value]) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => make(at)));

/** Files that are left out, code to find, and a lot of skills. */
function largeProject(onEnd: OnEnd) {
  const lines = (at: number) =>
    Array.from({ length: 40 }, () => `  add('cart', '${LONG}', ${at});\n`).join('');
  return tempFolder(
    {
      'package.json': '{}',
      ...numbered(400, (at) => [`assets/${LONG}${at}.png`, '\u0000']),
      ...numbered(50, (at) => [`src/cart${at}.ts`, `export function cart${at}() {\n${lines(at)}}\n`]),
      ...numbered(20, (at) => [
        `skills/${at}/SKILL.md`,
        `---\nname: ${LONG}${at}\ndescription: ${LONG.repeat(12)}\n---\n${LONG}\n`,
      ]),
      ...numbered(450, (at) => [`skills/${LONG}${at}.md`, 'no entry']),
    },
    onEnd,
  );
}

let reading: Reading;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  const home = emptyHome(onEnd);
  const project = largeProject(onEnd);
  reading = { home, cwd: project.path };
  const exclude = Array.from({ length: 500 }, (_, at) => `${LONG}${at}/**`);
  home.folder.write({ 'config/waymark/config.json': JSON.stringify({ exclude }) });
  for (const args of [['index'], ['memory', 'import', 'skills']]) await run(args, { ...reading, onEnd });
  return end;
});

/** All commands print through one output: these stand for lists, for hits, for a command that has written, and for one without services. */
const LONG_COMMANDS: readonly (readonly string[])[] = [
  ['files'],
  ['search', 'cart', '--limit', '50', '--context', '200'],
  ['memory', 'import', 'skills'],
  ['config', 'show'],
];

/** Scores go by the age of an entry, and a search says how long it took. */
function withoutScores(read: RunResult): RunResult {
  return { ...read, stdout: read.stdout.replaceAll(/\b\d+\.\d+\b/g, 'N') };
}

const named = (commands: readonly (readonly string[])[]) =>
  commands.map((args) => ({ args, name: args.join(' ') }));

describe.each(named(LONG_COMMANDS))('R183 `waymark $name`', ({ args }) => {
  test('arrives in full at a slow reader, and ends quietly behind head', async () => {
    const whole = await readByFile(args, reading);

    const slow = await readSlowly(args, reading);
    const head = await readBy('| head -1', args, reading);

    expect(whole.code).toBe(0);
    expect(Buffer.byteLength(whole.stdout)).toBeGreaterThan(PIPE_BYTES);
    expect(withoutScores(slow)).toEqual(withoutScores(whole));
    expect(head).toEqual({ ...whole, stdout: `${whole.stdout.split('\n')[0]}\n` });
  });
});

// JSON tells by itself whether it is whole.
describe.each(
  named(LONG_COMMANDS.filter(([, last]) => last !== 'import').map((args) => [...args, '--json'])),
)('R183 `waymark $name`', ({ args }) => {
  test('arrives in full at a slow reader', async () => {
    const slow = await readSlowly(args, reading);

    expect(slow).toMatchObject({ code: 0, stderr: '' });
    expect(Buffer.byteLength(slow.stdout)).toBeGreaterThan(PIPE_BYTES);
    expect(slow.stdout.endsWith('\n')).toBe(true);
    expect(() => JSON.parse(slow.stdout)).not.toThrow();
  });
});

// A quick reader is the easier case of a slow one: one command stands for all.
test('R183 what is printed arrives in full through a pipe', async () => {
  const whole = await readByFile(['files'], reading);

  expect(await readBy('| cat', ['files'], reading)).toEqual(whole);
});

test('R183 every help, the version and the completion scripts end quietly behind head', async () => {
  const short = [['--help'], ['--version'], ['completion', 'bash'], ['stats']];

  for (const args of short) {
    const head = await readBy('| head -1', args, reading);
    const gone = await readBy('| true', args, reading);

    expect(head).toMatchObject({ code: 0, stdout: expect.stringMatching(/^.+\n$/), stderr: '' });
    expect(gone).toEqual({ ...head, stdout: '' });
  }
});

test('R183 a full disk is reported, with the exit code of a failure', async () => {
  const full = await readBy('> /dev/full', ['files'], reading);

  expect(full).toMatchObject({ code: 1, stdout: '' });
  expect(full.stderr).toContain('Standard output could not be written in full.');
});

test('R183 a signal ends a command whose reader does not read', async () => {
  const child = start(['files', '--json'], reading);
  child.stdin.end();
  // The first bytes are there: the rest waits for a reader that does not come.
  await once(child.stdout, 'readable');

  child.kill('SIGTERM');

  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
