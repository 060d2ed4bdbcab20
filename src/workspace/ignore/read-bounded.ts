/** Reads the beginning of a file that someone else may have prepared: regular files only, bounded, never waiting. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A user's own file may be a link; one that comes with a repository may not, as in git. */
export type LinkPolicy = 'follow' | 'refuse';

export interface BoundedRead {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Undefined if there is no such file, or if it is not a regular one. */
export function readBounded(absPath: string, maxBytes: number, links: LinkPolicy): BoundedRead | undefined {
  let fd: number;
  try {
    const follow = links === 'follow' ? 0 : constants.O_NOFOLLOW;
    fd = openSync(absPath, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got) {
      got = readSync(fd, buffer, length, buffer.length - length, null);
    }
    return { bytes: buffer.subarray(0, length), isCut: stats.size > maxBytes };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
