/** A project's index in a SQLite file. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  AppError,
  SKIP_REASONS,
  type Clock,
  type Definition,
  type Logger,
  type Skip,
} from '../../core/index.ts';
import { ByteReader } from '../byte-stream.ts';
import type {
  FileEntry,
  IndexStats,
  IndexStore,
  ManifestEntry,
  PackedContent,
  PackedVectors,
} from '../index-store.ts';
import { parseOutline } from '../outline-text.ts';
import {
  readEmbeddedModels,
  readEmbedding,
  readEmbeddings,
  readEmbeddingState,
  readUnembedded,
  readVanished,
  readVectorState,
  removeOtherEmbeddings,
  writeEmbeddings,
} from './embedding-rows.ts';
import { bytesColumn, numberColumn, optionalTextColumn, textColumn } from './columns.ts';
import type { Row } from './driver.ts';
import { INDEX_MIGRATIONS, INDEX_SCHEMA_VERSION } from './index-schema.ts';
import { writeBatch } from './index-writer.ts';
import { openDatabase } from './open-database.ts';
import { tryLockFile } from './lock-file.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { translatingErrors } from './storage-error.ts';
import { readViewFile, removeViewFile, writeViewFile } from './view-file.ts';
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
  return createIndexStore(store, indexFile(cacheDir, root));
}

function createIndexStore(store: SqliteStore, absPath: string): IndexStore {
  return {
    manifest: async () =>
      store.read((tx) =>
        tx
          .all('SELECT path, size_bytes, mtime_ms, hash, analysis FROM file ORDER BY path')
          .map(toManifestEntry),
      ),
    commit: async (batch) => ({ generation: store.write((tx) => writeBatch(tx, batch)) }),
    stats: async () => store.read(readStats),
    skips: async () =>
      store.read((tx) => tx.all('SELECT path, reason, detail FROM skip ORDER BY path').map(toSkip)),
    unparsed: async (parser, retry) =>
      store.read((tx) =>
        tx
          .all(
            `SELECT f.path, f.size_bytes, f.mtime_ms, f.hash, f.analysis, f.language
             FROM file f LEFT JOIN parse p ON p.file_id = f.id AND p.parser = ?
             WHERE p.file_id IS NULL OR (? AND p.failure IS NOT NULL) ORDER BY f.path`,
            parser,
            retry === undefined ? 0 : 1,
          )
          .map((row) => ({ ...toManifestEntry(row), language: textColumn(row, 'language') })),
      ),
    parseFailures: async () =>
      store.read((tx) =>
        tx
          .all(
            `SELECT f.path, p.failure FROM parse p JOIN file f ON f.id = p.file_id
             WHERE p.failure IS NOT NULL ORDER BY f.path`,
          )
          .map((row) => ({ path: textColumn(row, 'path'), failure: textColumn(row, 'failure') })),
      ),
    definitionsOf: async (path) => store.read((tx) => readOutline(tx, path)),
    definitionsOfAll: async (paths) => store.read((tx) => readOutlines(tx, paths)),
    generation: async () => store.read(readGeneration),
    files: async () =>
      store.read((tx) => ({
        generation: readGeneration(tx),
        files: tx
          .all('SELECT id, path, language, lines, hash, plain_by, generation FROM file ORDER BY path')
          .map(toFileEntry),
      })),
    contents: async (fileIds) =>
      store.read((tx) => readRows(tx, 'SELECT file_id, terms FROM content', fileIds).map(toPackedContent)),
    vectors: async (fileIds) =>
      store.read((tx) =>
        readRows(tx, 'SELECT file_id, model, dimensions, packed FROM vector', fileIds).map(toPackedVectors),
      ),
    vectorState: async (model) => store.read((tx) => readVectorState(tx, model)),
    embeddingState: async (model) => store.read((tx) => readEmbeddingState(tx, model)),
    embeddedModels: async () => store.read(readEmbeddedModels),
    unembedded: async (model) => store.read((tx) => readUnembedded(tx, model)),
    embeddings: async (model, fileIds) => store.read((tx) => readEmbeddings(tx, model, fileIds)),
    embeddingAt: async (model, path) => store.read((tx) => readEmbedding(tx, model, path)),
    vanishedEmbeddings: async (model) => store.read((tx) => readVanished(tx, model)),
    commitEmbeddings: async (files) => store.write((tx) => writeEmbeddings(tx, files)),
    keepEmbeddingsOf: async (model) => store.write((tx) => removeOtherEmbeddings(tx, model)),
    async keptView() {
      const row = store.read((tx) => tx.get('SELECT generation, digest FROM kept_view'));
      const parts = row === undefined ? undefined : readViewFile(absPath, textColumn(row, 'digest'));
      if (row === undefined || parts === undefined) return undefined;
      return { generation: numberColumn(row, 'generation'), parts };
    },
    async keepView({ generation, parts }) {
      const lock = await tryLockFile(`${absPath}.writer`);
      if (lock === undefined) return false;
      try {
        const digest = translatingErrors(basename(absPath), () => writeViewFile(absPath, parts));
        store.write(
          (tx) =>
            void tx.run(
              'INSERT OR REPLACE INTO kept_view (id, generation, digest) VALUES (1, ?, ?)',
              generation,
              digest,
            ),
        );
        return true;
      } finally {
        lock.release();
      }
    },
    async forgetView() {
      store.write((tx) => void tx.run('DELETE FROM kept_view'));
      translatingErrors(basename(absPath), () => removeViewFile(absPath));
    },
    trigrams: async () =>
      store.read(
        (tx) =>
          new Map(
            tx
              .all('SELECT file_id, packed FROM trigram')
              .map((row) => [
                numberColumn(row, 'file_id'),
                Uint16Array.from(new ByteReader(bytesColumn(row, 'packed')).ascending()),
              ]),
          ),
      ),
    isSound: async () => store.verify().kind === 'sound',
    close: async () => store.close(),
  };
}

/** Of these files, in any order. Files that were written together lie together: those are read in one go, four times as fast. */
function readRows(tx: ReadTx, select: string, fileIds: readonly number[]): readonly Row[] {
  if (fileIds.length === 0) return [];
  let [low, high] = [Infinity, -Infinity];
  for (const id of fileIds) [low, high] = [Math.min(low, id), Math.max(high, id)];
  if (high - low >= 2 * fileIds.length) {
    return fileIds.flatMap((id) => {
      const row = tx.get(`${select} WHERE file_id = ?`, id);
      return row === undefined ? [] : [row];
    });
  }
  const wanted = new Set(fileIds);
  return tx
    .all(`${select} WHERE file_id BETWEEN ? AND ?`, low, high)
    .filter((row) => wanted.has(numberColumn(row, 'file_id')));
}

function readOutline(tx: ReadTx, path: string): readonly Definition[] {
  const row = tx.get(
    'SELECT o.definitions FROM outline o JOIN file f ON f.id = o.file_id WHERE f.path = ?',
    path,
  );
  return row === undefined ? [] : parseOutline(textColumn(row, 'definitions'));
}

/** In one question: each costs more than its answer. */
function readOutlines(tx: ReadTx, paths: readonly string[]): readonly (readonly Definition[])[] {
  const rows = tx.all(
    `SELECT f.path, o.definitions FROM json_each(?) AS wanted
     CROSS JOIN file f ON f.path = wanted.value JOIN outline o ON o.file_id = f.id`,
    JSON.stringify(paths),
  );
  const found = new Map(
    rows.map((row) => [textColumn(row, 'path'), parseOutline(textColumn(row, 'definitions'))]),
  );
  return paths.map((path) => found.get(path) ?? []);
}

function readGeneration(tx: ReadTx): number {
  const row = tx.get('SELECT generation FROM state');
  return row === undefined ? 0 : numberColumn(row, 'generation');
}

function readStats(tx: ReadTx): IndexStats {
  const count = (sql: string): number => {
    const row = tx.get(sql);
    return row === undefined ? 0 : numberColumn(row, 'n');
  };
  return {
    files: count('SELECT count(*) AS n FROM file'),
    chunks: count('SELECT coalesce(sum(chunks), 0) AS n FROM file'),
    definitions: count('SELECT coalesce(sum(definitions), 0) AS n FROM file'),
    sourceBytes: count('SELECT coalesce(sum(size_bytes), 0) AS n FROM file'),
    skips: count('SELECT count(*) AS n FROM skip'),
    generation: readGeneration(tx),
    byLanguage: tx
      .all(
        `SELECT language, count(*) AS files, sum(chunks) AS chunks
         FROM file GROUP BY language ORDER BY files DESC, language`,
      )
      .map((row) => ({
        language: textColumn(row, 'language'),
        files: numberColumn(row, 'files'),
        chunks: numberColumn(row, 'chunks'),
      })),
    bySkipReason: tx
      .all('SELECT reason, count(*) AS n FROM skip GROUP BY reason ORDER BY n DESC, reason')
      .map((row) => ({ reason: textColumn(row, 'reason'), count: numberColumn(row, 'n') })),
    parsed: tx
      .all(
        `SELECT f.language, sum(p.failure IS NULL) AS exact, sum(p.failure IS NOT NULL) AS failed,
           coalesce(sum(iif(p.failure IS NULL, p.error_share * f.size_bytes, 0)) /
             nullif(sum(iif(p.failure IS NULL, f.size_bytes, 0)), 0), 0.0) AS error_share
         FROM parse p JOIN file f ON f.id = p.file_id GROUP BY f.language ORDER BY count(*) DESC, f.language`,
      )
      .map((row) => ({
        language: textColumn(row, 'language'),
        exact: numberColumn(row, 'exact'),
        failed: numberColumn(row, 'failed'),
        errorShare: numberColumn(row, 'error_share'),
      })),
  };
}

function toManifestEntry(row: Row): ManifestEntry {
  return {
    path: textColumn(row, 'path'),
    sizeBytes: numberColumn(row, 'size_bytes'),
    mtimeMs: numberColumn(row, 'mtime_ms'),
    hash: textColumn(row, 'hash'),
    analysis: textColumn(row, 'analysis'),
  };
}

function toSkip(row: Row): Skip {
  const reason = SKIP_REASONS.find((known) => known === row['reason']);
  if (reason === undefined)
    throw new AppError('internal', 'The index holds an unknown reason for leaving a file out.');
  return { path: textColumn(row, 'path'), reason, detail: optionalTextColumn(row, 'detail') };
}

function toFileEntry(row: Row): FileEntry {
  return {
    id: numberColumn(row, 'id'),
    path: textColumn(row, 'path'),
    language: textColumn(row, 'language'),
    lines: numberColumn(row, 'lines'),
    hash: textColumn(row, 'hash'),
    plainBy: numberColumn(row, 'plain_by'),
    generation: numberColumn(row, 'generation'),
  };
}

function toPackedContent(row: Row): PackedContent {
  return {
    fileId: numberColumn(row, 'file_id'),
    terms: bytesColumn(row, 'terms'),
  };
}

function toPackedVectors(row: Row): PackedVectors {
  return {
    fileId: numberColumn(row, 'file_id'),
    model: textColumn(row, 'model'),
    dimensions: numberColumn(row, 'dimensions'),
    packed: bytesColumn(row, 'packed'),
  };
}
