/** The tables of a project's index. */
import type { Migration } from './migrate.ts';

/** Part of the file's name, so that two releases with different indexes get along. */
export const INDEX_SCHEMA_VERSION = 1;

export const INDEX_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'files, chunks, definitions, skips',
    up: `
      CREATE TABLE state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        root TEXT NOT NULL,
        generation INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE file (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        size_bytes INTEGER NOT NULL,
        mtime_ms REAL NOT NULL,
        hash TEXT NOT NULL,
        language TEXT NOT NULL,
        lines INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE chunk (
        id INTEGER PRIMARY KEY,
        file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX chunk_by_file ON chunk (file_id);
      CREATE TABLE definition (
        file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        container TEXT,
        signature TEXT NOT NULL,
        doc TEXT
      ) STRICT;
      CREATE INDEX definition_by_file ON definition (file_id);
      CREATE INDEX definition_by_name ON definition (name);
      CREATE TABLE skip (
        path TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        detail TEXT
      ) STRICT, WITHOUT ROWID;
      -- Without content: the words are ours already, and the text is read back from the file that has it.
      CREATE VIRTUAL TABLE chunk_words USING fts5 (
        words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'", detail = 'column'
      );
    `,
  },
];
