import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openCatalogStore, type CatalogStore } from '../../src/storage/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { describeCatalog } from './catalog-contract.ts';
import { FIXED_CLOCK, recordingLogger } from './notes-store.ts';

function openIn(dataDir: string): Promise<CatalogStore> {
  return openCatalogStore({ dataDir, clock: FIXED_CLOCK, logger: recordingLogger() });
}

describeCatalog('SQLite', () => {
  const folder = tempFolder();
  return { empty: () => openIn(folder.path), reopen: () => openIn(folder.path) };
});

test('a damaged catalogue is moved aside and starts anew', async () => {
  const folder = tempFolder();
  writeFileSync(folder.join('catalog.db'), 'not a database');

  const store = await openIn(folder.path);

  await store.remember({ root: '/a', name: 'a', seenAt: 1000 });
  expect(await store.list({ limit: 10 })).toHaveLength(1);
  expect(readdirSync(folder.path)).toContain('catalog.db.damaged-20260131T235959Z');
  await store.close();
});
