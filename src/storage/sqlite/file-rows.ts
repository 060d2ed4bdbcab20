/** Reads what an index holds of each file, and what it left out. */
import { AppError, SKIP_REASONS, type Skip } from '../../core/index.ts';
import { ByteReader } from '../byte-stream.ts';
import type {
  FileEntry,
  ManifestEntry,
  PackedContent,
  PackedVectors,
  ParseFailed,
  UnparsedFile,
} from '../index-store.ts';
import { bytesColumn, numberColumn, optionalTextColumn, textColumn } from './columns.ts';
import type { Row } from './driver.ts';
import type { ReadTx } from './transactions.ts';

export function readManifest(tx: ReadTx): readonly ManifestEntry[] {
  return tx
    .all('SELECT path, size_bytes, mtime_ms, hash, analysis FROM file ORDER BY path')
    .map(toManifestEntry);
}

export function readSkips(tx: ReadTx): readonly Skip[] {
  return tx.all('SELECT path, reason, detail FROM skip ORDER BY path').map(toSkip);
}

export function readUnparsed(
  tx: ReadTx,
  parser: string,
  retry: 'failed' | undefined,
): readonly UnparsedFile[] {
  return tx
    .all(
      `SELECT f.path, f.size_bytes, f.mtime_ms, f.hash, f.analysis, f.language
       FROM file f LEFT JOIN parse p ON p.file_id = f.id AND p.parser = ?
       WHERE p.file_id IS NULL OR (? AND p.failure IS NOT NULL) ORDER BY f.path`,
      parser,
      retry === undefined ? 0 : 1,
    )
    .map((row) => ({ ...toManifestEntry(row), language: textColumn(row, 'language') }));
}

export function readParseFailures(tx: ReadTx): readonly ParseFailed[] {
  return tx
    .all(
      `SELECT f.path, p.failure FROM parse p JOIN file f ON f.id = p.file_id
       WHERE p.failure IS NOT NULL ORDER BY f.path`,
    )
    .map((row) => ({ path: textColumn(row, 'path'), failure: textColumn(row, 'failure') }));
}

export function readFiles(tx: ReadTx): readonly FileEntry[] {
  return tx
    .all('SELECT id, path, language, lines, hash, plain_by, generation FROM file ORDER BY path')
    .map(toFileEntry);
}

export function readContents(tx: ReadTx, fileIds: readonly number[]): readonly PackedContent[] {
  return readRows(tx, 'SELECT file_id, terms FROM content', fileIds).map(toPackedContent);
}

export function readVectors(tx: ReadTx, fileIds: readonly number[]): readonly PackedVectors[] {
  return readRows(tx, 'SELECT file_id, model, dimensions, packed FROM vector', fileIds).map(toPackedVectors);
}

export function readTrigrams(tx: ReadTx): ReadonlyMap<number, Uint16Array> {
  return new Map(
    tx
      .all('SELECT file_id, packed FROM trigram')
      .map((row) => [
        numberColumn(row, 'file_id'),
        Uint16Array.from(new ByteReader(bytesColumn(row, 'packed')).ascending()),
      ]),
  );
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
