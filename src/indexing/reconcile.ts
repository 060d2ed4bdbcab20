/**
 * Makes an index match a tree: plan → read → analyse → commit. A first index, a later run and a saved file all go this way; they
 * differ in where the tree comes from, and in how much was known before.
 */
import { AppError, nextTurn, type Clock, type Skip } from '../core/index.ts';
import type { ExactParser } from '../languages/index.ts';
import type { IndexBatch, IndexedFile, IndexStore, ManifestEntry, ParsedEntry } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { readExactly } from './read-exactly.ts';
import { NEVER, readFiles, type FileToRead, type ListedFile } from './read-files.ts';

/** A project's files, as a listing found them. */
export interface Tree {
  files(): ReadonlyMap<string, ListedFile>;
  /** What the listing leaves out, by name, rule or size. */
  skips(): readonly Skip[];
}

/** What the index holds, in memory: a look at the files is compared without reading the index again. */
export interface Manifest {
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  skips(): readonly Skip[];
  /** Reads the index if it was committed to elsewhere since; says whether it was. */
  sync(store: IndexStore): Promise<boolean>;
  /** Commits to the store of the last `sync`. */
  commit(batch: IndexBatch): Promise<void>;
}

/** What is known beside the manifest. A run begins with nothing known; a follower keeps it from one look to the next. */
export interface Known {
  /** Listed files that are left out for their content. They are read again only when they change. */
  leftOut: Map<string, LeftOutFile>;
  /** Files to read even if size and time are the same. */
  readonly suspects: Set<string>;
  /** Paths that may differ from the index; undefined: all. */
  doubtful: Set<string> | undefined;
  /** Whether what is left out may differ from what the index says. */
  areSkipsDoubtful: boolean;
}

/** A file that is left out, and how it was when it was read. */
export interface LeftOutFile {
  readonly skip: Skip;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface Plan {
  /** New files, and those whose size or time says that they may have changed. */
  readonly read: readonly ListedFile[];
  /** Files of the manifest that are no longer listed. Some turn out to be renamed, once new files were read. */
  readonly gone: readonly ManifestEntry[];
  readonly unchanged: number;
}

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** What was parsed on the way. */
export interface ParseTally {
  readonly exact: number;
  /** Paths of those that could not be. */
  readonly failed: readonly string[];
}

export interface ReconcileInput {
  readonly root: string;
  readonly tree: Tree;
  readonly manifest: Manifest;
  readonly known: Known;
  readonly analyzer: Analyzer;
  readonly clock: Clock;
}

export interface ReconcileOptions {
  readonly signal: AbortSignal;
  /** First called when it is known how much there is to do, last when all of it is done. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Only files in these languages; empty means every one. */
  readonly languages?: readonly string[] | undefined;
  /** Parses files before they are written, unless there is much to read. */
  readonly parser?: ExactParser | undefined;
}

export interface Reconciled {
  readonly indexed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Files that were read or removed. */
  readonly touched: number;
  /** Files so new when they were read that they have to be read once more. */
  readonly unsettled: readonly string[];
  /** Only with a parser. */
  readonly parsed?: ParseTally;
}

/** Small enough that readers see progress, large enough that commits do not dominate. */
const BATCH_FILES = 100;
const BATCH_BYTES = 4 * 1024 * 1024;
/**
 * Above, files are written by their outline first: searches are served in a quarter of the time, others may write between the
 * commits of the exact pass, and the threads that read do not wait for the children that parse.
 */
const MOST_PARSED_AT_ONCE_BYTES = 20 * 1024 * 1024;
const MOST_PARSED_AT_ONCE = 4_000;

export function nothingKnown(): Known {
  return { leftOut: new Map(), suspects: new Set(), doubtful: undefined, areSkipsDoubtful: true };
}

/** The caller holds the writer's lock, and has synced the manifest. Updates what is known. */
export async function reconcile(input: ReconcileInput, options: ReconcileOptions): Promise<Reconciled> {
  const { tree, manifest, known, analyzer } = input;
  const plan = planWork(tree, manifest, known, analyzer.id);
  const { skipped, ...done } = await applyPlan(plan, input, options);
  const unsettled = noteRead(plan, skipped, input);
  const skips = changedSkips(tree, manifest, known);
  // A commit that changes nothing would look like a change to readers.
  if (skips !== undefined) await manifest.commit({ skips });
  known.areSkipsDoubtful = false;
  known.doubtful = new Set(unsettled);
  return { ...done, unchanged: plan.unchanged, touched: plan.read.length + plan.gone.length, unsettled };
}

/** Compares size and time, which costs nothing; the content decides when a file is read. */
export function planWork(
  tree: Tree,
  manifest: Pick<Manifest, 'entries'>,
  known: Known,
  analysis: string,
): Plan {
  const { entries } = manifest;
  const files = tree.files();
  const read: ListedFile[] = [];
  const gone: ManifestEntry[] = [];
  if (known.doubtful === undefined) {
    let listed = 0;
    for (const file of files.values()) {
      const entry = entries.get(file.path);
      if (entry !== undefined) listed += 1;
      if (hasToBeRead(file, entry, known, analysis)) read.push(file);
    }
    // Nearly always all of them are listed still.
    if (listed < entries.size)
      for (const entry of entries.values()) if (!files.has(entry.path)) gone.push(entry);
  } else {
    for (const path of known.doubtful) {
      const file = files.get(path);
      const entry = entries.get(path);
      if (file === undefined) {
        if (entry !== undefined) gone.push(entry);
      } else if (hasToBeRead(file, entry, known, analysis)) read.push(file);
    }
  }
  return { read, gone, unchanged: files.size - read.length };
}

function hasToBeRead(
  file: ListedFile,
  entry: ManifestEntry | undefined,
  { leftOut, suspects }: Known,
  analysis: string,
): boolean {
  if (suspects.has(file.path)) return true;
  if (entry !== undefined && entry.analysis !== analysis) return true;
  const before = entry ?? leftOut.get(file.path);
  return before?.sizeBytes !== file.sizeBytes || before.mtimeMs !== file.mtimeMs;
}

/** All that is left out, if it differs from what the index says. */
export function changedSkips(tree: Tree, manifest: Manifest, known: Known): readonly Skip[] | undefined {
  if (!known.areSkipsDoubtful) return undefined;
  const skips = [...tree.skips(), ...[...known.leftOut.values()].map(({ skip }) => skip)].sort(byPath);
  const before = manifest.skips().toSorted(byPath);
  known.areSkipsDoubtful = JSON.stringify(before) !== JSON.stringify(skips);
  return known.areSkipsDoubtful ? skips : undefined;
}

async function applyPlan(
  plan: Plan,
  { root, manifest, analyzer, clock }: ReconcileInput,
  { signal, onProgress, languages = [], parser }: ReconcileOptions,
): Promise<Omit<Reconciled, 'unchanged' | 'touched' | 'unsettled'> & { readonly skipped: readonly Skip[] }> {
  const { entries } = manifest;
  const originOf = createOrigins(entries, plan.gone);
  const skipped: Skip[] = [];
  const gone = new Set(plan.gone.map(({ path }) => path));
  const tally = { indexed: 0, renamed: 0, removed: 0 };
  const failed: string[] = [];
  let exact = 0;
  let batch = newBatch();
  const total = plan.read.length;
  const totalBytes = plan.read.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let done = 0;
  let doneBytes = 0;
  // Sent before the work goes on: some clients do not see progress that arrives together with the answer.
  const report = (): Promise<void> => {
    onProgress?.({ done, total, doneBytes, totalBytes });
    return nextTurn();
  };
  const flush = async (): Promise<void> => {
    if (batch.written.length + batch.touched.length + batch.removed.length === 0) return;
    await manifest.commit(batch);
    batch = newBatch();
  };

  await report();
  const files = plan.read.map((file): FileToRead => {
    const entry = entries.get(file.path);
    return entry?.analysis === analyzer.id ? { ...file, knownHash: entry.hash } : file;
  });
  const input = { root, languages, files, analyzer, clock, signal };
  const isMuch = totalBytes > MOST_PARSED_AT_ONCE_BYTES || total > MOST_PARSED_AT_ONCE;
  const reads = parser === undefined || isMuch ? readFiles(input) : readExactly({ ...input, parser });
  for await (const { file, read } of reads) {
    done += 1;
    doneBytes += file.sizeBytes;
    switch (read.kind) {
      case 'skip':
        skipped.push(read.skip);
        // What was indexed of it before is no longer true.
        if (entries.has(file.path)) batch.removed.push(file.path);
        break;
      case 'known':
        if (!isSameEntry(entries.get(file.path), read.entry)) batch.touched.push(read.entry);
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
        if (read.note === undefined) break;
        const { path, hash, analysis } = read.entry;
        const { note, facts } = read;
        batch.parsed.push({ path, hash, analysis, note, definitions: undefined, rows: undefined, facts });
        if (read.note.failure === undefined) exact += 1;
        else failed.push(path);
      }
    }
    if (batch.written.length >= BATCH_FILES || batch.bytes >= BATCH_BYTES) {
      await flush();
      await report();
    }
  }
  tally.removed = gone.size;
  // One by one: there can be more of them than a call takes arguments.
  for (const path of gone) batch.removed.push(path);
  await flush();
  done = total;
  await report();
  return { ...tally, skipped, ...(parser === undefined ? {} : { parsed: { exact, failed } }) };
}

/** Remembers what was left out. Returns the files that have to be read once more. */
function noteRead(
  plan: Plan,
  skipped: readonly Skip[],
  { tree, manifest, known }: ReconcileInput,
): readonly string[] {
  const { leftOut, suspects } = known;
  const skipOf = new Map(skipped.map((skip) => [skip.path, skip]));
  for (const { path, sizeBytes, mtimeMs } of plan.read) {
    const skip = skipOf.get(path);
    known.areSkipsDoubtful ||= skip?.reason !== leftOut.get(path)?.skip.reason;
    // A file that was being written is read again.
    const isPassing = skip?.reason === 'changed_while_read';
    if (skip === undefined) leftOut.delete(path);
    else leftOut.set(path, { skip, sizeBytes, mtimeMs: isPassing ? NEVER : mtimeMs });
    suspects.delete(path);
  }
  const files = tree.files();
  for (const path of leftOut.keys()) if (!files.has(path)) leftOut.delete(path);
  return plan.read
    .map(({ path }) => path)
    .filter((path) => (manifest.entries.get(path) ?? leftOut.get(path))?.mtimeMs === NEVER);
}

/**
 * Which vanished file a new one was before: the one with the same bytes. A renamed file is indexed anew, because its path tells
 * what it is about, but it counts as renamed. A file that was known under its own path has no origin.
 */
export function createOrigins(
  entries: ReadonlyMap<string, ManifestEntry>,
  gone: readonly ManifestEntry[],
): (path: string, hash: string) => string | undefined {
  const vanished = new Map<string, string[]>();
  for (const { path, hash } of gone) vanished.set(hash, [...(vanished.get(hash) ?? []), path]);
  // Each vanished file can be the origin of one new file only; further copies are new.
  return (path, hash) => (entries.has(path) ? undefined : vanished.get(hash)?.shift());
}

export function createManifest(): Manifest {
  let store: IndexStore | undefined;
  let entries = new Map<string, ManifestEntry>();
  let skips: readonly Skip[] = [];
  let generation: number | undefined;

  return {
    get entries() {
      return entries;
    },
    skips: () => skips,
    async sync(current) {
      store = current;
      const now = await store.generation();
      if (now === generation) return false;
      const [manifest, left] = await Promise.all([store.manifest(), store.skips()]);
      entries = new Map(manifest.map((entry) => [entry.path, entry]));
      skips = left;
      // The generation before the read: what was committed meanwhile is read the next time.
      generation = now;
      return true;
    },
    async commit(batch) {
      if (store === undefined) throw new AppError('internal', 'A manifest was committed before it was read.');
      const { generation: now } = await store.commit(batch);
      for (const path of batch.removed ?? []) entries.delete(path);
      for (const entry of batch.touched ?? []) entries.set(entry.path, entry);
      for (const { path, sizeBytes, mtimeMs, hash, analysis } of batch.written ?? [])
        entries.set(path, { path, sizeBytes, mtimeMs, hash, analysis });
      skips = batch.skips ?? skips;
      const isNext = generation !== undefined && now <= generation + 1;
      generation = isNext ? now : undefined;
    },
  };
}

function isSameEntry(known: ManifestEntry | undefined, now: ManifestEntry): boolean {
  return known?.mtimeMs === now.mtimeMs && known.sizeBytes === now.sizeBytes && known.hash === now.hash;
}

function byPath(a: Skip, b: Skip): number {
  return a.path < b.path ? -1 : 1;
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
