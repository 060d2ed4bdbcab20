/** Vectors by a service, as rows beside the files they were made of. */
import { packVectors, unpackVectors } from '../packed-file.ts';
import type { EmbeddedFile, EmbeddingState, PackedVectors, UnembeddedFile } from '../index-store.ts';
import type { Queries } from './database.ts';
import { bytesColumn, numberColumn, optionalNumber, textColumn } from './driver.ts';
import { FILES, type TreeId } from './index-rows.ts';

type Reader = Pick<Queries, 'all'>;

export async function readEmbeddingState(
  reader: Reader,
  { tenant, tree }: TreeId,
  model: string,
): Promise<EmbeddingState> {
  const [row] = await reader.all(
    `SELECT t.embeddings AS stamp, (SELECT count(*) FROM ${FILES} AND c.chunks > 0) AS files,
       (SELECT count(*) FROM ${FILES} AND c.chunks > 0 AND EXISTS (
         SELECT 1 FROM embedding e
         WHERE e.tenant_id = $1 AND e.tree_id = $2 AND e.content_id = c.id AND e.model = $3)) AS embedded,
       (SELECT dimensions FROM embedding WHERE tenant_id = $1 AND tree_id = $2 AND model = $3 LIMIT 1) AS dimensions
     FROM tree t WHERE t.tenant_id = $1 AND t.id = $2`,
    tenant,
    tree,
    model,
  );
  if (row === undefined) return { stamp: 0, files: 0, embedded: 0, dimensions: undefined };
  return {
    stamp: numberColumn(row, 'stamp'),
    files: numberColumn(row, 'files'),
    embedded: numberColumn(row, 'embedded'),
    dimensions: optionalNumber(row, 'dimensions'),
  };
}

export async function readVectorState(
  reader: Reader,
  { tenant, tree }: TreeId,
  model: string,
): Promise<Pick<EmbeddingState, 'files' | 'embedded'>> {
  const [row] = await reader.all(
    `SELECT count(*) AS files, count(*) FILTER (WHERE c.model = $3) AS embedded FROM ${FILES} AND c.chunks > 0`,
    tenant,
    tree,
    model,
  );
  if (row === undefined) return { files: 0, embedded: 0 };
  return { files: numberColumn(row, 'files'), embedded: numberColumn(row, 'embedded') };
}

export async function readEmbeddedModels(
  reader: Reader,
  { tenant, tree }: TreeId,
): Promise<readonly string[]> {
  const rows = await reader.all(
    'SELECT DISTINCT model FROM embedding WHERE tenant_id = $1 AND tree_id = $2 ORDER BY model',
    tenant,
    tree,
  );
  return rows.map((row) => textColumn(row, 'model'));
}

export async function readUnembedded(
  reader: Reader,
  { tenant, tree }: TreeId,
  model: string,
): Promise<readonly UnembeddedFile[]> {
  const rows = await reader.all(
    `SELECT c.id, f.path, c.hash, c.analysis, c.chunks FROM ${FILES} AND c.chunks > 0 AND NOT EXISTS (
       SELECT 1 FROM embedding e
       WHERE e.tenant_id = $1 AND e.tree_id = $2 AND e.content_id = c.id AND e.model = $3) ORDER BY f.path`,
    tenant,
    tree,
    model,
  );
  return rows.map((row) => ({
    id: numberColumn(row, 'id'),
    path: textColumn(row, 'path'),
    hash: textColumn(row, 'hash'),
    analysis: textColumn(row, 'analysis'),
    chunks: numberColumn(row, 'chunks'),
  }));
}

export async function readEmbeddings(
  reader: Reader,
  { tenant, tree }: TreeId,
  { model, ids }: { readonly model: string; readonly ids: readonly number[] },
): Promise<readonly PackedVectors[]> {
  const rows = await reader.all(
    `SELECT content_id, dimensions, packed FROM embedding
     WHERE tenant_id = $1 AND tree_id = $2 AND model = $3 AND content_id = ANY ($4::bigint[])`,
    tenant,
    tree,
    model,
    ids,
  );
  return rows.map((row) => ({
    fileId: numberColumn(row, 'content_id'),
    model,
    dimensions: numberColumn(row, 'dimensions'),
    packed: bytesColumn(row, 'packed'),
  }));
}

export async function readEmbedding(
  reader: Reader,
  { tenant, tree }: TreeId,
  { model, path }: { readonly model: string; readonly path: string },
): Promise<EmbeddedFile | undefined> {
  const [row] = await reader.all(
    `SELECT content_id, dimensions, digests, packed FROM embedding
     WHERE tenant_id = $1 AND tree_id = $2 AND path = $3 AND model = $4`,
    tenant,
    tree,
    path,
    model,
  );
  if (row === undefined) return undefined;
  const dimensions = numberColumn(row, 'dimensions');
  const vectors = unpackVectors(bytesColumn(row, 'packed'), dimensions);
  const digests = Uint8Array.from(bytesColumn(row, 'digests'));
  const chunks = vectors.scales.length - 1;
  const size = digests.length / Math.max(1, chunks);
  return {
    fileId: numberColumn(row, 'content_id'),
    path,
    digests: Array.from({ length: chunks }, (_, at) => digests.subarray(at * size, (at + 1) * size)),
    vectors: { model, dimensions, ...vectors },
  };
}

const IS_GONE = `NOT EXISTS (
  SELECT 1 FROM tree_file f WHERE f.tenant_id = $1 AND f.tree_id = $2 AND f.path = embedding.path)`;

export async function readVanished(
  reader: Reader,
  { tenant, tree }: TreeId,
  model: string,
): Promise<readonly string[]> {
  const rows = await reader.all(
    `SELECT path FROM embedding WHERE tenant_id = $1 AND tree_id = $2 AND model = $3 AND ${IS_GONE} ORDER BY path`,
    tenant,
    tree,
    model,
  );
  return rows.map((row) => textColumn(row, 'path'));
}

/** Only for files that are still what was embedded: the service answers long after they were read. */
export async function writeEmbeddings(
  queries: Queries,
  { tenant, tree }: TreeId,
  files: readonly EmbeddedFile[],
): Promise<void> {
  for (const { fileId, path, digests, vectors } of files) {
    await queries.run(
      `INSERT INTO embedding (tenant_id, tree_id, path, model, content_id, dimensions, digests, packed)
       SELECT f.tenant_id, f.tree_id, f.path, $5::text, c.id, $6::integer, $7::bytea, $8::bytea
       FROM ${FILES} AND f.path = $3 AND c.id = $4 AND c.chunks = $9
       ON CONFLICT (tenant_id, tree_id, path, model) DO UPDATE SET content_id = excluded.content_id,
         dimensions = excluded.dimensions, digests = excluded.digests, packed = excluded.packed`,
      tenant,
      tree,
      path,
      fileId,
      vectors.model,
      vectors.dimensions,
      Buffer.concat(digests),
      packVectors(vectors),
      digests.length,
    );
  }
}

export async function removeOtherEmbeddings(
  queries: Queries,
  { tenant, tree }: TreeId,
  model: string,
): Promise<void> {
  await queries.run(
    `DELETE FROM embedding WHERE tenant_id = $1 AND tree_id = $2 AND (model <> $3 OR ${IS_GONE})`,
    tenant,
    tree,
    model,
  );
}
