/**
 * A project's files beside its index: a listing that stays, a mirror of the manifest, and what is between the two. It looks,
 * compares, and brings the index up to date; when and on whose word is for others to say.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock, Skip } from '../core/index.ts';
import {
  createLiveListing,
  type ListingChange,
  type ListOptions,
  type LiveListing,
} from '../workspace/index.ts';
import type { IndexBatch, IndexStore } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { findWork, type UnreadFile } from './find-work.ts';
import { createIndexMirror } from './index-mirror.ts';
import { applyPlan, type IndexProgress } from './indexer.ts';
import { NEVER, openFile } from './read-file.ts';
import type { IndexPlan, ListedFile } from './plan.ts';

/** What the project's configuration says about indexing. */
export interface ProjectSettings {
  readonly list?: ListOptions;
  readonly languages?: readonly string[];
}

export interface TrackedParts {
  readonly root: string;
  readonly openStore: () => Promise<IndexStore>;
  readonly analyzer: () => Analyzer;
  readonly settings: () => ProjectSettings;
  readonly clock: Clock;
}

export interface TrackedProject {
  readonly listing: LiveListing;
  /** How long the last look at everything took. */
  readonly lookMs: number;
  /** Looks at the files: everywhere, or where these paths are. */
  look(paths: Iterable<string> | undefined, signal: AbortSignal): Promise<void>;
  /** What the last looks found to differ from the index, as far as it was not yet indexed. */
  difference(): Promise<Difference>;
  /** Indexes that difference. The caller holds the writer's lock. */
  update(signal: AbortSignal, onProgress: (progress: IndexProgress) => void): Promise<UpdateDone>;
}

export interface Difference {
  readonly plan: IndexPlan;
  /** The files are as indexed, but others are left out than before, or for other reasons. */
  readonly hasOtherSkips: boolean;
}

export interface UpdateDone {
  readonly files: number;
  /** Files that were so new when they were read that they have to be read once more. */
  readonly unsettled: readonly string[];
}

/** So many files are read before others have their turn. */
const READ_AT_ONCE = 16;

export function trackProject(parts: TrackedParts): TrackedProject {
  const { root, clock } = parts;
  const mirror = createIndexMirror();
  const suspects = new Set<string>();
  /** Undefined: everything has to be compared. */
  let doubtful: Set<string> | undefined;
  let areSkipsDoubtful = true;
  let unread = new Map<string, UnreadFile>();
  let lookMs = 0;
  let settings = parts.settings();
  let listing = createLiveListing(root, settings.list);

  function followSettings(): void {
    const now = parts.settings();
    if (JSON.stringify(now) === JSON.stringify(settings)) return;
    settings = now;
    listing = createLiveListing(root, settings.list);
    doubtful = undefined;
    unread.clear();
  }

  function note(change: ListingChange): void {
    for (const path of change.files) doubtful?.add(path);
    for (const path of change.suspects) suspects.add(path);
    areSkipsDoubtful ||= change.isReshaped;
  }

  async function sync(): Promise<IndexStore> {
    const store = await parts.openStore();
    if (await mirror.sync(store)) {
      doubtful = undefined;
      areSkipsDoubtful = true;
      const listed = mirror.skips().filter(({ path }) => listing.files().has(path));
      unread = unreadBefore(listed, unread, parts.analyzer().id);
    }
    return store;
  }

  function compare(): IndexPlan {
    const analysis = parts.analyzer().id;
    const { entries } = mirror;
    const plan = findWork({ files: listing.files(), entries, unread, analysis, suspects }, doubtful);
    // Only what differs has to be looked at the next time.
    doubtful = new Set([...plan.read, ...plan.gone].map(({ path }) => path));
    return plan;
  }

  /**
   * What was written to may still be what the index has of it, or what it leaves out. It is read to know: who indexes may be
   * another process, and its commits do not tell what it found to be the same.
   */
  async function withoutSame(plan: IndexPlan): Promise<IndexPlan> {
    const read: ListedFile[] = [];
    let looked = 0;
    for (const file of plan.read) {
      if (!mayBeSame(file)) {
        read.push(file);
        continue;
      }
      if (++looked % READ_AT_ONCE === 0) await setImmediate();
      if (!isSame(file)) read.push(file);
      else {
        suspects.delete(file.path);
        doubtful?.delete(file.path);
      }
    }
    return { ...plan, read, unchanged: plan.unchanged + plan.read.length - read.length };
  }

  function mayBeSame({ path, sizeBytes, mtimeMs }: ListedFile): boolean {
    const entry = mirror.entries.get(path);
    if (entry === undefined) return unread.has(path);
    return (
      entry.sizeBytes === sizeBytes && entry.mtimeMs === mtimeMs && entry.analysis === parts.analyzer().id
    );
  }

  function isSame(file: ListedFile): boolean {
    const { path, sizeBytes, mtimeMs } = file;
    const entry = mirror.entries.get(path);
    const before = unread.get(path)?.skip;
    const { languages = [] } = settings;
    const read = openFile(
      { ...file, knownHash: entry?.hash },
      { root, languages },
      { analyzer: parts.analyzer(), clock },
    );
    if (read.kind === 'known')
      return entry?.sizeBytes === read.entry.sizeBytes && entry.mtimeMs === read.entry.mtimeMs;
    if (entry !== undefined || read.kind !== 'skip' || read.skip.reason === 'changed_while_read')
      return false;
    if (before?.reason !== read.skip.reason || before.detail !== read.skip.detail) return false;
    unread.set(path, { skip: before, sizeBytes, mtimeMs });
    return true;
  }

  /** Undefined if they are as committed. */
  function otherSkips(): readonly Skip[] | undefined {
    if (!areSkipsDoubtful) return undefined;
    const skips = [...listing.skips(), ...[...unread.values()].map(({ skip }) => skip)].sort(byPath);
    const before = mirror.skips().toSorted(byPath);
    areSkipsDoubtful = JSON.stringify(before) !== JSON.stringify(skips);
    return areSkipsDoubtful ? skips : undefined;
  }

  return {
    get listing() {
      return listing;
    },
    get lookMs() {
      return lookMs;
    },
    async look(paths, signal) {
      if (paths === undefined) followSettings();
      const startedAt = clock.elapsed();
      note(await (paths === undefined ? listing.refresh(signal) : listing.refreshPaths(paths, signal)));
      if (paths === undefined) lookMs = clock.elapsed() - startedAt;
    },
    async difference() {
      await sync();
      return { plan: await withoutSame(compare()), hasOtherSkips: otherSkips() !== undefined };
    },
    async update(signal, onProgress) {
      const store = await sync();
      const commit = async (batch: IndexBatch): Promise<void> =>
        mirror.apply(batch, (await store.commit(batch)).generation);
      const plan = compare();
      const paths = new Set([...plan.read, ...plan.gone].map(({ path }) => path));
      const manifest = [...paths].flatMap((path) => mirror.entries.get(path) ?? []);
      const options = { languages: settings.languages ?? [], signal, onProgress };
      const work = { root, manifest, plan, commit, analyzer: parts.analyzer(), clock };
      const done = await applyPlan(work, options);
      const unsettled = noteUnread(plan, done.unread);
      const skips = otherSkips();
      if (skips !== undefined) await commit({ skips });
      areSkipsDoubtful = false;
      doubtful = new Set(unsettled);
      return { files: paths.size, unsettled };
    },
  };

  /** Returns the files that have to be read once more. */
  function noteUnread(plan: IndexPlan, left: readonly Skip[]): readonly string[] {
    const skipped = new Map(left.map((skip) => [skip.path, skip]));
    for (const { path, sizeBytes, mtimeMs } of plan.read) {
      const skip = skipped.get(path);
      areSkipsDoubtful ||= skip?.reason !== unread.get(path)?.skip.reason;
      // What was being written is not what it will be.
      const isPassing = skip?.reason === 'changed_while_read';
      if (skip === undefined) unread.delete(path);
      else unread.set(path, { skip, sizeBytes, mtimeMs: isPassing ? NEVER : mtimeMs });
      suspects.delete(path);
    }
    for (const path of unread.keys()) if (!listing.files().has(path)) unread.delete(path);
    return plan.read
      .map(({ path }) => path)
      .filter((path) => (mirror.entries.get(path) ?? unread.get(path))?.mtimeMs === NEVER);
  }
}

/**
 * What was left out by a commit, and how the files were then. Those that were left out unread, or by another analysis, are read
 * once: the rule may be gone.
 */
function unreadBefore(
  skips: readonly Skip[],
  known: ReadonlyMap<string, UnreadFile>,
  analysis: string,
): Map<string, UnreadFile> {
  return new Map(
    skips.map((skip) => {
      const before = known.get(skip.path);
      const isSame = before?.skip.reason === skip.reason && before.skip.detail === skip.detail;
      const seen = skip.seen?.analysis === analysis ? skip.seen : { sizeBytes: 0, mtimeMs: NEVER };
      return [skip.path, isSame ? before : { skip, sizeBytes: seen.sizeBytes, mtimeMs: seen.mtimeMs }];
    }),
  );
}

function byPath(a: Skip, b: Skip): number {
  return a.path < b.path ? -1 : 1;
}
