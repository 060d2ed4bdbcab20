/** Brings a project's index up to date. One writer at a time; whatever is killed, the next run heals. */
import { join } from 'node:path';
import type { Clock, Logger, Skip } from '../core/index.ts';
import { listFiles, readSource, type ListOptions, type SourceStat } from '../platform/index.ts';
import type { IndexBatch, IndexedFile, IndexStore, ManifestEntry, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';
import { lockWithin } from './lock-within.ts';
import { hashOf } from './source-reader.ts';
import { createOutcomes, planIndex, type IndexPlan, type ListedFile } from './plan.ts';

export interface IndexerParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: (root: string) => Promise<WriterLock | undefined>;
  /** Loaded on first use: a run that changes nothing needs none of its tables. */
  readonly analyzer: () => Analyzer;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface IndexOptions {
  readonly list?: ListOptions;
  /** Only files in these languages; empty means every one. */
  readonly languages?: readonly string[];
  readonly signal: AbortSignal;
  /** First called when it is known how much there is to do, last when all of it is done. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

export type IndexOutcome =
  | {
      readonly kind: 'done';
      readonly indexed: number;
      readonly renamed: number;
      readonly removed: number;
      readonly unchanged: number;
      readonly skipped: number;
      readonly ms: number;
    }
  /** Another process is at it; the index it makes is this one's too. */
  | { readonly kind: 'busy' };

export interface Indexer {
  run(root: string, options: IndexOptions): Promise<IndexOutcome>;
}

/** Small enough that readers see progress and the process keeps answering, large enough that commits do not dominate. */
/** The time of an entry that has to be read once more; no file has it. */
export const NEVER = -1;
/** How long a commit of the exact pass may keep others out. A run of another process takes longer, and is not waited for. */
const PASSING_MS = 400;
const BATCH_FILES = 100;
const BATCH_BYTES = 4 * 1024 * 1024;

export function createIndexer(parts: IndexerParts): Indexer {
  return {
    async run(root, options) {
      const lock = await lockWithin(() => parts.tryLock(root), PASSING_MS, options.signal);
      if (lock === undefined) return { kind: 'busy' };
      try {
        const store = await parts.openStore(root);
        return await bringUpToDate(store, root, options, parts);
      } finally {
        lock.release();
      }
    },
  };
}

async function bringUpToDate(
  store: IndexStore,
  root: string,
  options: IndexOptions,
  { clock, analyzer: loadAnalyzer }: IndexerParts,
): Promise<IndexOutcome> {
  const started = clock.elapsed();
  const { files, skips } = await listAll(root, options);
  const manifest = await store.manifest();
  const analyzer = loadAnalyzer();
  const plan = planIndex(manifest, files, analyzer.id);
  const commit = (batch: IndexBatch): Promise<unknown> => store.commit(batch);
  const work = { root, manifest, plan, commit, analyzer, clock };
  const { unread, ...tally } = await applyPlan(work, options);
  const allSkips = [...skips, ...unread];
  await commitSkips(store, allSkips);
  return {
    kind: 'done',
    ...tally,
    unchanged: plan.unchanged,
    skipped: allSkips.length,
    ms: Math.round(clock.elapsed() - started),
  };
}

export interface PlannedWork {
  readonly root: string;
  /** What is indexed of the planned files; it may hold others. */
  readonly manifest: readonly ManifestEntry[];
  readonly plan: IndexPlan;
  readonly commit: (batch: IndexBatch) => Promise<unknown>;
  readonly analyzer: Analyzer;
  readonly clock: Clock;
}

export interface WorkDone {
  readonly indexed: number;
  readonly renamed: number;
  readonly removed: number;
  /** Listed files that are left out for what is in them. */
  readonly unread: readonly Skip[];
}

/** Reads and commits what the plan says. The caller holds the writer's lock, and commits what is left out. */
export async function applyPlan(
  { root, manifest, plan, commit, analyzer, clock }: PlannedWork,
  options: Omit<IndexOptions, 'list'>,
): Promise<WorkDone> {
  const decide = createOutcomes(manifest, plan, analyzer.id);
  const known = new Map(manifest.map((entry) => [entry.path, entry]));
  const unread: Skip[] = [];
  const gone = new Set(plan.gone.map(({ path }) => path));
  const tally = { indexed: 0, renamed: 0, removed: 0 };
  let batch = newBatch();
  const total = plan.read.length;
  const totalBytes = plan.read.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let doneBytes = 0;
  options.onProgress?.({ done: 0, total, doneBytes, totalBytes });
  await breathe();

  const flush = async (): Promise<void> => {
    if (batch.written.length + batch.touched.length + batch.removed.length === 0) return;
    await commit(batch);
    batch = newBatch();
  };

  for (const [index, file] of plan.read.entries()) {
    options.signal.throwIfAborted();
    const outcome = readOne(root, file, decide, { languages: options.languages ?? [], clock, analyzer });
    switch (outcome.kind) {
      case 'skip':
        unread.push(outcome.skip);
        // What was indexed of it before is no longer true.
        if (known.has(file.path)) batch.removed.push(file.path);
        break;
      case 'same':
        if (!isSameEntry(known.get(file.path), outcome.entry)) batch.touched.push(outcome.entry);
        break;
      case 'index':
        if (outcome.renamedFrom === undefined) tally.indexed += 1;
        else {
          tally.renamed += 1;
          gone.delete(outcome.renamedFrom);
          batch.removed.push(outcome.renamedFrom);
        }
        batch.written.push(outcome.file);
        batch.bytes += file.sizeBytes;
    }
    doneBytes += file.sizeBytes;
    if (batch.written.length >= BATCH_FILES || batch.bytes >= BATCH_BYTES) {
      await flush();
      options.onProgress?.({ done: index + 1, total, doneBytes, totalBytes });
      await breathe();
    }
  }
  tally.removed = gone.size;
  // One by one: there can be more of them than a call takes arguments.
  for (const path of gone) batch.removed.push(path);
  await flush();
  options.onProgress?.({ done: total, total, doneBytes, totalBytes });
  return { ...tally, unread };
}

/** A commit that changes nothing would look like a change to readers. */
function isSameEntry(known: ManifestEntry | undefined, now: ManifestEntry): boolean {
  return known?.mtimeMs === now.mtimeMs && known.sizeBytes === now.sizeBytes && known.hash === now.hash;
}

interface OpenBatch {
  readonly written: IndexedFile[];
  readonly touched: ManifestEntry[];
  readonly removed: string[];
  bytes: number;
}

function newBatch(): OpenBatch {
  return { written: [], touched: [], removed: [], bytes: 0 };
}

async function listAll(root: string, options: IndexOptions): Promise<{ files: ListedFile[]; skips: Skip[] }> {
  const files: ListedFile[] = [];
  const skips: Skip[] = [];
  for await (const part of listFiles(root, options.list ?? {}, options.signal)) {
    files.push(...part.files);
    skips.push(...part.skips);
  }
  return { files, skips };
}

type ReadOutcome =
  | { readonly kind: 'skip'; readonly skip: Skip }
  | { readonly kind: 'same'; readonly entry: ManifestEntry }
  | { readonly kind: 'index'; readonly file: IndexedFile; readonly renamedFrom: string | undefined };

function readOne(
  root: string,
  file: ListedFile,
  decide: ReturnType<typeof createOutcomes>,
  {
    languages,
    clock,
    analyzer,
  }: { readonly languages: readonly string[]; readonly clock: Clock; readonly analyzer: Analyzer },
): ReadOutcome {
  const read = readSource({
    realRoot: root,
    absPath: join(root, file.path),
    maxBytes: MAX_FILE_BYTES,
    clock,
  });
  if (read.kind === 'skipped') {
    return { kind: 'skip', skip: { path: file.path, reason: read.reason, detail: read.detail } };
  }
  const hash = hashOf(read.bytes);
  const entry: ManifestEntry = {
    path: file.path,
    sizeBytes: read.stat.sizeBytes,
    mtimeMs: trustedTime(file, read.stat),
    hash,
    analysis: analyzer.id,
  };
  const outcome = decide(file.path, hash);
  if (outcome.kind === 'same') return { kind: 'same', entry };
  const analyzed = analyzer.analyze(file.path, read.bytes, {
    languages,
    isAskedFor: file.isAskedFor ?? false,
  });
  if (analyzed.kind === 'skip') {
    return { kind: 'skip', skip: { path: file.path, reason: analyzed.reason, detail: analyzed.detail } };
  }
  const renamedFrom = outcome.kind === 'renamed' ? outcome.from : undefined;
  return { kind: 'index', file: { ...entry, ...analyzed.content }, renamedFrom };
}

/**
 * The time to compare with at the next look. A file so new that a further write could bear the same time gets one that no
 * file has, so that it is read once more; one that was saved between listing and reading gets its later time.
 */
function trustedTime(listed: ListedFile, { mtimeNs, mayStillChange }: SourceStat): number {
  if (mayStillChange) return NEVER;
  const read = Number(mtimeNs) / 1e6;
  return Math.abs(read - listed.mtimeMs) < 0.01 ? listed.mtimeMs : read;
}

/** Skips are written only when they differ: a run that changes nothing must not look like a change to readers. */
async function commitSkips(store: IndexStore, skips: readonly Skip[]): Promise<void> {
  const sorted = skips.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const before = (await store.skips()).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (JSON.stringify(before) !== JSON.stringify(sorted)) await store.commit({ skips: sorted });
}

/** Lets whatever else this process has to do go first. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
