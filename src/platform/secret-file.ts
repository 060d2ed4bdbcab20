/** A secret that belongs to this installation: made once, kept in a file only its owner may read. */
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../core/index.ts';
import type { Ids } from './ids.ts';
import { ensurePrivateDir, makePrivateIfPresent } from './private-files.ts';

/** The secret in the file; makes one if there is none. Two processes that make it at once agree on one. */
export function readOrCreateSecret(absPath: string, ids: Ids): string {
  const known = readSecret(absPath);
  if (known !== undefined) return known;
  const draft = writeDraft(absPath, ids);
  try {
    // A link is made only if the name is free, so the first one wins and nobody reads half a file.
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
