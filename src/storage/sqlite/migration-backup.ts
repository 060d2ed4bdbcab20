/** There is no way back from a new schema, so the old file is copied first. */
import { basename, join } from 'node:path';
import { pathExists } from '../../platform/index.ts';
import { copyStore } from './repair/copy-store.ts';
import type { Connection } from './driver.ts';
import { schemaVersion } from './migrate.ts';
import { toStamp } from './repair/quarantine.ts';
import type { OpenTransactions } from './transactions.ts';

export interface MigrationBackup {
  readonly backupDir: string;
  now(): number;
}

export interface MigratedFile {
  readonly absPath: string;
  readonly latestVersion: number;
  readonly beforeMigration?: MigrationBackup;
}

/** A new file has nothing to lose and a current one is not changed; neither is copied. */
export function backUpBeforeMigration(
  connection: Connection,
  transactions: OpenTransactions,
  { absPath, latestVersion, beforeMigration }: MigratedFile,
): void {
  if (beforeMigration === undefined) return;
  const version = transactions.read(schemaVersion);
  if (version === 0 || version >= latestVersion) return;
  const name = `${basename(absPath)}.v${version}-${toStamp(beforeMigration.now())}.db`;
  const copyPath = join(beforeMigration.backupDir, name);
  if (pathExists(copyPath)) return;
  transactions.allowWrites();
  copyStore(connection, copyPath);
}
