/** The whole index at one commit, as search sees it: segments side by side, files and chunks numbered through. */
import type { FileEntry, IndexStore, PackedContent } from '../storage/index.ts';
import { createSegmentBuilder, type Segment } from './segment.ts';

export interface PlacedSegment extends Segment {
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
  /** The number a file has now: of one that was written again, the new one's. */
  now(file: number): number;
}

/** Up to this share of changed files, they are loaded beside the rest; beyond it everything is loaded anew. */
const MOST_CHANGED = 0.1;
const FEW_FILES = 100;
const LOAD_BATCH = 200;

export interface ViewLoader {
  /** The view of the last commit; the same object as long as there is no new one. */
  current(): Promise<View>;
}

/** One of these per open index. Calls that overlap share the work. */
export function createViewLoader(store: IndexStore): ViewLoader {
  let base: { readonly segment: Segment; readonly ids: ReadonlySet<number> } | undefined;
  let view: View | undefined;
  let loading: Promise<View> | undefined;

  const load = async (): Promise<View> => {
    if (view !== undefined && view.generation === (await store.generation())) return view;
    const { generation, files } = await store.files();
    const { ids } = base ?? { ids: new Set<number>() };
    let added = files.filter(({ id }) => !ids.has(id));
    const alive = new Set(files.map(({ id }) => id));
    const changed = added.length + countMissing(ids, alive);
    if (base === undefined || changed > Math.max(FEW_FILES, files.length * MOST_CHANGED)) {
      const segment = await loadSegment(store, files);
      base = { segment, ids: new Set(segment.files.map(({ id }) => id)) };
      added = [];
    }
    const extra = added.length === 0 ? [] : [await loadSegment(store, added, base.segment)];
    view = placeSegments(generation, [base.segment, ...extra], alive);
    return view;
  };

  return {
    current() {
      loading ??= load().finally(() => (loading = undefined));
      return loading;
    },
  };
}

function countMissing(ids: ReadonlySet<number>, alive: ReadonlySet<number>): number {
  let missing = 0;
  for (const id of ids) if (!alive.has(id)) missing += 1;
  return missing;
}

async function loadSegment(store: IndexStore, files: readonly FileEntry[], base?: Segment): Promise<Segment> {
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
  }
  return builder.build();
}

function placeSegments(generation: number, segments: readonly Segment[], ids: ReadonlySet<number>): View {
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
    now: (file) => successors.get(file) ?? file,
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
