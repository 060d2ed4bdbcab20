/** The disk as far as it lies below some folders. What is outside is never looked at, whatever is renamed meanwhile. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolveDots } from '../../platform/index.ts';
import { readEntries, type Disk, type Look } from './disk.ts';
import { walkBeneath, type Ended } from './walk-beneath.ts';

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
