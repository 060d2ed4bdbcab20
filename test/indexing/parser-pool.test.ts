/** Parsers are shared and stay for a while, and one user's failure does not affect another. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { bundleEntry } from '../support/bundle-entry.ts';
import { childrenOf } from '../support/child-processes.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { emptyHome, finished } from '../support/waymark.ts';

const noSignal = (): AbortSignal => new AbortController().signal;

function openApp(): App {
  const app = createApp({ config: resolveConfig({ env: emptyHome().env }).config });
  onTestFinished(() => app.close());
  return app;
}

/** The children that this process gets from now on. */
function newChildren(): () => readonly string[] {
  const before = new Set(childrenOf(process.pid));
  return () => childrenOf(process.pid).filter((pid) => !before.has(pid));
}

function small(): TempFolder {
  return tempFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'src/a.ts': 'export class Till { private count() { return 1; } }\n',
    'src/b.py': 'def total(items):\n    return sum(items)\n',
  });
}

test('children that parsed one project are there for the next, and end with the app', async () => {
  const [one, other] = [small(), small()];
  const ours = newChildren();
  const app = openApp();

  const first = await app.indexing.complete(one.path, { signal: noSignal() });
  const children = ours();
  const second = await app.indexing.complete(other.path, { signal: noSignal() });
  const still = ours();
  await app.close();

  expect([first.parsed, second.parsed]).toMatchObject([{ exact: 2 }, { exact: 2 }]);
  expect(children).toHaveLength(1);
  expect(still).toEqual(children);
  await vi.waitFor(() => expect(ours()).toEqual([]), { timeout: 20_000 });
});

/** A file that a child reads for a while. */
function long(name: string): TempFolder {
  const line = (at: number): string =>
    `export function f${at}(a: number) { return [a, { x: a + ${at} }]; }\n`;
  const text = Array.from({ length: 1_500 }, (_, at) => line(at)).join('');
  return tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', [`src/${name}.ts`]: text });
}

test('runs that are stopped while their parser starts are no reason to do without one', async () => {
  const app = openApp();
  const project = long('a');
  const ours = newChildren();

  for (let round = 0; round < 4; round++) {
    const stop = new AbortController();
    const running = app.indexing.complete(project.path, {
      signal: stop.signal,
      onProgress: () => setTimeout(() => stop.abort(), 5),
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(ours()).toEqual([]), { timeout: 20_000 });
  }
  const last = await app.indexing.complete(project.path, { signal: noSignal() });

  expect(last).toMatchObject({ parsed: { exact: 1, failed: 0 }, problem: undefined });
});

test('of two runs that share their parser one is stopped: the other has all of its files parsed', async () => {
  const app = openApp();
  const [one, other] = [long('a'), long('b')];
  const stop = new AbortController();

  const going = app.indexing.complete(one.path, { signal: noSignal() });
  const stopped = app.indexing.complete(other.path, {
    signal: stop.signal,
    onProgress: () => setTimeout(() => stop.abort(), 150),
  });
  await Promise.allSettled([stopped]);

  expect(await going).toMatchObject({ parsed: { exact: 1, failed: 0 } });
  expect(await app.indexing.parseFailures(one.path)).toEqual([]);
});

test('a program that has what it wanted of the library ends, though parsers are still at hand', async () => {
  const project = small();
  const program = await bundleEntry('test/indexing/complete-program.ts');
  onTestFinished(() => program.remove());

  const child = spawn(process.execPath, [program.absPath, project.path], { env: emptyHome().env });
  const ended = finished(child);
  await once(child.stdout, 'data');
  const printed = performance.now();

  expect(await ended).toMatchObject({ code: 0, stdout: '2 parsed\n' });
  // Its parsers would have stayed for ten seconds more.
  expect(performance.now() - printed).toBeLessThan(9_500);
});
