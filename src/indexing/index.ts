/** Keeps indexes at their files: reconcile(tree, manifest) → read → analyse → commit; what may come later waits in an idle queue. */
export { createAnalyzer, type Analyzer } from './analyze-file.ts';
export { CHUNK_LIMITS, chunkFile, type ChunkLimits } from './chunk.ts';
export { createSourceReader, type ShownText, type SourceReader } from './read-files.ts';
export { type EmbedOutcome, type EmbedPass, type EncoderState, percentOf } from './embed-pass.ts';
export type { ExactOptions, ExactOutcome, ExactPass } from './exact-pass.ts';
export { createFollowing, type Following, type FollowingParts, type FreshState } from './follower.ts';
export { createIndexer, type Indexer, type IndexOptions, type IndexOutcome } from './index-run.ts';
export type { IndexProgress } from './reconcile.ts';
export { type IndexRun, type Job, type JobEnd, type Operation, toOperation, waitFor } from './jobs.ts';
export { createIndexCatalog, type KeptIndex, type Removal, type IndexCatalog } from './index-catalog.ts';
export {
  type Freshness,
  type IndexState,
  WAIT_LIMITS,
  createIndexing,
  type Indexing,
  type IndexingParts,
  type IndexScope,
} from './indexing.ts';
