/** Removes what Waymark keeps, file by file. What cannot be made again is moved aside; what is not proven to be ours stays. */
import { basename, dirname, join, relative } from 'node:path';
import { AppError, type Clock } from '../core/index.ts';
import {
  ensurePrivateDir,
  listServers,
  moveIfPresent,
  pathExists,
  removeIfPresent,
  removeFolderIfEmpty,
} from '../platform/index.ts';
import { aloneWithStore, type LeftFile, type OwnStore } from '../storage/index.ts';
import { findOwnFiles, type OwnFiles } from './own-files.ts';
import { dropCopies } from './permanent-copy.ts';

interface PurgeOptions {
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly clock: Clock;
}

interface Purged {
  /** Where the data is now; undefined if there was none. */
  readonly backup: string | undefined;
  readonly left: readonly LeftFile[];
}

/** What would be done. Throws before anything is changed if a server still runs. */
export async function planPurge({ dataDir, cacheDir }: Omit<PurgeOptions, 'clock'>): Promise<OwnFiles> {
  const [running] = listServers(dataDir).filter(({ alive }) => alive);
  if (running !== undefined) {
    throw new AppError('storage_busy', `A server still runs at ${running.url}; nothing was removed.`, {
      hint: `Stop process ${running.pid} and run the same command again.`,
    });
  }
  return findOwnFiles(dataDir, cacheDir);
}

export async function purge({ dataDir, cacheDir, clock }: PurgeOptions): Promise<Purged> {
  const found = await planPurge({ dataDir, cacheDir });
  const left = [...found.left];
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const aside = freeFolder(join(dirname(dataDir), `${basename(dataDir)}-backup-${stamp}`));
  // Move the data first: if that fails, nothing was deleted yet.
  for (const store of found.stores)
    left.push(...(await handle(store, (file) => moveInto(aside, dataDir, file))));
  for (const file of found.notes) moveInto(aside, dataDir, file);
  for (const store of found.indexes) left.push(...(await handle(store, removeIfPresent)));
  for (const file of found.compiled) removeIfPresent(file);
  const copies = dropCopies(dataDir);
  left.push(...copies.left.map((absPath) => ({ absPath, why: 'changed since, or not copied by Waymark' })));
  const isMoved = pathExists(aside);
  const folders = [
    ...found.stores.map(({ absPath }) => dirname(absPath)).filter((folder) => folder !== dataDir),
    ...['memory', 'backups', 'setup/backups', 'setup', 'servers', 'tokens'].map((name) =>
      join(dataDir, name),
    ),
    join(cacheDir, 'indexes'),
    ...new Set(found.compiled.map((file) => dirname(file))),
    join(cacheDir, 'compiled'),
    ...(found.indexes.length > 0 ? [cacheDir] : []),
    ...(isMoved ? [dataDir] : []),
  ];
  // Only folders that Waymark made, never others below them.
  for (const folder of folders) removeFolderIfEmpty(folder);
  return { backup: isMoved ? aside : undefined, left };
}

/** All files of a store, while no other process has it open; otherwise it stays, and is named. */
async function handle(
  { absPath, files }: OwnStore,
  act: (file: string) => void,
): Promise<readonly LeftFile[]> {
  const isLock = (file: string): boolean => file === `${absPath}.lock`;
  try {
    await aloneWithStore(absPath, () => files.filter((file) => !isLock(file)).forEach(act));
    removeIfPresent(`${absPath}.lock`);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'storage_busy') throw thrown;
    return [{ absPath, why: 'another process has it open; close your agents and run this again' }];
  }
}

function moveInto(aside: string, dataDir: string, file: string): void {
  const target = join(aside, relative(dataDir, file));
  try {
    ensurePrivateDir(dirname(target));
    moveIfPresent(file, target);
  } catch (cause) {
    throw new AppError(
      'file_unavailable',
      `${file} cannot be moved to ${target}; it is still where it was.`,
      {
        hint: 'Make the folder above the data directory writable, or move what is there by hand.',
        cause,
      },
    );
  }
}

function freeFolder(wanted: string): string {
  let folder = wanted;
  for (let count = 2; pathExists(folder); count += 1) folder = `${wanted}-${count}`;
  return folder;
}
