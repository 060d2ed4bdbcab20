/** A folder that is being listed: its entries and the rules that hold inside it. */
import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findGitFile } from '../git/repository.ts';
import { foldAscii, toByteText } from '../ignore/pattern.ts';
import { readRuleFile } from '../ignore/rule-file.ts';
import {
  EMPTY_SCOPE,
  onlyOurs,
  RULE_FILE_NAMES,
  type RuleScope,
  withEverywhere,
  withFolderFile,
} from '../ignore/scope.ts';
import type { ListContext } from './list-options.ts';
import { inFolder } from '../reading/folder-inside.ts';
import { lookAtPath } from '../reading/read-source.ts';

export interface Folder {
  /** From the root, with a slash at its end; empty for the root. */
  readonly path: string;
  /** The path as rules look at it: from the top of the repository, in byte text, folded where cases are. */
  readonly rulePath: string;
  readonly depth: number;
  readonly entries: readonly Entry[];
  readonly scope: RuleScope;
  /** It, or a folder around it, matches an `include` glob. */
  readonly isIncluded: boolean;
}

export type OpenedFolder =
  | { readonly kind: 'open'; readonly folder: Folder; readonly notices: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string };

export interface FolderPlace {
  readonly path: string;
  readonly depth: number;
  /** The rules around it. */
  readonly scope: RuleScope;
  readonly isIncluded: boolean;
}

/** `beforeRules` is called with the entries before the rule files among them are read. */
export function openFolder(
  context: ListContext,
  place: FolderPlace,
  beforeRules?: (entries: readonly Entry[]) => void,
): OpenedFolder {
  const read = readFolder(`${context.root}/${place.path}`);
  if (read.kind === 'failed') return read;
  beforeRules?.(read.entries);
  const isTop = dotEntry(read.entries, '.git') !== undefined;
  const nested = isTop ? findNestedRepository(context, place.path) : undefined;
  const around = nested === undefined ? undefined : nestedScope(context, place, nested);
  let { scope } = around ?? place;
  const notices = [...(around?.notices ?? [])];
  const { prefix, fold } = context.outside;
  const rulePath = prefix + toByteText(place.path);
  for (const name of RULE_FILE_NAMES) {
    if (dotEntry(read.entries, name)?.kind !== 'file') continue;
    const label = `${place.path}${name}`;
    const base = rulePath.slice(0, -1);
    const file = readRuleFile({ absPath: `${context.root}/${label}`, label, base, fold, links: 'refuse' });
    if (file === undefined) continue;
    // A megabyte of rules in each of a thousand folders must come to an end as well.
    context.budget.left -= file.steps;
    scope = withFolderFile(scope, name, file);
    if (file.notice !== undefined) notices.push(file.notice);
  }
  return {
    kind: 'open',
    folder: { ...place, rulePath: fold ? foldAscii(rulePath) : rulePath, entries: read.entries, scope },
    notices,
  };
}

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
  /** Its bytes are not UTF-8; `name` then shows them as `\\xff`, so that two such names are told apart. */
  readonly isUndecodable: boolean;
}

export type FolderRead =
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | { readonly kind: 'failed'; readonly why: string };

/** What the decoder puts in place of bytes that are not UTF-8. A name may also hold it rightfully. */
const REPLACEMENT = '\uFFFD';

export function readFolder(absPath: string): FolderRead {
  try {
    const entries = inFolder(absPath, readEntriesAt);
    // A link took its place: the folder is gone.
    return entries === undefined
      ? { kind: 'failed', why: 'ENOENT' }
      : { kind: 'entries', entries: entries.sort(byPath) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { kind: 'failed', why: code };
  }
}

function readEntriesAt(at: string): Entry[] {
  const found = readdirSync(at, { withFileTypes: true });
  return found.some(({ name }) => name.includes(REPLACEMENT))
    ? readdirSync(at, { withFileTypes: true, encoding: 'buffer' }).map(toDecodedEntry)
    : found.map(toEntry);
}

const DOT = '.'.charCodeAt(0);

/** The entry of this name. Few folders have any with a dot, and those stand before the letters: the others are not looked at. */
export function dotEntry(entries: readonly Entry[], wanted: `.${string}`): Entry | undefined {
  for (const entry of entries) {
    if (entry.name === wanted) return entry;
    if (entry.name.charCodeAt(0) > DOT) return undefined;
  }
  return undefined;
}

function toEntry(found: Dirent): Entry {
  return { name: found.name, kind: kindOf(found), isUndecodable: false };
}

function toDecodedEntry(found: Dirent<Buffer>): Entry {
  const isUndecodable = !isUtf8(found.name);
  const name = isUndecodable ? showBytes(found.name) : found.name.toString('utf8');
  return { name, kind: kindOf(found), isUndecodable };
}

function kindOf(found: Dirent | Dirent<Buffer>): EntryKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'link' : 'other';
}

/** A folder sorts as if its slash were part of its name, so that a whole listing is in the order of its paths. */
function byPath(a: Entry, b: Entry): number {
  const left = a.kind === 'folder' ? `${a.name}/` : a.name;
  const right = b.kind === 'folder' ? `${b.name}/` : b.name;
  return left < right ? -1 : left > right ? 1 : 0;
}

function showBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}

/**
 * A repository inside the one that is listed: a submodule, a checkout, a worktree. Git looks at its rules there and at none
 * of those around it. What is written for Waymark and for search tools holds there as well: they know no repositories.
 */
export interface NestedRepository {
  /** Its `info/exclude`, whether there is one or not. */
  readonly excludeFile: string;
  readonly gitDir: string;
}

/** Undefined at the root, without a `.git`, or with one that leads to no repository. `path` has a slash at its end. */
export function findNestedRepository(
  { root, gitDirOf }: ListContext,
  path: string,
): NestedRepository | undefined {
  if (path === '' || gitDirOf === undefined || lookAtPath(`${root}/${path}.git`) === undefined)
    return undefined;
  const gitDir = gitDirOf(`${root}/${path.slice(0, -1)}`);
  return gitDir === undefined ? undefined : { gitDir, excludeFile: join(gitDir, 'info', 'exclude') };
}

/** The rules that hold in its top folder before that folder's own are read. */
export function nestedScope(
  { outside, budget }: ListContext,
  { path, scope }: { readonly path: string; readonly scope: RuleScope },
  { gitDir }: NestedRepository,
): { readonly scope: RuleScope; readonly notices: readonly string[] } {
  const { prefix, fold, globalExcludes } = outside;
  const base = (prefix + toByteText(path)).slice(0, -1);
  const absPath = findGitFile(gitDir, 'info/exclude');
  const label = `${path}.git/info/exclude`;
  // Whether cases are told apart is a matter of the file system, so what holds for the repository around holds here.
  const exclude =
    absPath === undefined ? undefined : readRuleFile({ absPath, label, base, fold, links: 'refuse' });
  budget.left -= exclude?.steps ?? 0;
  const rebased = globalExcludes === undefined ? undefined : { ...globalExcludes, base };
  const everywhere = withEverywhere(withEverywhere(EMPTY_SCOPE, rebased), exclude);
  return {
    scope: { files: [...onlyOurs(scope).files, ...everywhere.files] },
    notices: exclude?.notice === undefined ? [] : [exclude.notice],
  };
}
