/** A listing that stays: asked again, it looks only at what may have changed, and says what did. */
import { createTimeSlice, type Skip } from '../../core/index.ts';
import { systemClock } from '../../platform/index.ts';
import { createListContext, type ListOptions } from './list-options.ts';
import { createLiveTree, type ListingChange, type LiveTree } from './live-tree.ts';
import { isSameStamp, stampOf } from '../reading/read-source.ts';
import type { ListedFile } from './list-files.ts';

export type { ListingChange } from './live-tree.ts';

export interface LiveListing {
  /** As of the last look. */
  files(): ReadonlyMap<string, ListedFile>;
  /** What is left out, by its name, a rule or its size. */
  skips(): readonly Skip[];
  /** Folders that were entered, from the root, with a slash at their end; the root itself is empty. */
  folders(): readonly LiveFolderName[];
  /** More files than a listing may hold: then it knows nothing. */
  isOverLimit(): boolean;
  /** Looks at everything. */
  refresh(signal: AbortSignal): Promise<ListingChange>;
  /** Looks where these paths are, and only there. */
  refreshPaths(paths: Iterable<string>, signal: AbortSignal): Promise<ListingChange>;
}

export interface LiveFolderName {
  readonly path: string;
  /** Another folder under the same path has another one. */
  readonly identity: string;
}

/** `root` is absolute and canonical. Nothing is looked at before the first refresh. */
export function createLiveListing(root: string, options: ListOptions = {}): LiveListing {
  let { tree, rules } = begin(root, options);
  let isOverLimit = false;
  let last: Promise<unknown> = Promise.resolve();

  /** One look at a time: two would trip over each other. */
  function inTurn(look: () => Promise<ListingChange>): Promise<ListingChange> {
    const result = last.then(look);
    last = result.catch(() => {});
    return result;
  }

  async function refresh(paths: Iterable<string> | undefined, signal: AbortSignal): Promise<ListingChange> {
    signal.throwIfAborted();
    const change: ListingChange = { files: new Set(), suspects: new Set(), isReshaped: false };
    const before = tree.files;
    const isAnew =
      tree.isOverLimit || !rules.every(({ absPath, stamp }) => isSameStamp(stamp, stampOf(absPath)));
    // Rules from outside hold everywhere: judging all again is a new listing.
    if (isAnew) ({ tree, rules } = begin(root, options));
    const known = paths === undefined || isAnew || tree.files.size === 0 ? undefined : foldersOf(tree, paths);
    const top = tree.folders.get('');
    const steps =
      known === undefined
        ? tree.look(top === undefined ? [] : [top], 'deep', change)
        : tree.look(known, 'flat', change);
    await inSlices(steps, signal);
    ({ isOverLimit } = tree);
    if (isAnew) for (const path of before.keys()) if (!tree.files.has(path)) change.files.add(path);
    return change;
  }

  return {
    files: () => tree.files,
    skips: () => skipsOf(tree),
    folders: () => namesOf(tree),
    isOverLimit: () => isOverLimit,
    refresh: (signal) => inTurn(() => refresh(undefined, signal)),
    refreshPaths: (paths, signal) => inTurn(() => refresh(paths, signal)),
  };
}

function begin(root: string, options: ListOptions) {
  // Stamped after they were read, a change in between would go unseen; so they are stamped first, then read.
  const names = createListContext(root, options).outside.consulted;
  const rules = names.map((absPath) => ({ absPath, stamp: stampOf(absPath) }));
  return { rules, tree: createLiveTree(createListContext(root, options)) };
}

/** The folders that hold these paths, or the nearest known ones above them; and those whose rules lie elsewhere. */
function foldersOf(tree: LiveTree, paths: Iterable<string>) {
  const found = new Set(tree.repositories);
  for (const path of paths) {
    const itself = tree.folders.get(`${path}/`);
    if (itself !== undefined) found.add(itself);
    let above = path;
    do above = above.slice(0, above.lastIndexOf('/', above.length - 2) + 1);
    while (above !== '' && !tree.folders.has(above));
    const holder = tree.folders.get(above);
    if (holder !== undefined) found.add(holder);
  }
  return found;
}

async function inSlices(steps: Generator<void>, signal: AbortSignal): Promise<void> {
  const slice = createTimeSlice(systemClock);
  while (steps.next().done !== true) {
    if (!slice.isOver()) continue;
    await slice.yield();
    signal.throwIfAborted();
  }
}

function skipsOf(tree: LiveTree): Skip[] {
  const skips: Skip[] = [];
  for (const { shut, skips: inside, files } of tree.folders.values()) {
    if (shut !== undefined) skips.push(shut);
    skips.push(...inside);
    for (const { skip } of files.values()) if (skip !== undefined) skips.push(skip);
  }
  return skips;
}

function namesOf(tree: LiveTree): LiveFolderName[] {
  return [...tree.folders]
    .filter(([, { folder }]) => folder !== undefined)
    .map(([path, { stamp }]) => ({
      path,
      identity: stamp === undefined ? '' : `${stamp.inode}:${stamp.bornMs}`,
    }));
}
