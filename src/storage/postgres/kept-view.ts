/** The view that search made of an index, in pieces; one that was written while it was read counts as none. */
import { createHash } from 'node:crypto';
import type { KeptView } from '../index-store.ts';
import type { Queries } from './database.ts';
import { bytesColumn, numberColumn, textColumn } from './driver.ts';
import type { TreeId } from './index-rows.ts';

const PIECE_BYTES = 1024 * 1024;
/** Numbers lie where typed arrays may begin. */
const STEP = 8;

export async function readKeptView(
  reader: Pick<Queries, 'all'>,
  { tenant, tree }: TreeId,
): Promise<KeptView | undefined> {
  const [head] = await reader.all(
    'SELECT generation, digest, lengths FROM kept_view WHERE tenant_id = $1 AND tree_id = $2',
    tenant,
    tree,
  );
  if (head === undefined) return undefined;
  const rows = await reader.all(
    'SELECT bytes FROM kept_view_piece WHERE tenant_id = $1 AND tree_id = $2 ORDER BY place',
    tenant,
    tree,
  );
  const all = joined(rows.map((row) => bytesColumn(row, 'bytes')));
  if (digestOf(all) !== textColumn(head, 'digest')) return undefined;
  let at = 0;
  const parts = textColumn(head, 'lengths')
    .split(' ')
    .filter((length) => length !== '')
    .map((length) => {
      const part = new Uint8Array(all.buffer, at, Number(length));
      at += padded(Number(length));
      return part;
    });
  return { generation: numberColumn(head, 'generation'), parts };
}

export async function writeKeptView(
  queries: Queries,
  { tenant, tree }: TreeId,
  { generation, parts }: KeptView,
): Promise<void> {
  const all = joined(
    parts.flatMap((part) => [part, new Uint8Array(padded(part.byteLength) - part.byteLength)]),
  );
  await removeKeptView(queries, { tenant, tree });
  await queries.run(
    'INSERT INTO kept_view (tenant_id, tree_id, generation, digest, lengths) VALUES ($1, $2, $3, $4, $5)',
    tenant,
    tree,
    generation,
    digestOf(all),
    parts.map(({ byteLength }) => byteLength).join(' '),
  );
  for (let at = 0; at < all.length; at += PIECE_BYTES)
    await queries.run(
      'INSERT INTO kept_view_piece (tenant_id, tree_id, place, bytes) VALUES ($1, $2, $3, $4)',
      tenant,
      tree,
      at / PIECE_BYTES,
      all.subarray(at, at + PIECE_BYTES),
    );
}

export async function removeKeptView(queries: Queries, { tenant, tree }: TreeId): Promise<void> {
  await queries.run('DELETE FROM kept_view WHERE tenant_id = $1 AND tree_id = $2', tenant, tree);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function padded(bytes: number): number {
  return Math.ceil(bytes / STEP) * STEP;
}
