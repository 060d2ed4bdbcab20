/** Every file of a project that may be indexed, and every other with the reason why not, in the order of their paths. */
import { lstatSync, type Stats } from 'node:fs';
import { AppError, createTimeSlice, type Skip } from '../../core/index.ts';
import { systemClock } from '../../platform/index.ts';
import { lookInside } from '../reading/folder-inside.ts';
import { type Folder, type FolderPlace, openFolder } from './folder.ts';
import { judgeEntry, judgeInside, skippedPath } from './judge-entry.ts';
import { createListContext, type ListContext, type ListOptions } from './list-options.ts';

export interface ListedFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** A negated line in `.waymarkignore` or `.ignore` brought it back: it is wanted even if it is generated or minified. */
  readonly isAskedFor: boolean;
}

export type Found =
  | { readonly kind: 'file'; readonly file: ListedFile }
  | { readonly kind: 'skip'; readonly skip: Skip }
  /** Something the user should know about a rule file. */
  | { readonly kind: 'notice'; readonly message: string };

interface Frame {
  readonly folder: Folder;
  next: number;
}

/** Synchronous and lazy: the caller decides how much to take at a time. */
export function* walk(context: ListContext): Generator<Found, void, undefined> {
  for (const message of context.outside.notices) yield { kind: 'notice', message };
  const root = openFolder(context, rootPlace(context));
  if (root.kind === 'failed') throw unreadableRoot(context.root);
  for (const message of root.notices) yield { kind: 'notice', message };
  // A stack of our own: nesting costs memory, never the call stack.
  const frames: Frame[] = [{ folder: root.folder, next: 0 }];
  let files = 0;
  let seen = 0;
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const entry = frame.folder.entries[frame.next++];
    if (entry === undefined) {
      frames.pop();
      continue;
    }
    const { folder } = frame;
    const path = folder.path + entry.name;
    const shown = entry.kind === 'folder' ? `${path}/` : path;
    const judgement = judgeEntry(context, folder, entry);
    // After the judgement, which may have spent the last of the budget.
    const limit = overLimit(context, files, seen++);
    if (limit !== undefined) {
      yield skipped({ path: shown, reason: 'too_many_files', detail: limit });
      return;
    }
    if (judgement.kind === 'skip') {
      const said = skippedPath(folder, entry, judgement);
      yield skipped({ path: said, reason: judgement.reason, detail: judgement.detail });
    } else if (entry.kind === 'file') {
      const found = lookAt(context, path, judgement.isAskedFor);
      if (found === undefined) continue;
      if (found.kind === 'file') files++;
      yield found;
    } else {
      const { scope, depth } = folder;
      const place = { path: shown, depth: depth + 1, scope, isIncluded: judgement.isIncluded };
      const opened = openFolder(context, place);
      if (opened.kind === 'failed') {
        // Gone since its parent was read: there is nothing to say about it.
        if (opened.why !== 'ENOENT') yield skipped({ path: shown, reason: 'unreadable', detail: opened.why });
        continue;
      }
      const why = judgement.isAskedFor ? undefined : judgeInside(entry.name, opened.folder.entries);
      if (why !== undefined) {
        yield skipped({ path: shown, reason: 'excluded_by_default', detail: why });
        continue;
      }
      for (const message of opened.notices) yield { kind: 'notice', message };
      frames.push({ folder: opened.folder, next: 0 });
    }
  }
}

export function rootPlace(context: ListContext): FolderPlace {
  return {
    path: '',
    depth: 0,
    scope: context.outside.scope,
    isIncluded: context.include.length === 0,
  };
}

function overLimit(context: ListContext, files: number, seen: number): string | undefined {
  if (files >= context.maxFiles) return `more than ${context.maxFiles} files`;
  if (seen >= context.maxEntries) return `more than ${context.maxEntries} entries`;
  return context.budget.left < 0 ? 'ignore rules that take too long to match' : undefined;
}

/** A file's size and time, or why it is not listed after all; undefined if it is gone. */
export function lookAt(context: ListContext, path: string, isAskedFor: boolean): Found | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(`${context.root}/${path}`, { throwIfNoEntry: false });
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return skipped({ path, reason: 'unreadable', detail });
  }
  return stats === undefined ? undefined : judgeStats(context, { path, isAskedFor }, stats);
}

export function judgeStats(
  context: ListContext,
  { path, isAskedFor }: Pick<ListedFile, 'path' | 'isAskedFor'>,
  seen: Stats,
): Found | undefined {
  // Of what is not listed size and nature are told: they must not be those of a file that a swapped folder led to.
  const isPlain = seen.isFile() && seen.size <= context.maxFileBytes;
  const stats = isPlain ? seen : lookInside(`${context.root}/${path}`);
  if (stats === undefined) return undefined;
  // It may have changed its nature since its folder was read.
  if (!stats.isFile()) return skipped({ path, reason: 'not_regular', detail: undefined });
  if (stats.size > context.maxFileBytes) {
    return skipped({ path, reason: 'too_large', detail: `${stats.size} bytes` });
  }
  return { kind: 'file', file: { path, sizeBytes: stats.size, mtimeMs: stats.mtimeMs, isAskedFor } };
}

function skipped(skip: Skip): Found {
  return { kind: 'skip', skip };
}

export function unreadableRoot(root: string): AppError {
  return new AppError('file_unavailable', `The directory ${root} cannot be read.`, {
    hint: 'Check that it exists and that you may read it.',
  });
}

/** What was found in one slice of time. A folder that is left out is one skip, its path ends with a slash. */
export interface ListBatch {
  readonly files: readonly ListedFile[];
  readonly skips: readonly Skip[];
  /** What the user should know about the rule files: one that was cut, for instance. */
  readonly notices: readonly string[];
}

/** Synchronous calls are several times faster than asynchronous ones; the clock is looked at after so many. */
const CLOCK_EVERY = 64;

/** `root` is absolute and canonical. Throws what `signal` was aborted with. */
export async function* listFiles(
  root: string,
  options: ListOptions,
  signal: AbortSignal,
): AsyncGenerator<ListBatch, void, undefined> {
  signal.throwIfAborted();
  const slice = createTimeSlice(systemClock, options.sliceMs);
  const found = walk(createListContext(root, options));
  for (let isDone = false; !isDone;) {
    const files: ListedFile[] = [];
    const skips: Skip[] = [];
    const notices: string[] = [];
    for (let count = 1; ; count++) {
      const next = found.next();
      if (next.done === true) {
        isDone = true;
        break;
      }
      if (next.value.kind === 'file') files.push(next.value.file);
      else if (next.value.kind === 'skip') skips.push(next.value.skip);
      else notices.push(next.value.message);
      if (count % CLOCK_EVERY === 0 && slice.isOver()) break;
    }
    if (files.length + skips.length + notices.length > 0) yield { files, skips, notices };
    if (!isDone) await slice.yield();
    signal.throwIfAborted();
  }
}
