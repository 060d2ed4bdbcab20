/** A secret that is replaced now and then; the one before it is kept, so that what it signed can still be checked. */
import { renameSync, statSync } from 'node:fs';
import type { Clock } from '../core/index.ts';
import type { Ids } from './ids.ts';
import { readOrCreateSecret, readSecret } from './secret-file.ts';

export interface RotatingSecretOptions {
  readonly absPath: string;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly maxAgeMs: number;
}

export function readRotatingSecret({ absPath, ids, clock, maxAgeMs }: RotatingSecretOptions): {
  readonly current: string;
  readonly previous: string | undefined;
} {
  const previousPath = `${absPath}.previous`;
  const madeAt = statSync(absPath, { throwIfNoEntry: false })?.mtimeMs;
  if (madeAt !== undefined && clock.now() - madeAt > maxAgeMs) {
    try {
      renameSync(absPath, previousPath);
    } catch {
      // Another process was faster; what it made is read below.
    }
  }
  return { current: readOrCreateSecret(absPath, ids), previous: readSecret(previousPath) };
}
