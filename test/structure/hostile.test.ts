/** Repositories that are made to take long: answers come, within their limits, and say what is missing. */
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { hostileStructure } from '../support/hostile-structure.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome } from '../support/waymark.ts';

/** 1,024 lines of imports in each file; `npm run bench:structure-speed` asks all of it at once, with fifteen times as many. */
const FILES = Object.entries(hostileStructure(1024));

/** One folder of it, parsed to its end, in one process: to open the index anew for each question costs more than the answer. */
async function asked(folder: string) {
  const project = tempFolder(Object.fromEntries(FILES.filter(([path]) => path.startsWith(folder))));
  const { config } = resolveConfig({ env: { ...emptyHome().env, WAYMARK_LOG_LEVEL: 'error' } });
  const app = createApp({ config });
  onTestFinished(() => app.close());
  const signal = new AbortController().signal;
  const { parsed } = await app.indexing.complete(project.path, { signal });
  expect(parsed?.failed).toBe(0);
  return { engine: app.engine, request: { root: project.path, mayWrite: true } };
}

test('R134 cycles of re-exports end: each is reached once, and a name that none of them has is of no symbol', async () => {
  const { engine, request } = await asked('ring/');

  const impact = await engine.fileImpact({ ...request, files: ['ring/m0.ts'] });
  const missing = engine.findReferences({ ...request, symbol: 'missing' });

  expect(impact.files).toHaveLength(60);
  await expect(missing).rejects.toMatchObject({ message: 'There is no symbol `missing` in the index.' });
});

test('R134 100,000 definitions of one name: some are answered for, and of the others each file is told', async () => {
  const { engine, request } = await asked('same/');

  const { symbols, others } = await engine.findReferences({ ...request, symbol: 'same' });

  expect([symbols.length, symbols.length + others.length]).toEqual([20, 100]);
}, 120_000);

test('R134 endless lists of imports end, however far they are followed', async () => {
  const { engine, request } = await asked('lists/');

  const users = await engine.fileDependencies({
    ...request,
    file: 'lists/l0.ts',
    direction: 'in',
    depth: 20,
  });

  expect(new Set(users.files.map(({ path, distance }) => `${path} ${distance}`))).toEqual(
    new Set(Array.from({ length: 11 }, (_, at) => `lists/l${at + 1}.ts 1`)),
  );
});
