import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createExactParser } from '../../src/parsing/index.ts';
import { parserFlags } from '../../src/parsing/parser-flags.ts';
import { PARSER_LIMITS } from '../../src/parsing/parser-limits.ts';
import { compiledFileOf, loadCompiled, readProgram } from '../../src/platform/compiled-program.ts';
import { startChild } from '../../src/platform/index.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { playTerminal } from '../support/terminal.ts';
import { emptyHome, run } from '../support/waymark.ts';

const PROGRAM = `exports.twice = (n) => 2 * n; exports.place = __filename; exports.sep = require('node:path').sep;`;

describe('a program that was compiled when it was built', () => {
  function makeProgram(): { folder: TempFolder; absProgram: string; compile: () => Buffer } {
    const folder = tempFolder({ 'program.cjs': PROGRAM });
    const absProgram = folder.join('program.cjs');
    // Under another name: a script that this process has compiled already would be taken from memory.
    const compile = (): Buffer =>
      new Script(readProgram(absProgram), { filename: 'compiled.cjs' }).createCachedData();
    return { folder, absProgram, compile };
  }

  interface Exports {
    twice(n: number): number;
    readonly place: string;
    readonly sep: string;
  }

  test('runs as Node would run the file', () => {
    const { absProgram, compile } = makeProgram();
    writeFileSync(compiledFileOf(absProgram), compile());
    const program = loadCompiled<Exports>(absProgram);
    expect(program?.twice(21)).toBe(42);
    expect(program?.place).toBe(absProgram);
    expect(program?.sep).toBe('/');
  });

  test('is left alone where nothing was compiled for this Node', () => {
    expect(loadCompiled(makeProgram().absProgram)).toBeUndefined();
  });

  test.each([
    ['nothing in it', () => Buffer.alloc(0)],
    ['something else in it', () => Buffer.from('not what V8 has written'.repeat(20))],
    ['half of it', (whole: Buffer) => whole.subarray(0, whole.length >> 1)],
  ])('is left alone where the file has %s', (_, damage) => {
    const { absProgram, compile } = makeProgram();
    writeFileSync(compiledFileOf(absProgram), damage(compile()));
    expect(loadCompiled(absProgram)).toBeUndefined();
  });

  test('is left alone where the source is another one', () => {
    const { absProgram, compile } = makeProgram();
    writeFileSync(compiledFileOf(absProgram), compile());
    writeFileSync(absProgram, `${PROGRAM} exports.more = 1;`);
    expect(loadCompiled(absProgram)).toBeUndefined();
  });
});

describe('the bin', () => {
  async function scriptsOf(
    env: Record<string, string>,
    args: readonly string[] = ['--help'],
  ): Promise<{ stdout: string; scripts: string }> {
    const home = emptyHome();
    const { code, stdout } = await run([...args], {
      home,
      env: { ...env, NODE_V8_COVERAGE: home.folder.join('coverage') },
    });
    expect(code).toBe(0);
    const [name = ''] = readdirSync(home.folder.join('coverage'));
    return { stdout, scripts: readFileSync(home.folder.join('coverage', name), 'utf8') };
  }

  test('starts what the build has compiled, and says the same without it', async () => {
    const compiled = await scriptsOf({});
    // V8 takes compiled code only where its flags are the same.
    const plain = await scriptsOf({ NODE_OPTIONS: '--interpreted-frames-native-stack' });
    expect(compiled.scripts).toMatch(/\/dist\/program-[0-9a-f]{16}\.cjs"/);
    expect(plain.scripts).toContain('/dist/program.js"');
    expect(plain.scripts).not.toMatch(/program-[0-9a-f]+\.cjs"/);
    expect(plain.stdout).toBe(compiled.stdout);
    expect(plain.stdout).toContain('Usage: waymark');
  });

  test('a search in an index that is fresh loads no schema library, with or without compiled code', async () => {
    const project = tempFolder({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'a.ts': 'export const parseUrl = 1;\n',
    });
    const args = ['search', 'parseUrl', '--project', project.path];
    const chunks = fileURLToPath(new URL('../../dist/chunks/', import.meta.url));
    const schemas = readdirSync(chunks).filter((name) =>
      readFileSync(`${chunks}${name}`, 'utf8').includes('ZodRealError'),
    );
    const plain = await scriptsOf({ NODE_OPTIONS: '--interpreted-frames-native-stack' }, args);
    expect(plain.stdout).toContain('a.ts:1');
    expect(schemas.length).toBeGreaterThan(0);
    for (const name of schemas) expect(plain.scripts).not.toContain(`/dist/chunks/${name}"`);
    expect((await scriptsOf({}, args)).stdout).toBe(plain.stdout);
  });
});

describe('a parser child', () => {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

  /** The first thing it says; undefined if it ends before. */
  function firstWords(absModulePath: string, nodeFlags: readonly string[]): Promise<unknown> {
    return new Promise((resolve) => {
      const child = startChild({
        absModulePath,
        args: [`${dist}grammars`],
        nodeFlags,
        priority: 'usual',
        onMessage: resolve,
        onEnd: () => resolve(undefined),
      });
      onTestFinished(() => child.kill());
    });
  }

  /** These files of dist, somewhere else. */
  function installed(names: RegExp): TempFolder {
    const folder = tempFolder({ 'package.json': '{"type":"module"}' });
    for (const name of readdirSync(dist).filter((one) => names.test(one)))
      copyFileSync(`${dist}${name}`, folder.join(name));
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), folder.join('node_modules'));
    return folder;
  }

  test('starts what the build has compiled, and the same from its source under other flags', async () => {
    const flags = parserFlags(PARSER_LIMITS);
    // Sizes of the heap no longer count from Node 24 on.
    const otherFlags = [...flags, '--interpreted-frames-native-stack'];
    // Without its source beside it.
    const folder = installed(/^parser-(?:child\.js|[0-9a-f]{16}\.cjs)/);

    expect(await firstWords(folder.join('parser-child.js'), flags)).toEqual({ kind: 'ready' });
    expect(await firstWords(folder.join('parser-child.js'), otherFlags)).toBeUndefined();
    expect(await firstWords(`${dist}parser-child.js`, otherFlags)).toEqual({ kind: 'ready' });
  });

  test('is started from its source where what was compiled is damaged so that V8 ends over it', async () => {
    const folder = installed(/^parser-/);
    const [compiled = ''] = readdirSync(folder.path).filter((name) => /\.cjs\.v8-/.test(name));
    const bytes = readFileSync(folder.join(compiled));
    for (let at = 5_000; at < bytes.length; at += 1_000) bytes.fill(0xa5, at, at + 64);
    writeFileSync(folder.join(compiled), bytes);
    const parser = createExactParser({ absChildModule: folder.join('parser-child.js') });
    onTestFinished(() => parser.close());

    const outcomes = [];
    const request = { path: 'a.ts', language: 'typescript', text: 'export function tally() {}\n' };
    for await (const outcome of parser.parse([request], new AbortController().signal)) outcomes.push(outcome);

    expect(outcomes).toMatchObject([{ path: 'a.ts', kind: 'parsed', definitions: [{ name: 'tally' }] }]);
  });
});

test('the warm-up that the build compiles by prints nothing on the terminal of the build', async () => {
  const repository = fileURLToPath(new URL('../../', import.meta.url));
  const home = emptyHome();
  const copy = tempFolder({ 'dist/.keep': '' });
  for (const name of ['assets', 'node_modules', 'package.json'])
    symlinkSync(`${repository}${name}`, copy.join(name));
  for (const name of readdirSync(`${repository}dist`).filter((each) => !each.startsWith('program-')))
    symlinkSync(`${repository}dist/${name}`, copy.join('dist', name));
  const [twin = ''] = readdirSync(`${repository}dist`).filter((name) => /^program-\w+\.cjs$/.test(name));
  copyFileSync(`${repository}dist/${twin}`, copy.join('dist', twin));
  const compile = `import(${JSON.stringify(`${repository}scripts/compile-program.mjs`)}).then(({ compileProgram }) => compileProgram(${JSON.stringify(copy.join('dist', twin))}))`;

  const built = await playTerminal([process.execPath, '-e', compile], {
    cwd: copy.path,
    env: home.env,
    typed: [],
  });

  expect(built).toEqual({ code: 0, screen: '' });
  expect(readdirSync(copy.join('dist')).some((name) => name.startsWith(`${twin}.v8-`))).toBe(true);
});
