/** Reads a project's files, and tells whether one is still what was read. */
import {
  readdirSync,
  lstatSync,
  type BigIntStats,
  type Stats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { Clock, SkipReason } from '../../core/index.ts';
import {
  isLink,
  pathKind,
  realPath,
  type PathKind,
  readTextIfPresent,
  systemClock,
} from '../../platform/index.ts';

/** What one look at a path came to. `outside` says nothing else: what is there was not looked at. */
export type Look =
  | { readonly kind: 'directory' | 'file'; readonly real: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' };

export interface DiskEntry {
  readonly name: string;
  readonly kind: 'directory' | 'file';
}

/** Questions that never throw. What lies outside of a view is not there, for each of them but `look`. */
export interface Disk {
  /** Whether there is anything that this view does not show. */
  readonly limited: boolean;
  /** What is at a path and where it really lies, of one and the same moment. */
  look(absPath: string): Look;
  kind(absPath: string): PathKind;
  real(absPath: string): string | undefined;
  isLink(absPath: string): boolean;
  /** What a folder holds, without links, sorted by name; nothing if it cannot be read. */
  entries(absPath: string): readonly DiskEntry[];
  /** A small text file; undefined if it is none, or too large. */
  read(absPath: string, maxBytes: number): string | undefined;
}

export const WHOLE_DISK: Disk = {
  limited: false,
  look(absPath) {
    const kind = pathKind(absPath);
    const real = kind === 'missing' ? undefined : realPath(absPath);
    return kind === 'missing' || real === undefined ? { kind: 'missing' } : { kind, real };
  },
  kind: pathKind,
  real: realPath,
  isLink,
  entries: readEntries,
  read(absPath, maxBytes) {
    try {
      return readTextIfPresent(absPath, { maxBytes });
    } catch {
      // Too large, a pipe, or not ours to read.
      return undefined;
    }
  },
};

export function readEntries(absPath: string): readonly DiskEntry[] {
  try {
    return readdirSync(absPath, { withFileTypes: true })
      .flatMap((entry): readonly DiskEntry[] => {
        if (entry.isDirectory()) return [{ name: entry.name, kind: 'directory' }];
        return entry.isFile() ? [{ name: entry.name, kind: 'file' }] : [];
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

export interface Stamp {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Cannot be set by hand, unlike the time above. */
  readonly ctimeMs: number;
  readonly inode: number;
  /** Numbers of inodes are used again; the time of birth tells such a pair apart. */
  readonly bornMs: number;
  /** So new when it was taken that a change right after would leave no trace in it. */
  readonly isUnsettled: boolean;
}

/** Undefined if there is nothing, or nothing we may look at. */
export function lookAtPath(absPath: string): Stats | undefined {
  try {
    return lstatSync(absPath, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function toStamp(stats: Stats): Stamp {
  return {
    sizeBytes: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    inode: stats.ino,
    bornMs: stats.birthtimeMs,
    isUnsettled: mayBearSameTime(stats.ctimeMs, systemClock.now()),
  };
}

export function stampOf(absPath: string): Stamp | undefined {
  const stats = lookAtPath(absPath);
  return stats === undefined ? undefined : toStamp(stats);
}

/** Whether what was learned when `before` was taken still holds. Two absences are the same. */
export function isSameStamp(before: Stamp | undefined, now: Stamp | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (
    !before.isUnsettled &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.sizeBytes === now.sizeBytes &&
    before.inode === now.inode
  );
}

/** The same for a file that was just looked at, without making a stamp of it: nearly all are unchanged. */
export function isUnchanged(before: Stamp | undefined, now: Stats | undefined): boolean {
  return (
    before !== undefined &&
    now !== undefined &&
    !before.isUnsettled &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.sizeBytes === now.size &&
    before.inode === now.ino
  );
}

/** Whether another one has taken its place. */
export function isReplaced(before: Stamp, now: Stamp): boolean {
  return before.inode !== now.inode || before.bornMs !== now.bornMs;
}

/** Undefined for what is no regular file. */
export function fileStamp(absPath: string): string | undefined {
  const stat = lstatSync(absPath, { bigint: true, throwIfNoEntry: false });
  return stat === undefined || !stat.isFile() ? undefined : stampTextOf(stat);
}

export function stampTextOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The longest step in which file systems count time (FAT). */
const COARSE_STEP_MS = 2_000;
/** A kernel's tick is 10 ms at most, and its clock of files may be one behind. */
const FINE_STEP_MS = 25;

/** So recent that a further write could bear the same time. `changedMs` may have a fraction, which tells the step apart. */
export function mayBearSameTime(changedMs: number, nowMs: number): boolean {
  // Where times are not whole multiples of 10 ms, the file system keeps at least the kernel's ticks.
  const step = changedMs % 10 === 0 ? COARSE_STEP_MS : FINE_STEP_MS;
  return nowMs - changedMs < step;
}

export interface ReadSourceOptions {
  /** The project's root with all links resolved. */
  readonly realRoot: string;
  readonly absPath: string;
  /** Larger files are skipped unread. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** A buffer for the bytes, if they fit: they hold until it is used again. */
  readonly into?: Buffer;
  /** Where the system says what an open file is. Elsewhere, and where it is missing, the path is resolved again. */
  readonly openFiles?: string;
}

export type ReadSource =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly stat: SourceStat }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly detail: string | undefined };

export interface SourceStat {
  readonly sizeBytes: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
  /** As `fileStamp` has it. */
  readonly stamp: string;
  /** So new that a further write could bear the same time: the next look must not trust time and size. */
  readonly mayStillChange: boolean;
}

type Place = Pick<ReadSourceOptions, 'realRoot' | 'absPath' | 'openFiles'>;
type Skipped = Extract<ReadSource, { kind: 'skipped' }>;

/** How often the path is asked where the system cannot name an open file. */
const LOOKS_AT_PATH = 6;
/** O_NONBLOCK: a pipe must not hang us. O_NOFOLLOW: what was listed was no link. Windows knows neither. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

export function readSource(options: ReadSourceOptions): ReadSource {
  const first = readOnce(options);
  const changed = first.kind === 'skipped' && first.reason === 'changed_while_read';
  // Once more: a file that is being saved is usually complete by now. After that it waits for the next pass.
  return changed ? readOnce(options) : first;
}

/** For files of which only parts are read: an open one that is a file inside of the folder, or undefined. */
export function openSource(options: Pick<ReadSourceOptions, 'realRoot' | 'absPath'>): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(options.absPath, OPEN_FLAGS);
    const opened = fstatSync(fd, { bigint: true });
    if (opened.isFile() && findOutside(fd, opened, options) === undefined) return fd;
  } catch {
    // Missing, a link, or not ours to read.
  }
  if (fd !== undefined) closeSync(fd);
  return undefined;
}

function readOnce(options: ReadSourceOptions): ReadSource {
  let fd: number;
  try {
    fd = openSync(options.absPath, OPEN_FLAGS);
  } catch (cause) {
    return skippedFor(cause);
  }
  try {
    return readOpened(fd, options);
  } catch (cause) {
    return skippedFor(cause);
  } finally {
    closeSync(fd);
  }
}

function readOpened(fd: number, options: ReadSourceOptions): ReadSource {
  const before = fstatSync(fd, { bigint: true });
  if (!before.isFile()) return skipped('not_regular');
  const outside = findOutside(fd, before, options);
  if (outside !== undefined) return outside;
  if (before.size > options.maxBytes) return skipped('too_large', `${before.size} bytes`);
  // One byte more than there should be, so that growth is noticed.
  const room = Number(before.size) + 1;
  const { into } = options;
  const buffer =
    into !== undefined && room <= into.length ? into.subarray(0, room) : Buffer.allocUnsafe(room);
  const length = fillFrom(fd, buffer);
  const after = fstatSync(fd, { bigint: true });
  if (BigInt(length) !== before.size || !isSameState(before, after)) return skipped('changed_while_read');
  return { kind: 'read', bytes: buffer.subarray(0, length), stat: toStat(after, options.clock) };
}

function fillFrom(fd: number, buffer: Buffer): number {
  let length = 0;
  while (length < buffer.length) {
    const got = readSync(fd, buffer, length, buffer.length - length, null);
    if (got === 0) break;
    length += got;
    // As much as there should be: whether it has grown meanwhile, the next look at its state tells.
    if (length === buffer.length - 1) break;
  }
  return length;
}

/** The time of the last change to the inode cannot be set by hand, unlike that of its content. */
function isSameState(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino;
}

function toStat(stat: BigIntStats, clock: Clock): SourceStat {
  return {
    sizeBytes: Number(stat.size),
    mtimeNs: stat.mtimeNs,
    inode: stat.ino,
    stamp: stampTextOf(stat),
    mayStillChange: mayBearSameTime(Number(stat.mtimeNs) / 1e6, clock.now()),
  };
}

/**
 * A folder on the way may have become a link since it was listed, so the path proves nothing: what counts is the file that
 * was opened. Linux can name it, which settles the matter. Elsewhere only the path can be asked again.
 */
function findOutside(fd: number, opened: BigIntStats, options: Place): Skipped | undefined {
  const realPath = nameOfOpened(fd, options.openFiles);
  if (realPath === undefined) return findOutsideByPath(opened, options);
  // The name of a file that was removed meanwhile ends in a note; that it lies inside can no longer be shown.
  if (opened.nlink === 0n) return skipped('changed_while_read', 'removed');
  return isInside(options.realRoot, realPath) ? undefined : skipped('symlink', 'leads out of the project');
}

/**
 * The path must lead to the opened file, and its folder must be inside, again and again: one look in between two swaps of
 * the folder was seen to be fooled within a second by a loop of renames, so it is asked until that is out of reach.
 */
function findOutsideByPath(opened: BigIntStats, { realRoot, absPath }: Place): Skipped | undefined {
  const folder = dirname(absPath);
  const parent = realpathSync.native(folder);
  if (parent !== realRoot && !isInside(realRoot, parent)) {
    return skipped('symlink', 'leads out of the project');
  }
  for (let look = 0; look < LOOKS_AT_PATH; look++) {
    const now = lstatSync(absPath, { bigint: true });
    if (now.isSymbolicLink()) return skipped('symlink');
    if (now.ino !== opened.ino || now.dev !== opened.dev) return skipped('changed_while_read');
    if (parent !== realpathSync.native(folder)) return skipped('changed_while_read');
  }
  return undefined;
}

/** Linux names what is open. */
export const OPEN_FILES = '/proc/self/fd';

/** Where an open file or folder really lies; undefined where the system does not say. */
export function nameOfOpened(fd: number, openFiles = OPEN_FILES): string | undefined {
  try {
    return readlinkSync(`${openFiles}/${fd}`);
  } catch {
    return undefined;
  }
}

function isInside(directory: string, absPath: string): boolean {
  const path = relative(directory, absPath);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function skippedFor(cause: unknown): Skipped {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ELOOP':
    case 'EMLINK':
      return skipped('symlink');
    case 'ENXIO':
    case 'EISDIR':
    case 'ENODEV':
      return skipped('not_regular');
    case 'ENOENT':
    case 'ENOTDIR':
      return skipped('changed_while_read', 'removed');
    default:
      return skipped('unreadable', typeof code === 'string' ? code : undefined);
  }
}

function skipped(reason: SkipReason, detail?: string): Skipped {
  return { kind: 'skipped', reason, detail };
}
