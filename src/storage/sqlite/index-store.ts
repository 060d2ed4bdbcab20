/** A project's index in a SQLite file. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  AppError,
  DEFINITION_KINDS,
  SKIP_REASONS,
  type Clock,
  type Definition,
  type Logger,
  type Skip,
} from '../../core/index.ts';
import type { FoundChunk, IndexStats, IndexStore, ManifestEntry } from '../index-store.ts';
import { numberColumn, optionalTextColumn, textColumn } from './columns.ts';
import type { Row } from './driver.ts';
import { INDEX_MIGRATIONS, INDEX_SCHEMA_VERSION } from './index-schema.ts';
import { writeBatch } from './index-writer.ts';
import { openDatabase } from './open-database.ts';
import type { SqliteStore } from './sqlite-store.ts';
import type { ReadTx } from './transactions.ts';

export interface OpenIndexStoreOptions {
  readonly cacheDir: string;
  /** Canonical real path of the project's root. */
  readonly root: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One file per project and schema: readable enough to recognise, unique by its digest. */
export function indexFile(cacheDir: string, root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(cacheDir, 'indexes', `${name}-${digest}-v${INDEX_SCHEMA_VERSION}.db`);
}

export async function openIndexStore({
  cacheDir,
  root,
  clock,
  logger,
}: OpenIndexStoreOptions): Promise<IndexStore> {
  const store = await openDatabase({
    absPath: indexFile(cacheDir, root),
    migrations: INDEX_MIGRATIONS,
    // Losing the last moments of an index costs a moment of work; nothing in it is precious.
    durability: 'normal',
    onDamage: 'rebuild',
    clock,
    logger,
  });
  store.write(
    (tx) => void tx.run('INSERT OR IGNORE INTO state (id, root, generation) VALUES (1, ?, 0)', root),
  );
  return createIndexStore(store);
}

function createIndexStore(store: SqliteStore): IndexStore {
  return {
    manifest: async () =>
      store.read((tx) =>
        tx.all('SELECT path, size_bytes, mtime_ms, hash FROM file ORDER BY path').map(toManifestEntry),
      ),
    commit: async (batch) => ({ generation: store.write((tx) => writeBatch(tx, batch)) }),
    stats: async () => store.read(readStats),
    skips: async () =>
      store.read((tx) => tx.all('SELECT path, reason, detail FROM skip ORDER BY path').map(toSkip)),
    definitionsOf: async (path) =>
      store.read((tx) =>
        tx
          .all(
            `SELECT d.start_line, d.end_line, d.name, d.kind, d.container, d.signature, d.doc
             FROM definition d JOIN file f ON f.id = d.file_id WHERE f.path = ? ORDER BY d.start_line, d.rowid`,
            path,
          )
          .map(toDefinition),
      ),
    findChunks: async (words, limit) => store.read((tx) => findChunks(tx, words, limit)),
    isSound: async () => store.verify().kind === 'sound',
    close: async () => store.close(),
  };
}

function findChunks(tx: ReadTx, words: readonly string[], limit: number): readonly FoundChunk[] {
  // Only what the token stream makes can be in the index; anything else would be an operator or a phrase to the engine.
  const query = words
    .filter((word) => /^\w+$/.test(word))
    .map((word) => `"${word}"`)
    .join(' OR ');
  if (query === '') return [];
  return tx
    .all(
      `SELECT f.path, c.start_line, c.end_line, -bm25(chunk_words) AS score
       FROM chunk_words JOIN chunk c ON c.id = chunk_words.rowid JOIN file f ON f.id = c.file_id
       WHERE chunk_words MATCH ? ORDER BY bm25(chunk_words), c.id LIMIT ?`,
      query,
      limit,
    )
    .map((row) => ({
      path: textColumn(row, 'path'),
      startLine: numberColumn(row, 'start_line'),
      endLine: numberColumn(row, 'end_line'),
      score: numberColumn(row, 'score'),
    }));
}

function readStats(tx: ReadTx): IndexStats {
  const count = (sql: string): number => {
    const row = tx.get(sql);
    return row === undefined ? 0 : numberColumn(row, 'n');
  };
  return {
    files: count('SELECT count(*) AS n FROM file'),
    chunks: count('SELECT count(*) AS n FROM chunk'),
    definitions: count('SELECT count(*) AS n FROM definition'),
    sourceBytes: count('SELECT coalesce(sum(size_bytes), 0) AS n FROM file'),
    skips: count('SELECT count(*) AS n FROM skip'),
    generation: count('SELECT generation AS n FROM state'),
    byLanguage: tx
      .all(
        `SELECT f.language, count(DISTINCT f.id) AS files, count(c.id) AS chunks
         FROM file f LEFT JOIN chunk c ON c.file_id = f.id GROUP BY f.language ORDER BY files DESC, f.language`,
      )
      .map((row) => ({
        language: textColumn(row, 'language'),
        files: numberColumn(row, 'files'),
        chunks: numberColumn(row, 'chunks'),
      })),
    bySkipReason: tx
      .all('SELECT reason, count(*) AS n FROM skip GROUP BY reason ORDER BY n DESC, reason')
      .map((row) => ({ reason: textColumn(row, 'reason'), count: numberColumn(row, 'n') })),
  };
}

function toManifestEntry(row: Row): ManifestEntry {
  return {
    path: textColumn(row, 'path'),
    sizeBytes: numberColumn(row, 'size_bytes'),
    mtimeMs: numberColumn(row, 'mtime_ms'),
    hash: textColumn(row, 'hash'),
  };
}

function toSkip(row: Row): Skip {
  const reason = SKIP_REASONS.find((known) => known === row['reason']);
  if (reason === undefined)
    throw new AppError('internal', 'The index holds an unknown reason for leaving a file out.');
  return { path: textColumn(row, 'path'), reason, detail: optionalTextColumn(row, 'detail') };
}

function toDefinition(row: Row): Definition {
  const kind = DEFINITION_KINDS.find((known) => known === row['kind']);
  if (kind === undefined) throw new AppError('internal', 'The index holds an unknown kind of definition.');
  return {
    name: textColumn(row, 'name'),
    kind,
    container: optionalTextColumn(row, 'container'),
    signature: textColumn(row, 'signature'),
    doc: optionalTextColumn(row, 'doc'),
    startLine: numberColumn(row, 'start_line'),
    endLine: numberColumn(row, 'end_line'),
  };
}
