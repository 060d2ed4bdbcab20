/** Storage in a database of the tests, each time of a tenant of its own. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { createPostgresStorage, type PostgresStorageOptions, type Storage } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { OPEN_GATE, PLAIN_KEYS } from '../storage/memory-entries.ts';

export interface OpenedTenant {
  /** Another instance on the same tenant. */
  open(more?: Partial<PostgresStorageOptions>): Storage;
}

export function newTenant(url: string): OpenedTenant {
  const tenant = randomUUID();
  const folder = tempFolder().path;
  return {
    open(more = {}) {
      const storage = createPostgresStorage({
        url,
        tenant,
        nameOf: (root) => ({ project: root, tree: root }),
        keyMaker: () => PLAIN_KEYS,
        gate: OPEN_GATE,
        keepsSource: false,
        workFolder: folder,
        clock: systemClock,
        logger: silentLogger,
        ...more,
      });
      onTestFinished(() => storage.close());
      return storage;
    },
  };
}
