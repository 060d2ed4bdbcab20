/** The index files in the cache directory: which there are, and removing one that is not in use. */
import { basename, join } from 'node:path';
import { listKeptFiles, pathExists, removeIfPresent } from '../../platform/index.ts';
import { loadDriver, translatingErrors } from './driver.ts';
import { createStoreLock } from './open-lock.ts';
import { INDEX_SCHEMA_VERSION } from './index-schema.ts';
import type { IndexFacts } from '../index-stores.ts';
import { SIDE_FILES } from './repair/quarantine.ts';

/** The kept view of an index, and its draft: behind the name of the index. */
export const VIEW_FILES = ['-view', '-view.part'] as const;

/** The folder of indexes, in the cache directory. */
export const INDEX_FOLDER = 'indexes';
const ALL_SIDE_FILES = [...SIDE_FILES, ...VIEW_FILES] as const;
export const INDEX_NAME = /^(.+-[0-9a-f]{16})-v(\d+)\.db(\.damaged-[^-]+(?:-\d+)?)?$/;

/** Each with its side files. */
export function listIndexFiles(cacheDir: string): readonly IndexFacts[] {
  const files = new Map(listKeptFiles(join(cacheDir, INDEX_FOLDER)).map((file) => [file.name, file]));
  return [...files.values()].flatMap((main) => {
    const [, key, version, damaged] = INDEX_NAME.exec(main.name) ?? [];
    if (key === undefined) return [];
    const all = [main, ...ALL_SIDE_FILES.flatMap((suffix) => files.get(main.name + suffix) ?? [])];
    const isCurrent = Number(version) === INDEX_SCHEMA_VERSION;
    return [
      {
        id: main.name,
        key,
        kind: damaged !== undefined ? 'damaged' : isCurrent ? 'current' : 'old',
        sizeBytes: all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        modifiedAt: Math.max(...all.map(({ modifiedAt }) => modifiedAt)),
      } satisfies IndexFacts,
    ];
  });
}

/** False if there was none. Throws `storage_busy` if a process, this one included, has it open. */
export async function removeIndexFile(cacheDir: string, file: string): Promise<boolean> {
  const absPath = join(cacheDir, INDEX_FOLDER, basename(file));
  if (!pathExists(absPath)) return false;
  if (INDEX_NAME.exec(basename(file))?.[3] !== undefined) return removeAll(absPath);
  const driver = await loadDriver();
  // The lock files stay: another process may be waiting for them at this moment, and they are empty.
  const storeLock = createStoreLock(driver, { absPath: `${absPath}.lock`, name: basename(file) });
  return storeLock.alone(() => removeAll(absPath));
}

function removeAll(absPath: string): true {
  return translatingErrors(basename(absPath), () => {
    // The main file first: a log without its database is nothing, a database without its log is damaged.
    removeIfPresent(absPath);
    for (const suffix of ALL_SIDE_FILES) removeIfPresent(absPath + suffix);
    return true;
  });
}
