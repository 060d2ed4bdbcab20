/** Files that are shipped with the program, found from wherever our code runs: dist, a bundle of a bench, or src. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../core/index.ts';

/** Absolute path of a file or folder of our own package; whether it is there is for the caller to see. */
export function packageFile(name: string): string {
  return join(packageRoot(dirname(fileURLToPath(import.meta.url))), name);
}

/** The nearest package, and only if it is ours: a folder further up belongs to another package. */
function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && isOurs(manifest)) return folder;
    if (existsSync(manifest) || dirname(folder) === folder) break;
  }
  throw new AppError('file_unavailable', 'The folder that Waymark is installed in is not complete.', {
    hint: 'Install Waymark again.',
  });
}

function isOurs(manifest: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    return typeof value === 'object' && value !== null && 'name' in value && value.name === 'waymark';
  } catch {
    return false;
  }
}

/** The bytes of a file that every installation has. */
export function readPackageFile(name: string): Uint8Array {
  try {
    return readFileSync(packageFile(name));
  } catch (cause) {
    throw new AppError('file_unavailable', `A file that ships with Waymark is missing: ${name}.`, {
      hint: 'Install Waymark again.',
      cause,
    });
  }
}
