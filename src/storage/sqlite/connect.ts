/** From a path to a configured, claimed and migrated connection. Call only as the store's one opener. */
import { AppError } from '../../core/index.ts';
import { ensurePrivateFile, makePrivateIfPresent } from '../../platform/index.ts';
import { type Connection, type Driver, translatingErrors } from './driver.ts';
import { APPLICATION_ID, inspect, isUnclaimed, judge, readIdentity, type StoreFile } from './inspect.ts';
import { backUpBeforeMigration, migrate, type Migration, type MigrationBackup } from './migrate.ts';
import { SIDE_FILES } from './repair/quarantine.ts';
import { createTransactions, type OpenTransactions, type Transactions } from './transactions.ts';

/** `full`: acknowledged means on disk. `normal`: a power cut may take the last commits, never the consistency. */
export type Durability = 'full' | 'normal';

export interface ConnectOptions extends StoreFile {
  readonly migrations: readonly Migration[];
  readonly durability: Durability;
  readonly timeoutMs: number;
  /** Asks for a copy of the file before its schema is changed. */
  readonly beforeMigration?: MigrationBackup;
}

export interface Connected {
  readonly connection: Connection;
  readonly transactions: OpenTransactions;
}

/** Leave no more than this of the log on disk after a checkpoint, whatever a large transaction made of it. */
const LOG_KEPT_BYTES = 64 * 1024 * 1024;

/** Where every commit waits for the disk, the log is moved by us (`transactions.ts`), and by SQLite's rule when that was not enough. */
const LOG_PAGES = { full: 8_000, normal: 1_000 } as const;
const SYNCHRONOUS = { full: 'FULL', normal: 'NORMAL' } as const;

export function connectStore(driver: Driver, options: ConnectOptions): Connected {
  return translatingErrors(options.name, () => {
    // SQLite gives its side files the mode of the main file, so that one has to be right from the start.
    ensurePrivateFile(options.absPath);
    for (const suffix of SIDE_FILES) makePrivateIfPresent(options.absPath + suffix);
    inspect(driver, options);
    const connection = driver.connect(options.absPath, { readOnly: false, timeout: 0 });
    try {
      return prepare(connection, options);
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  });
}

function prepare(connection: Connection, options: ConnectOptions): Connected {
  const { durability } = options;
  const transactions = createTransactions(connection, { ...options, movesLog: durability === 'full' });
  configure(connection, options);
  const isNew = isUnclaimed(readIdentity(connection));
  // Of a new file only the first page is written before the log is: cut short, it is empty or none of ours, and made anew.
  // Six waits on the disk would be most of the time that a small project's index takes.
  // No journal in a file: one that a power cut brings back would undo what came later.
  if (isNew && durability === 'normal')
    connection.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  claim(connection, transactions, options);
  enterWal(connection, options.name);
  if (isNew) connection.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`);
  backUpBeforeMigration(connection, transactions, options);
  migrate(transactions, options.migrations, options.name);
  return { connection, transactions };
}

function configure(connection: Connection, { durability }: ConnectOptions): void {
  // What is deleted, code from an index too, must not stay readable in free pages. FAST leaves them as they are.
  // Defensive: no statement can reach into SQLite's own structures. Untrusted schema: nor can a prepared file make ours do it.
  connection.enableDefensive?.(true);
  connection.exec(`
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA journal_size_limit = ${LOG_KEPT_BYTES};
    PRAGMA wal_autocheckpoint = ${LOG_PAGES[durability]};
    PRAGMA synchronous = ${SYNCHRONOUS[durability]};
    PRAGMA secure_delete = ON;
  `);
}

/**
 * Before the switch to the write-ahead log, so that the mark is in the main file from its very first page: the first look of
 * a later opener sees the main file only.
 */
function claim(connection: Connection, transactions: Transactions, file: StoreFile): void {
  if (!isUnclaimed(readIdentity(connection))) return;
  transactions.write((tx) => {
    const identity = readIdentity(connection);
    judge(identity, file);
    if (isUnclaimed(identity)) tx.script(`PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

function enterWal(connection: Connection, name: string): void {
  const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode === 'wal') return;
  throw new AppError(
    'storage_unavailable',
    `The file system of ${name} cannot share a database between processes.`,
    {
      hint: 'Choose a directory on a local disk.',
    },
  );
}
