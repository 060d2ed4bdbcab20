/** Removes what Waymark keeps. What cannot be made again is moved aside, not deleted: one can still change one's mind. */
import { basename, dirname, join, relative, sep } from 'node:path';
import { AppError, type Clock } from '../core/index.ts';
import { listServers } from './doctor/check-servers.ts';
import { dropCopies } from './lasting-copy.ts';
import { moveIfPresent, readableNames, pathExists, removeFolder } from '../platform/index.ts';

export interface PurgeOptions {
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly home: string;
  readonly clock: Clock;
}

export interface Purged {
  /** Where the data is now; undefined if there was none. */
  readonly backup: string | undefined;
}

/** Throws what speaks against it, before anything was changed. */
export function checkPurge({ dataDir, cacheDir, home }: Omit<PurgeOptions, 'clock'>): void {
  for (const folder of [dataDir, cacheDir]) {
    if (holds(folder, home)) {
      throw new AppError('bad_config', `${folder} holds your home directory and is not removed.`, {
        hint: 'Remove what Waymark keeps there by hand.',
      });
    }
  }
  const [running] = listServers(dataDir).filter(({ alive }) => alive);
  if (running !== undefined) {
    throw new AppError('storage_busy', `A server still runs at ${running.url}; nothing was removed.`, {
      hint: `Stop process ${running.pid} and run the same command again.`,
    });
  }
}

export function purge({ dataDir, cacheDir, home, clock }: PurgeOptions): Purged {
  checkPurge({ dataDir, cacheDir, home });
  // Its own folder goes whole; in one that was chosen by hand, only what Waymark makes there.
  removeFolder(basename(cacheDir) === 'waymark' ? cacheDir : join(cacheDir, 'indexes'));
  if (!pathExists(dataDir)) return { backup: undefined };
  dropCopies(dataDir);
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const backup = join(dirname(dataDir), `${basename(dataDir)}-backup-${stamp}`);
  return { backup: readableNames(dataDir).length > 0 && moveIfPresent(dataDir, backup) ? backup : undefined };
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
