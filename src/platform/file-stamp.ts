/** What changes when a file does, as far as the system tells. */
import { lstatSync } from 'node:fs';

/** Undefined for what is no regular file. */
export function fileStamp(absPath: string): string | undefined {
  const stat = lstatSync(absPath, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
