import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder, type TempFolder } from '../../../test/support/temp-folder.ts';
import { systemClock } from '../../platform/index.ts';
import { readSource, type ReadSource } from './read-source.ts';

/** With and without a system that names open files. */
const SYSTEMS = [
  ['by the open file', {}],
  ['by the path', { openFiles: '/nonexistent' }],
] as const;

function read(
  folder: TempFolder,
  path: string,
  more: { openFiles?: string; maxBytes?: number } = {},
): ReadSource {
  return readSource({
    realRoot: folder.join('root'),
    absPath: folder.join('root', path),
    maxBytes: 1_000_000,
    clock: systemClock,
    ...more,
  });
}

const textOf = (result: ReadSource): string | undefined =>
  result.kind === 'read' ? Buffer.from(result.bytes).toString('utf8') : undefined;
const reasonOf = (result: ReadSource): string | undefined =>
  result.kind === 'skipped' ? result.reason : undefined;

/** Runs a loop beside the test until the test is over; its body is plain JavaScript with `fs` and `at(path)`. */
async function meanwhile(folder: TempFolder, body: string): Promise<void> {
  const program = `const fs = require('node:fs'); const { parentPort, workerData } = require('node:worker_threads');
    const at = (path) => workerData + '/' + path; const end = Date.now() + 10000; parentPort.postMessage('running');
    for (let round = 0; Date.now() < end; round++) { try { ${body} } catch {} }`;
  const worker = new Worker(program, { eval: true, workerData: folder.path });
  onTestFinished(async () => void (await worker.terminate()));
  await new Promise((resolve) => worker.once('message', resolve));
}

test.each(SYSTEMS)('reads a file of the project with its size and time (%s)', (_how, system) => {
  const folder = tempFolder({ 'root/a/b.txt': 'hello\n', 'root/empty': '' });
  utimesSync(folder.join('root/a/b.txt'), 1_700_000_000, 1_700_000_000);
  const soon = Date.now() / 1000 + 60;
  utimesSync(folder.join('root/empty'), soon, soon);

  const result = read(folder, 'a/b.txt', system);

  expect(textOf(result)).toBe('hello\n');
  expect(result).toMatchObject({
    stat: { sizeBytes: 6, mtimeNs: 1_700_000_000_000_000_000n, mayStillChange: false },
  });
  expect(read(folder, 'empty', system)).toMatchObject({ stat: { sizeBytes: 0, mayStillChange: true } });
});

test.each(SYSTEMS)('gives nothing of what is no regular file of the project (%s)', async (_how, system) => {
  const folder = tempFolder({ 'root/real': 'x', 'outside/secret': 'outside' });
  symlinkSync('real', folder.join('root/link'));
  symlinkSync('loop', folder.join('root/loop'));
  symlinkSync('../outside/secret', folder.join('root/escape'));
  symlinkSync('../outside', folder.join('root/away'));
  mkdirSync(folder.join('root/folder'));
  execFileSync('mkfifo', [folder.join('root/pipe')]);
  const server = createServer().listen(folder.join('root/socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());

  expect(
    Object.fromEntries(
      ['link', 'loop', 'escape', 'away/secret', 'folder', 'pipe', 'socket', 'none', 'real/below'].map(
        (path) => [path, reasonOf(read(folder, path, system))],
      ),
    ),
  ).toEqual({
    link: 'symlink',
    loop: 'symlink',
    escape: 'symlink',
    'away/secret': 'symlink',
    folder: 'not_regular',
    pipe: 'not_regular',
    socket: 'not_regular',
    none: 'changed_while_read',
    'real/below': 'changed_while_read',
  });
});

test('gives nothing of a device behind a folder that is a link', () => {
  const folder = tempFolder({ 'root/a': '' });
  symlinkSync('/dev', folder.join('root/dev'));

  expect(reasonOf(read(folder, 'dev/zero'))).toBe('not_regular');
});

test('skips a file over the limit unread, and says its size', () => {
  const folder = tempFolder({ 'root/a': '12345' });
  writeFileSync(folder.join('root/huge'), '');
  truncateSync(folder.join('root/huge'), 1024 ** 4);

  expect(textOf(read(folder, 'a', { maxBytes: 5 }))).toBe('12345');
  expect(read(folder, 'a', { maxBytes: 4 })).toEqual({
    kind: 'skipped',
    reason: 'too_large',
    detail: '5 bytes',
  });
  expect(reasonOf(read(folder, 'huge'))).toBe('too_large');
});

test('says why a file cannot be opened', () => {
  const folder = tempFolder({ 'root/a': 'x' });

  expect(read(folder, 'x'.repeat(300))).toEqual({
    kind: 'skipped',
    reason: 'unreadable',
    detail: 'ENAMETOOLONG',
  });
});

test.skipIf(process.platform !== 'linux')('notices a file that holds more than it says', () => {
  const version = { realRoot: '/proc', absPath: '/proc/version', maxBytes: 1_000_000, clock: systemClock };

  expect(reasonOf(readSource(version))).toBe('changed_while_read');
});

test('a root that is a prefix of another folder does not let that folder in', () => {
  const folder = tempFolder({ 'root/a': '', 'root-other/secret': 'outside' });
  symlinkSync('../root-other', folder.join('root/b'));

  expect(reasonOf(read(folder, 'b/secret'))).toBe('symlink');
});

test.each(SYSTEMS)(
  'gives nothing from outside while a folder is swapped for a link (%s)',
  async (_how, system) => {
    const folder = tempFolder({ 'root/a/f': 'inside', 'outside/f': 'outside' });
    symlinkSync('../outside', folder.join('root/l'));
    await meanwhile(
      folder,
      `fs.renameSync(at('root/a'), at('root/kept')); fs.renameSync(at('root/l'), at('root/a'));
     fs.renameSync(at('root/a'), at('root/l')); fs.renameSync(at('root/kept'), at('root/a'));`,
    );

    const seen = new Set<string>();
    const end = performance.now() + 1_000;
    while (performance.now() < end) {
      const result = read(folder, 'a/f', system);
      seen.add(textOf(result) ?? reasonOf(result) ?? '');
    }

    expect([...seen].filter((one) => !['inside', 'symlink', 'changed_while_read'].includes(one))).toEqual([]);
    expect(seen).toContain('inside');
  },
);

test('gives a file that is replaced all the time in one of its versions, never a mixture', async () => {
  const versions = ['a', 'b'].map((letter) => letter.repeat(300_000));
  const folder = tempFolder({ 'root/f': versions[0] ?? '' });
  await meanwhile(
    folder,
    `fs.writeFileSync(at('next'), (round % 2 ? 'a' : 'b').repeat(300000)); fs.renameSync(at('next'), at('root/f'));`,
  );

  for (let round = 0; round < 300; round++) {
    const result = read(folder, 'f');
    const text = textOf(result);
    expect(text === undefined ? reasonOf(result) : versions.indexOf(text)).toSatisfy(
      (one) => one === 'changed_while_read' || one === 0 || one === 1,
    );
  }
});

test('gives no half of a file that is cut and written again while it is read', async () => {
  const folder = tempFolder({ 'root/f': 'x'.repeat(4_000_000) });
  await meanwhile(
    folder,
    `fs.truncateSync(at('root/f'), 1000); fs.appendFileSync(at('root/f'), 'x'.repeat(3999000));`,
  );

  const seen = new Set<string>();
  for (let round = 0; round < 150; round++) {
    const result = read(folder, 'f', { maxBytes: 10_000_000 });
    const whole = result.kind === 'read' && textOf(result) === 'x'.repeat(result.stat.sizeBytes);
    seen.add(whole ? 'whole' : (reasonOf(result) ?? 'torn'));
  }

  expect([...seen].filter((one) => one !== 'whole' && one !== 'changed_while_read')).toEqual([]);
});

test('reads a file that was moved within the project', () => {
  const folder = tempFolder({ 'root/a': 'x' });
  renameSync(folder.join('root/a'), folder.join('root/b'));

  expect(textOf(read(folder, 'b'))).toBe('x');
});
