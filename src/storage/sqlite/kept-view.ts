/** What search made of an index: a file beside it, which counts only as long as the index names it. */
import { basename } from 'node:path';
import type { IndexStore } from '../index-store.ts';
import { numberColumn, textColumn } from './columns.ts';
import { tryLockFile } from './lock-file.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { translatingErrors } from './storage-error.ts';
import { readViewFile, removeViewFile, writeViewFile } from './view-file.ts';

type KeptView = Pick<IndexStore, 'keptView' | 'keepView' | 'forgetView'>;

export function createKeptView(store: SqliteStore, absPath: string): KeptView {
  return {
    async keptView() {
      const row = store.read((tx) => tx.get('SELECT generation, digest FROM kept_view'));
      const parts = row === undefined ? undefined : readViewFile(absPath, textColumn(row, 'digest'));
      if (row === undefined || parts === undefined) return undefined;
      return { generation: numberColumn(row, 'generation'), parts };
    },
    async keepView({ generation, parts }) {
      const lock = await tryLockFile(`${absPath}.writer`);
      if (lock === undefined) return false;
      try {
        const digest = translatingErrors(basename(absPath), () => writeViewFile(absPath, parts));
        store.write(
          (tx) =>
            void tx.run(
              'INSERT OR REPLACE INTO kept_view (id, generation, digest) VALUES (1, ?, ?)',
              generation,
              digest,
            ),
        );
        return true;
      } finally {
        lock.release();
      }
    },
    async forgetView() {
      store.write((tx) => void tx.run('DELETE FROM kept_view'));
      translatingErrors(basename(absPath), () => removeViewFile(absPath));
    },
  };
}
