/** A secret that belongs to this installation: made once, kept in a file only its owner may read. */
import { linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, type Clock } from '../core/index.ts';
import type { Ids } from './machine.ts';
import { ensurePrivateDir, makePrivateIfPresent } from './private-files.ts';

/** The secret in the file; makes one if there is none. Two processes that make it at once agree on one. */
export function readOrCreateSecret(absPath: string, ids: Ids): string {
  const known = readSecret(absPath);
  if (known !== undefined) return known;
  const draft = writeDraft(absPath, ids);
  try {
    // A link is made only if the name is free, so the first one wins and half a file is never read.
    linkSync(draft, absPath);
  } catch (cause) {
    if (readSecret(absPath) === undefined) throw unavailable(absPath, cause);
  } finally {
    unlinkSync(draft);
  }
  return readSecret(absPath) ?? replaceSecret(absPath, ids);
}

/** Puts a new secret in place of the old one. */
export function replaceSecret(absPath: string, ids: Ids): string {
  renameSync(writeDraft(absPath, ids), absPath);
  return readFileSync(absPath, 'utf8').trim();
}

function writeDraft(absPath: string, ids: Ids): string {
  const draft = `${absPath}.${ids.token(6)}`;
  try {
    ensurePrivateDir(dirname(absPath));
    writeFileSync(draft, `${ids.token(32)}\n`, { mode: 0o600, flag: 'wx' });
    return draft;
  } catch (cause) {
    throw unavailable(absPath, cause);
  }
}

/** The secret in the file, or undefined if there is none that could be one. */
export function readSecret(absPath: string): string | undefined {
  try {
    makePrivateIfPresent(absPath);
    const text = readFileSync(absPath, 'utf8').trim();
    return text.length >= 32 ? text : undefined;
  } catch {
    return undefined;
  }
}

function unavailable(absPath: string, cause: unknown): AppError {
  return new AppError('file_unavailable', `The file ${absPath} cannot be written.`, {
    hint: 'Make its folder writable, or choose another one with --data-dir.',
    cause,
  });
}

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
