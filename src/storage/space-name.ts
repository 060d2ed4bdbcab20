/** What a memory is called. */
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { RecordGate } from './memory-store.ts';

/** As `ownSpace` makes them: nothing that leads out of a directory. */
const SPACE = /^[\w.-]{0,40}-[0-9a-f]{16}$/;

export function isSpaceName(name: string): boolean {
  return SPACE.test(name);
}

/** Readable enough to recognise, unique by its digest. */
export function ownSpace(identity: string, { clean }: Pick<RecordGate, 'clean'>): string {
  const folder = basename(identity) === '.git' ? dirname(identity) : identity;
  const name = clean(basename(folder))
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
}
