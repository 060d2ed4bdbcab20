/** An index on SQLite: its file, its lock, its rows and the view kept beside it. */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Clock, Logger } from '../../core/index.ts';
import {
  ensurePrivateDir,
  ensurePrivateFile,
  pathExists,
  readBytesIfPresent,
  removeIfPresent,
  writePrivateBytes,
} from '../../platform/index.ts';
import type { IndexStats, IndexStore, MisreadFile } from '../index-store.ts';
import type { IndexStores, StoreLock } from '../index-stores.ts';
import {
  loadDriver,
  numberColumn,
  textColumn,
  hasErrorCode,
  toStorageError,
  translatingErrors,
} from './driver.ts';
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
import {
  readContents,
  readDefinitions,
  readFacts,
  readFiles,
  readGeneration,
  readManifest,
  readOutlines,
  readParseFailures,
  readSkips,
  readTrigrams,
  readUnparsed,
  readVectors,
  readHistory,
  readStamps,
  writeBatch,
  writeHistory,
} from './index-rows.ts';
import { INDEX_MIGRATIONS, INDEX_SCHEMA_VERSION } from './index-schema.ts';
import { INDEX_FOLDER, INDEX_NAME, listIndexFiles, removeIndexFile, VIEW_FILES } from './kept-indexes.ts';
import { openDatabase } from './open-database.ts';
import type { SqliteStore } from './sqlite-store.ts';
import type { ReadTx } from './transactions.ts';
import { readRowStamps, readWholeFiles } from './whole-rows.ts';

/** One file per project and schema: readable enough to recognise, unique by its digest. */
export function indexFile(cacheDir: string, root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(cacheDir, INDEX_FOLDER, `${name}-${digest}-v${INDEX_SCHEMA_VERSION}.db`);
}

/** What the names of a project's index files have in common, whatever release wrote them. */
function indexKey(root: string): string {
  return INDEX_NAME.exec(basename(indexFile('', root)))?.[1] ?? '';
}

export type IndexStoresOptions = Omit<OpenIndexStoreOptions, 'root'>;

/** A file for each project, and two empty ones beside it for its locks. */
export function createIndexStores(options: IndexStoresOptions): IndexStores {
  const { cacheDir } = options;
  const fileOf = (root: string): string => indexFile(cacheDir, root);
  return {
    open: (root) => openIndexStore({ ...options, root }),
    exists: async (root) => pathExists(fileOf(root)),
    remove: (root) => removeIndexFile(cacheDir, basename(fileOf(root))),
    tryWriterLock: (root) => tryLockFile(`${fileOf(root)}.writer`),
    tryFollowerLock: (root) => tryLockFile(`${fileOf(root)}.follower`),
    list: async () => listIndexFiles(cacheDir),
    removeById: (id) => removeIndexFile(cacheDir, id),
    keyOf: indexKey,
  };
}

/** These locks lie with their process. */
const NEVER_LOST = new AbortController().signal;

/** SQLite's own lock on an empty file: works on every platform and dies with its holder. Undefined if another process holds it. */
export async function tryLockFile(absPath: string): Promise<StoreLock | undefined> {
  const name = basename(absPath);
  const driver = await loadDriver();
  const connection = translatingErrors(name, () => {
    ensurePrivateDir(dirname(absPath));
    ensurePrivateFile(absPath);
    return driver.connect(absPath, { readOnly: false, timeout: 0 });
  });
  try {
    // Nothing is ever committed: the file stays empty.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (thrown) {
    connection.close();
    const error = toStorageError(thrown, name);
    if (hasErrorCode(error, 'storage_busy')) return undefined;
    throw error;
  }
  let isHeld = true;
  return {
    lost: NEVER_LOST,
    async release() {
      if (!isHeld) return;
      isHeld = false;
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
}

export interface OpenIndexStoreOptions {
  readonly cacheDir: string;
  /** Canonical real path of the project's root. */
  readonly root: string;
  readonly clock: Clock;
  readonly logger: Logger;
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
  await store.write(
    (tx) => void tx.run('INSERT OR IGNORE INTO state (id, root, generation) VALUES (1, ?, 0)', root),
  );
  return createIndexStore(store, indexFile(cacheDir, root));
}

function createIndexStore(store: SqliteStore, absPath: string): IndexStore {
  return {
    rowStamps: async () => store.read(readRowStamps),
    wholeFiles: async (paths) => store.read((tx) => readWholeFiles(tx, paths)),
    manifest: async () => store.read(readManifest),
    commit: async (batch) => ({ generation: await store.write((tx) => writeBatch(tx, batch)) }),
    stats: async () => store.read(readStats),
    skips: async () => store.read(readSkips),
    unparsed: async (parser, retry) => store.read((tx) => readUnparsed(tx, parser, retry)),
    parseFailures: async () => store.read(readParseFailures),
    misread: async () => store.read(readMisread),
    definitionsOf: async (path) => store.read((tx) => readDefinitions(tx, path)),
    isDistant: false,
    outlinesOf: async (paths) => store.read((tx) => readOutlines(tx, paths)),
    generation: async () => store.read(readGeneration),
    stamps: async () => store.read(readStamps),
    history: async () => store.read(readHistory),
    keepHistory: (history) => store.write((tx) => writeHistory(tx, history)),
    files: async () => store.read((tx) => ({ generation: readGeneration(tx), files: readFiles(tx) })),
    contents: async (fileIds) => store.read((tx) => readContents(tx, fileIds)),
    facts: async (fileIds) => store.read((tx) => readFacts(tx, fileIds)),
    vectors: async (fileIds) => store.read((tx) => readVectors(tx, fileIds)),
    trigrams: async () => store.read(readTrigrams),
    vectorState: async (model) => store.read((tx) => readVectorState(tx, model)),
    embeddingState: async (model) => store.read((tx) => readEmbeddingState(tx, model)),
    embeddedModels: async () => store.read(readEmbeddedModels),
    unembedded: async (model) => store.read((tx) => readUnembedded(tx, model)),
    embeddings: async (model, fileIds) => store.read((tx) => readEmbeddings(tx, model, fileIds)),
    embeddingAt: async (model, path) => store.read((tx) => readEmbedding(tx, model, path)),
    vanishedEmbeddings: async (model) => store.read((tx) => readVanished(tx, model)),
    commitEmbeddings: (files) => store.write((tx) => writeEmbeddings(tx, files)),
    keepEmbeddingsOf: (model) => store.write((tx) => removeOtherEmbeddings(tx, model)),
    ...createKeptView(store, absPath),
    isSound: async () => (await store.verify()).kind === 'sound',
    close: async () => store.close(),
  };
}

/**
 * The view that search made of an index: a file beside it, valid only while the index names its digest. So a file that is damaged,
 * half written or of another index counts as none. It is read in one go into one buffer.
 *
 * In the machine's byte order: a mark, the number of parts, their lengths, then the parts, each aligned to eight bytes.
 */
type KeptView = Pick<IndexStore, 'keptView' | 'keepView' | 'forgetView'>;

function createKeptView(store: SqliteStore, absPath: string): KeptView {
  return {
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
        await store.write(
          (tx) =>
            void tx.run(
              'INSERT OR REPLACE INTO kept_view (id, generation, digest) VALUES (1, ?, ?)',
              generation,
              digest,
            ),
        );
        return true;
      } finally {
        await lock.release();
      }
    },
    async forgetView() {
      await store.write((tx) => void tx.run('DELETE FROM kept_view'));
      translatingErrors(basename(absPath), () => removeViewFile(absPath));
    },
  };
}

const MARK = 0x57_4d_56_31;
const STEP = 8;

/** Gives the digest by which it is known when it is read. */
function writeViewFile(absIndex: string, parts: readonly Uint8Array[]): string {
  const head = new Uint32Array(padded((2 + parts.length) * 4) / 4);
  head.set([MARK, parts.length, ...parts.map(({ byteLength }) => byteLength)]);
  const pieces = [
    new Uint8Array(head.buffer),
    ...parts.flatMap((part) => [part, new Uint8Array(padded(part.byteLength) - part.byteLength)]),
  ];
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  writePrivateBytes(absIndex + VIEW_FILES[0], pieces);
  return digest.digest('hex');
}

/** Undefined if there is none of this digest. */
function readViewFile(absIndex: string, digest: string): readonly Uint8Array[] | undefined {
  const read = readBytesIfPresent(absIndex + VIEW_FILES[0]);
  if (read === undefined || createHash('sha256').update(read).digest('hex') !== digest) return undefined;
  // Short files share a buffer with others, and numbers must begin at a multiple of their size.
  const bytes = read.byteOffset % STEP === 0 ? read : read.slice();
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  const count = head[1] ?? 0;
  if (head[0] !== MARK) return undefined;
  let at = padded((2 + count) * 4);
  return Array.from(head.subarray(2, 2 + count), (length) => {
    const part = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length);
    at += padded(length);
    return part;
  });
}

function removeViewFile(absIndex: string): void {
  for (const suffix of VIEW_FILES) removeIfPresent(absIndex + suffix);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / STEP) * STEP;
}

export function readStats(tx: ReadTx): IndexStats {
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

function readMisread(tx: ReadTx): readonly MisreadFile[] {
  const rows = tx.all(
    `SELECT f.path, p.error_share FROM parse p JOIN file f ON f.id = p.file_id
     WHERE p.failure IS NULL AND p.error_share > 0 ORDER BY f.path`,
  );
  return rows.map((row) => ({ path: textColumn(row, 'path'), errorShare: numberColumn(row, 'error_share') }));
}
