/**
 * Reads the rows of a backup, all of them or none. Unlike salvage, which saves what it can of a store of ours, this takes a
 * file from elsewhere: nothing in it is believed before it was checked, and the first thing wrong refuses the whole of it.
 */
import { basename, join } from 'node:path';
import { AppError } from '../../../core/index.ts';
import {
  copyPlainFile,
  lookAtFile,
  makePrivateFolder,
  pathExists,
  removeFolder,
} from '../../../platform/index.ts';
import { loadDriver } from '../driver.ts';
import type { MemoryRows } from '../../memory-rows.ts';
import { readMemory, Unsound } from './read-memory.ts';
import { HEADER_BYTES, readHeader } from '../inspect.ts';

/** All rows are held in memory while they are checked. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
const LOG = '-wal';

export async function readBackup(absPath: string, workFolder: string): Promise<MemoryRows> {
  const name = basename(absPath);
  checkFile(absPath, name);
  const driver = await loadDriver();
  // A copy: opening a file by SQLite may change it and put others beside it, and another program may change it meanwhile.
  const folder = makePrivateFolder(workFolder, '.checking-');
  try {
    const copy = join(folder, 'backup.db');
    for (const suffix of ['', LOG]) {
      if (suffix !== '' && !pathExists(absPath + suffix)) continue;
      if (!copied(absPath + suffix, copy + suffix)) throw refused(name, 'it cannot be read, or is too large');
    }
    return readMemory(driver.connect(copy, { readOnly: false, timeout: 0 }));
  } catch (thrown) {
    // SQLite's own words are not ours, and whatever it stumbles over means the same here.
    if (thrown instanceof AppError) throw thrown;
    throw refused(name, thrown instanceof Unsound ? thrown.message : 'it is damaged', thrown);
  } finally {
    removeFolder(folder);
  }
}

const KINDS = {
  missing: 'there is no such file',
  folder: 'it is a folder',
  link: 'it is a link',
  special: 'it is no regular file',
  unreadable: 'it cannot be read',
} as const;

function checkFile(absPath: string, name: string): void {
  const look = lookAtFile(absPath, HEADER_BYTES);
  if (look.kind !== 'file') throw refused(name, KINDS[look.kind]);
  if (look.sizeBytes > MOST_BYTES) throw refused(name, `it is larger than ${MOST_BYTES / 1024 ** 3} GB`);
  const header = readHeader(look.head);
  if (header === undefined) throw refused(name, 'it is no database');
  if (!header.isOurs) throw refused(name, 'it is a database of another program');
  if (header.sizeBytes !== look.sizeBytes && !pathExists(absPath + LOG))
    throw refused(name, 'it is cut short, or has something behind its end');
}

function copied(from: string, to: string): boolean {
  try {
    return copyPlainFile(from, to, MOST_BYTES);
  } catch {
    return false;
  }
}

function refused(name: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'bad_argument',
    `${name} is no backup that can be restored: ${why}. Nothing was changed.`,
    {
      hint: 'Name a folder that `waymark backup` wrote, as it wrote it.',
      cause,
    },
  );
}
