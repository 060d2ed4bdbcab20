/** One folder of a listing that is kept: what was found in it, and what tells that it is still so. */
import type { Skip } from '../../core/index.ts';
import { RULE_FILE_NAMES } from '../ignore/scope.ts';
import type { Folder, FolderPlace } from './folder.ts';
import type { Entry } from './read-folder.ts';
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
  /** The rule files inside it, as they were before they were read. */
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
  readonly name: string;
  readonly stamp: Stamp | undefined;
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
  root: string,
  { place }: LiveFolder,
  entries: readonly Entry[],
): readonly RuleStamp[] {
  return RULE_FILE_NAMES.filter((name) => entries.some((entry) => entry.name === name)).map((name) => ({
    name,
    stamp: stampOf(`${root}/${place.path}${name}`),
  }));
}

/** Whether the rules that hold inside are still those that were read. */
export function hasSameRules(before: readonly RuleStamp[], now: readonly RuleStamp[]): boolean {
  return (
    before.length === now.length &&
    now.every(({ name, stamp }, at) => before[at]?.name === name && isSameStamp(before[at]?.stamp, stamp))
  );
}

/** The cheap look: a rule file that came or went changed the folder's own time. */
export function areRulesUntouched(root: string, { place, rules }: LiveFolder): boolean {
  return rules.every(
    ({ name, stamp }) => stamp === undefined || isSameStamp(stamp, stampOf(`${root}/${place.path}${name}`)),
  );
}
