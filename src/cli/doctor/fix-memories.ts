/** Puts memories aside that cannot be used as they are, and keeps every entry that can be read. */
import { join } from 'node:path';
import { toAppError } from '../../core/index.ts';
import { readableNames } from '../../platform/index.ts';
import { checkMemoryFile, checkStoreFile, memoryDirectory, type MemorySpaces } from '../../storage/index.ts';
import { shortPath } from '../look/paths.ts';
import { wrap } from '../look/width.ts';

type FixedMemory = { readonly file: string } & (
  | { readonly kind: 'fixed'; readonly aside: string; readonly entries: number }
  | { readonly kind: 'failed'; readonly why: string }
);

const LINKS = 'links.db';

export async function fixMemories(spaces: MemorySpaces, dataDir: string): Promise<readonly FixedMemory[]> {
  const folder = memoryDirectory(dataDir);
  const fixed: FixedMemory[] = [];
  for (const name of readableNames(folder).filter((one) => one.endsWith('.db'))) {
    const file = join(folder, name);
    if (!(await isUnsound(file))) continue;
    const before = new Set(readableNames(folder));
    try {
      const entries = await openWhole(spaces, name);
      const aside = readableNames(folder).find(
        (one) => one.startsWith(`${name}.damaged-`) && !before.has(one),
      );
      fixed.push({ file, kind: 'fixed', aside: aside === undefined ? file : join(folder, aside), entries });
    } catch (thrown) {
      fixed.push({ file, kind: 'failed', why: toAppError(thrown).message });
    }
  }
  return fixed;
}

async function isUnsound(file: string): Promise<boolean> {
  const condition = await checkStoreFile(file);
  return condition === 'damaged' || (condition === 'sound' && (await checkMemoryFile(file)) !== undefined);
}

/** Opening repairs: the file is moved aside, and what can be read of it goes into a new one. */
async function openWhole(spaces: MemorySpaces, name: string): Promise<number> {
  if (name === LINKS) return (await spaces.links()).length;
  const store = await spaces.open(name.slice(0, -'.db'.length));
  // Opening checks a large file only in part.
  if (!(await store.verify())) await store.heal();
  return (await store.sizes()).reduce((sum, { count }) => sum + count, 0);
}

export function renderFixed(fixed: FixedMemory, home: string): string {
  const file = shortPath(fixed.file, home);
  if (fixed.kind === 'failed') return `  ${wrap(`${file} could not be repaired: ${fixed.why}`, '    ')}`;
  const entries = `${fixed.entries} ${fixed.entries === 1 ? 'entry is' : 'entries are'} kept`;
  return `  ${wrap(`${file} was repaired: ${entries}; as it was, it is in ${shortPath(fixed.aside, home)}`, '    ')}`;
}
