import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { createIndexStores, indexFile, openIndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { chunksWith } from '../support/indexed-words.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { indexBulkContract } from './index-bulk-contract.ts';
import { indexedFile, indexStoreContract } from './index-contract.ts';
import { describeIndexes } from './index-stores-contract.ts';

async function open(cacheDir = tempFolder().path) {
  const store = await openIndexStore({
    cacheDir,
    root: '/home/me/web-shop',
    clock: systemClock,
    logger: silentLogger,
  });
  onTestFinished(() => store.close());
  return store;
}

describeIndexes('SQLite', () => {
  const cacheDir = tempFolder().path;
  const indexes = async () => createIndexStores({ cacheDir, clock: systemClock, logger: silentLogger });
  return { empty: indexes, other: indexes };
});

describe('the index store on SQLite', () => {
  indexStoreContract(() => open());
  indexBulkContract(() => open());

  test('is still there when it is opened again', async () => {
    const cacheDir = tempFolder().path;
    const first = await open(cacheDir);
    await first.commit({ written: [indexedFile('a.ts', ['word'])] });
    await first.close();

    expect(await chunksWith(await open(cacheDir), 'word')).toHaveLength(1);
  });

  test('two projects of one name have a file each, whose name tells the schema', () => {
    const a = indexFile('/cache', '/home/me/api');
    const b = indexFile('/cache', '/work/api');

    expect(a).toMatch(/^\/cache\/indexes\/api-[0-9a-f]{16}-v10\.db$/);
    expect(a).not.toBe(b);
  });
});
