/** Files become committed chunks: list, plan, read, redact, outline, chunk, commit. */
export { createAnalyzer, type Analyzer } from './analyze-file.ts';
export { planIndex, type IndexPlan, type ListedFile } from './plan.ts';
export { CHUNK_LIMITS, type ChunkLimits } from './chunk-limits.ts';
export { chunkFile } from './chunk.ts';
export { createSourceReader, type ShownText, type SourceReader } from './source-reader.ts';
export type { EmbedOutcome, EmbedPass } from './embed-pass.ts';
export { percentOf, type EncoderState } from './encoder-state.ts';
export type { ExactOptions, ExactOutcome, ExactPass } from './exact-pass.ts';
export type { FreshState } from './fresh-state.ts';
export { createFollowing, type Following, type FollowingParts } from './following.ts';
export {
  createIndexer,
  type Indexer,
  type IndexOptions,
  type IndexOutcome,
  type IndexProgress,
} from './indexer.ts';
export type { Job, JobEnd } from './background.ts';
export type { KeptIndex, Removal } from './housekeeping.ts';
export type { Freshness, IndexState } from './freshness.ts';
export { createIndexing, type Indexing, type IndexingParts, type IndexScope } from './indexing.ts';
export { toOperation, type IndexRun, type Operation } from './operation.ts';
export { PATIENCE } from './patience.ts';
export { createShelf, type Shelf } from './shelf.ts';
export { waitFor } from './wait-for.ts';
