/** Which files of a folder are databases of ours, by their names and by what is in them, with the files that belong to them. */
import { basename, join } from 'node:path';
import { lookAtFile, readableNames, type FileLook } from '../../../platform/index.ts';
import { loadDriver } from '../driver.ts';
import { createStoreLock } from '../open-lock.ts';
import { INDEX_NAME, VIEW_FILES } from '../kept-indexes.ts';
import { SPACE_FILE } from '../memory-spaces.ts';
import { SIDE_FILES } from './quarantine.ts';
import { HEADER_BYTES, readHeader } from '../inspect.ts';

export type StoreSort = 'index' | 'memory' | 'catalog' | 'backup';

export interface OwnStore {
  /** The database, if it is there; its locks may be all that is left of it. */
  readonly absPath: string;
  /** It and what belongs to it: the database goes first. */
  readonly files: readonly string[];
}

export interface LeftFile {
  readonly absPath: string;
  readonly why: string;
}

const NAMES: Readonly<Record<StoreSort, RegExp>> = {
  index: INDEX_NAME,
  memory: SPACE_FILE,
  catalog: /^catalog\.db(?:\.damaged-[^-]+(?:-\d+)?)?$/,
  backup: /\.db$/,
};
const LOCKS = ['.lock', '.writer', '.follower'] as const;
const SUFFIXES = [...SIDE_FILES, ...VIEW_FILES, ...LOCKS] as const;
const WHY = {
  missing: 'it is gone',
  folder: 'a folder that Waymark does not make',
  link: 'a link, which is not followed',
  special: 'no regular file',
  unreadable: 'it cannot be read',
} as const;

/** What of these names in a folder is ours, and what is not and why. Nothing is followed, opened for writing or changed. */
export function findOwnStores(
  folder: string,
  sort: StoreSort,
  names: readonly string[] = readableNames(folder),
): { readonly own: readonly OwnStore[]; readonly left: readonly LeftFile[] } {
  const own: OwnStore[] = [];
  const left: LeftFile[] = [];
  const groups = groupBy(names, (name) => mainOf(name, sort));
  for (const [main, members] of groups) {
    const absPath = join(folder, main);
    const isOurs = NAMES[sort].test(main) && isOwnStore(absPath, sort);
    const files = members.map((name) => join(folder, name)).toSorted((a) => (a === absPath ? -1 : 0));
    const taken = isOurs ? files.filter((file) => file === absPath || isPart(file)) : [];
    if (taken.length > 0) own.push({ absPath, files: taken });
    for (const file of files)
      if (!taken.includes(file)) left.push({ absPath: file, why: whyLeft(lookAtFile(file, 0)) });
  }
  return { own, left };
}

/** Runs `work` while no process has the store open; `storage_busy` if one does. */
export async function aloneWithStore<Result>(absPath: string, work: () => Result): Promise<Result> {
  const driver = await loadDriver();
  return createStoreLock(driver, { absPath: `${absPath}.lock`, name: basename(absPath) }).alone(work);
}

function mainOf(name: string, sort: StoreSort): string {
  const suffix = SUFFIXES.find(
    (known) => name.endsWith(known) && NAMES[sort].test(name.slice(0, -known.length)),
  );
  return suffix === undefined ? name : name.slice(0, -suffix.length);
}

/** A database that is gone may have left its locks; a memory that is damaged may have lost its head, and is only moved. */
function isOwnStore(absPath: string, sort: StoreSort): boolean {
  const look = lookAtFile(absPath, HEADER_BYTES);
  if (look.kind === 'missing') return true;
  if (look.kind !== 'file') return false;
  if (sort === 'memory' && /\.(?:damaged|salvag)/.test(basename(absPath))) return true;
  return look.sizeBytes === 0 || readHeader(look.head)?.isOurs === true;
}

/** Locks are empty; the other files are what SQLite and we put beside a database of this name. */
function isPart(absPath: string): boolean {
  const look = lookAtFile(absPath, 0);
  return look.kind === 'file' && (look.sizeBytes === 0 || !LOCKS.some((lock) => absPath.endsWith(lock)));
}

export function whyLeft(look: FileLook): string {
  return look.kind === 'file' ? 'not written by Waymark' : WHY[look.kind];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
