/** The rows of an index: what it holds of each file, what it left out, and how a batch is written. */
import { AppError, type Definition, type Skip, SKIP_REASONS } from '../../core/index.ts';
import { ByteReader } from '../byte-stream.ts';
import type {
  FileEntry,
  IndexBatch,
  IndexedFile,
  KeptHistory,
  ManifestEntry,
  PackedContent,
  PackedFacts,
  PackedVectors,
  ParseFailed,
  ParsedEntry,
  UnparsedFile,
} from '../index-store.ts';
import { Outline, renderOutline, packText, unpackText } from '../packed-file.ts';
import {
  bytesColumn,
  integersOf,
  joinedBytes,
  joinedIntegers,
  joinedTexts,
  numberColumn,
  optionalTextColumn,
  type Row,
  textColumn,
  textsOf,
} from './driver.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

export function readManifest(tx: ReadTx): readonly ManifestEntry[] {
  const row = tx.get(MANIFEST);
  if (row === undefined) return [];
  const sizes = integersOf(row, 'sizes');
  const [wholes, parts] = [integersOf(row, 'wholes'), integersOf(row, 'parts')];
  const [hashes, analyses] = [textsOf(row, 'hashes'), textsOf(row, 'analyses')];
  let analysis = '';
  return textsOf(row, 'paths').map((path, at) => {
    // One text for all, where they are the same: nearly always.
    if (analyses[at] !== analysis) analysis = analyses[at] ?? '';
    return {
      path,
      sizeBytes: sizes[at] ?? 0,
      mtimeMs: (wholes[at] ?? 0) + (parts[at] ?? 0) / PARTS,
      hash: hashes[at] ?? '',
      analysis,
    };
  });
}

/** A time goes as whole milliseconds and parts of one, which is exact; SQLite's text of a fraction is not. */
const PARTS = 2 ** 52;
const MANIFEST = `
  SELECT ${joinedTexts('path')} AS paths, ${joinedIntegers('size_bytes')} AS sizes,
    ${joinedIntegers('CAST(mtime_ms AS INTEGER)')} AS wholes,
    ${joinedIntegers(`CAST((mtime_ms - CAST(mtime_ms AS INTEGER)) * ${PARTS} AS INTEGER)`)} AS parts,
    ${joinedTexts('hash')} AS hashes, ${joinedTexts('analysis')} AS analyses
  FROM (SELECT path, size_bytes, mtime_ms, hash, analysis FROM file ORDER BY path)`;

export function readSkips(tx: ReadTx): readonly Skip[] {
  return tx
    .all('SELECT path, reason, detail, size_bytes, mtime_ms, analysis FROM skip ORDER BY path')
    .map(toSkip);
}

export function readUnparsed(
  tx: ReadTx,
  parser: string,
  retry: 'failed' | undefined,
): readonly UnparsedFile[] {
  return tx
    .all(
      `SELECT f.path, f.size_bytes, f.mtime_ms, f.hash, f.analysis, f.language,
         p.file_id IS NOT NULL AND p.failure IS NULL AS otherwise
       FROM file f LEFT JOIN parse p ON p.file_id = f.id
       WHERE p.file_id IS NULL OR p.parser <> ? OR (? AND p.failure IS NOT NULL) ORDER BY f.path`,
      parser,
      retry === undefined ? 0 : 1,
    )
    .map((row) => ({
      ...toManifestEntry(row),
      language: textColumn(row, 'language'),
      isParsedOtherwise: numberColumn(row, 'otherwise') === 1,
    }));
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

export function readFacts(tx: ReadTx, fileIds: readonly number[]): readonly PackedFacts[] {
  return readRows(tx, 'SELECT file_id, packed FROM fact', fileIds).map((row) => ({
    fileId: numberColumn(row, 'file_id'),
    packed: bytesColumn(row, 'packed'),
  }));
}

export function readVectors(tx: ReadTx, fileIds: readonly number[]): readonly PackedVectors[] {
  return (
    readJoinedVectors(tx, fileIds) ??
    readRows(tx, 'SELECT file_id, model, dimensions, packed FROM vector', fileIds).map(toPackedVectors)
  );
}

/** One statement for all; undefined where that is no gain, or where they are of several models (rare: during a change of model). */
function readJoinedVectors(tx: ReadTx, fileIds: readonly number[]): readonly PackedVectors[] | undefined {
  const span = spanOf(fileIds);
  const row = span.isDense ? tx.get(JOINED_VECTORS, span.low, span.high) : undefined;
  if (row === undefined || row['models'] !== 1) return undefined;
  const wanted = new Set(fileIds);
  const [model, dimensions] = [textColumn(row, 'model'), numberColumn(row, 'dimensions')];
  const [lengths, all] = [integersOf(row, 'lengths'), bytesColumn(row, 'packed')];
  const found: PackedVectors[] = [];
  let at = 0;
  for (const [place, fileId] of integersOf(row, 'ids').entries()) {
    const packed = all.subarray(at, (at += lengths[place] ?? 0));
    if (wanted.has(fileId)) found.push({ fileId, model, dimensions, packed });
  }
  return found;
}

const JOINED_VECTORS = `
  SELECT min(model) AS model, min(dimensions) AS dimensions,
    min(model) = max(model) AND min(dimensions) = max(dimensions) AS models,
    ${joinedIntegers('file_id')} AS ids, ${joinedIntegers('length(packed)')} AS lengths,
    ${joinedBytes('packed')} AS packed
  FROM (SELECT file_id, model, dimensions, packed FROM vector WHERE file_id BETWEEN ? AND ?)`;

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
  const { low, high, isDense } = spanOf(fileIds);
  if (!isDense) {
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

function spanOf(fileIds: readonly number[]): { low: number; high: number; isDense: boolean } {
  let [low, high] = [Infinity, -Infinity];
  for (const id of fileIds) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return { low, high, isDense: high - low < 2 * fileIds.length };
}

export function toManifestEntry(row: Row): ManifestEntry {
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
  const skip = { path: textColumn(row, 'path'), reason, detail: optionalTextColumn(row, 'detail') };
  if (row['size_bytes'] === null) return skip;
  return {
    ...skip,
    seen: {
      sizeBytes: numberColumn(row, 'size_bytes'),
      mtimeMs: numberColumn(row, 'mtime_ms'),
      analysis: textColumn(row, 'analysis'),
    },
  };
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

export function readDefinitions(tx: ReadTx, path: string): readonly Definition[] {
  const row = tx.get(
    'SELECT o.definitions FROM outline o JOIN file f ON f.id = o.file_id WHERE f.path = ?',
    path,
  );
  return row === undefined ? [] : toOutline(row).all();
}

function toOutline(row: Row): Outline {
  return new Outline(unpackText(bytesColumn(row, 'definitions')));
}

/** One statement for all: a statement costs more than a row. */
export function readOutlines(tx: ReadTx, paths: readonly string[]): readonly Outline[] {
  const rows = tx.all(
    `SELECT f.path, o.definitions FROM json_each(?) AS wanted
     CROSS JOIN file f ON f.path = wanted.value JOIN outline o ON o.file_id = f.id`,
    JSON.stringify(paths),
  );
  const found = new Map(rows.map((row) => [textColumn(row, 'path'), toOutline(row)]));
  return paths.map((path) => found.get(path) ?? new Outline(undefined));
}

/** The number of the index's last commit. */
export function readGeneration(tx: ReadTx): number {
  const row = tx.get('SELECT generation FROM state');
  return row === undefined ? 0 : numberColumn(row, 'generation');
}

/** One commit. Returns the new generation. */
export function writeBatch(tx: WriteTx, batch: IndexBatch): number {
  tx.run('UPDATE state SET generation = generation + 1');
  const generation = readGeneration(tx);
  for (const path of batch.removed ?? []) removeFile(tx, path);
  for (const entry of batch.touched ?? []) touchFile(tx, entry);
  for (const file of batch.written ?? []) writeFile(tx, file, generation);
  for (const entry of batch.parsed ?? []) writeParsed(tx, entry, generation);
  if (batch.skips !== undefined) {
    tx.run('DELETE FROM skip');
    for (const { path, reason, detail, seen } of batch.skips) {
      tx.run(
        'INSERT OR REPLACE INTO skip (path, reason, detail, size_bytes, mtime_ms, analysis) VALUES (?, ?, ?, ?, ?, ?)',
        path,
        reason,
        detail ?? null,
        seen?.sizeBytes ?? null,
        seen?.mtimeMs ?? null,
        seen?.analysis ?? null,
      );
    }
  }
  return generation;
}

function writeFile(tx: WriteTx, file: IndexedFile, generation: number): number {
  removeFile(tx, file.path);
  const fileId = tx.run(
    `INSERT INTO file (path, size_bytes, mtime_ms, hash, analysis, language, lines, plain_by, chunks, definitions, generation)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    file.path,
    file.sizeBytes,
    file.mtimeMs,
    file.hash,
    file.analysis,
    file.language,
    file.lines,
    file.plainBy,
    file.chunks,
    file.definitions,
    generation,
  ).lastInsertRowid;
  tx.run('INSERT INTO content (file_id, terms) VALUES (?, ?)', fileId, file.terms);
  tx.run('INSERT INTO trigram (file_id, packed) VALUES (?, ?)', fileId, file.trigrams);
  if (file.vectors !== undefined)
    tx.run(
      'INSERT INTO vector (file_id, model, dimensions, packed) VALUES (?, ?, ?, ?)',
      fileId,
      file.vectors.model,
      file.vectors.dimensions,
      file.vectors.packed,
    );
  writeOutline(tx, fileId, file.outline);
  return fileId;
}

function writeOutline(tx: WriteTx, fileId: number, outline: string | undefined): void {
  if (outline === undefined) return void tx.run('DELETE FROM outline WHERE file_id = ?', fileId);
  tx.run('INSERT OR REPLACE INTO outline (file_id, definitions) VALUES (?, ?)', fileId, packText(outline));
}

/** Only if the file is still the one that was parsed: the exact pass reads long before it writes. */
function writeParsed(
  tx: WriteTx,
  { note, definitions, rows, facts, ...parsed }: ParsedEntry,
  generation: number,
): void {
  const row = tx.get(
    'SELECT id, size_bytes, mtime_ms FROM file WHERE path = ? AND hash = ? AND analysis = ?',
    parsed.path,
    parsed.hash,
    parsed.analysis,
  );
  if (row === undefined) return;
  let fileId = numberColumn(row, 'id');
  if (rows !== undefined) {
    const stamp = { sizeBytes: numberColumn(row, 'size_bytes'), mtimeMs: numberColumn(row, 'mtime_ms') };
    fileId = writeFile(tx, { ...rows, ...parsed, ...stamp }, generation);
  } else if (definitions !== undefined) {
    writeOutline(tx, fileId, renderOutline(definitions));
    tx.run('UPDATE file SET definitions = ? WHERE id = ?', definitions.length, fileId);
  }
  if (facts === undefined) tx.run('DELETE FROM fact WHERE file_id = ?', fileId);
  else tx.run('INSERT OR REPLACE INTO fact (file_id, packed) VALUES (?, ?)', fileId, facts);
  tx.run(
    'INSERT OR REPLACE INTO parse (file_id, parser, failure, error_share) VALUES (?, ?, ?, ?)',
    fileId,
    note.parser,
    note.failure ?? null,
    note.errorShare,
  );
}

function removeFile(tx: WriteTx, path: string): void {
  tx.run('DELETE FROM file WHERE path = ?', path);
}

/** Its generation stays: nothing that search knows of it has changed. */
function touchFile(tx: WriteTx, entry: ManifestEntry): void {
  tx.run(
    'UPDATE file SET size_bytes = ?, mtime_ms = ? WHERE path = ? AND hash = ?',
    entry.sizeBytes,
    entry.mtimeMs,
    entry.path,
    entry.hash,
  );
}

/** How often files and history were written. */
export function readStamps(tx: ReadTx): { readonly generation: number; readonly history: number } {
  const row = tx.get('SELECT generation, history FROM state');
  if (row === undefined) return { generation: 0, history: 0 };
  return { generation: numberColumn(row, 'generation'), history: numberColumn(row, 'history') };
}

export function readHistory(tx: ReadTx): KeptHistory | undefined {
  const row = tx.get('SELECT maker, tips, commits, packed FROM history');
  if (row === undefined) return undefined;
  return {
    maker: textColumn(row, 'maker'),
    tips: textColumn(row, 'tips').split(' '),
    commits: numberColumn(row, 'commits'),
    packed: bytesColumn(row, 'packed'),
  };
}

export function writeHistory(tx: WriteTx, { maker, tips, commits, packed }: KeptHistory): void {
  tx.run(
    'INSERT OR REPLACE INTO history (id, maker, tips, commits, packed) VALUES (1, ?, ?, ?, ?)',
    maker,
    tips.join(' '),
    commits,
    packed,
  );
  tx.run('UPDATE state SET history = history + 1');
}
