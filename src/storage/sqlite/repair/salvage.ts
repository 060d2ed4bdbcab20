/**
 * Replaces a damaged store by a new one that holds what can still be read. Every step leaves something complete behind, so
 * a kill in between costs nothing: first the new file is made whole under another name, then the damaged one is moved
 * aside, then the new one takes its place.
 */
import { type Clock, type Logger } from '../../../core/index.ts';
import { pathExists, removeIfPresent, replaceFile, syncFile } from '../../../platform/index.ts';
import { connectStore, type Durability } from '../connect.ts';
import { type Driver, translatingErrors } from '../driver.ts';
import { latestVersion, type Migration } from '../migrate.ts';
import { quarantine, SIDE_FILES } from './quarantine.ts';
import type { Transactions } from '../transactions.ts';

export interface SalvageOptions {
  readonly absPath: string;
  readonly name: string;
  readonly migrations: readonly Migration[];
  readonly durability: Durability;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Call only while alone with the store. */
export function salvageInto(
  driver: Driver,
  options: SalvageOptions,
  salvage: (damagedAbsPath: string, fresh: Transactions) => void,
): void {
  const { absPath, name } = options;
  translatingErrors(name, () => {
    // One that is there already is complete: its maker was killed before it could move the damaged file away.
    if (!pathExists(finishedPath(absPath))) makeSalvaged(driver, options, salvage);
    const copyPath = quarantine(absPath, options.clock.now());
    adoptSalvaged(absPath);
    options.logger.warn('A damaged store was moved aside and what could be read of it was saved.', {
      store: name,
      copy: copyPath,
    });
  });
}

function makeSalvaged(
  driver: Driver,
  options: SalvageOptions,
  salvage: (damagedAbsPath: string, fresh: Transactions) => void,
): void {
  const { absPath, migrations } = options;
  const unfinished = `${absPath}.salvaging`;
  for (const suffix of ['', ...SIDE_FILES]) removeIfPresent(unfinished + suffix);
  const { connection, transactions } = connectStore(driver, {
    ...options,
    absPath: unfinished,
    migrations,
    latestVersion: latestVersion(migrations),
  });
  try {
    salvage(absPath, transactions);
    transactions.allowWrites();
    // One file without a log: it is about to get another name.
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  } finally {
    connection.close();
  }
  syncFile(unfinished);
  replaceFile(unfinished, finishedPath(absPath));
}

/** Finishes what a killed process began. Call only as the store's one opener. */
export function adoptSalvaged(absPath: string): void {
  if (!pathExists(absPath) && pathExists(finishedPath(absPath))) replaceFile(finishedPath(absPath), absPath);
}

function finishedPath(absPath: string): string {
  return `${absPath}.salvaged`;
}
