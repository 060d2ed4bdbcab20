/** Files that ship in the package beside the code. */
import { readFileSync } from 'node:fs';
import { AppError } from '../core/index.ts';

// As seen from a source file or a chunk of the bundle, and from the bundle's entry.
const PLACES = ['../../assets/', '../assets/'];

/** `name` is one of ours, with forward slashes. */
export function readAsset(name: string): Uint8Array {
  for (const place of PLACES) {
    try {
      return readFileSync(new URL(place + name, import.meta.url));
    } catch {
      // Not there; the next place may have it.
    }
  }
  throw new AppError('internal', `A file that ships with Waymark is missing: ${name}.`, {
    hint: 'Install Waymark again.',
  });
}
