/** How a batch becomes rows. */
import type { IndexBatch, IndexedFile, ManifestEntry, ParsedEntry } from '../index-store.ts';
import { renderOutline } from '../outline-text.ts';
import { numberColumn } from './columns.ts';
import { readGeneration } from './generation-row.ts';
import type { WriteTx } from './transactions.ts';

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
  tx.run('INSERT OR REPLACE INTO outline (file_id, definitions) VALUES (?, ?)', fileId, outline);
}

/** Only if the file is still the one that was parsed: the exact pass reads long before it writes. */
function writeParsed(
  tx: WriteTx,
  { note, definitions, rows, ...parsed }: ParsedEntry,
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
