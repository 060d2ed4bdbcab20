/** The disk as far as it lies below some folders. What is outside is never looked at, whatever is renamed meanwhile. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Clock } from '../../core/index.ts';
import { resolveDots } from '../../platform/index.ts';
import { type Disk, type Look, readEntries, readSource } from './read-source.ts';

export function createDiskBeneath(named: readonly string[], openFiles = '/proc/self/fd'): Disk {
  const folders = named.map((folder) => resolveDots(folder));
  const follow = <T>(absPath: string, use: (ended: Ended) => T): T =>
    walkBeneath(absPath, { folders, openFiles, followsLast: true }, use);
  const look = (absPath: string): Look => follow(absPath, toLook);

  return {
    limited: true,
    look,
    kind(absPath) {
      const { kind } = look(absPath);
      return kind === 'outside' ? 'missing' : kind;
    },
    real(absPath) {
      const seen = look(absPath);
      return 'real' in seen ? seen.real : undefined;
    },
    isLink: (absPath) =>
      walkBeneath(absPath, { folders, openFiles, followsLast: false }, ({ kind }) => kind === 'link'),
    entries: (absPath) =>
      follow(absPath, (ended) => (ended.kind === 'directory' ? readEntries(ended.at) : [])),
    read: (absPath, maxBytes) =>
      follow(absPath, (ended) => (ended.kind === 'file' ? readSmall(ended.at, maxBytes) : undefined)),
  };
}

function toLook(ended: Ended): Look {
  if (ended.kind === 'directory' || ended.kind === 'file') return { kind: ended.kind, real: ended.real };
  return { kind: ended.kind === 'outside' ? 'outside' : 'missing' };
}

function readSmall(at: string, maxBytes: number): string | undefined {
  let fd: number | undefined;
  try {
    // O_NONBLOCK: opening a pipe must not hang. O_NOFOLLOW: it was no link a moment ago.
    fd = openSync(at, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if (!fstatSync(fd).isFile()) return undefined;
    // One byte more than allowed, so that a file that is too large is noticed.
    const buffer = Buffer.alloc(Math.min(fstatSync(fd).size, maxBytes) + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got)
      got = readSync(fd, buffer, length, buffer.length - length, null);
    if (length > maxBytes) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Where a walk ended. `at` reaches the place, and only while it is being used. */
export type Ended =
  | { readonly kind: 'directory' | 'file' | 'link'; readonly real: string; readonly at: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' };

export interface Walk {
  /** Absolute and without dots. */
  readonly folders: readonly string[];
  /** Where the system names what is open. */
  readonly openFiles: string;
  /** Whether a link at the very end is followed too. */
  readonly followsLast: boolean;
}

/** A folder on the way. */
interface Place {
  readonly at: string;
  readonly real: string;
  readonly stats: Stats;
  /** Undefined where the system cannot start from what is open. */
  readonly fd: number | undefined;
}

interface Start {
  readonly folder: string;
  readonly rest: readonly string[];
}

/** As many as Linux follows. */
const MOST_LINKS = 40;
const MOST_STEPS = 4_096;
/** One look in between two swaps can be fooled; that many in a row hardly can. */
const LOOKS_AFTER = 8;
const SEPARATORS = sep === '\\' ? /[\\/]/ : /\//;
/** Linux only, and not among Node's constants: to pass through a folder one need not be allowed to read it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
const OUTSIDE = { kind: 'outside' } as const;
const MISSING = { kind: 'missing' } as const;

/** Walks to a path and hands over where it ended; what `use` makes of it counts only if the way is still the same. */
export function walkBeneath<T>(absPath: string, walk: Walk, use: (ended: Ended) => T): T {
  for (const start of startsOf(absPath, walk.folders)) {
    const way: Place[] = [];
    try {
      const ended = follow(way, start, walk);
      if (ended.kind === 'outside') continue;
      const made = use(ended);
      if (way.every((place) => place.fd !== undefined) || isUnchanged(way)) return made;
    } finally {
      leave(way, 0);
    }
  }
  return use(OUTSIDE);
}

/** A folder goes by its given name and by its real one; a path that begins with neither is outside by its name. */
function startsOf(absPath: string, folders: readonly string[]): readonly Start[] {
  const names = absPath.split(SEPARATORS);
  return folders.flatMap((folder) => {
    const known = [folder, quietly(() => realpathSync.native(folder))];
    const length = names.findIndex((_, index) =>
      known.includes(resolve(names.slice(0, index + 1).join(sep) || sep)),
    );
    return length === -1 ? [] : [{ folder, rest: names.slice(length + 1) }];
  });
}

function follow(way: Place[], start: Start, walk: Walk): Ended {
  let queue = start.rest.filter(isStep);
  let links = 0;
  /** Goes on from an absolute path, if that begins inside. */
  const restart = (absPath: string): Ended | undefined => {
    const anew = startsOf(absPath, walk.folders)[0];
    if (anew === undefined) return OUTSIDE;
    leave(way, 0);
    queue = anew.rest.filter(isStep);
    return begin(way, anew.folder, walk) ? undefined : MISSING;
  };

  if (!begin(way, start.folder, walk)) return MISSING;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const here = way.at(-1);
    if (here === undefined) return MISSING;
    const [name, ...rest] = queue;
    if (name === undefined) return { kind: 'directory', real: here.real, at: here.at };
    if (name === '..') {
      queue = rest;
      if (way.length > 1) {
        leave(way, way.length - 1);
        continue;
      }
      // Above the folder itself only names are followed: they may lead back in, and nothing is looked at on the way.
      const ended = restart([dirname(here.real), ...rest].join(sep));
      if (ended !== undefined) return ended;
      continue;
    }
    const at = join(here.at, name);
    const stats = quietly(() => lstatSync(at));
    if (stats === undefined) return MISSING;
    if (stats.isDirectory()) {
      // Swapped for something else since: whatever it is now is looked at anew.
      if (enter(way, { at, real: join(here.real, name), stats }, walk)) queue = rest;
      continue;
    }
    const isLast = rest.length === 0;
    if (!stats.isSymbolicLink()) return isLast ? { kind: 'file', real: join(here.real, name), at } : MISSING;
    if (isLast && !walk.followsLast) return { kind: 'link', real: join(here.real, name), at };
    if (++links > MOST_LINKS) return MISSING;
    const target = quietly(() => readlinkSync(at));
    if (target === undefined) continue;
    const ended = isAbsolute(target) ? restart([target, ...rest].join(sep)) : undefined;
    if (ended !== undefined) return ended;
    if (!isAbsolute(target)) queue = [...target.split(SEPARATORS).filter(isStep), ...rest];
  }
  return MISSING;
}

function isStep(name: string): boolean {
  return name !== '' && name !== '.';
}

/** The folder that the user allowed may itself be a link: it is the user's own. */
function begin(way: Place[], folder: string, walk: Walk): boolean {
  const real = quietly(() => realpathSync.native(folder));
  const stats = real === undefined ? undefined : quietly(() => lstatSync(real));
  if (real === undefined || stats?.isDirectory() !== true) return false;
  return enter(way, { at: real, real, stats }, walk);
}

/** False if there is no such folder any more. */
function enter(way: Place[], place: Omit<Place, 'fd'>, walk: Walk): boolean {
  const mayOpen = way.every(({ fd }) => fd !== undefined);
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_PATH;
  const fd = mayOpen ? quietly(() => openSync(place.at, flags)) : undefined;
  if (fd === undefined) {
    // It became something else, or the system opens no folders: the second is known from the first folder of the way.
    if (mayOpen && way.length > 0) return false;
    way.push({ ...place, fd });
    return true;
  }
  const at = join(walk.openFiles, String(fd));
  // Without a name for what is open, the way can only be looked at again.
  if (quietly(() => readlinkSync(at)) !== undefined) way.push({ ...place, at, fd });
  else {
    closeSync(fd);
    if (way.length > 0) return false;
    way.push({ ...place, fd: undefined });
  }
  return true;
}

/** Walks back until only so many places are left. */
function leave(way: Place[], left: number): void {
  for (const { fd } of way.splice(left)) if (fd !== undefined) closeSync(fd);
}

function isUnchanged(way: readonly Place[]): boolean {
  const looks = Array.from({ length: LOOKS_AFTER }, () => way).flat();
  return looks.every(({ real, stats }) => {
    const now = quietly(() => lstatSync(real));
    return now?.isDirectory() === true && now.dev === stats.dev && now.ino === stats.ino;
  });
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const MOST_HASHED_BYTES = 4 * 1024 * 1024;

/**
 * A digest of a file's content; undefined if it is too large, unreadable or not inside the project. What is outside is not
 * even looked for: the time that takes would tell whether it is there.
 */
export function hashProjectFile(realRoot: string, path: string, clock: Clock): string | undefined {
  return withProjectFile(realRoot, path, clock, (bytes) =>
    createHash('sha256').update(bytes).digest('hex').slice(0, 24),
  );
}

/** What such a file says, in UTF-8. */
export function readProjectFile(realRoot: string, path: string, clock: Clock): string | undefined {
  return withProjectFile(realRoot, path, clock, (bytes) => new TextDecoder().decode(bytes));
}

function withProjectFile(
  realRoot: string,
  path: string,
  clock: Clock,
  use: (bytes: Uint8Array) => string,
): string | undefined {
  if (path.includes('\0')) return undefined;
  const walk = { folders: [realRoot], openFiles: '/proc/self/fd', followsLast: false };
  return walkBeneath(join(realRoot, path), walk, (ended) => {
    if (ended.kind !== 'file') return undefined;
    const source = readSource({ realRoot, absPath: ended.at, maxBytes: MOST_HASHED_BYTES, clock });
    if (source.kind === 'skipped') return undefined;
    return use(source.bytes);
  });
}
