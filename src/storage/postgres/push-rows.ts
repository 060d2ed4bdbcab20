/** What a push brings: entries whose content is known, and contents that were not. */
import { createHash } from 'node:crypto';
import { AppError } from '../../core/index.ts';
import { contentKey } from '../content-key.ts';
import type { PushedFile, PushTarget, StagedEntry } from '../pushes.ts';
import type { Queries } from './database.ts';
import { bytesColumn, conflict, numberColumn, textColumn, type SqlValue } from './driver.ts';
import { insertContents } from './index-batch.ts';
import type { Tenancy } from './tenancy.ts';
import type { Tree } from './tree.ts';

/** What is not committed has another key for each person: no one is told by a key what another one has. */
function ownKey(person: string, key: Uint8Array): Buffer {
  return createHash('sha256').update(`own ${person} `).update(key).digest();
}

/** As the database writes bytes in a list. */
function toText(key: Buffer): string {
  return `\\x${key.toString('hex')}`;
}

/** Where a file lies in a tree, and what is made of it. */
export interface Placed {
  readonly path: string;
  readonly content: number;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export async function placeFiles(
  queries: Queries,
  { tenant, tree }: Tree,
  { generation, files }: { readonly generation: number; readonly files: readonly Placed[] },
): Promise<void> {
  if (files.length === 0) return;
  await queries.run(
    `INSERT INTO tree_file (tenant_id, tree_id, path, content_id, size_bytes, mtime_ms, generation)
     SELECT $1::integer, $2::bigint, t.path, t.content, t.size_bytes, t.mtime_ms, $3::bigint
     FROM unnest($4::text[], $5::bigint[], $6::bigint[], $7::float8[]) AS t (path, content, size_bytes, mtime_ms)
     ON CONFLICT (tenant_id, tree_id, path) DO UPDATE SET content_id = excluded.content_id,
       size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, generation = excluded.generation`,
    tenant,
    tree,
    generation,
    files.map(({ path }) => path),
    files.map(({ content }) => content),
    files.map(({ sizeBytes }) => sizeBytes),
    files.map(({ mtimeMs }) => mtimeMs),
  );
}

/**
 * Known is what a published tree of this project has, what this person has over a branch, and what was sent for this push before. The
 * contents of another one's unfinished push are none of these.
 */
export async function stageKnown(
  queries: Queries,
  staging: Tree,
  { target, entries }: { readonly target: PushTarget; readonly entries: readonly StagedEntry[] },
): Promise<readonly number[]> {
  const keys = entries.flatMap(({ key, isOwn }) => {
    const plain = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
    return isOwn ? [plain, ownKey(target.person, key)] : [plain];
  });
  const rows = await queries.all(
    `SELECT c.id, encode(c.key, 'hex') AS key FROM content c
     WHERE c.tenant_id = $1 AND c.project_id = $2 AND c.key = ANY ($3::bytea[]) AND EXISTS (
       SELECT 1 FROM tree_file f JOIN tree t ON t.tenant_id = f.tenant_id AND t.id = f.tree_id
       WHERE f.tenant_id = $1 AND f.content_id = c.id AND (t.is_indexed OR t.id = $4))
     ORDER BY c.key FOR SHARE OF c`,
    staging.tenant,
    staging.project,
    keys.map(toText),
    staging.tree,
  );
  const ids = new Map(rows.map((row) => [textColumn(row, 'key'), numberColumn(row, 'id')]));
  const missing: number[] = [];
  const files: Placed[] = [];
  for (const [at, { path, key, sizeBytes, mtimeMs, isOwn }] of entries.entries()) {
    const content =
      ids.get(Buffer.from(key).toString('hex')) ??
      (isOwn ? ids.get(ownKey(target.person, key).toString('hex')) : undefined);
    if (content === undefined) missing.push(at);
    else files.push({ path, content, sizeBytes, mtimeMs });
  }
  await placeFiles(queries, staging, { generation: target.attempt, files });
  return missing;
}

export async function addContents(
  queries: Queries,
  staging: Tree,
  {
    target,
    files,
    keepsSource,
  }: { readonly target: PushTarget; readonly files: readonly PushedFile[]; readonly keepsSource: boolean },
): Promise<void> {
  const { tenant, project } = staging;
  const keyed = files
    .map((file) => {
      const { parser, failure } = file.parsed?.note ?? { parser: undefined, failure: undefined };
      const key = contentKey({ ...file, parser, failure });
      return { file, key: file.isOwn ? ownKey(target.person, key) : key };
    })
    // In this order everywhere, so that no two writers wait for each other.
    .toSorted((a, b) => Buffer.compare(a.key, b.key));
  await insertContents(
    queries,
    staging,
    keyed.map(({ file, key }) => ({ file, key, parsed: file.parsed })),
  );
  // A key alone gives nothing: what is here under it has to be what was sent.
  const found = await queries.all(
    `SELECT id, encode(key, 'hex') AS key, encode(sha256(terms || trigrams), 'hex') AS digest FROM content
     WHERE tenant_id = $1 AND project_id = $2 AND key = ANY ($3::bytea[]) ORDER BY key FOR SHARE`,
    tenant,
    project,
    keyed.map(({ key }) => toText(key)),
  );
  if (found.length < keyed.length) throw conflict();
  const byKey = new Map(found.map((row) => [textColumn(row, 'key'), row]));
  const staged = keyed.map(({ file, key }) => {
    const row = byKey.get(key.toString('hex'));
    const digest = createHash('sha256').update(file.terms).update(file.trigrams).digest('hex');
    if (row === undefined) throw conflict();
    if (textColumn(row, 'digest') !== digest) throw isOther(file.path);
    const { path, sizeBytes, mtimeMs } = file;
    return { file, content: numberColumn(row, 'id'), path, sizeBytes, mtimeMs };
  });
  await placeFiles(queries, staging, { generation: target.attempt, files: staged });
  const sources = staged.flatMap(({ file, content }) =>
    file.source === undefined ? [] : [[tenant, content, file.source] as const],
  );
  if (!keepsSource || sources.length === 0) return;
  const values: readonly SqlValue[] = sources.flat();
  await queries.run(
    `INSERT INTO content_source (tenant_id, content_id, packed)
     VALUES ${sources.map((_, at) => `($${at * 3 + 1}, $${at * 3 + 2}, $${at * 3 + 3})`).join()} ON CONFLICT DO NOTHING`,
    ...values,
  );
}

export async function readSources(
  { database, tenant }: Tenancy,
  {
    identity,
    root,
    paths,
  }: { readonly identity: string; readonly root: string; readonly paths: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.all(
    `SELECT f.path, s.packed FROM project p JOIN tree t ON t.tenant_id = p.tenant_id AND t.project_id = p.id
     JOIN tree_file f ON f.tenant_id = t.tenant_id AND f.tree_id = t.id AND f.path = ANY ($4::text[])
     JOIN content_source s ON s.tenant_id = f.tenant_id AND s.content_id = f.content_id
     WHERE p.tenant_id = $1 AND p.identity = $2 AND t.name = $3`,
    tenant,
    identity,
    root,
    paths,
  );
  const decoder = new TextDecoder();
  return new Map(rows.map((row) => [textColumn(row, 'path'), decoder.decode(bytesColumn(row, 'packed'))]));
}

function isOther(path: string): AppError {
  return new AppError('bad_argument', `The server has something else under the key of ${path}.`, {
    hint: 'Make the index anew and push again: waymark clear, then waymark push.',
  });
}
