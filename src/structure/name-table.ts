/** Which files may hold a name: made once for a commit from the hashes of their names, so that no file is looked through for each name. */
import { type FactRow, hashName } from '../languages/index.ts';

interface NamingFile {
  readonly row: FactRow | undefined;
}

/** Files that hold the name, in the order they were given. */
export type NameTable<File> = (name: string) => readonly File[];

const MOST_BITS = 20;

/** Postings by the low bits of a hash, one after the other in one array. */
export function createNameTable<File extends NamingFile>(files: readonly File[]): NameTable<File> {
  const count = files.reduce((sum, { row }) => sum + (row?.hashes.length ?? 0), 0);
  const bits = Math.min(MOST_BITS, Math.max(4, Math.ceil(Math.log2(count + 1))));
  const mask = (1 << bits) - 1;
  const ends = new Uint32Array(mask + 2);
  for (const { row } of files)
    for (const hash of row?.hashes ?? []) ends[(hash & mask) + 1] = (ends[(hash & mask) + 1] ?? 0) + 1;
  for (let at = 1; at < ends.length; at++) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0);
  const starts = ends.slice();
  const postings = new Uint32Array(count);
  for (const [position, { row }] of files.entries())
    for (const hash of row?.hashes ?? []) {
      const at = starts[hash & mask] ?? 0;
      postings[at] = position;
      starts[hash & mask] = at + 1;
    }
  return (name) => {
    const hash = hashName(name);
    const bucket = hash & mask;
    const found: File[] = [];
    let last = -1;
    for (const position of postings.subarray(ends[bucket], ends[bucket + 1])) {
      const file = position === last ? undefined : files[position];
      last = position;
      // Other names have the same bits; hardly any has the same hash, and a file that is opened in vain has no such name.
      if (file?.row?.hashes.includes(hash) === true) found.push(file);
    }
    return found;
  };
}
