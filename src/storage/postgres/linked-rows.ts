/** The statements about files that are kept in step with a memory. */
import type { Queries } from './database.ts';
import { textColumn } from './driver.ts';
import type { Space } from './memory-keys.ts';

export async function readAgreed(
  reader: Pick<Queries, 'all'>,
  { tenant, space }: Space,
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.all(
    'SELECT entry_id, digest FROM linked_file WHERE tenant_id = $1 AND space_id = $2',
    tenant,
    space,
  );
  return new Map(rows.map((row) => [textColumn(row, 'entry_id'), textColumn(row, 'digest')]));
}

export async function writeAgreed(
  queries: Queries,
  { tenant, space }: Space,
  { id, digest }: { readonly id: string; readonly digest: string | undefined },
): Promise<void> {
  if (digest === undefined) {
    await queries.run(
      'DELETE FROM linked_file WHERE tenant_id = $1 AND space_id = $2 AND entry_id = $3',
      tenant,
      space,
      id,
    );
    return;
  }
  await queries.run(
    `INSERT INTO linked_file (tenant_id, space_id, entry_id, digest) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, space_id, entry_id) DO UPDATE SET digest = excluded.digest`,
    tenant,
    space,
    id,
    digest,
  );
}
