/** Tells whether a file that was named is still what it was. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../core/index.ts';
import { walkBeneath } from './disk-beneath.ts';
import { readSource } from './read-source.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * A digest of a file's content; undefined if it is too large, unreadable or not inside the project. What is outside is not
 * even looked for: the time that takes would tell whether it is there.
 */
export function hashProjectFile(realRoot: string, path: string, clock: Clock): string | undefined {
  if (path.includes('\0')) return undefined;
  const walk = { folders: [realRoot], openFiles: '/proc/self/fd', followsLast: false };
  return walkBeneath(join(realRoot, path), walk, (ended) => {
    if (ended.kind !== 'file') return undefined;
    const source = readSource({ realRoot, absPath: ended.at, maxBytes: MAX_BYTES, clock });
    if (source.kind === 'skipped') return undefined;
    return createHash('sha256').update(source.bytes).digest('hex').slice(0, 24);
  });
}
