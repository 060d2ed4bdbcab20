/** Brings a project's index up to date. One writer at a time; whatever is killed, the next run heals. */
import type { Clock, Logger, Skip } from '../core/index.ts';
import { listFiles, type ListOptions } from '../workspace/index.ts';
import type {
  IndexBatch,
  IndexedFile,
  IndexStore,
  ManifestEntry,
  ParsedEntry,
  WriterLock,
} from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { lockWithin } from './lock-within.ts';
import { createOrigins, planIndex, type IndexPlan, type ListedFile } from './plan.ts';
import type { ExactParser } from '../languages/index.ts';
import { readExactly } from './read-exactly.ts';
import type { FileToRead } from './read-file.ts';
import { readFiles } from './read-files.ts';

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

export interface RunOptions {
  readonly signal: AbortSignal;
  /** First called when it is known how much there is to do, last when all of it is done. */
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Another process is at it: told once, and then waited for. Without it the outcome is `busy`. */
  readonly onBusy?: () => void;
}

/** What was parsed on the way. */
export interface ParseTally {
  readonly exact: number;
  /** Paths of those that could not be. */
  readonly failed: readonly string[];
}

export interface IndexOptions extends RunOptions {
  /** For whoever waits for exact definitions: files are parsed before they are written, unless there is much to read. */
  readonly parser?: ExactParser;
  readonly list?: ListOptions;
  /** Only files in these languages; empty means every one. */
  readonly languages?: readonly string[];
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
      /** Only with a parser. */
      readonly parsed?: ParseTally;
    }
  /** Another process is at it; the index it makes is this one's too. */
  | { readonly kind: 'busy' };

export interface Indexer {
  run(root: string, options: IndexOptions): Promise<IndexOutcome>;
}

/** How long a commit of the exact pass may keep others out. A run of another process takes longer, and is not waited for. */
const PASSING_MS = 400;
/** Small enough that readers see progress, large enough that commits do not dominate. */
const BATCH_FILES = 100;
const BATCH_BYTES = 4 * 1024 * 1024;
/**
 * Above, files are written by their outline first: whoever searches meanwhile is served in a quarter of the time, others may write
 * between the commits of the exact pass, and the threads that read do not wait for the children that parse.
 */
const MOST_PARSED_AT_ONCE_BYTES = 20 * 1024 * 1024;
const MOST_PARSED_AT_ONCE = 4_000;

export function createIndexer(parts: IndexerParts): Indexer {
  return {
    async run(root, options) {
      const lock = await takeLock(() => parts.tryLock(root), options);
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

async function takeLock(
  tryLock: () => Promise<WriterLock | undefined>,
  { signal, onBusy }: IndexOptions,
): Promise<WriterLock | undefined> {
  const lock = await lockWithin(tryLock, PASSING_MS, signal);
  if (lock !== undefined || onBusy === undefined) return lock;
  onBusy();
  return lockWithin(tryLock, Infinity, signal);
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
  readonly parsed?: ParseTally;
}

/** Reads and commits what the plan says. The caller holds the writer's lock, and commits what is left out. */
export async function applyPlan(
  { root, manifest, plan, commit, analyzer, clock }: PlannedWork,
  options: Omit<IndexOptions, 'list'>,
): Promise<WorkDone> {
  const originOf = createOrigins(manifest, plan);
  const known = new Map(manifest.map((entry) => [entry.path, entry]));
  const unread: Skip[] = [];
  const gone = new Set(plan.gone.map(({ path }) => path));
  const tally = { indexed: 0, renamed: 0, removed: 0 };
  const failed: string[] = [];
  let exact = 0;
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

  const files = plan.read.map((file): FileToRead => {
    const entry = known.get(file.path);
    return entry?.analysis === analyzer.id ? { ...file, knownHash: entry.hash } : file;
  });
  const { languages = [], signal, parser } = options;
  const input = { root, languages, files, analyzer, clock, signal };
  let done = 0;
  const isMuch = totalBytes > MOST_PARSED_AT_ONCE_BYTES || total > MOST_PARSED_AT_ONCE;
  const reads = parser === undefined || isMuch ? readFiles(input) : readExactly({ ...input, parser });
  for await (const { file, read } of reads) {
    done += 1;
    doneBytes += file.sizeBytes;
    switch (read.kind) {
      case 'skip':
        unread.push(read.skip);
        // What was indexed of it before is no longer true.
        if (known.has(file.path)) batch.removed.push(file.path);
        break;
      case 'known':
        if (!isSameEntry(known.get(file.path), read.entry)) batch.touched.push(read.entry);
        break;
      case 'read': {
        const renamedFrom = originOf(file.path, read.entry.hash);
        if (renamedFrom === undefined) tally.indexed += 1;
        else {
          tally.renamed += 1;
          gone.delete(renamedFrom);
          batch.removed.push(renamedFrom);
        }
        batch.written.push({ ...read.entry, ...read.content });
        batch.bytes += file.sizeBytes;
        if (read.note !== undefined) {
          const { path, hash, analysis } = read.entry;
          batch.parsed.push({
            path,
            hash,
            analysis,
            note: read.note,
            definitions: undefined,
            rows: undefined,
          });
          if (read.note.failure === undefined) exact += 1;
          else failed.push(path);
        }
      }
    }
    if (batch.written.length >= BATCH_FILES || batch.bytes >= BATCH_BYTES) {
      await flush();
      options.onProgress?.({ done, total, doneBytes, totalBytes });
      // On its way before whatever comes next: some clients hear no progress that comes together with the answer.
      await breathe();
    }
  }
  tally.removed = gone.size;
  // One by one: there can be more of them than a call takes arguments.
  for (const path of gone) batch.removed.push(path);
  await flush();
  options.onProgress?.({ done: total, total, doneBytes, totalBytes });
  await breathe();
  return { ...tally, unread, ...(parser === undefined ? {} : { parsed: { exact, failed } }) };
}

/** A commit that changes nothing would look like a change to readers. */
function isSameEntry(known: ManifestEntry | undefined, now: ManifestEntry): boolean {
  return known?.mtimeMs === now.mtimeMs && known.sizeBytes === now.sizeBytes && known.hash === now.hash;
}

interface OpenBatch {
  readonly written: IndexedFile[];
  readonly touched: ManifestEntry[];
  readonly removed: string[];
  readonly parsed: ParsedEntry[];
  bytes: number;
}

function newBatch(): OpenBatch {
  return { written: [], touched: [], removed: [], parsed: [], bytes: 0 };
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
