/**
 * The tables of a repository's memory. Whatever is precious carries a check sum as its last column and stands in an
 * ordinary table, so that it can be recognised, and trusted, in the pages of a file that SQLite no longer opens.
 */
import type { Migration } from './migrate.ts';

export const MEMORY_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'entries, versions, changes, identities, keys',
    up: `
      CREATE TABLE entry (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        deleted_at INTEGER,
        save_key TEXT UNIQUE,
        fingerprint TEXT,
        doc TEXT NOT NULL,
        sum TEXT NOT NULL
      ) STRICT;
      CREATE INDEX entry_by_kind ON entry (kind, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
      CREATE INDEX entry_in_bin ON entry (deleted_at DESC) WHERE deleted_at IS NOT NULL;
      CREATE INDEX entry_by_fingerprint ON entry (fingerprint) WHERE fingerprint IS NOT NULL;
      CREATE TABLE entry_version (
        seq INTEGER PRIMARY KEY,
        entry_id TEXT NOT NULL,
        doc TEXT NOT NULL,
        sum TEXT NOT NULL
      ) STRICT;
      CREATE INDEX entry_version_by_entry ON entry_version (entry_id, seq);
      CREATE TABLE change (
        seq INTEGER PRIMARY KEY,
        doc TEXT NOT NULL,
        sum TEXT NOT NULL
      ) STRICT;
      CREATE TABLE identity (
        seq INTEGER PRIMARY KEY,
        identity TEXT NOT NULL UNIQUE,
        doc TEXT NOT NULL,
        sum TEXT NOT NULL
      ) STRICT;
      CREATE TABLE key_state (id INTEGER PRIMARY KEY CHECK (id = 1), version TEXT NOT NULL, mark INTEGER NOT NULL) STRICT;
      INSERT INTO key_state (id, version, mark) VALUES (1, '', 0);
      CREATE TABLE entry_vector (
        seq INTEGER PRIMARY KEY,
        mark INTEGER NOT NULL,
        vector BLOB NOT NULL
      ) STRICT;
      CREATE INDEX entry_vector_by_mark ON entry_vector (mark);
      -- Without content: the text is in the entry, and the words are made from it. With less detail bm25() would be 0.
      CREATE VIRTUAL TABLE entry_words USING fts5 (
        title, body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
      );
      CREATE VIRTUAL TABLE entry_vocabulary USING fts5vocab ('entry_words', 'row');
    `,
  },
  {
    version: 2,
    name: 'how long the store has seen an entry in the bin',
    up: `
      CREATE TABLE bin (
        seq INTEGER PRIMARY KEY,
        seen_at INTEGER NOT NULL,
        age_ms INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 3,
    // Facts and captured entries change no table, but an older release would take their rows for damage.
    name: 'facts, captured entries, files that are kept in step',
    up: `
      CREATE TABLE linked_file (
        entry_id TEXT PRIMARY KEY,
        digest TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
