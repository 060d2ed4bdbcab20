/** The rows of one index: those of a tree of files, in one project of one tenant. */
import { AppError } from '../../core/index.ts';
import type { Queries } from './database.ts';
import { numberColumn } from './driver.ts';
import type { Tenancy } from './tenancy.ts';

export interface Tree extends Tenancy {
  readonly project: number;
  readonly tree: number;
}

/** The name of a project for all who work on it, and of its files in one place. */
export interface TreeName {
  readonly project: string;
  readonly tree: string;
}

/** Makes both if they are not there; an index is there only once it was opened or written. */
export async function findOrMakeTree({ database, tenant }: Tenancy, name: TreeName): Promise<Tree> {
  const find = () =>
    database.all(
      `SELECT p.id AS project, t.id AS tree FROM project p JOIN tree t ON t.tenant_id = p.tenant_id AND t.project_id = p.id
       WHERE p.tenant_id = $1 AND p.identity = $2 AND t.name = $3`,
      tenant,
      name.project,
      name.tree,
    );
  let [row] = await find();
  if (row === undefined) {
    await database.all(
      'INSERT INTO project (tenant_id, identity) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      tenant,
      name.project,
    );
    await database.all(
      `INSERT INTO tree (tenant_id, project_id, name)
       SELECT tenant_id, id, $3::text FROM project WHERE tenant_id = $1 AND identity = $2 ON CONFLICT DO NOTHING`,
      tenant,
      name.project,
      name.tree,
    );
    [row] = await find();
  }
  if (row === undefined) throw new AppError('internal', 'A project could not be added to the database.');
  return { database, tenant, project: numberColumn(row, 'project'), tree: numberColumn(row, 'tree') };
}

/** What grows with a commit, by which readers see that something changed. */
export type Counter = 'generation' | 'embeddings' | 'history';

export interface Stamps {
  readonly generation: number;
  readonly history: number;
}

/**
 * Counts the commit, which also makes writers of one tree wait for each other. With an epoch only its holder may write: another
 * one has taken the lock since if it is not the tree's.
 */
export async function countCommit(
  queries: Queries,
  { tenant, tree }: Pick<Tree, 'tenant' | 'tree'>,
  {
    counter,
    epoch,
    now,
  }: { readonly counter: Counter; readonly epoch: number | undefined; readonly now: number },
): Promise<Stamps> {
  const [row] = await queries.all(
    `WITH counted AS (
       UPDATE tree SET ${counter} = ${counter} + 1, is_indexed = true, changed_at = $3
       WHERE tenant_id = $1 AND id = $2 AND ($4::bigint IS NULL OR epoch = $4) RETURNING generation, history)
     SELECT generation, history, pg_notify($5, concat_ws(' ', $2::bigint, generation, history)) FROM counted`,
    tenant,
    tree,
    now,
    epoch ?? null,
    CHANNEL,
  );
  if (row === undefined) throw lockWasLost();
  return { generation: numberColumn(row, 'generation'), history: numberColumn(row, 'history') };
}

export const CHANNEL = 'waymark_tree';

export function lockWasLost(): AppError {
  return new AppError('storage_busy', 'Another writer has taken over this index.', {
    hint: 'Try again in a moment.',
  });
}
