/** A file that breaks the parser is reported, and it is the only one. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createExactParser, reportGrammars, type ParseRequest } from '../../src/languages/index.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { parseAll } from './parse-all.ts';

let child: BundledEntry;
beforeAll(async () => {
  child = await bundleEntry('test/parsing/faulty-child.ts');
});
afterAll(() => child.remove());

/** Time enough for a busy machine: only a file that hangs waits for the end of it. */
const LIMITS = { timeoutMs: 120_000, heapMb: 64, filesPerChild: 60 };
const noSignal = (): AbortSignal => new AbortController().signal;

function file(at: number, fault?: string): ParseRequest {
  const head = fault === undefined ? '' : `# fault: ${fault}\n`;
  return { path: `pkg/m${at}.py`, language: 'python', text: `${head}def f${at}(x):\n    return g(x)\n` };
}

test('crashes, hangs and memory blow-ups in three of 150 files are reported, exactly those', async () => {
  const faults = new Map([
    [37, 'crash'],
    [82, 'hang'],
    [125, 'memory'],
  ]);
  const files = Array.from({ length: 150 }, (_, at) => file(at, faults.get(at)));
  const limits = { ...LIMITS, timeoutMs: 10_000 };
  const outcomes = await parseAll({ absChildModule: child.absPath, limits }, files);
  expect(outcomes.size).toBe(150);
  const failed = [...outcomes.values()].filter((outcome) => outcome.kind === 'failed');
  expect(failed.sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'pkg/m125.py', kind: 'failed', reason: 'parser_failed', detail: 'out of memory' },
    { path: 'pkg/m37.py', kind: 'failed', reason: 'parser_failed', detail: 'crashed' },
    { path: 'pkg/m82.py', kind: 'failed', reason: 'parser_failed', detail: 'timed out' },
  ]);
  const parsed = [...outcomes.values()].filter((outcome) => outcome.kind === 'parsed');
  const named = parsed.map(({ definitions }) => definitions.map(({ name }) => `pkg/m${name.slice(1)}.py`));
  expect(named).toEqual(parsed.map(({ path }) => [path]));
});

test('a trap in a grammar and an answer that is none cost their own file', async () => {
  const files = [file(0), file(1, 'trap'), file(2), file(3, 'lie'), file(4)];
  const outcomes = await parseAll(
    { absChildModule: child.absPath, limits: { ...LIMITS, children: 1 } },
    files,
  );
  expect(
    [...outcomes.values()].map((outcome) => (outcome.kind === 'failed' ? outcome.detail : outcome.kind)),
  ).toEqual(['parsed', 'crashed', 'parsed', 'answer refused', 'parsed']);
});

test.runIf(process.platform === 'linux')(
  'a file whose child was halted for longer than its time is read all the same',
  async () => {
    const pids = tempFolder();
    const absPidFile = `${pids.path}/pid`;
    const limits = { ...LIMITS, children: 1, timeoutMs: 2_000 };
    const parsing = parseAll({ absChildModule: child.absPath, limits }, [file(0, `halt ${absPidFile}`)]);
    const pid = await vi.waitFor(() => Number(readFileSync(absPidFile, 'utf8') || Number.NaN), 20_000);
    await wait(3_000);
    process.kill(pid, 'SIGCONT');
    expect([...(await parsing).values()]).toMatchObject([{ path: 'pkg/m0.py', kind: 'parsed' }]);
  },
);

test('files that are with a child when it ends over another are read all the same, neighbours in guilt included', async () => {
  const faults = ['crash', undefined, 'crash', 'crash', undefined, 'trap', 'memory', undefined];
  const files = faults.map((fault, at) => file(at, fault));
  const limits = { ...LIMITS, children: 1, ahead: 4 };
  const outcomes = await parseAll({ absChildModule: child.absPath, limits }, files);
  const failed = [...outcomes.values()].filter((outcome) => outcome.kind === 'failed');
  expect(failed.map(({ path, detail }) => `${path} ${detail}`).sort()).toEqual([
    'pkg/m0.py crashed',
    'pkg/m2.py crashed',
    'pkg/m3.py crashed',
    'pkg/m5.py crashed',
    'pkg/m6.py out of memory',
  ]);
});

test('a child that has grown is replaced, and nothing is lost', async () => {
  const pids = tempFolder();
  const files = Array.from({ length: 12 }, (_, at) => file(at, `none ${pids.path}/${at}`));
  const limits = { ...LIMITS, children: 1, replacedAtMb: 1, replacedAfterChars: 200 };
  const outcomes = await parseAll({ absChildModule: child.absPath, limits }, files);
  expect([...outcomes.values()].filter((outcome) => outcome.kind === 'parsed')).toHaveLength(12);
  const readers = new Set(files.map((_, at) => readFileSync(`${pids.path}/${at}`, 'utf8')));
  expect(readers.size).toBeGreaterThan(1);
  expect(readers.size).toBeLessThan(12);
});

test('while a caller waits and there is little to parse, a child that has grown stays', async () => {
  const pids = tempFolder();
  const files = Array.from({ length: 12 }, (_, at) => file(at, `none ${pids.path}/${at}`));
  const limits = { ...LIMITS, children: 1, replacedAtMb: 1, replacedAfterChars: 200 };
  const readersOf = async (priority: 'low' | 'usual'): Promise<number> => {
    const parser = createExactParser({ absChildModule: child.absPath, limits, priority });
    for await (const outcome of parser.parse(files, new AbortController().signal, 10_000))
      expect(outcome.kind).toBe('parsed');
    parser.close();
    return new Set(files.map((_, at) => readFileSync(`${pids.path}/${at}`, 'utf8'))).size;
  };
  expect(await readersOf('usual')).toBe(1);
  expect(await readersOf('low')).toBeGreaterThan(1);
});

test('children that do not start are asked three times, not once per file, and no file is blamed', async () => {
  const starts = tempFolder();
  const absChildModule = starts.join('child.mjs');
  writeFileSync(
    absChildModule,
    `import { writeFileSync } from 'node:fs'; writeFileSync(\`${starts.path}/\${process.pid}\`, ''); process.exit(1);`,
  );
  const files = Array.from({ length: 50 }, (_, at) => file(at));
  const outcomes = await parseAll({ absChildModule, limits: { children: 1 } }, files);
  const details = [...outcomes.values()].map((outcome) =>
    outcome.kind === 'failed' ? outcome.detail : outcome.kind,
  );
  expect(details).toHaveLength(50);
  expect(new Set(details)).toEqual(new Set(['parser does not start']));
  expect(readdirSync(starts.path).filter((name) => name !== 'child.mjs')).toHaveLength(3);
});

test('a child that ends before it has started costs no file', async () => {
  const first = tempFolder().join('first');
  const absChildModule = tempFolder().join('child.mjs');
  const program = `
    import { existsSync, writeFileSync } from 'node:fs';
    if (!existsSync(${JSON.stringify(first)})) { writeFileSync(${JSON.stringify(first)}, ''); process.exit(1); }
    await import(${JSON.stringify(child.absPath)});`;
  writeFileSync(absChildModule, program);
  const outcomes = await parseAll({ absChildModule, limits: { ...LIMITS, children: 1 } }, [file(0), file(1)]);
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(['parsed', 'parsed']);
});

test('a missing grammar is said, for each file and for the doctor', async () => {
  const empty = tempFolder().path;
  const outcomes = await parseAll({ absChildModule: child.absPath, absGrammarFolder: empty }, [
    file(0),
    file(1),
  ]);
  for (const outcome of outcomes.values())
    expect(outcome).toMatchObject({ reason: 'parser_failed', detail: 'grammar missing' });
  expect(new Set(reportGrammars(empty).map(({ state }) => state))).toEqual(new Set(['missing']));
  expect(new Set(reportGrammars().map(({ state }) => state))).toEqual(new Set(['ok']));
});

test('an abort ends the run at once, even while a file hangs', async () => {
  const parser = createExactParser({
    absChildModule: child.absPath,
    limits: { ...LIMITS, timeoutMs: 600_000 },
  });
  const stop = new AbortController();
  const run = async (): Promise<number> => {
    let seen = 0;
    for await (const outcome of parser.parse([file(0), file(1, 'hang'), file(2)], stop.signal)) {
      seen++;
      if (outcome.kind === 'parsed' && seen === 2) stop.abort(new Error('enough'));
    }
    return seen;
  };
  await expect(run()).rejects.toThrow('enough');
  parser.close();
});

test('a consumer that leaves early leaves no child at work', async () => {
  const parser = createExactParser({ absChildModule: child.absPath, limits: LIMITS });
  let asked = 0;
  function* files(): Generator<ParseRequest> {
    for (; asked < 10_000; asked++) yield file(asked);
  }
  for await (const outcome of parser.parse(files(), noSignal())) {
    expect(outcome.kind).toBe('parsed');
    break;
  }
  // Files are taken as fast as outcomes are: far fewer than there are.
  expect(asked).toBeLessThan(200);
  parser.close();
});

test('a child that hangs ends when its parent is killed', async () => {
  const folder = tempFolder();
  const absPidFile = folder.join('pid');
  const program = await bundleEntry('test/parsing/parse-program.ts');
  const parent = spawn(process.execPath, [program.absPath, child.absPath, `# fault: hang ${absPidFile}\n`]);
  try {
    await vi.waitFor(
      () => expect(existsSync(absPidFile) && readFileSync(absPidFile, 'utf8')).toMatch(/^\d+$/),
      {
        timeout: 30_000,
      },
    );
    const pid = Number(readFileSync(absPidFile, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000, interval: 100 });
  } finally {
    parent.kill('SIGKILL');
    program.remove();
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended but was not collected yet is as good as gone.
    return !/^State:\s+Z/m.test(existsSync('/proc/self') ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch {
    return false;
  }
}
