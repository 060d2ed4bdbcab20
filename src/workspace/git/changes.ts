/**
 * Which files of a working tree differ from the last commit, as far as git's index tells. No git program runs: a repository
 * can name commands that git would start, and a repository is not trusted.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync, type BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../core/index.ts';
import { readSource } from '../reading/read-source.ts';
import { parseGitIndex, type GitIndexEntry } from './index-file.ts';

export type DirtyState = 'modified' | 'deleted' | 'staged' | 'new';

export interface DirtyFile {
  readonly path: string;
  readonly state: DirtyState;
}

export interface DirtyQuery {
  /** Canonical root of the working tree. */
  readonly realRoot: string;
  /** This worktree's own git directory, where its index and HEAD are. */
  readonly gitDir: string;
  readonly clock: Clock;
  /** At most so many are told. */
  readonly most: number;
}

/** Beyond, looking would take longer than a save may. */
const MOST_ENTRIES = 20_000;
const MOST_INDEX_BYTES = 16 * 1024 * 1024;
const MOST_HASHED_BYTES = 4 * 1024 * 1024;

export interface TrackedDirt {
  readonly files: readonly DirtyFile[];
  /** The content that git knows of each path, by its digest. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Folders that are repositories of their own: what is in them is theirs. */
  readonly repositories: ReadonlySet<string>;
}

/** Undefined if there is no index that could be read, or one of too many files. */
export function findTrackedDirt({ realRoot, gitDir, clock, most }: DirtyQuery): TrackedDirt | undefined {
  const absIndex = join(gitDir, 'index');
  const stat = lstatOf(absIndex);
  if (stat?.isFile() !== true || stat.size > MOST_INDEX_BYTES) return undefined;
  const index = parseGitIndex(readFileSync(absIndex), MOST_ENTRIES);
  if (index === undefined) return undefined;
  const movedNs = headMovedNs(gitDir);
  const files: DirtyFile[] = [];
  for (const entry of index.entries) {
    if (files.length >= most) break;
    if (!staysInside(entry.path)) continue;
    const isOpen = index.openFolders?.has(folderOf(entry.path)) === true;
    const state =
      workState(realRoot, entry, stat.mtimeNs, clock) ??
      (isOpen && entry.mtimeNs > movedNs ? 'staged' : undefined);
    if (state !== undefined) files.push({ path: entry.path, state });
  }
  const inside = index.entries.filter(({ path }) => staysInside(path));
  return {
    files,
    blobs: new Map(inside.map(({ path, blob }) => [path, blob])),
    repositories: new Set(inside.filter(({ kind }) => kind === 'repository').map(({ path }) => path)),
  };
}

/** Git writes no other paths; somebody else might, to have us look elsewhere. */
function staysInside(path: string): boolean {
  return !path.split('/').some((part) => ['', '.', '..', '.git'].includes(part.toLowerCase()));
}

/** How the file differs from what the index has; undefined if it does not. */
function workState(
  realRoot: string,
  entry: GitIndexEntry,
  indexMtimeNs: bigint,
  clock: Clock,
): DirtyState | undefined {
  const absPath = join(realRoot, entry.path);
  const stat = lstatOf(absPath);
  if (stat === undefined) return 'deleted';
  const isSame = stat.mtimeNs === entry.mtimeNs && Number(stat.size) === entry.sizeBytes;
  // A file that was written in the same moment as the index may have been written again since.
  if (isSame && stat.mtimeNs < indexMtimeNs) return undefined;
  if (entry.kind !== 'file' || !stat.isFile())
    return isSame || entry.kind !== 'file' ? undefined : 'modified';
  const source = readSource({ realRoot, absPath, maxBytes: MOST_HASHED_BYTES, clock });
  if (source.kind === 'skipped') return isSame ? undefined : 'modified';
  return blobsOf(source.bytes).includes(entry.blob) ? undefined : 'modified';
}

/** As it is, and as git would store it where it changes the ends of lines. */
function blobsOf(bytes: Uint8Array): readonly string[] {
  const content = Buffer.from(bytes);
  const unix = content.includes('\r\n')
    ? [Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')]
    : [];
  return [content, ...unix].map((blob) =>
    createHash('sha1').update(`blob ${blob.length}\0`).update(blob).digest('hex'),
  );
}

/** When something was last committed or checked out. */
function headMovedNs(gitDir: string): bigint {
  return statOf(join(gitDir, 'logs', 'HEAD'))?.mtimeNs ?? 0n;
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

function statOf(absPath: string): BigIntStats | undefined {
  try {
    return statSync(absPath, { bigint: true });
  } catch {
    // Missing, or not ours to look at.
    return undefined;
  }
}

function lstatOf(absPath: string): BigIntStats | undefined {
  try {
    return lstatSync(absPath, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A path that no file can have, or not ours to look at.
    return undefined;
  }
}
