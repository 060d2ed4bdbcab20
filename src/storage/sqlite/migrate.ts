/** Brings a store's schema forward, one transaction per step. There is no way back, so the old file is copied first. */
import { basename, join } from 'node:path';
import { AppError } from '../../core/index.ts';
import { pathExists } from '../../platform/index.ts';
import { type Connection, numberColumn } from './driver.ts';
import { copyStore } from './repair/copy-store.ts';
import { toStamp } from './repair/quarantine.ts';
import type { OpenTransactions, ReadTx, Transactions, WriteTx } from './transactions.ts';

export interface Migration {
  /** 1, 2, 3, …: the schema version that holds once this step is done. */
  readonly version: number;
  readonly name: string;
  /** A script, or a function for what SQL alone cannot do. */
  readonly up: string | ((tx: WriteTx) => void);
}

export function latestVersion(migrations: readonly Migration[]): number {
  const misplaced = migrations.find((migration, index) => migration.version !== index + 1);
  if (misplaced !== undefined) {
    throw new AppError('internal', `Migration ${misplaced.name} is out of order: versions count up from 1.`);
  }
  return migrations.length;
}

/**
 * Another process may be doing the same: each step looks again under the lock and leaves out what is done.
 * With nothing to do no lock is taken, so that opening never waits for a long write.
 */
export function migrate(transactions: Transactions, migrations: readonly Migration[], name: string): void {
  const latest = latestVersion(migrations);
  const current = transactions.read(schemaVersion);
  for (const migration of migrations.slice(current)) {
    transactions.write((tx) => {
      const version = schemaVersion(tx);
      if (version > latest) throw newerSchema(name);
      if (version < migration.version) apply(tx, migration);
    });
  }
}

export function schemaVersion(tx: ReadTx): number {
  const row = tx.get('PRAGMA user_version');
  return row === undefined ? 0 : numberColumn(row, 'user_version');
}

export function newerSchema(name: string): AppError {
  return new AppError(
    'storage_newer',
    `The store ${name} was written by a newer Waymark. It was left as it is.`,
    {
      hint: 'Update Waymark, or use the newer version that wrote it.',
    },
  );
}

function apply(tx: WriteTx, migration: Migration): void {
  if (typeof migration.up === 'string') tx.script(migration.up);
  else migration.up(tx);
  tx.script(`PRAGMA user_version = ${migration.version}`);
}

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
