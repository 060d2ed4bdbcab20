/** What is read of an index. */
import { AppError, type Definition, type Skip, SKIP_REASONS } from '../../core/index.ts';
import { ByteReader } from '../byte-stream.ts';
import type {
  FileEntry,
  IndexStats,
  KeptHistory,
  ManifestEntry,
  PackedContent,
  PackedFacts,
  PackedVectors,
  MisreadFile,
  ParseFailed,
  UnparsedFile,
} from '../index-store.ts';
import { Outline } from '../packed-file.ts';
import type { Queries } from './database.ts';
import { bytesColumn, numberColumn, optionalText, type Row, textColumn } from './driver.ts';
import type { Tree } from './tree.ts';

export type TreeId = Pick<Tree, 'tenant' | 'tree'>;
type Reader = Pick<Queries, 'all'>;

/** The files of a tree with what is made of each. */
export const FILES = `tree_file f JOIN content c ON c.tenant_id = f.tenant_id AND c.id = f.content_id
  WHERE f.tenant_id = $1 AND f.tree_id = $2`;

export async function readManifest(
  reader: Reader,
  { tenant, tree }: TreeId,
): Promise<readonly ManifestEntry[]> {
  const rows = await reader.all(
    `SELECT f.path, f.size_bytes, f.mtime_ms, c.hash, c.analysis FROM ${FILES} ORDER BY f.path`,
    tenant,
    tree,
  );
  return rows.map(toManifestEntry);
}

export async function readSkips(reader: Reader, { tenant, tree }: TreeId): Promise<readonly Skip[]> {
  const rows = await reader.all(
    `SELECT path, reason, detail, size_bytes, mtime_ms, analysis FROM skip
     WHERE tenant_id = $1 AND tree_id = $2 ORDER BY path`,
    tenant,
    tree,
  );
  return rows.map(toSkip);
}

export async function readUnparsed(
  reader: Reader,
  { tenant, tree }: TreeId,
  { parser, retry }: { readonly parser: string; readonly retry: 'failed' | undefined },
): Promise<readonly UnparsedFile[]> {
  const rows = await reader.all(
    `SELECT f.path, f.size_bytes, f.mtime_ms, c.hash, c.analysis, c.language,
       c.parser IS NOT NULL AND c.failure IS NULL AS otherwise
     FROM ${FILES} AND (c.parser IS NULL OR c.parser <> $3 OR ($4 AND c.failure IS NOT NULL)) ORDER BY f.path`,
    tenant,
    tree,
    parser,
    retry !== undefined,
  );
  return rows.map((row) => ({
    ...toManifestEntry(row),
    language: textColumn(row, 'language'),
    isParsedOtherwise: row['otherwise'] === true,
  }));
}

export async function readParseFailures(
  reader: Reader,
  { tenant, tree }: TreeId,
): Promise<readonly ParseFailed[]> {
  const rows = await reader.all(
    `SELECT f.path, c.failure FROM ${FILES} AND c.failure IS NOT NULL ORDER BY f.path`,
    tenant,
    tree,
  );
  return rows.map((row) => ({ path: textColumn(row, 'path'), failure: textColumn(row, 'failure') }));
}

export async function readMisread(reader: Reader, { tenant, tree }: TreeId): Promise<readonly MisreadFile[]> {
  const rows = await reader.all(
    `SELECT f.path, c.error_share FROM ${FILES} AND c.failure IS NULL AND c.error_share > 0 ORDER BY f.path`,
    tenant,
    tree,
  );
  return rows.map((row) => ({ path: textColumn(row, 'path'), errorShare: numberColumn(row, 'error_share') }));
}

export async function readFiles(reader: Reader, { tenant, tree }: TreeId): Promise<readonly FileEntry[]> {
  const rows = await reader.all(
    `SELECT c.id, f.path, c.language, c.lines, c.hash, c.plain_by, f.generation FROM ${FILES} ORDER BY f.path`,
    tenant,
    tree,
  );
  return rows.map((row) => ({
    id: numberColumn(row, 'id'),
    path: textColumn(row, 'path'),
    language: textColumn(row, 'language'),
    lines: numberColumn(row, 'lines'),
    hash: textColumn(row, 'hash'),
    plainBy: numberColumn(row, 'plain_by'),
    generation: numberColumn(row, 'generation'),
  }));
}

/** A content that no file of this tree has any more is left out, though another tree may have it. */
function readContent(
  reader: Reader,
  { tenant, tree }: TreeId,
  { columns, ids }: { readonly columns: string; readonly ids: readonly number[] },
): Promise<readonly Row[]> {
  return reader.all(
    // Asked for each content by itself, so that a few are not looked for among all files.
    `SELECT c.id, ${columns} FROM content c WHERE c.tenant_id = $1 AND c.id = ANY ($3::bigint[]) AND (
       SELECT 1 FROM tree_file f WHERE f.tenant_id = $1 AND f.tree_id = $2 AND f.content_id = c.id LIMIT 1) IS NOT NULL`,
    tenant,
    tree,
    ids,
  );
}

export async function readContents(
  reader: Reader,
  tree: TreeId,
  ids: readonly number[],
): Promise<readonly PackedContent[]> {
  const rows = await readContent(reader, tree, { columns: 'c.terms', ids });
  return rows.map((row) => ({ fileId: numberColumn(row, 'id'), terms: bytesColumn(row, 'terms') }));
}

export async function readFacts(
  reader: Reader,
  tree: TreeId,
  ids: readonly number[],
): Promise<readonly PackedFacts[]> {
  const rows = await readContent(reader, tree, { columns: 'c.facts', ids });
  return rows.flatMap((row) =>
    row['facts'] === null ? [] : [{ fileId: numberColumn(row, 'id'), packed: bytesColumn(row, 'facts') }],
  );
}

export async function readVectors(
  reader: Reader,
  tree: TreeId,
  ids: readonly number[],
): Promise<readonly PackedVectors[]> {
  const rows = await readContent(reader, tree, { columns: 'c.model, c.dimensions, c.vectors', ids });
  return rows.flatMap((row) => {
    if (row['vectors'] === null) return [];
    return [
      {
        fileId: numberColumn(row, 'id'),
        model: textColumn(row, 'model'),
        dimensions: numberColumn(row, 'dimensions'),
        packed: bytesColumn(row, 'vectors'),
      },
    ];
  });
}

export async function readTrigrams(
  reader: Reader,
  { tenant, tree }: TreeId,
): Promise<ReadonlyMap<number, Uint16Array>> {
  const rows = await reader.all(`SELECT c.id, c.trigrams FROM ${FILES}`, tenant, tree);
  return new Map(
    rows.map((row) => [
      numberColumn(row, 'id'),
      Uint16Array.from(new ByteReader(bytesColumn(row, 'trigrams')).ascending()),
    ]),
  );
}

export async function readOutlines(
  reader: Reader,
  { tenant, tree }: TreeId,
  paths: readonly string[],
): Promise<readonly Outline[]> {
  const rows = await reader.all(
    `SELECT f.path, c.outline FROM ${FILES} AND f.path = ANY ($3::text[]) AND c.outline IS NOT NULL`,
    tenant,
    tree,
    paths,
  );
  const found = new Map(
    rows.map((row) => [textColumn(row, 'path'), Buffer.from(bytesColumn(row, 'outline')).toString('utf8')]),
  );
  return paths.map((path) => new Outline(found.get(path)));
}

export async function readDefinitions(
  reader: Reader,
  tree: TreeId,
  path: string,
): Promise<readonly Definition[]> {
  const [outline] = await readOutlines(reader, tree, [path]);
  return outline?.all() ?? [];
}

export async function readHistory(
  reader: Reader,
  { tenant, tree }: TreeId,
): Promise<KeptHistory | undefined> {
  const [row] = await reader.all(
    'SELECT maker, tips, commits, packed FROM history WHERE tenant_id = $1 AND tree_id = $2',
    tenant,
    tree,
  );
  if (row === undefined) return undefined;
  return {
    maker: textColumn(row, 'maker'),
    tips: textColumn(row, 'tips').split(' '),
    commits: numberColumn(row, 'commits'),
    packed: bytesColumn(row, 'packed'),
  };
}

export async function readStats(reader: Reader, { tenant, tree }: TreeId): Promise<IndexStats> {
  const all = (sql: string): Promise<readonly Row[]> => reader.all(sql, tenant, tree);
  const [totals] = await all(
    `SELECT count(*) AS files, coalesce(sum(c.chunks), 0)::bigint AS chunks,
       coalesce(sum(c.definitions), 0)::bigint AS definitions, coalesce(sum(f.size_bytes), 0)::bigint AS bytes,
       (SELECT count(*) FROM skip WHERE tenant_id = $1 AND tree_id = $2) AS skips,
       (SELECT generation FROM tree WHERE tenant_id = $1 AND id = $2) AS generation FROM ${FILES}`,
  );
  if (totals === undefined) throw new AppError('internal', 'A count has no row.');
  const languages = await all(
    `SELECT c.language, count(*) AS files, sum(c.chunks)::bigint AS chunks FROM ${FILES}
     GROUP BY c.language ORDER BY files DESC, c.language COLLATE "C"`,
  );
  const reasons = await all(
    `SELECT reason, count(*) AS n FROM skip WHERE tenant_id = $1 AND tree_id = $2
     GROUP BY reason ORDER BY n DESC, reason COLLATE "C"`,
  );
  const parsed = await all(
    `SELECT c.language, count(*) FILTER (WHERE c.failure IS NULL) AS exact,
       count(*) FILTER (WHERE c.failure IS NOT NULL) AS failed,
       coalesce(sum(c.error_share * f.size_bytes) FILTER (WHERE c.failure IS NULL) /
         nullif(sum(f.size_bytes) FILTER (WHERE c.failure IS NULL), 0), 0)::float8 AS error_share
     FROM ${FILES} AND c.parser IS NOT NULL GROUP BY c.language ORDER BY count(*) DESC, c.language COLLATE "C"`,
  );
  return {
    files: numberColumn(totals, 'files'),
    chunks: numberColumn(totals, 'chunks'),
    definitions: numberColumn(totals, 'definitions'),
    sourceBytes: numberColumn(totals, 'bytes'),
    skips: numberColumn(totals, 'skips'),
    generation: numberColumn(totals, 'generation'),
    byLanguage: languages.map((row) => ({
      language: textColumn(row, 'language'),
      files: numberColumn(row, 'files'),
      chunks: numberColumn(row, 'chunks'),
    })),
    bySkipReason: reasons.map((row) => ({
      reason: textColumn(row, 'reason'),
      count: numberColumn(row, 'n'),
    })),
    parsed: parsed.map((row) => ({
      language: textColumn(row, 'language'),
      exact: numberColumn(row, 'exact'),
      failed: numberColumn(row, 'failed'),
      errorShare: numberColumn(row, 'error_share'),
    })),
  };
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
  const skip = { path: textColumn(row, 'path'), reason, detail: optionalText(row, 'detail') };
  if (row['size_bytes'] === null) return skip;
  const { sizeBytes, mtimeMs, analysis } = toManifestEntry({ ...row, hash: '' });
  return { ...skip, seen: { sizeBytes, mtimeMs, analysis } };
}
