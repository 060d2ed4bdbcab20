/** One folder of a listing that is kept: what was found in it, and what tells that it is still so. */
import type { Skip } from '../../core/index.ts';
import { RULE_FILE_NAMES } from '../ignore/scope.ts';
import type { Folder, FolderPlace } from './folder.ts';
import type { ListContext } from './list-options.ts';
import { findNestedRepository } from './nested-repository.ts';
import { dotEntry, type Entry } from './read-folder.ts';
import { stampOf, isSameStamp, type Stamp } from './stamp.ts';

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
