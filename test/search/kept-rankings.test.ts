/** What search remembers of earlier questions must not keep an unused index in memory. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { searchShop } from '../support/search-shop.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { emptyHome } from '../support/waymark.ts';

function openApp(env: Readonly<Record<string, string>> = {}): App {
  const { config } = resolveConfig({ env: { ...emptyHome().env, WAYMARK_LOG_LEVEL: 'error', ...env } });
  const app = createApp({ config });
  onTestFinished(() => app.close());
  return app;
}

/** Words that occur nowhere else, so that its view takes more than half a megabyte. */
function wordyProject(): TempFolder {
  const word = (at: number): string =>
    createHash('sha256')
      .update(String(at))
      .digest('base64url')
      .replaceAll(/[^a-z]/gi, '');
  const lines = (file: number): string[] =>
    Array.from(
      { length: 200 },
      (_, line) => `export const ${word(file * 1_000 + line)} = ${word(-file * 1_000 - line)};`,
    );
  const files = Array.from({ length: 40 }, (_, file) => [`src/f${file}.ts`, lines(file).join('\n')] as const);
  return tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(files) });
}

const index = (app: App, root: string) => app.indexing.run(root, { signal: new AbortController().signal });

/** Asks, so that the ranking is remembered, and points to the view it was made of without holding it. */
async function askAndPoint(app: App, roots: readonly string[]): Promise<WeakRef<object>> {
  const { hits } = await app.search.run({ roots, query: 'how are idle sessions expired' });
  expect(hits[0]?.path).toBe('src/session/session-store.ts');
  return new WeakRef((await app.search.searcher(roots[0] ?? '')).ranker.view);
}

async function isCollected(held: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc');
  // The name is defined by the flag above, in new contexts only.
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 20 && held.deref() !== undefined; round++) {
    await setImmediate();
    collect();
  }
  return held.deref() === undefined;
}

test('a view is let go when it is forgotten, though its rankings were remembered', async () => {
  const [project, app] = [searchShop(), openApp()];
  await index(app, project.path);

  const view = await askAndPoint(app, [project.path]);
  const whileInUse = await isCollected(view);
  app.search.forget(project.path);

  expect(whileInUse).toBe(false);
  expect(await isCollected(view)).toBe(true);
});

test('a view is let go when another commit answers', async () => {
  const [project, app] = [searchShop(), openApp()];
  await index(app, project.path);

  const view = await askAndPoint(app, [project.path]);
  project.write({ 'src/session/idle.ts': 'export const idleSessionMinutes = 30;\n' });
  await index(app, project.path);
  const after = await app.search.run({ roots: [project.path], query: 'router' });

  expect(after.hits.length).toBeGreaterThan(0);
  expect(await isCollected(view)).toBe(true);
});

test('a view of a cleared index is let go, also when it was ranked together with another project', async () => {
  const [project, other, app] = [searchShop(), searchShop(), openApp()];
  for (const { path } of [project, other]) await index(app, path);

  const view = await askAndPoint(app, [project.path, other.path]);
  await app.indexing.clear(project.path);

  expect(await isCollected(view)).toBe(true);
});

test('views that take more memory than they may are let go, the least recently used one first', async () => {
  const [one, two, app] = [wordyProject(), wordyProject(), openApp({ WAYMARK_SEARCH_MEMORY_MB: '1' })];
  for (const { path } of [one, two]) await index(app, path);

  const ask = async (root: string) => {
    const { files } = await app.search.run({ roots: [root], query: 'export const' });
    return { files, view: new WeakRef((await app.search.searcher(root)).ranker.view) };
  };
  const first = await ask(one.path);
  const second = await ask(two.path);

  expect([first.files, second.files]).toEqual([40, 40]);
  expect(await isCollected(first.view)).toBe(true);
  expect(await isCollected(second.view)).toBe(false);
  expect((await ask(one.path)).files).toBe(40);
});
