/** A project's files beside its index: a live listing and the manifest in memory, compared on request, one request at a time. */
import { createTimeSlice, type Clock, type Skip } from '../core/index.ts';
import type { IndexStore } from '../storage/index.ts';
import {
  createLiveListing,
  type FolderWatch,
  type ListingChange,
  type ListOptions,
  type LiveListing,
} from '../workspace/index.ts';
import type { Analyzer } from './analyze-file.ts';
import type { TryLock } from './open-indexes.ts';
import { NEVER, openFile, type ListedFile } from './read-files.ts';
import {
  changedSkips,
  createManifest,
  nothingKnown,
  planWork,
  reconcile,
  type IndexProgress,
  type LeftOutFile,
  type Plan,
} from './reconcile.ts';

export interface TrackedParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: TryLock;
  readonly analyzer: () => Analyzer;
  /** What the project's configuration says about indexing. */
  readonly scopeOf: (root: string) => ProjectScope;
  /** A whole run, for projects with more files than are tracked. */
  readonly run: (root: string, options: { readonly signal: AbortSignal }) => Promise<unknown>;
  readonly clock: Clock;
}

export interface ProjectScope {
  readonly list?: ListOptions;
  readonly languages?: readonly string[];
}

export interface TrackedProject {
  /** How long the last look at all files took. */
  readonly lookMs: number;
  /** The files as of the last look; undefined before there was one, or where there are more than are tracked. */
  files(): ReadonlyMap<string, ListedFile> | undefined;
  /** The files that differ from the index; `look`: looks at all files first. */
  compare(options: { readonly look: boolean; readonly signal: AbortSignal }): Promise<Compared>;
  /** Looks where something changed, and indexes what differs. */
  update(options: UpdateOptions): Promise<UpdateOutcome>;
  /** Resolves when all requests so far have ended. */
  settled(): Promise<unknown>;
}

export type Compared =
  | { readonly kind: 'compared'; readonly paths: readonly string[] }
  | { readonly kind: 'too_many_files' };

export interface UpdateOptions {
  /** Undefined: everywhere. */
  readonly paths: ReadonlySet<string> | undefined;
  /** Undefined where files are polled. */
  readonly watch: () => FolderWatch | undefined;
  readonly onProgress: (progress: IndexProgress) => void;
  readonly signal: AbortSignal;
}

export type UpdateOutcome =
  /** The index is what the files were when they were looked at. `unsettled` files have to be read once more. */
  | { readonly kind: 'done'; readonly files: number; readonly unsettled: readonly string[] }
  /** Another process is writing the index. */
  | { readonly kind: 'busy' };

/** New folders can come while their neighbours are taken up; a program that never stops making them waits for the next update. */
const MOST_ROUNDS = 5;
const FEW_FOLDERS = 100;
const NOTHING_DONE: UpdateOutcome = { kind: 'done', files: 0, unsettled: [] };

export function trackProject(root: string, parts: TrackedParts): TrackedProject {
  const { clock } = parts;
  const manifest = createManifest();
  const known = nothingKnown();
  let lookMs = 0;
  let scope: ProjectScope = {};
  let listing: LiveListing | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: (tree: LiveListing) => Promise<T>): Promise<T> {
    const result = last.then(() => work(currentListing()));
    last = result.catch(() => {});
    return result;
  }

  /** Other settings are another listing. */
  function currentListing(): LiveListing {
    if (listing !== undefined) return listing;
    scope = parts.scopeOf(root);
    return (listing = createLiveListing(root, scope.list));
  }

  function followSettings(tree: LiveListing): LiveListing {
    if (JSON.stringify(parts.scopeOf(root)) === JSON.stringify(scope)) return tree;
    known.doubtful = undefined;
    known.leftOut.clear();
    listing = undefined;
    return currentListing();
  }

  async function lookEverywhere(before: LiveListing, signal: AbortSignal): Promise<LiveListing> {
    const tree = followSettings(before);
    const startedAt = clock.elapsed();
    note(await tree.refresh(signal));
    lookMs = clock.elapsed() - startedAt;
    return tree;
  }

  async function look(
    tree: LiveListing,
    paths: Iterable<string> | undefined,
    signal: AbortSignal,
  ): Promise<LiveListing> {
    if (paths === undefined) return lookEverywhere(tree, signal);
    note(await tree.refreshPaths(paths, signal));
    return tree;
  }

  function note(change: ListingChange): void {
    for (const path of change.files) known.doubtful?.add(path);
    for (const path of change.suspects) known.suspects.add(path);
    known.areSkipsDoubtful ||= change.isReshaped;
  }

  function isTooLarge(tree: LiveListing): boolean {
    if (!tree.isOverLimit()) return false;
    known.doubtful = undefined;
    return true;
  }

  async function sync(tree: LiveListing): Promise<void> {
    if (!(await manifest.sync(await parts.openStore(root)))) return;
    known.doubtful = undefined;
    known.areSkipsDoubtful = true;
    const listed = manifest.skips().filter(({ path }) => tree.files().has(path));
    known.leftOut = leftOutBefore(listed, known.leftOut, parts.analyzer().id);
  }

  async function plan(tree: LiveListing): Promise<Plan> {
    await sync(tree);
    const found = planWork(tree, manifest, known, parts.analyzer().id);
    // Only what differs has to be compared the next time.
    known.doubtful = new Set([...found.read, ...found.gone].map(({ path }) => path));
    return withoutSame(found);
  }

  /**
   * A file that was written to may still be what the index has of it, or leaves out. It is read to find out: another process may
   * have indexed it, and its commits do not tell which files it found to be the same.
   */
  async function withoutSame(found: Plan): Promise<Plan> {
    const read: ListedFile[] = [];
    const slice = createTimeSlice(clock);
    for (const file of found.read) {
      if (!mayBeSame(file)) {
        read.push(file);
        continue;
      }
      if (slice.isOver()) await slice.yield();
      if (!isSame(file)) read.push(file);
      else {
        known.suspects.delete(file.path);
        known.doubtful?.delete(file.path);
      }
    }
    return { ...found, read };
  }

  function mayBeSame({ path, sizeBytes, mtimeMs }: ListedFile): boolean {
    const entry = manifest.entries.get(path);
    if (entry === undefined) return known.leftOut.has(path);
    return (
      entry.sizeBytes === sizeBytes && entry.mtimeMs === mtimeMs && entry.analysis === parts.analyzer().id
    );
  }

  function isSame(file: ListedFile): boolean {
    const { path, sizeBytes, mtimeMs } = file;
    const entry = manifest.entries.get(path);
    const before = known.leftOut.get(path)?.skip;
    const read = openFile(
      { ...file, knownHash: entry?.hash },
      { root, languages: scope.languages ?? [] },
      { analyzer: parts.analyzer(), clock },
    );
    if (read.kind === 'known')
      return entry?.sizeBytes === read.entry.sizeBytes && entry.mtimeMs === read.entry.mtimeMs;
    if (entry !== undefined || read.kind !== 'skip' || read.skip.reason === 'changed_while_read')
      return false;
    if (before?.reason !== read.skip.reason || before.detail !== read.skip.detail) return false;
    known.leftOut.set(path, { skip: before, sizeBytes, mtimeMs });
    return true;
  }

  async function update(
    before: LiveListing,
    { paths, watch, onProgress, signal }: UpdateOptions,
  ): Promise<UpdateOutcome> {
    let tree = await look(before, paths, signal);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      // Watch first, then look: a change in between is either an event or seen.
      const begun = watch()?.follow(tree.folders()) ?? [];
      if (begun.length === 0) break;
      const names = begun.map((path) => path.replace(/\/$/, ''));
      tree = await look(tree, begun.length > FEW_FOLDERS ? undefined : names, signal);
    }
    if (isTooLarge(tree)) {
      await parts.run(root, { signal });
      return NOTHING_DONE;
    }
    const { read, gone } = await plan(tree);
    if (read.length + gone.length === 0 && changedSkips(tree, manifest, known) === undefined)
      return NOTHING_DONE;
    const lock = await parts.tryLock(root);
    if (lock === undefined) return { kind: 'busy' };
    try {
      await sync(tree);
      const input = { root, tree, manifest, known, analyzer: parts.analyzer(), clock };
      const { languages } = scope;
      const { touched, unsettled } = await reconcile(input, { languages, signal, onProgress });
      return { kind: 'done', files: touched, unsettled };
    } finally {
      await lock.release();
    }
  }

  return {
    get lookMs() {
      return lookMs;
    },
    files: () => (listing === undefined || listing.isOverLimit() ? undefined : listing.files()),
    compare: ({ look: isLook, signal }) =>
      inTurn(async (before) => {
        // Nothing happened since the last look, and no other process committed: the usual case.
        if (!isLook && known.doubtful?.size === 0 && known.suspects.size === 0) {
          await sync(before);
          if (known.doubtful?.size === 0) return { kind: 'compared', paths: [] };
        }
        const tree = isLook ? await lookEverywhere(before, signal) : before;
        if (isTooLarge(tree)) return { kind: 'too_many_files' };
        const { read, gone } = await plan(tree);
        return { kind: 'compared', paths: [...read, ...gone].map(({ path }) => path) };
      }),
    update: (options) => inTurn((tree) => update(tree, options)),
    settled: () => last,
  };
}

/**
 * What a commit left out, and how the files were then. A file that was left out unread, or by another analysis, is read once: the
 * rule may be gone.
 */
function leftOutBefore(
  skips: readonly Skip[],
  known: ReadonlyMap<string, LeftOutFile>,
  analysis: string,
): Map<string, LeftOutFile> {
  return new Map(
    skips.map((skip) => {
      const before = known.get(skip.path);
      const isSame = before?.skip.reason === skip.reason && before.skip.detail === skip.detail;
      const seen = skip.seen?.analysis === analysis ? skip.seen : { sizeBytes: 0, mtimeMs: NEVER };
      return [skip.path, isSame ? before : { skip, sizeBytes: seen.sizeBytes, mtimeMs: seen.mtimeMs }];
    }),
  );
}
