/**
 * A listing that is kept and brought up to date where something changed. It comes to what a new listing would say: a folder
 * whose time is the same has the same entries, and entries are judged again when the folder or a rule around it changed.
 */
import type { Stats } from 'node:fs';
import type { Skip } from '../../core/index.ts';
import { RULE_FILE_NAMES } from '../ignore/scope.ts';
import { judgeStats, type ListedFile, lookAt, rootPlace, unreadableRoot } from './list-files.ts';
import {
  dotEntry,
  type Entry,
  findNestedRepository,
  type Folder,
  type FolderPlace,
  openFolder,
} from './folder.ts';
import { judgeEntry, judgeInside, skippedPath } from './judge-entry.ts';
import type { ListContext } from './list-options.ts';
import {
  isReplaced,
  isSameStamp,
  isUnchanged,
  lookAtPath,
  type Stamp,
  stampOf,
  toStamp,
} from '../reading/read-source.ts';

/** What a look came to. */
export interface ListingChange {
  /** Files that came, went, or may have another content. */
  readonly files: Set<string>;
  /** Of these, the ones that may have another content although size and time are the same. */
  readonly suspects: Set<string>;
  /** Folders may have come or gone, or something may be left out for another reason. */
  isReshaped: boolean;
}

export interface LiveTree {
  readonly files: ReadonlyMap<string, ListedFile>;
  readonly folders: ReadonlyMap<string, LiveFolder>;
  /** Folders below the root that are repositories of their own: their rules can change unseen. */
  readonly repositories: ReadonlySet<LiveFolder>;
  /** More than a listing may hold: nothing here counts then. */
  readonly isOverLimit: boolean;
  /** Looks at these folders, in steps, so that the caller can do something else in between. Deep: at all below as well. */
  look(where: Iterable<LiveFolder>, how: 'deep' | 'flat', change: ListingChange): Generator<void>;
}

interface Visit {
  readonly node: LiveFolder;
  /** `same`: only whether it is still the folder it was; if not, deep. */
  readonly how: 'deep' | 'flat' | 'same';
}

/** A file that does not look as it did. */
interface Looked {
  readonly file: LiveFile;
  readonly stats: Stats | undefined;
}

export function createLiveTree(made: ListContext): LiveTree {
  const { root } = made;
  const mostSteps = made.budget.left;
  let context = made;
  const files = new Map<string, ListedFile>();
  const folders = new Map<string, LiveFolder>();
  const repositories = new Set<LiveFolder>();
  let entries = 0;
  let isOverLimit = false;

  const top = createLiveFolder(rootPlace(made), { name: '', parent: undefined, isAskedFor: true });
  folders.set('', top);

  function* look(where: Iterable<LiveFolder>, how: 'deep' | 'flat', change: ListingChange): Generator<void> {
    context = { ...made, budget: { left: mostSteps } };
    // A stack of our own: nesting costs memory, never the call stack.
    const waiting: Visit[] = Array.from(where, (node) => ({ node, how }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      // One that was dropped while it waited.
      if (folders.get(next.node.place.path) !== next.node) continue;
      visit(next, waiting, change);
      isOverLimit = files.size > made.maxFiles || entries > made.maxEntries || context.budget.left < 0;
      if (isOverLimit) return;
      yield;
    }
  }

  function visit({ node, how }: Visit, waiting: Visit[], change: ListingChange): void {
    const absFolder = `${root}/${node.place.path}`;
    const stats = lookAtPath(absFolder);
    if (stats?.isDirectory() !== true) {
      if (node === top) throw unreadableRoot(root);
      forget(node, change);
      return;
    }
    const stamp = toStamp(stats);
    const isNew = node.stamp === undefined;
    const isOther = node.stamp !== undefined && isReplaced(node.stamp, stamp);
    if (how === 'same' && !isNew && !isOther) return;
    const isRead = !isSameStamp(node.stamp, stamp) || !areRulesUntouched(node);
    if (isRead) read(node, stamp, change);
    for (const [name, file] of node.files) {
      const now = lookAtPath(absFolder + name);
      if (!isUnchanged(file.stamp, now)) noteFile(node.place.path + name, { file, stats: now }, change);
    }
    const isDeep = how === 'deep' || isOther;
    if (!isDeep && !isRead) return;
    for (const child of node.children.values()) waiting.push({ node: child, how: isDeep ? 'deep' : 'same' });
  }

  function read(node: LiveFolder, stamp: Stamp, change: ListingChange): void {
    let rules: LiveFolder['rules'] = [];
    const opened = openFolder(context, node.place, (entries) => {
      rules = stampRules(context, node, entries);
    });
    const hadScope = hasSameRules(node.rules, rules) ? node.folder?.scope : undefined;
    node.stamp = stamp;
    node.rules = rules;
    if (hasRulesElsewhere(node)) repositories.add(node);
    else repositories.delete(node);
    change.isReshaped = true;
    entries -= node.folder?.entries.length ?? 0;
    node.folder = undefined;
    const path = node.place.path;
    if (opened.kind === 'failed')
      return shut(node, { path, reason: 'unreadable', detail: opened.why }, change);
    const why = node.isAskedFor ? undefined : judgeInside(node.name, opened.folder.entries);
    if (why !== undefined) return shut(node, { path, reason: 'excluded_by_default', detail: why }, change);
    node.shut = undefined;
    // The same object while the rules are the same: children know by it that nothing above them changed.
    node.folder = { ...opened.folder, scope: hadScope ?? opened.folder.scope };
    entries += node.folder.entries.length;
    judge(node, node.folder, change);
  }

  function judge(node: LiveFolder, folder: Folder, change: ListingChange): void {
    const skips: Skip[] = [];
    const kept = new Map<string, LiveFile>();
    const children = new Map<string, LiveFolder>();
    for (const entry of folder.entries) {
      const path = folder.path + entry.name;
      const judgement = judgeEntry(context, folder, entry);
      const { kind } = judgement;
      if (kind === 'skip') {
        skips.push({
          path: skippedPath(folder, entry, judgement),
          reason: judgement.reason,
          detail: judgement.detail,
        });
      } else if (entry.kind === 'file') {
        const known = node.files.get(entry.name);
        const { isAskedFor } = judgement;
        const isKnown = known?.isAskedFor === isAskedFor;
        kept.set(entry.name, isKnown ? known : { isAskedFor, stamp: undefined, skip: undefined });
      } else {
        const { isAskedFor, isIncluded } = judgement;
        const known = node.children.get(entry.name);
        const isKnown =
          known?.isAskedFor === isAskedFor &&
          known.place.isIncluded === isIncluded &&
          known.place.scope === folder.scope;
        const place = { path: `${path}/`, depth: folder.depth + 1, scope: folder.scope, isIncluded };
        const child = isKnown
          ? known
          : createLiveFolder(place, { name: entry.name, parent: node, isAskedFor });
        children.set(entry.name, child);
      }
    }
    replace(node, { skips, files: kept, children }, change);
  }

  /** What is no longer in the folder, or was judged anew, is forgotten with all below it. */
  function replace(
    node: LiveFolder,
    now: Pick<LiveFolder, 'skips' | 'files' | 'children'>,
    change: ListingChange,
  ): void {
    for (const [name, child] of node.children) if (now.children.get(name) !== child) drop(child, change);
    for (const name of node.files.keys()) if (!now.files.has(name)) unlist(node.place.path + name, change);
    Object.assign(node, now);
    for (const child of now.children.values()) folders.set(child.place.path, child);
  }

  function shut(node: LiveFolder, skip: Skip, change: ListingChange): void {
    node.shut = skip;
    replace(node, { skips: [], files: new Map(), children: new Map() }, change);
  }

  /** It is not there any more. */
  function forget(node: LiveFolder, change: ListingChange): void {
    const { parent } = node;
    if (parent === undefined) return;
    const children = new Map(parent.children);
    children.delete(node.name);
    replace(parent, { skips: parent.skips, files: parent.files, children }, change);
    change.isReshaped = true;
  }

  function drop(gone: LiveFolder, change: ListingChange): void {
    const waiting = [gone];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      folders.delete(node.place.path);
      repositories.delete(node);
      entries -= node.folder?.entries.length ?? 0;
      for (const name of node.files.keys()) unlist(node.place.path + name, change);
      waiting.push(...node.children.values());
    }
  }

  function unlist(path: string, change: ListingChange): void {
    if (files.delete(path)) change.files.add(path);
  }

  function noteFile(path: string, { file, stats }: Looked, change: ListingChange): void {
    const stamp = stats === undefined ? undefined : toStamp(stats);
    const isKnown = file.stamp !== undefined;
    const { isAskedFor, skip: before } = file;
    const found =
      stats === undefined
        ? lookAt(context, path, isAskedFor)
        : judgeStats(context, { path, isAskedFor }, stats);
    file.stamp = stamp;
    file.skip = found?.kind === 'skip' ? found.skip : undefined;
    if (before?.reason !== file.skip?.reason || before?.detail !== file.skip?.detail)
      change.isReshaped = true;
    if (found?.kind !== 'file') return unlist(path, change);
    files.set(path, found.file);
    change.files.add(path);
    if (isKnown) change.suspects.add(path);
  }

  return {
    files,
    folders,
    repositories,
    get isOverLimit() {
      return isOverLimit;
    },
    look,
  };
}

/** A file that names and rules let in; its size and nature are looked at again and again. */
export interface LiveFile {
  readonly isAskedFor: boolean;
  stamp: Stamp | undefined;
  /** Why it is not listed after all. */
  skip: Skip | undefined;
}

export interface LiveFolder {
  readonly place: FolderPlace;
  readonly name: string;
  readonly parent: LiveFolder | undefined;
  readonly isAskedFor: boolean;
  stamp: Stamp | undefined;
  /** Its rule files, as they were before they were read. */
  rules: readonly RuleStamp[];
  /** Undefined until it is read, and while it cannot be or is left out for what is inside it. */
  folder: Folder | undefined;
  shut: Skip | undefined;
  /** Its entries that names or rules leave out. */
  skips: readonly Skip[];
  files: ReadonlyMap<string, LiveFile>;
  children: ReadonlyMap<string, LiveFolder>;
}

interface RuleStamp {
  readonly absPath: string;
  readonly stamp: Stamp | undefined;
  /** It lies in the folder itself, whose time changes when it comes or goes. */
  readonly isInside: boolean;
}

export function createLiveFolder(
  place: FolderPlace,
  around: Pick<LiveFolder, 'name' | 'parent' | 'isAskedFor'>,
): LiveFolder {
  return {
    ...around,
    place,
    stamp: undefined,
    rules: [],
    folder: undefined,
    shut: undefined,
    skips: [],
    files: new Map(),
    children: new Map(),
  };
}

/**
 * Taken before the files are read: a change in between shows at the next look. Few folders have any; one that comes later changes
 * the folder's own time.
 */
export function stampRules(
  context: ListContext,
  { place }: LiveFolder,
  entries: readonly Entry[],
): readonly RuleStamp[] {
  const has = (wanted: `.${string}`): boolean => dotEntry(entries, wanted) !== undefined;
  const inside = RULE_FILE_NAMES.filter(has).map((name) => `${context.root}/${place.path}${name}`);
  return [
    ...inside.map((absPath) => ({ absPath, stamp: stampOf(absPath), isInside: true })),
    ...(has('.git') ? elsewhere(context, place.path) : []).map((absPath) => ({
      absPath,
      stamp: stampOf(absPath),
      isInside: false,
    })),
  ];
}

/** The files that rules of a repository inside are in; of one that is only being made, those that will make it one. */
function elsewhere(context: ListContext, path: string): readonly string[] {
  const nested = findNestedRepository(context, path);
  if (nested !== undefined) return [nested.excludeFile];
  const git = `${context.root}/${path}.git`;
  return path === '' || context.gitDirOf === undefined ? [] : [git, `${git}/HEAD`];
}

/** Some of its rules can change without anything that is seen from the folder. */
export function hasRulesElsewhere({ rules }: LiveFolder): boolean {
  return rules.some(({ isInside }) => !isInside);
}

/** Whether the rules that hold inside are still those that were read. */
export function hasSameRules(before: readonly RuleStamp[], now: readonly RuleStamp[]): boolean {
  return (
    before.length === now.length &&
    now.every(
      ({ absPath, stamp }, at) => before[at]?.absPath === absPath && isSameStamp(before[at].stamp, stamp),
    )
  );
}

/** The cheap look: a rule file that came or went changed the folder's own time. */
export function areRulesUntouched({ rules }: LiveFolder): boolean {
  return rules.every(
    ({ absPath, stamp, isInside }) =>
      (isInside && stamp === undefined) || isSameStamp(stamp, stampOf(absPath)),
  );
}
