/** The indexes of one tenant: opening them, their locks, which there are, and removing one. */
import { basename } from 'node:path';
import type { Clock } from '../../core/index.ts';
import type { IndexStores, StoreLock } from '../index-stores.ts';
import { numberColumn, textColumn } from './driver.ts';
import type { Generations } from './generations.ts';
import { sweep } from './index-batch.ts';
import { createIndexStore } from './index-store.ts';
import type { Locks } from './open-lock.ts';
import type { Tenancy } from './tenancy.ts';
import { CHANNEL, countCommit, findOrMakeTree, type Tree, type TreeName } from './tree.ts';

export interface IndexStoresParts {
  readonly tenancy: () => Promise<Tenancy>;
  readonly locks: Locks;
  readonly generations: Generations;
  /** The names of the project that lies here, for all who work on it, and of its files in this place. */
  readonly nameOf: (root: string) => TreeName;
  readonly clock: Clock;
}

interface Named {
  readonly name: TreeName;
  readonly until: number;
  tree: Promise<Tree> | undefined;
}

const NAME_MS = 5_000;
const MOST_NAMES = 10_000;

export function createIndexStores(parts: IndexStoresParts): IndexStores {
  const { tenancy, locks, generations, nameOf, clock } = parts;
  /** Looking up what a repository is called reads files of git; what it is in the database, every project that waits for a lock asks. */
  const names = new Map<string, Named>();
  const named = (root: string): Named => {
    const known = names.get(root);
    const now = clock.elapsed();
    if (known !== undefined && now < known.until) return known;
    if (names.size >= MOST_NAMES) names.clear();
    const fresh = { name: nameOf(root), until: now + NAME_MS, tree: undefined };
    names.set(root, fresh);
    return fresh;
  };
  const namesOf = (root: string): TreeName => named(root).name;
  const treeOf = (root: string): Promise<Tree> => {
    const one = named(root);
    one.tree ??= tenancy().then((ours) => findOrMakeTree(ours, one.name));
    one.tree.catch(() => (one.tree = undefined));
    return one.tree;
  };
  /** The indexes that were found, to ask after the ones that are announced when they go. */
  const found = new Map<string, Tree>();

  async function indexed(root: string): Promise<Tree | undefined> {
    const { database, tenant } = await tenancy();
    const name = namesOf(root);
    const key = JSON.stringify([name.project, name.tree]);
    const known = found.get(key);
    if (known !== undefined && generations.known(known.tree) !== undefined) return known;
    const [row] = await database.all(
      `SELECT t.id AS tree, p.id AS project FROM tree t JOIN project p ON p.tenant_id = t.tenant_id AND p.id = t.project_id
       WHERE t.tenant_id = $1 AND p.identity = $2 AND t.name = $3 AND t.is_indexed`,
      tenant,
      name.project,
      name.tree,
    );
    if (row === undefined) return undefined;
    const tree = { database, tenant, project: numberColumn(row, 'project'), tree: numberColumn(row, 'tree') };
    if (found.size >= MOST_NAMES) found.clear();
    found.set(key, tree);
    return tree;
  }

  /** The row stays: others may have the index open, and find it empty. */
  async function empty(tree: Tree): Promise<void> {
    await tree.database.write(async (queries) => {
      const { tenant, tree: id } = tree;
      await countCommit(queries, tree, { counter: 'generation', epoch: undefined, now: clock.now() });
      const rows = await queries.all(
        'DELETE FROM tree_file WHERE tenant_id = $1 AND tree_id = $2 RETURNING content_id',
        tenant,
        id,
      );
      for (const table of ['skip', 'embedding', 'history', 'kept_view'])
        await queries.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND tree_id = $2`, tenant, id);
      await queries.run(
        'UPDATE tree SET is_indexed = false, history = history + 1, epoch = epoch + 1 WHERE tenant_id = $1 AND id = $2',
        tenant,
        id,
      );
      await sweep(
        queries,
        tree,
        rows.map((row) => numberColumn(row, 'content_id')),
      );
      await queries.run('SELECT pg_notify($1, $2)', CHANNEL, String(id));
    });
    generations.forget(tree.tree);
  }

  async function tryWriterLock(root: string): Promise<StoreLock | undefined> {
    return locks.tryWriter(await treeOf(root));
  }

  return {
    async open(root) {
      const tree = await treeOf(root);
      await tree.database.all(
        'UPDATE tree SET is_indexed = true WHERE tenant_id = $1 AND id = $2 AND NOT is_indexed',
        tree.tenant,
        tree.tree,
      );
      return createIndexStore({ tree, locks, generations, clock, tryLock: () => locks.tryWriter(tree) });
    },
    exists: async (root) => (await indexed(root)) !== undefined,
    async remove(root) {
      const tree = await indexed(root);
      if (tree !== undefined) await empty(tree);
      return tree !== undefined;
    },
    tryWriterLock,
    tryFollowerLock: async (root) => locks.tryFollower(await treeOf(root)),
    async list() {
      const { database, tenant } = await tenancy();
      const rows = await database.all(
        `SELECT t.id, t.name, t.changed_at, coalesce((
           SELECT sum(c.size_bytes) FROM tree_file f JOIN content c ON c.tenant_id = f.tenant_id AND c.id = f.content_id
           WHERE f.tenant_id = t.tenant_id AND f.tree_id = t.id), 0)::bigint AS size_bytes
         FROM tree t WHERE t.tenant_id = $1 AND t.is_indexed ORDER BY t.id`,
        tenant,
      );
      return rows.map((row) => ({
        id: `${basename(textColumn(row, 'name'))}-${numberColumn(row, 'id')}`,
        key: textColumn(row, 'name'),
        kind: 'current',
        sizeBytes: numberColumn(row, 'size_bytes'),
        modifiedAt: numberColumn(row, 'changed_at'),
      }));
    },
    async removeById(id) {
      const { database, tenant } = await tenancy();
      const [row] = await database.all(
        'SELECT id, project_id FROM tree WHERE tenant_id = $1 AND id = $2 AND is_indexed',
        tenant,
        Number(/\d+$/.exec(id)?.[0] ?? 0),
      );
      if (row === undefined) return false;
      await empty({
        database,
        tenant,
        project: numberColumn(row, 'project_id'),
        tree: numberColumn(row, 'id'),
      });
      return true;
    },
    keyOf: (root) => namesOf(root).tree,
  };
}
