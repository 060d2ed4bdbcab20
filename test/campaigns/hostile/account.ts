/** Whether everything in a tree is either indexed or left out with a reason. */
import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';
import { SKIP_REASONS, type Skip } from '../../../src/core/index.ts';

export interface Kept {
  readonly indexed: ReadonlySet<string>;
  readonly skips: readonly Skip[];
}

/** Paths of the tree that are in neither list, at most `most` of them; and what the lists say that cannot be. */
export function unaccounted(root: string, { indexed, skips }: Kept, most = 5): readonly string[] {
  const skipped = new Map(skips.map((skip) => [skip.path, skip]));
  const problems = skips
    .filter(({ reason }) => !SKIP_REASONS.includes(reason))
    .map(({ path }) => `${JSON.stringify(path)} is left out without a reason`);
  // Behind the entry where the listing stopped, nothing is promised.
  const isCut = skips.some(({ reason }) => reason === 'too_many_files');
  const folders = [{ bytes: Buffer.from(root), path: '' }];
  for (let folder = folders.pop(); folder !== undefined && problems.length < most; folder = folders.pop()) {
    for (const entry of readdirSync(folder.bytes, { withFileTypes: true, encoding: 'buffer' })) {
      const name = isUtf8(entry.name) ? entry.name.toString('utf8') : shown(entry.name);
      const path = folder.path + name + (entry.isDirectory() ? '/' : '');
      if (indexed.has(path) || skipped.has(path) || isCut) continue;
      if (entry.isDirectory()) {
        folders.push({ bytes: Buffer.concat([folder.bytes, Buffer.from('/'), entry.name]), path });
      } else problems.push(`${JSON.stringify(path)} is neither indexed nor left out`);
    }
  }
  for (const path of indexed) {
    if (skipped.has(path)) problems.push(`${JSON.stringify(path)} is both indexed and left out`);
  }
  return problems.slice(0, most);
}

/** How names that are no text are shown. */
function shown(bytes: Uint8Array): string {
  const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : hex(byte),
  ).join('');
}
