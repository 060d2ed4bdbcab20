/** Vectors by a service, as rows beside the files they were made of. */
import { packVectors, unpackVectors } from '../packed-file.ts';
import type { EmbeddedFile, EmbeddingState, PackedVectors, UnembeddedFile } from '../index-store.ts';
import { bytesColumn, numberColumn, textColumn } from './driver.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

export function readEmbeddingState(tx: ReadTx, model: string): EmbeddingState {
  const made = tx.get('SELECT dimensions FROM embedding WHERE model = ? LIMIT 1', model);
  return {
    stamp: count(tx, 'SELECT embeddings AS n FROM state'),
    files: count(tx, EMBEDDABLE),
    embedded: count(tx, `${EMBEDDABLE} AND id IN (SELECT file_id FROM embedding WHERE model = ?)`, model),
    dimensions: made === undefined ? undefined : numberColumn(made, 'dimensions'),
  };
}

export function readVectorState(tx: ReadTx, model: string): Pick<EmbeddingState, 'files' | 'embedded'> {
  return {
    files: count(tx, EMBEDDABLE),
    embedded: count(tx, `${EMBEDDABLE} AND id IN (SELECT file_id FROM vector WHERE model = ?)`, model),
  };
}

const EMBEDDABLE = 'SELECT count(*) AS n FROM file WHERE chunks > 0';

function count(tx: ReadTx, sql: string, ...values: readonly string[]): number {
  const row = tx.get(sql, ...values);
  return row === undefined ? 0 : numberColumn(row, 'n');
}

export function readEmbeddedModels(tx: ReadTx): readonly string[] {
  return tx.all('SELECT DISTINCT model FROM embedding ORDER BY model').map((row) => textColumn(row, 'model'));
}

export function readUnembedded(tx: ReadTx, model: string): readonly UnembeddedFile[] {
  return tx
    .all(
      `SELECT f.id, f.path, f.hash, f.analysis, f.chunks
       FROM file f LEFT JOIN embedding e ON e.file_id = f.id AND e.model = ?
       WHERE f.chunks > 0 AND e.file_id IS NULL ORDER BY f.path`,
      model,
    )
    .map((row) => ({
      id: numberColumn(row, 'id'),
      path: textColumn(row, 'path'),
      hash: textColumn(row, 'hash'),
      analysis: textColumn(row, 'analysis'),
      chunks: numberColumn(row, 'chunks'),
    }));
}

export function readEmbeddings(
  tx: ReadTx,
  model: string,
  fileIds: readonly number[],
): readonly PackedVectors[] {
  return fileIds.flatMap((fileId) => {
    const row = tx.get(
      'SELECT dimensions, packed FROM embedding WHERE file_id = ? AND model = ?',
      fileId,
      model,
    );
    if (row === undefined) return [];
    return [
      { fileId, model, dimensions: numberColumn(row, 'dimensions'), packed: bytesColumn(row, 'packed') },
    ];
  });
}

export function readEmbedding(tx: ReadTx, model: string, path: string): EmbeddedFile | undefined {
  const row = tx.get(
    'SELECT file_id, dimensions, digests, packed FROM embedding WHERE path = ? AND model = ?',
    path,
    model,
  );
  if (row === undefined) return undefined;
  const dimensions = numberColumn(row, 'dimensions');
  const vectors = unpackVectors(bytesColumn(row, 'packed'), dimensions);
  const digests = bytesColumn(row, 'digests');
  const chunks = vectors.scales.length - 1;
  const size = digests.length / Math.max(1, chunks);
  return {
    fileId: numberColumn(row, 'file_id'),
    path,
    digests: Array.from({ length: chunks }, (_, at) => digests.subarray(at * size, (at + 1) * size)),
    vectors: { model, dimensions, ...vectors },
  };
}

export function readVanished(tx: ReadTx, model: string): readonly string[] {
  return tx
    .all('SELECT path FROM embedding WHERE model = ? AND path NOT IN (SELECT path FROM file)', model)
    .map((row) => textColumn(row, 'path'));
}

/** Only for files that are still what was embedded: the service answers long after they were read. */
export function writeEmbeddings(tx: WriteTx, files: readonly EmbeddedFile[]): void {
  tx.run('UPDATE state SET embeddings = embeddings + 1');
  for (const { fileId, path, digests, vectors } of files) {
    const row = tx.get('SELECT chunks FROM file WHERE id = ? AND path = ?', fileId, path);
    if (row === undefined || numberColumn(row, 'chunks') !== digests.length) continue;
    tx.run(
      `INSERT OR REPLACE INTO embedding (path, model, file_id, dimensions, digests, packed) VALUES (?, ?, ?, ?, ?, ?)`,
      path,
      vectors.model,
      fileId,
      vectors.dimensions,
      joined(digests),
      packVectors(vectors),
    );
  }
}

export function removeOtherEmbeddings(tx: WriteTx, model: string): void {
  tx.run('DELETE FROM embedding WHERE model <> ? OR path NOT IN (SELECT path FROM file)', model);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const size = parts[0]?.length ?? 0;
  const all = new Uint8Array(size * parts.length);
  parts.forEach((part, at) => all.set(part, at * size));
  return all;
}
