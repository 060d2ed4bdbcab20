/** A note that a server runs, for other commands to find: written when it starts, removed when it ends. */
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDir } from './private-files.ts';

/** Returns what removes the note again. A note that cannot be written or removed is no reason to stop serving. */
export function writeRunFile(folder: string, value: Readonly<Record<string, unknown>>): () => void {
  const absPath = join(folder, `${process.pid}.json`);
  try {
    ensurePrivateDir(folder);
    writeFileSync(absPath, `${JSON.stringify({ pid: process.pid, ...value }, null, 2)}\n`, { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    try {
      unlinkSync(absPath);
    } catch {
      // Somebody cleaned up before us.
    }
  };
}
