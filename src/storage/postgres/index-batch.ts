/** How a commit is written: contents by what they are made of, in the order of their keys, then the files that have them. */
import type { Skip } from '../../core/index.ts';
import { contentKey } from '../content-key.ts';
import type { IndexBatch, IndexedFile, ManifestEntry, ParsedEntry } from '../index-store.ts';
import { renderOutline } from '../packed-file.ts';
import type { Queries } from './database.ts';
import { conflict, numberColumn, textColumn, type SqlValue } from './driver.ts';
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
  for (let at = 0; at < parsed.length; at += MOST_ROWS)
    await writeParsed(queries, target, { entries: parsed.slice(at, at + MOST_ROWS), replaced });
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

const CONTENT_COLUMNS = `tenant_id, project_id, key, hash, analysis, language, lines, plain_by, chunks, definitions, model, dimensions,
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
  await insertContents(queries, { tenant, project }, fresh);
  const [row] = await queries.all(
    `WITH placed AS (
       INSERT INTO tree_file (tenant_id, tree_id, path, content_id, size_bytes, mtime_ms, generation)
       SELECT $1::integer, $2::bigint, t.path, c.id, t.size_bytes, t.mtime_ms, $4::bigint
       FROM unnest($5::text[], $6::bytea[], $7::bigint[], $8::float8[]) AS t (path, key, size_bytes, mtime_ms)
       JOIN content c ON c.tenant_id = $1::integer AND c.project_id = $3 AND c.key = t.key
       ON CONFLICT (tenant_id, tree_id, path) DO UPDATE SET content_id = excluded.content_id,
         size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, generation = excluded.generation
       RETURNING 1)
     -- What the files had before: a statement sees the rows as they were when it began.
     SELECT (SELECT count(*) FROM placed) AS placed, ARRAY(
       SELECT content_id::text FROM tree_file
       WHERE tenant_id = $1 AND tree_id = $2 AND path = ANY ($5::text[])) AS before`,
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
  if (row === undefined || numberColumn(row, 'placed') < files.length) throw conflict();
  const { before } = row;
  if (Array.isArray(before)) for (const id of before) replaced.add(Number(id));
}

/** In the order of their keys; what is there under one of them stays. */
export async function insertContents(
  queries: Queries,
  { tenant, project }: Pick<Target, 'tenant' | 'project'>,
  files: readonly (FileToWrite & { readonly key: Buffer })[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((one) => [tenant, project, one.key, ...toContent(one)]);
  const width = rows[0]?.length ?? 0;
  const places = rows.map((row, at) => `(${row.map((_, column) => `$${at * width + column + 1}`).join()})`);
  await queries.run(
    `INSERT INTO content (${CONTENT_COLUMNS}) VALUES ${places.join()} ON CONFLICT (tenant_id, project_id, key) DO NOTHING`,
    ...rows.flat(),
  );
}

function keyOf({ file: { path, hash, analysis }, parsed }: FileToWrite): Buffer {
  return contentKey({ path, hash, analysis, parser: parsed?.note.parser, failure: parsed?.note.failure });
}

function toContent({ file, parsed }: FileToWrite): readonly SqlValue[] {
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

/** Only if a file is still the one that was parsed: the exact pass reads long before it writes. */
async function writeParsed(
  queries: Queries,
  target: Target,
  { entries, replaced }: { readonly entries: readonly ParsedEntry[]; readonly replaced: Set<number> },
): Promise<void> {
  const { tenant, tree } = target;
  const rows = await queries.all(
    `SELECT f.path, c.id, c.hash, c.analysis, f.size_bytes, f.mtime_ms FROM ${FILES} AND f.path = ANY ($3::text[])`,
    tenant,
    tree,
    entries.map(({ path }) => path),
  );
  const there = new Map(rows.map((row) => [textColumn(row, 'path'), row]));
  const files: FileToWrite[] = [];
  const noted = new Map<number, ParsedEntry>();
  for (const entry of entries) {
    const row = there.get(entry.path);
    const { path, hash, analysis, note, facts } = entry;
    if (row === undefined || row['hash'] !== hash || row['analysis'] !== analysis) continue;
    if (entry.rows === undefined) noted.set(numberColumn(row, 'id'), entry);
    else {
      const stamp = { sizeBytes: numberColumn(row, 'size_bytes'), mtimeMs: numberColumn(row, 'mtime_ms') };
      files.push({ file: { ...entry.rows, path, hash, analysis, ...stamp }, parsed: { note, facts } });
    }
  }
  if (noted.size > 0) await noteParsed(queries, { tenant }, noted);
  if (files.length > 0) await writeFiles(queries, target, { files, replaced });
}

/** Search knows nothing of this: a content stays the same one, for every tree that has it. */
async function noteParsed(
  queries: Queries,
  { tenant }: Pick<Target, 'tenant'>,
  noted: ReadonlyMap<number, ParsedEntry>,
): Promise<void> {
  const rows = [...noted]
    .toSorted(([a], [b]) => a - b)
    .map(([id, { note, definitions, facts }]) => {
      const outline = definitions && renderOutline(definitions);
      const packed = outline === undefined ? null : Buffer.from(outline);
      const count = definitions?.length ?? null;
      return [id, note.parser, note.failure ?? null, note.errorShare, facts ?? null, packed, count] as const;
    });
  const types = ['bigint', 'text', 'text', 'float8', 'bytea', 'bytea', 'integer'];
  await queries.run(
    `UPDATE content c SET parser = t.parser, failure = t.failure, error_share = t.error_share, facts = t.facts,
       outline = CASE WHEN t.definitions IS NULL THEN c.outline ELSE t.outline END,
       definitions = coalesce(t.definitions, c.definitions)
     FROM (VALUES ${placesOf(rows.length, types, 1)}) AS t (id, parser, failure, error_share, facts, outline, definitions)
     WHERE c.tenant_id = $1 AND c.id = t.id`,
    tenant,
    ...rows.flat(),
  );
}

/** `($2::bigint,$3::text),($4::bigint,$5::text)`: as many rows of these types, behind so many values. */
function placesOf(rows: number, types: readonly string[], before: number): string {
  return Array.from({ length: rows }, (_, row) => {
    const places = types.map((type, column) => `$${before + row * types.length + column + 1}::${type}`);
    return `(${places.join()})`;
  }).join();
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
