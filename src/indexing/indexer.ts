/** Brings a project's index up to date. One writer at a time; whatever is killed, the next run heals. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Logger, Skip } from '../core/index.ts';
import { listFiles, readSource, type ListOptions, type SourceStat } from '../platform/index.ts';
import type { IndexedFile, IndexStore, ManifestEntry, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { createOutcomes, planIndex, type ListedFile } from './plan.ts';

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
const MAX_FILE_BYTES = 1024 * 1024;
const NEVER = -1;
const BATCH_FILES = 100;
const BATCH_BYTES = 4 * 1024 * 1024;

export function createIndexer(parts: IndexerParts): Indexer {
  return {
    async run(root, options) {
      const lock = await parts.tryLock(root);
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
  const decide = createOutcomes(manifest, plan, analyzer.id);
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
    await store.commit(batch);
    batch = newBatch();
  };

  for (const [index, file] of plan.read.entries()) {
    options.signal.throwIfAborted();
    const outcome = readOne(root, file, decide, { languages: options.languages ?? [], clock, analyzer });
    switch (outcome.kind) {
      case 'skip':
        skips.push(outcome.skip);
        // What was indexed of it before is no longer true.
        batch.removed.push(file.path);
        break;
      case 'same':
        batch.touched.push(outcome.entry);
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
  batch.removed.push(...gone);
  await flush();
  await commitSkips(store, skips);
  options.onProgress?.({ done: total, total, doneBytes, totalBytes });
  return {
    kind: 'done',
    ...tally,
    unchanged: plan.unchanged,
    skipped: skips.length,
    ms: Math.round(clock.elapsed() - started),
  };
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
  const hash = createHash('sha256').update(read.bytes).digest('base64url');
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
