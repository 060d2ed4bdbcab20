/** R054: what lies outside cannot be asked about by names of files, links, rules or times. */
import { spawn } from 'node:child_process';
import fs, {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import {
  createDiskBeneath,
  hashProjectFile,
  listFiles,
  type ListOptions,
  readPlace,
  readUncommitted,
} from '../../src/workspace/index.ts';
import { git } from '../support/git.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NEVER = new AbortController().signal;

async function namesIn(root: string, options: ListOptions = {}): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { files } of listFiles(root, options, NEVER)) names.push(...files.map(({ path }) => path));
  return names;
}

async function dirtyIn(root: string): Promise<Record<string, string>> {
  const { files } = await readUncommitted(readPlace(root, root), {
    clock: systemClock,
    list: () => ({}),
    most: 50,
  });
  return Object.fromEntries(files.map(({ path, state }) => [path, state]));
}

/** Every path that is opened or looked at, from here to the end of the test. */
function watchLooks(): string[] {
  const seen: string[] = [];
  for (const name of ['openSync', 'lstatSync', 'statSync'] as const) {
    const real = fs[name];
    vi.spyOn(fs, name).mockImplementation(((path: string, ...rest: never[]) => {
      seen.push(path);
      return Reflect.apply(real, fs, [path, ...rest]);
      // `as`: one function stands for three that differ in what comes after the path.
    }) as never);
  }
  vi.spyOn(fs.realpathSync, 'native').mockImplementation(((path: string) => {
    seen.push(path);
    return path;
    // `as`: its other forms are not used here.
  }) as never);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return seen;
}

test('R054 a file that a checkpoint names outside of the project is neither opened nor looked at', () => {
  const folder = tempFolder({ 'project/a.ts': 'a', 'outside/secret': 's' });
  symlinkSync(folder.join('outside'), folder.join('project/link'));
  symlinkSync(folder.join('outside/secret'), folder.join('project/file'));
  symlinkSync('../outside', folder.join('project/way'));
  const root = folder.join('project');
  const seen = watchLooks();

  for (const path of [
    '../outside/secret',
    '../outside/none',
    'link/secret',
    'link/none',
    'way/secret',
    'file',
    'a/../../outside/secret',
  ])
    expect([path, hashProjectFile(root, path, systemClock)]).toEqual([path, undefined]);

  expect(hashProjectFile(root, 'a.ts', systemClock)).toMatch(/^[0-9a-f]{24}$/);
  expect(seen.filter((path) => /outside|secret|none/.test(path))).toEqual([]);
});

test('R054 a file of the project that is named behind a link inside of it is still compared', () => {
  const folder = tempFolder({ 'project/src/a.ts': 'a' });
  symlinkSync('src', folder.join('project/link'));
  const root = folder.join('project');

  expect(hashProjectFile(root, 'link/a.ts', systemClock)).toBe(
    hashProjectFile(root, 'src/a.ts', systemClock),
  );
});

test('R054 what git tracks behind a link that leads out counts as deleted, whatever is there', async () => {
  const folder = tempFolder({ 'project/link/here': 'x', 'project/link/none': 'x', 'outside/here': 'x' });
  const root = folder.join('project');
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  const entries = readFileSync(folder.join('project/.git/index'));
  rmSync(folder.join('project/link'), { recursive: true });
  symlinkSync(folder.join('outside'), folder.join('project/link'));
  writeFileSync(folder.join('project/.git/index'), entries);

  expect(await dirtyIn(root)).toEqual({ 'link/here': 'deleted', 'link/none': 'deleted' });
});

test('R054 the time of a file outside does not tell through a link in place of the log of HEAD', async () => {
  const folder = tempFolder({ 'project/a.ts': 'a', 'outside/secret': 's' });
  const root = folder.join('project');
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'one');
  appendFileSync(folder.join('project/a.ts'), 'more');
  git(root, 'add', '-A');
  rmSync(folder.join('project/.git/logs'), { recursive: true });
  mkdirSync(folder.join('project/.git/logs'));
  symlinkSync(folder.join('outside/secret'), folder.join('project/.git/logs/HEAD'));
  const told = [];
  for (const year of [2001, 2101]) {
    const when = new Date(Date.UTC(year, 0));
    utimesSync(folder.join('outside/secret'), when, when);
    told.push(await dirtyIn(root));
  }

  expect(told[0]).toEqual(told[1]);
});

test('R054 ignore rules above the allowed folder are not read, and those inside of it are', async () => {
  const folder = tempFolder({
    'repository/.gitignore': 'asked\n',
    'repository/.git/HEAD': 'ref: refs/heads/main\n',
    'repository/.git/info/exclude': 'excluded\n',
    'repository/part/.gitignore': 'left\n',
    'repository/part/inner/asked': 'x',
    'repository/part/inner/excluded': 'x',
    'repository/part/inner/left': 'x',
  });
  const root = folder.join('repository/part/inner');
  const whole = await namesIn(root);
  const limited = await namesIn(root, { disk: createDiskBeneath([folder.join('repository/part')]) });

  expect(whole).toEqual([]);
  expect(limited).toEqual(['asked', 'excluded', 'left']);
  const wider = createDiskBeneath([folder.join('repository')]);
  expect(await namesIn(root, { disk: wider })).toEqual([]);
});

/** Turns a folder, and one around another, into links that lead out and back again. */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [base] = process.argv.slice(1);
  for (let round = 0; ; round++) {
    for (const name of ['turn', 'deep']) {
      renameSync(base + '/project/' + name, base + '/kept');
      symlinkSync(base + '/outside', base + '/project/' + name);
      unlinkSync(base + '/project/' + name);
      renameSync(base + '/kept', base + '/project/' + name);
    }
    if (round === 0) process.stdout.write('swapping');
  }
`;

test(
  'R054 a folder that is swapped for a link while files are listed names no file outside, in 1,000 tries',
  { timeout: 120_000 },
  async () => {
    const folder = tempFolder({
      'project/turn/inside.ts': 'x',
      'project/deep/inner/inside.ts': 'x',
      'outside/secret.ts': 'x',
      'outside/inner/secret.ts': 'x',
      'outside/.gitignore': 'inside.ts\n',
    });
    const root = folder.join('project');
    git(root, 'init', '-q');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'one');
    git(root, 'add', '-A');
    git(root, 'rm', '-q', '--cached', '-r', '.');
    const swapper = spawn(process.execPath, ['-e', SWAPPER, folder.path]);
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await new Promise((resolve) => swapper.stdout.once('data', resolve));

    const named = new Set<string>();
    for (let tries = 0; tries < 1_000; tries++) {
      for (const name of await namesIn(root)) named.add(name);
      for (const name of Object.keys(await dirtyIn(root))) named.add(name);
    }

    expect([...named].filter((name) => name.includes('secret'))).toEqual([]);
    expect(named.size).toBeGreaterThan(0);
    expect(swapper.exitCode).toBeNull();
  },
);
