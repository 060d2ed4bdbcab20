/** The whole index at one commit, as search sees it: segments side by side, files and chunks numbered through. */
import { nextTurn } from '../../core/index.ts';
import { createVectorTable, type VectorTable } from '../../embedding/index.ts';
import {
  eachFileOf,
  packedCount,
  unpackHistory,
  type FileEntry,
  type FileHistory,
  type IndexStore,
  type PackedContent,
  type PackedVectors,
} from '../../storage/index.ts';
import { packSegment, segmentBytes, unpackSegment } from './kept-segment.ts';
import { createSegmentBuilder, spanOf, type Segment } from './segment.ts';

/** With its vectors, if it has any. */
export interface LoadedSegment extends Segment {
  readonly vectors: SegmentVectors | undefined;
}

export interface PlacedSegment extends LoadedSegment {
  /** The number of its first file and chunk among all of the view's. */
  readonly firstFile: number;
  readonly firstChunk: number;
  /** 0 for a file that has been written again or removed since. */
  readonly alive: Uint8Array;
}

export interface View {
  readonly generation: number;
  readonly segments: readonly PlacedSegment[];
  readonly fileCount: number;
  readonly chunkCount: number;
  readonly liveFiles: number;
  /** How often what commits say had been written. */
  readonly historyStamp: number;
  readonly history: ViewHistory | undefined;
  /** The number a file has now: of one that was written again, the new one's. */
  now(file: number): number;
}

/** Up to this share of changed files, they are loaded beside the rest; beyond it everything is loaded anew. */
const MOST_CHANGED = 0.1;
const FEW_FILES = 100;
/** From this share on, what the next process would have to load beside a kept view is worth keeping anew. */
const WORTH_KEEPING = 0.03;
const LOAD_BATCH = 200;

/** `loaded`: what is there. `whole`: all of the index in one piece, even if it has to be loaded anew for that. */
export type KeepEffort = 'loaded' | 'whole';

export interface ViewLoader {
  /** The view of the last commit; the same object as long as there is no new one. */
  current(): Promise<View>;
  /** Keeps what it made for the next process, unless that has it already; false if it cannot be done just now. */
  keep(effort: KeepEffort): Promise<boolean>;
  /** What it has in memory, about. */
  bytes(): number;
}

/** What was loaded at once; later commits are loaded beside it. */
interface Base {
  readonly generation: number;
  readonly segment: LoadedSegment;
  readonly ids: ReadonlySet<number>;
  /** Whether the next process finds it. */
  isKept: boolean;
}

/** One of these per open index. Calls that overlap share the work. */
export function createViewLoader(store: IndexStore): ViewLoader {
  let base: Base | undefined;
  let view: View | undefined;
  let loading: Promise<View> | undefined;
  let measured: { readonly view: View; readonly bytes: number } | undefined;

  const load = async (mostChanged: number): Promise<View> => {
    const { generation: now, history } = await store.stamps();
    if (view !== undefined && view.generation === now && changedShare(view) <= mostChanged) {
      if (view.historyStamp !== history) view = await withHistory(store, view, history);
      return view;
    }
    base ??= await readBase(store);
    // Of the commit that was kept, there is nothing to compare.
    if (base?.generation === now)
      return (view = await withHistory(store, placeSegments(now, [base.segment], base.ids), history));
    const { generation, files } = await store.files();
    const alive = new Set(files.map(({ id }) => id));
    const before = base;
    let added = before === undefined ? [] : files.filter(({ id }) => !before.ids.has(id));
    const changed = added.length + (before === undefined ? 0 : countMissing(before.ids, alive));
    const most = mostChanged < MOST_CHANGED ? 0 : FEW_FILES;
    if (base === undefined || changed > Math.max(most, files.length * mostChanged)) {
      // Let go of first: two at a time would need twice the memory.
      [base, view] = [undefined, undefined];
      base = toBase(generation, await loadSegment(store, files), false);
      added = [];
    }
    const extra = added.length === 0 ? [] : [await loadSegment(store, added, base.segment)];
    view = await withHistory(store, placeSegments(generation, [base.segment, ...extra], alive), history);
    return view;
  };
  const share = (mostChanged: number): Promise<View> => {
    loading ??= load(mostChanged).finally(() => (loading = undefined));
    return loading;
  };

  return {
    current: () => share(MOST_CHANGED),
    async keep(effort) {
      await loading;
      const { liveFiles } = await share(effort === 'whole' ? WORTH_KEEPING : MOST_CHANGED);
      const kept = base;
      // A project that was emptied leaves nothing behind.
      if (kept === undefined || kept.isKept || liveFiles === 0) return true;
      kept.isKept = await store.keepView({ generation: kept.generation, parts: packSegment(kept.segment) });
      return kept.isKept;
    },
    bytes() {
      if (view === undefined) return 0;
      if (measured?.view !== view) measured = { view, bytes: bytesOf(view) };
      return measured.bytes;
    },
  };
}

function bytesOf({ segments }: View): number {
  return segments.reduce((sum, segment) => {
    const { chunks, files, paths } = segment.vectors ?? {};
    return sum + segmentBytes(segment) + vectorBytes(chunks) + vectorBytes(files) + vectorBytes(paths);
  }, 0);
}

/** A number of a byte for each dimension, and what it is scaled by. */
function vectorBytes(table: VectorTable | undefined): number {
  return table === undefined ? 0 : table.count * (table.dimensions + 4);
}

/** `stamp` was read before: what is written meanwhile is seen the next time. */
async function withHistory(store: IndexStore, view: View, stamp: number): Promise<View> {
  const packed = stamp === 0 ? undefined : (await store.history())?.packed;
  const history = packed === undefined ? undefined : unpackHistory(packed);
  const paths = view.segments.flatMap(({ files }) => files.map(({ path }) => path));
  return {
    ...view,
    historyStamp: stamp,
    history: history === undefined ? undefined : createViewHistory(history, paths),
  };
}

/** How many files of a view are not in its first segment, or no longer true there, of all. */
function changedShare({ segments, fileCount, liveFiles }: View): number {
  const [first] = segments;
  const added = fileCount - (first?.files.length ?? 0);
  return liveFiles === 0 ? 0 : (added + (fileCount - liveFiles)) / liveFiles;
}

async function readBase(store: IndexStore): Promise<Base | undefined> {
  const kept = await store.keptView();
  const segment = kept === undefined ? undefined : unpackSegment(kept.parts);
  if (kept === undefined || segment === undefined) return undefined;
  const isLast = kept.generation === (await store.generation());
  const alive = isLast ? undefined : new Set((await store.files()).files.map(({ id }) => id));
  const vectors = await loadVectors(store, segment, (id) => alive?.has(id) ?? true);
  return toBase(kept.generation, { ...segment, vectors }, true);
}

function toBase(generation: number, segment: LoadedSegment, isKept: boolean): Base {
  return { generation, segment, ids: new Set(segment.files.map(({ id }) => id)), isKept };
}

function countMissing(ids: ReadonlySet<number>, alive: ReadonlySet<number>): number {
  let missing = 0;
  for (const id of ids) if (!alive.has(id)) missing += 1;
  return missing;
}

async function loadSegment(
  store: IndexStore,
  files: readonly FileEntry[],
  base?: Segment,
): Promise<LoadedSegment> {
  const builder = createSegmentBuilder(base);
  for (let at = 0; at < files.length; at += LOAD_BATCH) {
    const batch = files.slice(at, at + LOAD_BATCH);
    const contents = new Map<number, PackedContent>(
      (await store.contents(batch.map(({ id }) => id))).map((content) => [content.fileId, content]),
    );
    for (const file of batch) {
      const content = contents.get(file.id);
      if (content !== undefined) builder.add(file, content);
    }
    await nextTurn();
  }
  const segment = builder.build();
  return { ...segment, vectors: await loadVectors(store, segment, () => true) };
}

function placeSegments(
  generation: number,
  segments: readonly LoadedSegment[],
  ids: ReadonlySet<number>,
): View {
  const placed: PlacedSegment[] = [];
  let [fileCount, chunkCount, liveFiles] = [0, 0, 0];
  for (const segment of segments) {
    const alive = Uint8Array.from(segment.files, ({ id }) => (ids.has(id) ? 1 : 0));
    placed.push({ ...segment, firstFile: fileCount, firstChunk: chunkCount, alive });
    fileCount += segment.files.length;
    chunkCount += segment.startLines.length;
    liveFiles += alive.reduce((sum, one) => sum + one, 0);
  }
  const successors = findSuccessors(placed);
  return {
    generation,
    segments: placed,
    fileCount,
    chunkCount,
    liveFiles,
    historyStamp: 0,
    history: undefined,
    now: successors.size === 0 ? (file) => file : (file) => successors.get(file) ?? file,
  };
}

/** From files that are dead to the living ones of the same path. */
function findSuccessors(segments: readonly PlacedSegment[]): Map<number, number> {
  const successors = new Map<number, number>();
  const [base, extra] = segments;
  if (base === undefined || extra === undefined) return successors;
  const living = new Map(extra.files.map(({ path }, local) => [path, extra.firstFile + local]));
  base.files.forEach(({ path }, local) => {
    const now = base.alive[local] === 0 ? living.get(path) : undefined;
    if (now !== undefined) successors.set(base.firstFile + local, now);
  });
  return successors;
}

export interface SegmentVectors {
  readonly model: string;
  readonly chunks: VectorTable;
  readonly files: VectorTable;
  readonly paths: VectorTable;
}

const VECTOR_BATCH = 500;

/** None unless every file that counts has them, of one model: half of an opinion would rank the other half last. */
export async function loadVectors(
  store: IndexStore,
  { files, chunkOffsets }: Pick<Segment, 'files' | 'chunkOffsets'>,
  counts: (fileId: number) => boolean,
): Promise<SegmentVectors | undefined> {
  const generation = await store.generation();
  let tables: SegmentVectors | undefined;
  const set = (file: number, { model, dimensions, packed }: PackedVectors): boolean => {
    tables ??= {
      model,
      chunks: createVectorTable(dimensions, chunkOffsets.at(-1) ?? 0),
      files: createVectorTable(dimensions, files.length),
      paths: createVectorTable(dimensions, files.length),
    };
    if (model !== tables.model) return false;
    const { start: first, end } = spanOf(chunkOffsets, file);
    const count = end - first;
    if (packedCount(packed, dimensions) !== count + 2) return false;
    tables.paths.copyRows(file, packed, { from: 0, count: 1 });
    tables.files.copyRows(file, packed, { from: 1, count: 1 });
    tables.chunks.copyRows(first, packed, { from: 2, count });
    return true;
  };
  let missing = 0;
  // In the order in which they were written, which is how they lie.
  const inOrder = files.map(({ id }, file) => ({ id, file })).sort((a, b) => a.id - b.id);
  for (let from = 0; from < inOrder.length; from += VECTOR_BATCH) {
    const batch = inOrder.slice(from, from + VECTOR_BATCH);
    const places = new Map(batch.map(({ id, file }) => [id, file]));
    for (const vectors of await store.vectors([...places.keys()])) {
      const file = places.get(vectors.fileId);
      if (file === undefined) continue;
      if (!set(file, vectors)) return undefined;
      places.delete(vectors.fileId);
    }
    for (const id of places.keys()) if (counts(id)) missing += 1;
  }
  // What was taken away while this was loading is gone from the next view too.
  if (missing > 0 && generation === (await store.generation())) return undefined;
  return tables;
}

/** What commits say of the files of a view: by word, and how many there were. */
export interface ViewHistory {
  /** How many commits touched a file of the view. */
  commitsOf(file: number): number;
  /** BM25 of words, with their weights, over the subjects of the commits that touched each file. The next call overwrites it. */
  score(tokens: ReadonlyMap<number, number>): HistoryScores;
}

export interface HistoryScores {
  /** Of a file of the view; 0 is no match. */
  of(file: number): number;
  readonly best: number;
}

const HISTORY_BM25 = { k1: 1.2, b: 0.75 } as const;

/** `viewPaths`: of the files of the view, by their numbers. */
export function createViewHistory(history: FileHistory, viewPaths: readonly string[]): ViewHistory {
  const { paths, commits, lengths } = history;
  const placeOf = new Map(paths.map((path, at) => [path, at]));
  /** By file of the view: its place in the history plus one; 0 for none. */
  const places = Uint32Array.from(viewPaths, (path) => (placeOf.get(path) ?? -1) + 1);
  const count = Math.max(1, paths.length);
  const mean = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / count);
  const scores = new Float32Array(paths.length);
  const [flat, steep] = [HISTORY_BM25.k1 * (1 - HISTORY_BM25.b), (HISTORY_BM25.k1 * HISTORY_BM25.b) / mean];
  const inHistory = (values: ArrayLike<number>, file: number): number => {
    const place = places[file] ?? 0;
    return place === 0 ? 0 : (values[place - 1] ?? 0);
  };
  return {
    commitsOf: (file) => inHistory(commits, file),
    score(tokens) {
      scores.fill(0);
      for (const [word, weight] of tokens) {
        let found = 0;
        eachFileOf(history, word, () => (found += 1));
        const rarity = Math.log(1 + (count - found + 0.5) / (found + 0.5)) * weight;
        eachFileOf(history, word, (file, times) => {
          const share = times / (times + flat + steep * (lengths[file] ?? 0));
          scores[file] = (scores[file] ?? 0) + rarity * share;
        });
      }
      let best = 0;
      for (let at = 0; at < scores.length; at++) best = Math.max(best, scores[at] ?? 0);
      return { of: (file) => inHistory(scores, file), best };
    },
  };
}
