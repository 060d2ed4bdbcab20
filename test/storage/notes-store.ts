/** A store for tests of the kernel: a table, a full-text index over it, and a counter. */
import type { Clock, LogFields, Logger } from '../../src/core/index.ts';
import type { Migration } from '../../src/storage/sqlite/migrate.ts';
import { openDatabase, type OpenDatabaseOptions } from '../../src/storage/sqlite/open-database.ts';
import type { SqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import type { WriteTx } from '../../src/storage/sqlite/transactions.ts';

export const NOTES: readonly Migration[] = [
  {
    version: 1,
    name: 'notes',
    up: `
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE note_text USING fts5(body, content = 'note', content_rowid = 'id');
    `,
  },
  {
    version: 2,
    name: 'counter',
    up: (tx) => {
      tx.script('CREATE TABLE counter (value INTEGER NOT NULL) STRICT');
      tx.run('INSERT INTO counter (value) VALUES (?)', 0);
    },
  },
];

/** 2026-01-31T23:59:59Z, always. */
export const FIXED_CLOCK: Clock = { now: () => Date.UTC(2026, 0, 31, 23, 59, 59), elapsed: () => 0 };

export interface RecordingLogger extends Logger {
  readonly warnings: readonly { readonly message: string; readonly fields: LogFields }[];
}

export function recordingLogger(): RecordingLogger {
  const warnings: { message: string; fields: LogFields }[] = [];
  const ignore = (): void => undefined;
  const logger: RecordingLogger = {
    warnings,
    debug: ignore,
    info: ignore,
    warn: (message, fields = {}) => void warnings.push({ message, fields }),
    error: ignore,
    child: () => logger,
  };
  return logger;
}

export function openNotes(absPath: string, options: Partial<OpenDatabaseOptions> = {}): Promise<SqliteStore> {
  return openDatabase({
    absPath,
    migrations: NOTES,
    durability: 'full',
    onDamage: 'refuse',
    clock: FIXED_CLOCK,
    logger: recordingLogger(),
    ...options,
  });
}

/** Adds a note and its index entry, which belong together. */
export function addNote(tx: WriteTx, body: string): number {
  const id = tx.run('INSERT INTO note (body) VALUES (?)', body).lastInsertRowid;
  tx.run('INSERT INTO note_text (rowid, body) VALUES (?, ?)', id, body);
  return id;
}

export function noteCount(store: SqliteStore): number {
  return Number(store.read((tx) => tx.get('SELECT count(*) AS count FROM note'))?.['count']);
}
