/** Folders on the way to a file, made one by one. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Those that were missing, outermost first. Not by Node's `recursive`: where nothing can be made, as below /proc, that tries for
 * ever and hears no signal.
 */
export function makeFolders(absPath: string, mode?: number): readonly string[] {
  if (existsSync(absPath)) return [];
  const parent = dirname(absPath);
  const made = parent === absPath ? [] : makeFolders(parent, mode);
  try {
    mkdirSync(absPath, { mode });
  } catch (cause) {
    // Another process made it first.
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return made;
    throw cause;
  }
  return [...made, absPath];
}
