/**
 * Pushed trees: a push gathers its files in a tree of its own, which no reader sees and which keeps what was sent if it is cut off;
 * then one transaction moves them to the branch, or to what a person has over it.
 */
import { AppError, type Clock, parsePushedRoot, renderPushedRoot } from '../../core/index.ts';
import { bucketOf, digestBuckets, type KeyedFile } from '../push-buckets.ts';
import { BUCKET_DIGEST_BYTES, BUCKETS, type Pushes, type PushTarget } from '../pushes.ts';
import type { Queries } from './database.ts';
import { bytesColumn, numberColumn, optionalNumber, optionalText, textColumn } from './driver.ts';
import type { Generations } from './generations.ts';
import { sweep } from './index-batch.ts';
import { addContents, type Placed, placeFiles, readSources, stageKnown } from './push-rows.ts';
import type { Tenancy } from './tenancy.ts';
import { countCommit, findOrMakeTree, type Tree } from './tree.ts';

export interface PushesParts {
  readonly tenancy: () => Promise<Tenancy>;
  readonly generations: Generations;
  /** Whether the text of files is kept. */
  readonly keepsSource: boolean;
  readonly clock: Clock;
}

const DAY_MS = 24 * 3_600_000;
/** What was sent and never taken over goes after this long; what a person has over a branch after the other. */
const STAGED_MS = DAY_MS;
const HEAD_MS = 30 * DAY_MS;

export function createPushes({ tenancy, generations, keepsSource, clock }: PushesParts): Pushes {
  const rootOf = ({ identity, branch, person, isHead }: PushTarget): string =>
    renderPushedRoot({ identity, branch, head: isHead ? person : undefined });
  const treeNamed = async (identity: string, name: string): Promise<Tree> =>
    findOrMakeTree(await tenancy(), { project: identity, tree: name });
  const branchOf = (target: PushTarget): Promise<Tree> =>
    treeNamed(target.identity, rootOf({ ...target, isHead: false }));
  const stagingOf = (target: PushTarget): Promise<Tree> =>
    treeNamed(target.identity, `staged ${target.person} ${rootOf(target)}`);

  return {
    async state(target, { digests, kept }) {
      const tree = await branchOf(target);
      await tidy(tree, clock.now());
      const { database } = tree;
      return database.snapshot(async (queries) => {
        const [row] = await queries.all(
          `SELECT t.generation, p.commit_id FROM tree t
           LEFT JOIN pushed_tree p ON p.tenant_id = t.tenant_id AND p.tree_id = t.id
           WHERE t.tenant_id = $1 AND t.id = $2`,
          tree.tenant,
          tree.tree,
        );
        const files = await readKeys(queries, tree);
        const left = new Set(kept);
        const differing = differingBuckets(
          digests,
          digestBuckets(files.filter(({ path }) => !left.has(path))),
        );
        return {
          commit: row && optionalText(row, 'commit_id'),
          generation: row === undefined ? 0 : numberColumn(row, 'generation'),
          differing,
        };
      });
    },

    async stage(target, entries) {
      const staging = await stagingOf(target);
      return staging.database.write(async (queries) => {
        await touch(queries, staging, clock.now());
        return stageKnown(queries, staging, { target, entries });
      });
    },

    async add(target, files) {
      const staging = await stagingOf(target);
      await staging.database.write(async (queries) => {
        await touch(queries, staging, clock.now());
        await addContents(queries, staging, { target, files, keepsSource });
      });
    },

    async commit(target, { base, commit, differing, kept, files }) {
      const [branch, staging] = [await branchOf(target), await stagingOf(target)];
      const tree = target.isHead ? await treeNamed(target.identity, rootOf(target)) : branch;
      const { database, tenant } = tree;
      const done = await database.write(async (queries) => {
        const counted = await countCommit(queries, tree, {
          counter: 'generation',
          epoch: undefined,
          now: clock.now(),
        });
        const [now] = await queries.all(
          'SELECT generation FROM tree WHERE tenant_id = $1 AND id = $2 FOR SHARE',
          tenant,
          branch.tree,
        );
        const branchNow = now === undefined ? 0 : numberColumn(now, 'generation') - (target.isHead ? 0 : 1);
        if (branchNow !== base) throw overtaken();
        const staged = await readPlaced(queries, staging, target.attempt);
        if (staged.length !== files) throw incomplete();
        const buckets = new Set(differing);
        const left = new Set(kept);
        const stays = ({ path }: Placed): boolean =>
          !buckets.has(bucketOf(path)) || (!target.isHead && left.has(path));
        const before = await readPlaced(queries, tree);
        const under = target.isHead ? await readPlaced(queries, branch) : before;
        const wanted = new Map([...under.filter(stays), ...staged].map((file) => [file.path, file]));
        const isSameAsBranch = target.isHead && isSame(wanted, under);
        const replaced = isSameAsBranch
          ? await removeTree(queries, tree)
          : await place(queries, tree, { before, wanted, generation: counted.generation });
        if (!isSameAsBranch) await notePush(queries, tree, { target, commit, now: clock.now() });
        const gone = await removeTree(queries, staging);
        await sweep(queries, tree, [...new Set([...replaced, ...gone])]);
        return { counted, files: wanted.size, isSameAsBranch };
      });
      if (done.isSameAsBranch) generations.forget(tree.tree);
      else generations.learn(tree.tree, done.counted);
      return { generation: done.counted.generation, files: done.files };
    },

    async find(name, person) {
      const { database, tenant } = await tenancy();
      const [, identity = '', branch] = /^(?:pushed:)?([^@\s]+)(?:@(\S+))?$/.exec(name) ?? [];
      const wanted = branch?.replace(/~[0-9a-f]{16}$/, '');
      const rows = await database.all(
        `SELECT p.identity, t.name, b.branch, b.person, b.pushed_at FROM pushed_tree b
         JOIN tree t ON t.tenant_id = b.tenant_id AND t.id = b.tree_id
         JOIN project p ON p.tenant_id = t.tenant_id AND p.id = t.project_id
         WHERE b.tenant_id = $1 AND t.is_indexed AND (p.identity = $2 OR right(p.identity, length($2) + 1) = '/' || $2)
           AND (b.person IS NULL OR b.person = $3) AND ($4::text IS NULL OR b.branch = $4)
         ORDER BY p.identity, b.branch, b.person`,
        tenant,
        identity.toLowerCase(),
        person,
        wanted ?? null,
      );
      const found = rows.map((row) => ({
        identity: textColumn(row, 'identity'),
        root: textColumn(row, 'name'),
        branch: textColumn(row, 'branch'),
        isHead: row['person'] !== null,
        pushedAt: numberColumn(row, 'pushed_at'),
      }));
      return [...new Set(found.map((one) => one.identity))].flatMap((one) => {
        const trees = found.filter((tree) => tree.identity === one);
        const usual =
          wanted ??
          USUAL.find((usualBranch) => trees.some((tree) => tree.branch === usualBranch)) ??
          trees.toSorted((a, b) => b.pushedAt - a.pushedAt)[0]?.branch;
        const ofBranch = trees.filter((tree) => tree.branch === usual);
        const chosen = ofBranch.find(({ isHead }) => isHead) ?? ofBranch[0];
        return chosen === undefined ? [] : [chosen.root];
      });
    },

    async tree(root) {
      const identity = parsePushedRoot(root)?.identity;
      if (identity === undefined) return undefined;
      const { database, tenant } = await tenancy();
      const [row] = await database.all(
        `SELECT b.commit_id, b.pushed_at, (SELECT f.content_id FROM tree_file f
           JOIN content_source s ON s.tenant_id = f.tenant_id AND s.content_id = f.content_id
           WHERE f.tenant_id = t.tenant_id AND f.tree_id = t.id LIMIT 1) AS source
         FROM pushed_tree b JOIN tree t ON t.tenant_id = b.tenant_id AND t.id = b.tree_id
         JOIN project p ON p.tenant_id = t.tenant_id AND p.id = t.project_id
         WHERE b.tenant_id = $1 AND p.identity = $2 AND t.name = $3 AND t.is_indexed`,
        tenant,
        identity,
        root,
      );
      return (
        row && {
          root,
          commit: optionalText(row, 'commit_id'),
          pushedAt: numberColumn(row, 'pushed_at'),
          hasSource: optionalNumber(row, 'source') !== undefined,
        }
      );
    },

    async source(root, paths) {
      const identity = parsePushedRoot(root)?.identity;
      if (identity === undefined) return new Map();
      return readSources(await tenancy(), { identity, root, paths });
    },
  };
}

/** What a clone has checked out first. */
const USUAL = ['main', 'master', 'trunk', 'develop'];

async function readPlaced(
  queries: Queries,
  { tenant, tree }: Pick<Tree, 'tenant' | 'tree'>,
  attempt?: number,
): Promise<readonly Placed[]> {
  const rows = await queries.all(
    `SELECT path, content_id, size_bytes, mtime_ms FROM tree_file
     WHERE tenant_id = $1 AND tree_id = $2 AND ($3::bigint IS NULL OR generation = $3)`,
    tenant,
    tree,
    attempt ?? null,
  );
  return rows.map((row) => ({
    path: textColumn(row, 'path'),
    content: numberColumn(row, 'content_id'),
    sizeBytes: numberColumn(row, 'size_bytes'),
    mtimeMs: numberColumn(row, 'mtime_ms'),
  }));
}

function isSame(wanted: ReadonlyMap<string, Placed>, other: readonly Placed[]): boolean {
  return (
    wanted.size === other.length && other.every(({ path, content }) => wanted.get(path)?.content === content)
  );
}

/** Only files that are others than before are written: readers load those again. Resolves with the contents that were replaced. */
async function place(
  queries: Queries,
  tree: Tree,
  change: {
    readonly before: readonly Placed[];
    readonly wanted: ReadonlyMap<string, Placed>;
    readonly generation: number;
  },
): Promise<readonly number[]> {
  const { before, wanted, generation } = change;
  const known = new Map(before.map((file) => [file.path, file]));
  const gone = before.filter(({ path }) => !wanted.has(path));
  const written = [...wanted.values()].filter(({ path, content }) => known.get(path)?.content !== content);
  if (gone.length > 0)
    await queries.run(
      'DELETE FROM tree_file WHERE tenant_id = $1 AND tree_id = $2 AND path = ANY ($3::text[])',
      tree.tenant,
      tree.tree,
      gone.map(({ path }) => path),
    );
  await placeFiles(queries, tree, { generation, files: written });
  return [...gone, ...written].flatMap(({ path }) => known.get(path)?.content ?? []);
}

async function notePush(
  queries: Queries,
  { tenant, tree }: Tree,
  {
    target,
    commit,
    now,
  }: { readonly target: PushTarget; readonly commit: string | undefined; readonly now: number },
): Promise<void> {
  await queries.run(
    `INSERT INTO pushed_tree (tenant_id, tree_id, branch, person, commit_id, pushed_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, tree_id) DO UPDATE SET commit_id = excluded.commit_id, pushed_at = excluded.pushed_at`,
    tenant,
    tree,
    target.branch,
    target.isHead ? target.person : null,
    commit ?? null,
    now,
  );
}

async function touch(queries: Queries, { tenant, tree }: Tree, now: number): Promise<void> {
  await queries.run('UPDATE tree SET changed_at = $3 WHERE tenant_id = $1 AND id = $2', tenant, tree, now);
}

/** With all that belongs to it; resolves with the contents that it had. */
async function removeTree(
  queries: Queries,
  { tenant, tree }: Pick<Tree, 'tenant' | 'tree'>,
): Promise<readonly number[]> {
  const rows = await queries.all(
    'DELETE FROM tree_file WHERE tenant_id = $1 AND tree_id = $2 RETURNING content_id',
    tenant,
    tree,
  );
  for (const table of ['skip', 'embedding', 'history', 'kept_view', 'pushed_tree'])
    await queries.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND tree_id = $2`, tenant, tree);
  await queries.run('UPDATE tree SET is_indexed = false WHERE tenant_id = $1 AND id = $2', tenant, tree);
  return rows.map((row) => numberColumn(row, 'content_id'));
}

/** Of this project: what was left half-way long ago, and what persons have not pushed to for long. */
async function tidy({ database, tenant, project }: Tree, now: number): Promise<void> {
  const rows = await database.all(
    `SELECT t.id FROM tree t LEFT JOIN pushed_tree b ON b.tenant_id = t.tenant_id AND b.tree_id = t.id
     WHERE t.tenant_id = $1 AND t.project_id = $2 AND (
       t.name LIKE 'staged %' AND t.changed_at < $3 AND EXISTS (
         SELECT 1 FROM tree_file f WHERE f.tenant_id = t.tenant_id AND f.tree_id = t.id)
       OR b.person IS NOT NULL AND b.pushed_at < $4) LIMIT 10`,
    tenant,
    project,
    now - STAGED_MS,
    now - HEAD_MS,
  );
  for (const row of rows)
    await database.write(async (queries) => {
      const tree = { tenant, tree: numberColumn(row, 'id') };
      await queries.run('SELECT 1 FROM tree WHERE tenant_id = $1 AND id = $2 FOR UPDATE', tenant, tree.tree);
      await sweep(queries, { tenant }, await removeTree(queries, tree));
    });
}

async function readKeys(queries: Queries, { tenant, tree }: Tree): Promise<readonly KeyedFile[]> {
  const rows = await queries.all(
    `SELECT f.path, c.key FROM tree_file f JOIN content c ON c.tenant_id = f.tenant_id AND c.id = f.content_id
     WHERE f.tenant_id = $1 AND f.tree_id = $2`,
    tenant,
    tree,
  );
  return rows.map((row) => ({ path: textColumn(row, 'path'), key: bytesColumn(row, 'key') }));
}

function differingBuckets(mine: Uint8Array, theirs: Uint8Array): readonly number[] {
  return Array.from({ length: BUCKETS }, (_, bucket) => bucket).filter((bucket) => {
    const [from, to] = [bucket * BUCKET_DIGEST_BYTES, (bucket + 1) * BUCKET_DIGEST_BYTES];
    return Buffer.compare(mine.subarray(from, to), theirs.subarray(from, to)) !== 0;
  });
}

function overtaken(): AppError {
  return new AppError('storage_busy', 'Another push to this branch was faster.', {
    hint: 'Push again: what was sent is kept.',
  });
}

function incomplete(): AppError {
  return new AppError('storage_busy', 'Some of the files of this push are not there any more.', {
    hint: 'Push again: the rest is kept.',
  });
}
