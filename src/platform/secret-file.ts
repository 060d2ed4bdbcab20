/** A secret that belongs to this installation: made once, kept in a file only its owner may read. */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError, type Clock } from '../core/index.ts';
import type { Ids } from './machine.ts';
import { ensurePrivateDir } from './private-files.ts';

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

/** The secret in the file, or undefined if there is none that could be one. Throws where others had their hands on it. */
function readSecret(absPath: string): string | undefined {
  const text = readOwnFile(absPath, 'Remove it: Waymark makes a new one.');
  return text !== undefined && text.length >= 32 ? text : undefined;
}

/** The text of a file that the user names as a secret of their own. */
export function readGivenSecret(absPath: string): string {
  const text = readOwnFile(
    absPath,
    'Make it a file of your own that only you may read (chmod 600), with a new secret.',
  );
  if (text !== undefined) return text;
  throw new AppError('file_unavailable', `There is no file ${absPath}.`, {
    hint: 'Name the file that holds the secret.',
  });
}

const MAX_SECRET_BYTES = 4096;

/**
 * The text of a small file, without blanks at its ends; undefined if there is none. Throws for one that is not ours alone: its owner,
 * and all who may read or write a file, may know what is in it.
 */
export function readOwnFile(absPath: string, hint: string): string | undefined {
  let fd: number;
  try {
    // Opening a pipe must not hang.
    fd = openSync(absPath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new AppError('file_unavailable', `The file ${absPath} cannot be read.`, { hint, cause });
  }
  try {
    const found = fstatSync(fd);
    const problem = whyNoSecret(found);
    if (problem !== undefined)
      throw new AppError('file_unavailable', `The file ${absPath} ${problem}.`, { hint });
    const bytes = Buffer.alloc(MAX_SECRET_BYTES);
    return bytes.subarray(0, readSync(fd, bytes)).toString('utf8').trim();
  } finally {
    closeSync(fd);
  }
}

function whyNoSecret(found: Stats): string | undefined {
  if (!found.isFile()) return 'is not a regular file';
  if (found.size > MAX_SECRET_BYTES) return `is larger than ${MAX_SECRET_BYTES} bytes`;
  // Windows keeps such rights in access lists.
  if (process.getuid === undefined) return undefined;
  if (process.getuid() !== found.uid) return 'belongs to another user and is not believed';
  return (found.mode & 0o077) === 0 ? undefined : 'may be read or changed by other users, so it is no secret';
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
