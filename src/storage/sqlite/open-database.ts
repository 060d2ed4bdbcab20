/** Opens a SQLite store whatever state its file is in, or says why not. */
import { basename, dirname } from 'node:path';
import { AppError, type Clock, type Logger } from '../../core/index.ts';
import { ensurePrivateDir } from '../../platform/index.ts';
import { connectStore, type Connected, type Durability } from './connect.ts';
import { loadDriver, type Driver, hasErrorCode, translatingErrors } from './driver.ts';
import { createStoreLock, type StoreLock } from './open-lock.ts';
import { latestVersion, type Migration } from './migrate.ts';
import { createStore, pollLock, type SqliteStore } from './sqlite-store.ts';
import type { Transactions } from './transactions.ts';
import { quarantine } from './repair/quarantine.ts';
import { adoptSalvaged, salvageInto } from './repair/salvage.ts';
import { verifyStore } from './repair/verify.ts';

export interface OpenDatabaseOptions {
  readonly absPath: string;
  readonly migrations: readonly Migration[];
  readonly durability: Durability;
  /** A damaged file is moved aside either way; then `rebuild` starts an empty one and `refuse` throws. */
  readonly onDamage: 'rebuild' | 'refuse' | Salvage;
  /** `quick` reads header and schema; `full` verifies everything, for a store that met damage while in use. */
  readonly check?: 'quick' | 'full';
  /** What only this store knows to look for in a full check. */
  readonly isSound?: (transactions: Transactions) => boolean;
  /** Where a copy goes before the schema of a file with content is changed. */
  readonly backupDir?: string;
  /** How long to wait for another process before `storage_busy`. */
  readonly busyTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Fills a fresh store with what can be read of a damaged one. */
export type Salvage = (damagedAbsPath: string, fresh: Transactions) => void;

const BUSY_TIMEOUT_MS = 10_000;

export async function openDatabase(options: OpenDatabaseOptions): Promise<SqliteStore> {
  const driver = await loadDriver();
  const name = basename(options.absPath);
  const timeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  translatingErrors(name, () => ensurePrivateDir(dirname(options.absPath)));
  const storeLock = createStoreLock(driver, { absPath: `${options.absPath}.lock`, name });
  const open = (): Connected => connectSound(driver, options, timeoutMs);
  // No step waits for another process: a lock that is held ends the attempt, and the next one begins anew.
  const openLeased = (): Promise<SqliteStore> =>
    pollLock(
      () =>
        storeLock.asOnlyOpener(() => {
          adoptSalvaged(options.absPath);
          return createStore(open(), { storeLock, name, timeoutMs });
        }),
      { timeoutMs, everyMs },
    );
  try {
    return await openLeased();
  } catch (thrown) {
    if (!hasErrorCode(thrown, 'storage_damaged')) throw thrown;
    await setAside(storeLock, { ...options, timeoutMs }, open, (damage) => {
      if (typeof options.onDamage === 'function')
        return salvageInto(driver, { ...options, name, timeoutMs }, options.onDamage);
      return putAside(options, damage);
    });
    return openLeased();
  }
}

/** Backoff: an attempt to open may check the whole file. */
function everyMs(waitedMs: number): number {
  return Math.min(250, 2 + waitedMs / 4);
}

function connectSound(driver: Driver, options: OpenDatabaseOptions, timeoutMs: number): Connected {
  const { absPath, migrations, durability, clock, backupDir } = options;
  const name = basename(absPath);
  const file = { absPath, name, migrations, durability, timeoutMs, latestVersion: latestVersion(migrations) };
  const backup = backupDir === undefined ? {} : { beforeMigration: { backupDir, now: () => clock.now() } };
  const connected = connectOurs(() => connectStore(driver, { ...file, ...backup }), options);
  if (options.check !== 'full' || isSound(connected, options)) return connected;
  connected.connection.close();
  throw new AppError('storage_damaged', `The store ${name} is damaged.`);
}

/** What can be saved is saved also from a file that bears our mark and refuses our migrations: its tables are not ours. */
function connectOurs(connect: () => Connected, { absPath, onDamage }: OpenDatabaseOptions): Connected {
  try {
    return connect();
  } catch (thrown) {
    if (!hasErrorCode(thrown, 'internal') || typeof onDamage !== 'function') throw thrown;
    throw new AppError('storage_damaged', `The store ${basename(absPath)} is damaged.`, { cause: thrown });
  }
}

function isSound({ transactions }: Connected, options: OpenDatabaseOptions): boolean {
  try {
    return verifyStore(transactions).kind === 'sound' && options.isSound?.(transactions) !== false;
  } catch (thrown) {
    // The statements are ours and fit the schema, so one that is refused has met a schema that is not ours any more.
    if (hasErrorCode(thrown, 'internal')) return false;
    throw thrown;
  }
}

/** Another process may have seen the same damage and already put a fresh file in place, so look again once alone. */
async function setAside(
  storeLock: StoreLock,
  options: OpenDatabaseOptions & { readonly timeoutMs: number },
  open: () => Connected,
  handle: (damage: AppError) => void,
): Promise<void> {
  const name = basename(options.absPath);
  const act = (): void => {
    const damage = damageIn(open);
    if (damage !== undefined) handle(damage);
  };
  try {
    await pollLock(() => storeLock.alone(act), { timeoutMs: options.timeoutMs, everyMs });
  } catch (thrown) {
    if (!hasErrorCode(thrown, 'storage_busy')) throw thrown;
    throw new AppError(
      'storage_damaged',
      `The store ${name} is damaged, and another process is still using it.`,
      {
        hint: 'Close the other Waymark processes and try again.',
        cause: thrown,
      },
    );
  }
}

function putAside(options: OpenDatabaseOptions, damage: AppError): void {
  const name = basename(options.absPath);
  const copyPath = translatingErrors(name, () => quarantine(options.absPath, options.clock.now()));
  options.logger.warn('A damaged store was moved aside.', { store: name, copy: copyPath });
  if (options.onDamage === 'rebuild') return;
  throw new AppError('storage_damaged', `The store ${name} is damaged. It was moved to ${copyPath}.`, {
    hint: 'Restore a backup in its place, or start again with an empty store.',
    cause: damage,
  });
}

function damageIn(open: () => Connected): AppError | undefined {
  try {
    open().connection.close();
    return undefined;
  } catch (thrown) {
    if (hasErrorCode(thrown, 'storage_damaged')) return thrown;
    throw thrown;
  }
}
