/** Which SQLite is good enough to be trusted with data. */

/** Older ones can corrupt a WAL database when a checkpoint in one process meets a write in another. */
export const OLDEST_SAFE_SQLITE = '3.51.3';

export type DriverChoice = 'builtin' | 'bundled' | 'none';

/** What each driver reports as its SQLite; undefined when the driver is absent. */
export interface DriverVersions {
  readonly builtin: string | undefined;
  readonly bundled: string | undefined;
}

/** Node's own driver when it is safe, because it costs nothing; else the bundled one; else none. */
export function chooseDriver(versions: DriverVersions): DriverChoice {
  if (isSafeSqlite(versions.builtin)) return 'builtin';
  if (isSafeSqlite(versions.bundled)) return 'bundled';
  return 'none';
}

export function isSafeSqlite(version: string | undefined): boolean {
  if (version === undefined || !/^\d+\.\d+\.\d+/.test(version)) return false;
  const found = partsOf(version);
  const wanted = partsOf(OLDEST_SAFE_SQLITE);
  const at = wanted.findIndex((part, index) => part !== found[index]);
  return at === -1 || (found[at] ?? 0) > (wanted[at] ?? 0);
}

function partsOf(version: string): readonly number[] {
  return version
    .split('.')
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10));
}
