/** What changes when a file does, as far as the system tells. */
import { lstatSync, type BigIntStats } from 'node:fs';

/** Undefined for what is no regular file. */
export function fileStamp(absPath: string): string | undefined {
  const stat = lstatSync(absPath, { bigint: true, throwIfNoEntry: false });
  return stat === undefined || !stat.isFile() ? undefined : stampOf(stat);
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
