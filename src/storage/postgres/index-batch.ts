/** How a commit is written: contents by what they are made of, in the order of their keys, then the files that have them. */
import type { Skip } from '../../core/index.ts';
import { contentKey } from '../content-key.ts';
import type { IndexBatch, IndexedFile, ManifestEntry, ParsedEntry } from '../index-store.ts';
import { renderOutline } from '../packed-file.ts';
import type { Queries } from './database.ts';
import { conflict, numberColumn, type SqlValue } from './driver.ts';
import { FILES } from './index-rows.ts';
import type { Tree } from './tree.ts';

/** Where a commit goes, and its number. */
interface Target extends Pick<Tree, 'tenant' | 'project' | 'tree'> {
  readonly generation: number;
}

export async function writeBatch(queries: Queries, target: Target, batch: IndexBatch): Promise<void> {
  const { removed = [], touched = [], written = [], parsed = [], skips } = batch;
  const replaced = new Set<number>();
  if (removed.length > 0) await removeFiles(queries, target, { paths: removed, replaced });
  if (touched.length > 0) await touchFiles(queries, target, touched);
  const files = written.map((file) => ({ file, parsed: undefined }));
  for (let at = 0; at < files.length; at += MOST_ROWS)
    await writeFiles(queries, target, { files: files.slice(at, at + MOST_ROWS), replaced });
  for (const entry of parsed) await writeParsed(queries, target, { entry, replaced });
  if (skips !== undefined) await writeSkips(queries, target, skips);
  await sweep(queries, target, [...replaced]);
}

/** A statement has a limit of values, and each row has twenty. */
const MOST_ROWS = 500;

async function removeFiles(
  queries: Queries,
  { tenant, tree }: Target,
  { paths, replaced }: { readonly paths: readonly string[]; readonly replaced: Set<number> },
): Promise<void> {
  const rows = await queries.all(
    'DELETE FROM tree_file WHERE tenant_id = $1 AND tree_id = $2 AND path = ANY ($3::text[]) RETURNING content_id',
    tenant,
    tree,
    paths,
  );
  for (const row of rows) replaced.add(numberColumn(row, 'content_id'));
}

/** Its generation stays: nothing that search knows of it has changed. */
async function touchFiles(
  queries: Queries,
  { tenant, tree }: Target,
  entries: readonly ManifestEntry[],
): Promise<void> {
  await queries.run(
    `UPDATE tree_file f SET size_bytes = t.size_bytes, mtime_ms = t.mtime_ms
     FROM unnest($3::text[], $4::text[], $5::bigint[], $6::float8[]) AS t (path, hash, size_bytes, mtime_ms), content c
     WHERE f.tenant_id = $1 AND f.tree_id = $2 AND f.path = t.path
       AND c.tenant_id = $1 AND c.id = f.content_id AND c.hash = t.hash`,
    tenant,
    tree,
    entries.map(({ path }) => path),
    entries.map(({ hash }) => hash),
    entries.map(({ sizeBytes }) => sizeBytes),
    entries.map(({ mtimeMs }) => mtimeMs),
  );
}

interface FileToWrite {
  readonly file: IndexedFile;
  /** Of rows that a parser made. */
  readonly parsed: Pick<ParsedEntry, 'note' | 'facts'> | undefined;
}

export const CONTENT_COLUMNS = `tenant_id, project_id, key, hash, analysis, language, lines, plain_by, chunks, definitions, model, dimensions,
  parser, failure, error_share, size_bytes, terms, trigrams, vectors, outline, facts`;

async function writeFiles(
  queries: Queries,
  { tenant, project, tree, generation }: Target,
  { files: given, replaced }: { readonly files: readonly FileToWrite[]; readonly replaced: Set<number> },
): Promise<void> {
  // Of a path that is given twice the last one counts. Two trees that write the same never wait for each other in a circle.
  const files = [...new Map(given.map((one) => [one.file.path, one])).values()]
    .map((one) => ({ ...one, key: keyOf(one) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key));
  const keys = files.map(({ key }) => `\\x${key.toString('hex')}`);
  const paths = files.map(({ file }) => file.path);
  const there = new Set(
    (
      await queries.all(
        `SELECT encode(key, 'hex') AS key FROM content
         WHERE tenant_id = $1 AND project_id = $2 AND key = ANY ($3::bytea[])`,
        tenant,
        project,
        keys,
      )
    ).map((row) => row['key']),
  );
  const fresh = files.filter(({ key }) => !there.has(key.toString('hex')));
  if (fresh.length > 0) {
    const rows = fresh.map((one) => [tenant, project, one.key, ...toContent(one)]);
    const width = rows[0]?.length ?? 0;
    const places = rows.map((row, at) => `(${row.map((_, column) => `$${at * width + column + 1}`).join()})`);
    await queries.run(
      `INSERT INTO content (${CONTENT_COLUMNS}) VALUES ${places.join()} ON CONFLICT (tenant_id, project_id, key) DO NOTHING`,
      ...rows.flat(),
    );
  }
  const before = await queries.all(
    'SELECT content_id FROM tree_file WHERE tenant_id = $1 AND tree_id = $2 AND path = ANY ($3::text[])',
    tenant,
    tree,
    paths,
  );
  const placed = await queries.all(
    `INSERT INTO tree_file (tenant_id, tree_id, path, content_id, size_bytes, mtime_ms, generation)
     SELECT $1::integer, $2::bigint, t.path, c.id, t.size_bytes, t.mtime_ms, $4::bigint
     FROM unnest($5::text[], $6::bytea[], $7::bigint[], $8::float8[]) AS t (path, key, size_bytes, mtime_ms)
     JOIN content c ON c.tenant_id = $1::integer AND c.project_id = $3 AND c.key = t.key
     ON CONFLICT (tenant_id, tree_id, path) DO UPDATE SET content_id = excluded.content_id,
       size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, generation = excluded.generation
     RETURNING content_id`,
    tenant,
    tree,
    project,
    generation,
    paths,
    keys,
    files.map(({ file }) => file.sizeBytes),
    files.map(({ file }) => file.mtimeMs),
  );
  // Another tree has swept a content away between two statements.
  if (placed.length < files.length) throw conflict();
  for (const row of before) replaced.add(numberColumn(row, 'content_id'));
}

function keyOf({ file: { path, hash, analysis }, parsed }: FileToWrite): Buffer {
  return contentKey({ path, hash, analysis, parser: parsed?.note.parser, failure: parsed?.note.failure });
}

export function toContent({ file, parsed }: FileToWrite): readonly SqlValue[] {
  const { vectors, terms, trigrams, outline } = file;
  const packed = outline === undefined ? null : Buffer.from(outline);
  const sizeBytes = terms.length + trigrams.length + (vectors?.packed.length ?? 0) + (packed?.length ?? 0);
  return [
    file.hash,
    file.analysis,
    file.language,
    file.lines,
    file.plainBy,
    file.chunks,
    file.definitions,
    vectors?.model ?? null,
    vectors?.dimensions ?? null,
    parsed?.note.parser ?? null,
    parsed?.note.failure ?? null,
    parsed?.note.errorShare ?? null,
    sizeBytes,
    terms,
    trigrams,
    vectors?.packed ?? null,
    packed,
    parsed?.facts ?? null,
  ];
}

/** Only if the file is still the one that was parsed: the exact pass reads long before it writes. */
async function writeParsed(
  queries: Queries,
  target: Target,
  { entry, replaced }: { readonly entry: ParsedEntry; readonly replaced: Set<number> },
): Promise<void> {
  const { tenant, tree } = target;
  const { note, definitions, rows, facts, ...known } = entry;
  const [row] = await queries.all(
    `SELECT c.id, f.size_bytes, f.mtime_ms FROM ${FILES} AND f.path = $3 AND c.hash = $4 AND c.analysis = $5`,
    tenant,
    tree,
    known.path,
    known.hash,
    known.analysis,
  );
  if (row === undefined) return;
  if (rows !== undefined) {
    const stamp = { sizeBytes: numberColumn(row, 'size_bytes'), mtimeMs: numberColumn(row, 'mtime_ms') };
    const file = { ...rows, ...known, ...stamp };
    return writeFiles(queries, target, { files: [{ file, parsed: { note, facts } }], replaced });
  }
  // Search knows nothing of this: the content stays the same one, for every tree that has it.
  const outline = definitions && renderOutline(definitions);
  await queries.run(
    `UPDATE content SET parser = $3, failure = $4, error_share = $5, facts = $6,
       outline = CASE WHEN $7 THEN $8 ELSE outline END, definitions = CASE WHEN $7 THEN $9 ELSE definitions END
     WHERE tenant_id = $1 AND id = $2`,
    tenant,
    numberColumn(row, 'id'),
    note.parser,
    note.failure ?? null,
    note.errorShare,
    facts ?? null,
    definitions !== undefined,
    outline === undefined ? null : Buffer.from(outline),
    definitions?.length ?? 0,
  );
}

async function writeSkips(queries: Queries, { tenant, tree }: Target, given: readonly Skip[]): Promise<void> {
  await queries.run('DELETE FROM skip WHERE tenant_id = $1 AND tree_id = $2', tenant, tree);
  const skips = [...new Map(given.map((skip) => [skip.path, skip])).values()];
  if (skips.length === 0) return;
  await queries.run(
    `INSERT INTO skip (tenant_id, tree_id, path, reason, detail, size_bytes, mtime_ms, analysis)
     SELECT $1::integer, $2::bigint, * FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::float8[], $8::text[])`,
    tenant,
    tree,
    skips.map(({ path }) => path),
    skips.map(({ reason }) => reason),
    skips.map(({ detail }) => detail ?? null),
    skips.map(({ seen }) => seen?.sizeBytes ?? null),
    skips.map(({ seen }) => seen?.mtimeMs ?? null),
    skips.map(({ seen }) => seen?.analysis ?? null),
  );
}

/** Contents that no tree has any more. One that another tree is writing at this moment stays, and goes with its next change. */
export async function sweep(
  queries: Queries,
  { tenant }: Pick<Target, 'tenant'>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await queries.run(
    `DELETE FROM content WHERE tenant_id = $1 AND id IN (
       SELECT c.id FROM content c WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[]) AND NOT EXISTS (
         SELECT 1 FROM tree_file f WHERE f.tenant_id = $1 AND f.content_id = c.id)
       ORDER BY c.key FOR UPDATE SKIP LOCKED)`,
    tenant,
    ids,
  );
}
