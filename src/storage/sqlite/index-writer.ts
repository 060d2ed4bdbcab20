/** How a batch becomes rows. */
import type { IndexBatch, IndexedFile, ManifestEntry } from '../index-store.ts';
import { numberColumn } from './columns.ts';
import type { WriteTx } from './transactions.ts';

export function writeBatch(tx: WriteTx, batch: IndexBatch): number {
  for (const path of batch.removed ?? []) removeFile(tx, path);
  for (const { from, to } of batch.moved ?? []) moveFile(tx, from, to);
  for (const file of batch.written ?? []) writeFile(tx, file);
  if (batch.skips !== undefined) {
    tx.run('DELETE FROM skip');
    for (const { path, reason, detail } of batch.skips) {
      tx.run(
        'INSERT OR REPLACE INTO skip (path, reason, detail) VALUES (?, ?, ?)',
        path,
        reason,
        detail ?? null,
      );
    }
  }
  tx.run('UPDATE state SET generation = generation + 1');
  const row = tx.get('SELECT generation FROM state');
  return row === undefined ? 0 : numberColumn(row, 'generation');
}

function writeFile(tx: WriteTx, file: IndexedFile): void {
  removeFile(tx, file.path);
  const { path, sizeBytes, mtimeMs, hash, language, lines } = file;
  const fileId = tx.run(
    'INSERT INTO file (path, size_bytes, mtime_ms, hash, language, lines) VALUES (?, ?, ?, ?, ?, ?)',
    path,
    sizeBytes,
    mtimeMs,
    hash,
    language,
    lines,
  ).lastInsertRowid;
  for (const { startLine, endLine, tokens } of file.chunks) {
    const chunkId = tx.run(
      'INSERT INTO chunk (file_id, start_line, end_line) VALUES (?, ?, ?)',
      fileId,
      startLine,
      endLine,
    ).lastInsertRowid;
    tx.run('INSERT INTO chunk_words (rowid, words) VALUES (?, ?)', chunkId, tokens);
  }
  for (const found of file.definitions) {
    tx.run(
      `INSERT INTO definition (file_id, start_line, end_line, name, kind, container, signature, doc)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      fileId,
      found.startLine,
      found.endLine,
      found.name,
      found.kind,
      found.container ?? null,
      found.signature,
      found.doc ?? null,
    );
  }
}

function removeFile(tx: WriteTx, path: string): void {
  const row = tx.get('SELECT id FROM file WHERE path = ?', path);
  if (row === undefined) return;
  const fileId = numberColumn(row, 'id');
  // The full-text table knows no foreign keys, so its rows go by hand, in the same transaction.
  tx.run('DELETE FROM chunk_words WHERE rowid IN (SELECT id FROM chunk WHERE file_id = ?)', fileId);
  tx.run('DELETE FROM file WHERE id = ?', fileId);
}

function moveFile(tx: WriteTx, from: string, to: ManifestEntry): void {
  if (from !== to.path) removeFile(tx, to.path);
  tx.run(
    'UPDATE file SET path = ?, size_bytes = ?, mtime_ms = ?, hash = ? WHERE path = ?',
    to.path,
    to.sizeBytes,
    to.mtimeMs,
    to.hash,
    from,
  );
}
