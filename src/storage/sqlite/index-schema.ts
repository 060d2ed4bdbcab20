/** The tables of a project's index. */
import type { Migration } from './migrate.ts';

/** Part of the file's name, so that two releases with different indexes get along. */
export const INDEX_SCHEMA_VERSION = 10;

export const INDEX_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'files, their content, skips',
    up: `
      CREATE TABLE state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        root TEXT NOT NULL,
        generation INTEGER NOT NULL,
        -- Counts the commits of embeddings, which change nothing else.
        embeddings INTEGER NOT NULL DEFAULT 0,
        -- Counts how often the history was written.
        history INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      -- Narrow, because every run reads all of it.
      CREATE TABLE file (
        -- Never used twice: readers tell by it that a file was written again.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        size_bytes INTEGER NOT NULL,
        mtime_ms REAL NOT NULL,
        hash TEXT NOT NULL,
        analysis TEXT NOT NULL,
        language TEXT NOT NULL,
        lines INTEGER NOT NULL,
        plain_by INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        definitions INTEGER NOT NULL,
        generation INTEGER NOT NULL
      ) STRICT;
      -- One row per file, packed: a row per word or chunk costs more than all the rest of indexing.
      CREATE TABLE content (
        file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
        terms BLOB NOT NULL
      ) STRICT;
      -- Apart, because each is read without the others, and a long row is read from its beginning.
      CREATE TABLE vector (
        file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
        model TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        packed BLOB NOT NULL
      ) STRICT;
      -- Vectors by a service, beside those of the fast pass. They stay when a file is written again: most of its chunks are
      -- as they were, and need not be sent once more. They count only for the file they were made of.
      CREATE TABLE embedding (
        path TEXT NOT NULL,
        model TEXT NOT NULL,
        file_id INTEGER NOT NULL,
        dimensions INTEGER NOT NULL,
        -- Of the text of each chunk.
        digests BLOB NOT NULL,
        packed BLOB NOT NULL,
        PRIMARY KEY (path, model)
      ) STRICT;
      CREATE INDEX embedding_by_file ON embedding (file_id, model);
      CREATE TABLE trigram (
        file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
        packed BLOB NOT NULL
      ) STRICT;
      CREATE TABLE outline (
        file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
        -- Deflated text.
        definitions BLOB NOT NULL
      ) STRICT;
      -- What search made of the rows lies in a file beside this one: which one, and of which commit.
      CREATE TABLE kept_view (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        generation INTEGER NOT NULL,
        digest TEXT NOT NULL
      ) STRICT;
      -- How the exact pass read a file. It goes with the rows it was made with.
      CREATE TABLE parse (
        file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
        parser TEXT NOT NULL,
        failure TEXT,
        error_share REAL NOT NULL
      ) STRICT;
      -- What structure is resolved from, as the parser packed it.
      CREATE TABLE fact (
        file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
        packed BLOB NOT NULL
      ) STRICT;
      -- What commits say of files, in one piece: it is read whole, and written when the history has grown.
      CREATE TABLE history (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        maker TEXT NOT NULL,
        tips TEXT NOT NULL,
        commits INTEGER NOT NULL,
        packed BLOB NOT NULL
      ) STRICT;
      CREATE TABLE skip (
        path TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        detail TEXT,
        -- How the file was when it was read, and by which analysis; nothing for what was left out unread.
        size_bytes INTEGER,
        mtime_ms REAL,
        analysis TEXT
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
