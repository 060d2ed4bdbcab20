/** An index in PostgreSQL: what is read of a tree, and commits that are refused to those who lost its lock. */
import { AppError, type Clock } from '../../core/index.ts';
import type { IndexStore } from '../index-store.ts';
import type { StoreLock } from '../index-stores.ts';
import type { Queries } from './database.ts';
import { numberColumn } from './driver.ts';
import {
  readEmbeddedModels,
  readEmbedding,
  readEmbeddings,
  readEmbeddingState,
  readUnembedded,
  readVanished,
  readVectorState,
  removeOtherEmbeddings,
  writeEmbeddings,
} from './embedding-rows.ts';
import type { Generations } from './generations.ts';
import { writeBatch } from './index-batch.ts';
import {
  readContents,
  readDefinitions,
  readFacts,
  readFiles,
  readHistory,
  readManifest,
  readOutlines,
  readMisread,
  readParseFailures,
  readSkips,
  readStats,
  readTrigrams,
  readUnparsed,
  readVectors,
} from './index-rows.ts';
import { readKeptView, removeKeptView, writeKeptView } from './kept-view.ts';
import type { Locks } from './open-lock.ts';
import { readRowStamps, readWholeFiles } from './whole-rows.ts';
import { countCommit, type Counter, type Stamps, type Tree } from './tree.ts';

export interface IndexStoreParts {
  readonly tree: Tree;
  readonly locks: Locks;
  readonly generations: Generations;
  readonly clock: Clock;
  /** For what takes the writer's lock by itself. */
  readonly tryLock: () => Promise<StoreLock | undefined>;
}

export function createIndexStore({ tree, locks, generations, clock, tryLock }: IndexStoreParts): IndexStore {
  let isClosed = false;
  const reader: Pick<Queries, 'all'> = {
    async all(sql, ...values) {
      if (isClosed) throw closed();
      return tree.database.all(sql, ...values);
    },
  };
  /** Over the connection of the lock, if this process holds it. */
  const write = async <T>(work: (queries: Queries, epoch: number | undefined) => Promise<T>): Promise<T> => {
    if (isClosed) throw closed();
    const writer = locks.writerOf(tree);
    return writer === undefined
      ? tree.database.write((queries) => work(queries, undefined))
      : writer.write((queries) => work(queries, writer.epoch));
  };
  const commit = async (
    counter: Counter,
    work: (queries: Queries, stamps: Stamps) => Promise<void>,
  ): Promise<Stamps> => {
    const stamps = await write(async (queries, epoch) => {
      const counted = await countCommit(queries, tree, { counter, epoch, now: clock.now() });
      await work(queries, counted);
      return counted;
    });
    generations.learn(tree.tree, stamps);
    return stamps;
  };
  const stamps = async (): Promise<Stamps> => {
    if (isClosed) throw closed();
    // Who writes must not miss a commit that was not announced yet.
    const known = locks.writerOf(tree) === undefined ? generations.known(tree.tree) : undefined;
    if (known !== undefined) return known;
    const [row] = await reader.all(
      'SELECT generation, history, is_indexed FROM tree WHERE tenant_id = $1 AND id = $2',
      tree.tenant,
      tree.tree,
    );
    if (row === undefined) return { generation: 0, history: 0 };
    const found = { generation: numberColumn(row, 'generation'), history: numberColumn(row, 'history') };
    if (row['is_indexed'] === true) generations.learn(tree.tree, found);
    return found;
  };

  return {
    isDistant: true,
    rowStamps: () => readRowStamps(reader, tree),
    wholeFiles: (paths) => readWholeFiles(reader, tree, paths),
    manifest: () => readManifest(reader, tree),
    commit: async (batch) => {
      const { generation } = await commit('generation', (queries, counted) =>
        writeBatch(queries, { ...tree, generation: counted.generation }, batch),
      );
      return { generation };
    },
    stats: () => readStats(reader, tree),
    skips: () => readSkips(reader, tree),
    unparsed: (parser, retry) => readUnparsed(reader, tree, { parser, retry }),
    parseFailures: () => readParseFailures(reader, tree),
    misread: () => readMisread(reader, tree),
    definitionsOf: (path) => readDefinitions(reader, tree, path),
    outlinesOf: (paths) => readOutlines(reader, tree, paths),
    generation: async () => (await stamps()).generation,
    stamps,
    history: () => readHistory(reader, tree),
    keepHistory: async ({ maker, tips, commits, packed }) => {
      await commit('history', async (queries) => {
        await queries.run(
          `INSERT INTO history (tenant_id, tree_id, maker, tips, commits, packed) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (tenant_id, tree_id) DO UPDATE SET maker = excluded.maker, tips = excluded.tips,
             commits = excluded.commits, packed = excluded.packed`,
          tree.tenant,
          tree.tree,
          maker,
          tips.join(' '),
          commits,
          packed,
        );
      });
    },
    files: async () => {
      if (isClosed) throw closed();
      return tree.database.snapshot(async (queries) => {
        const [row] = await queries.all(
          'SELECT generation FROM tree WHERE tenant_id = $1 AND id = $2',
          tree.tenant,
          tree.tree,
        );
        const generation = row === undefined ? 0 : numberColumn(row, 'generation');
        return { generation, files: await readFiles(queries, tree) };
      });
    },
    contents: (ids) => readContents(reader, tree, ids),
    facts: (ids) => readFacts(reader, tree, ids),
    vectors: (ids) => readVectors(reader, tree, ids),
    trigrams: () => readTrigrams(reader, tree),
    vectorState: (model) => readVectorState(reader, tree, model),
    embeddingState: (model) => readEmbeddingState(reader, tree, model),
    embeddedModels: () => readEmbeddedModels(reader, tree),
    unembedded: (model) => readUnembedded(reader, tree, model),
    embeddings: (model, ids) => readEmbeddings(reader, tree, { model, ids }),
    embeddingAt: (model, path) => readEmbedding(reader, tree, { model, path }),
    vanishedEmbeddings: (model) => readVanished(reader, tree, model),
    commitEmbeddings: async (files) => {
      await commit('embeddings', (queries) => writeEmbeddings(queries, tree, files));
    },
    keepEmbeddingsOf: (model) => write((queries) => removeOtherEmbeddings(queries, tree, model)),
    keptView: () => readKeptView(reader, tree),
    async keepView(view) {
      const lock = await tryLock();
      if (lock === undefined) return false;
      try {
        await write((queries) => writeKeptView(queries, tree, view));
        return true;
      } finally {
        await lock.release();
      }
    },
    forgetView: () => write((queries) => removeKeptView(queries, tree)),
    async isSound() {
      const [row] = await reader.all(
        `SELECT count(*) AS lost FROM tree_file f
         WHERE f.tenant_id = $1 AND f.tree_id = $2 AND NOT EXISTS (
           SELECT 1 FROM content c WHERE c.tenant_id = $1 AND c.id = f.content_id)`,
        tree.tenant,
        tree.tree,
      );
      return row !== undefined && numberColumn(row, 'lost') === 0;
    },
    close: async () => void (isClosed = true),
  };
}

function closed(): AppError {
  return new AppError('internal', 'The index was used after it had been closed.');
}
