/** Opens a SQLite store whatever state its file is in, or says why not. */
import { basename, dirname } from 'node:path';
import { AppError, type Clock, type Logger } from '../../core/index.ts';
import { ensurePrivateDir } from '../../platform/index.ts';
import { connectStore, type Connected, type Durability } from './connect.ts';
import { loadDriver, type Driver } from './driver.ts';
import { createGate, type Gate } from './gate.ts';
import { latestVersion, type Migration } from './migrate.ts';
import { quarantine } from './quarantine.ts';
import { hasErrorCode, translatingErrors } from './storage-error.ts';
import { createStore, type SqliteStore } from './sqlite-store.ts';
import { verifyStore } from './verify.ts';

export interface OpenDatabaseOptions {
  readonly absPath: string;
  readonly migrations: readonly Migration[];
  readonly durability: Durability;
  /** A damaged file is moved aside either way; then `rebuild` starts an empty one and `refuse` throws. */
  readonly onDamage: 'rebuild' | 'refuse';
  /** `quick` reads header and schema; `full` verifies everything, for a store that met damage while in use. */
  readonly check?: 'quick' | 'full';
  /** How long to wait for another process before `storage_busy`. */
  readonly busyTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const BUSY_TIMEOUT_MS = 10_000;

export async function openDatabase(options: OpenDatabaseOptions): Promise<SqliteStore> {
  const driver = await loadDriver();
  const name = basename(options.absPath);
  const timeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  translatingErrors(name, () => ensurePrivateDir(dirname(options.absPath)));
  const gate = createGate(driver, { absPath: `${options.absPath}.lock`, name, timeoutMs });
  const open = (): Connected => connectSound(driver, options, timeoutMs);
  const openLeased = (): SqliteStore => gate.asOnlyOpener(() => createStore(open(), gate, name));
  try {
    return openLeased();
  } catch (thrown) {
    if (!hasErrorCode(thrown, 'storage_damaged')) throw thrown;
    setAside(gate, options, open);
    return openLeased();
  }
}

function connectSound(driver: Driver, options: OpenDatabaseOptions, timeoutMs: number): Connected {
  const { absPath, migrations, durability } = options;
  const name = basename(absPath);
  const file = { absPath, name, migrations, durability, timeoutMs, latestVersion: latestVersion(migrations) };
  const connected = connectStore(driver, file);
  if (options.check !== 'full' || verifyStore(connected.transactions).kind === 'sound') return connected;
  connected.connection.close();
  throw new AppError('storage_damaged', `The store ${name} is damaged.`);
}

/** Another process may have seen the same damage and already put a fresh file in place, so look again once alone. */
function setAside(gate: Gate, options: OpenDatabaseOptions, open: () => Connected): void {
  const name = basename(options.absPath);
  const act = (): void => {
    const damage = damageIn(open);
    if (damage === undefined) return;
    const copyPath = translatingErrors(name, () => quarantine(options.absPath, options.clock.now()));
    options.logger.warn('A damaged store was moved aside.', { store: name, copy: copyPath });
    if (options.onDamage === 'rebuild') return;
    throw new AppError('storage_damaged', `The store ${name} is damaged. It was moved to ${copyPath}.`, {
      hint: 'Restore a backup in its place, or start again with an empty store.',
      cause: damage,
    });
  };
  try {
    gate.alone(act);
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

function damageIn(open: () => Connected): AppError | undefined {
  try {
    open().connection.close();
    return undefined;
  } catch (thrown) {
    if (hasErrorCode(thrown, 'storage_damaged')) return thrown;
    throw thrown;
  }
}
