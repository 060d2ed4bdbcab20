/** One file: read, and analysed if its bytes are not the ones that are indexed. The same in every thread. */
import { join } from 'node:path';
import type { Clock, Definition, Skip } from '../core/index.ts';
import { readSource, type SourceStat } from '../workspace/index.ts';
import type { ManifestEntry, PackedFile, ParseNote } from '../storage/index.ts';
import type { Analyzer, ReadText } from './analyze-file.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';
import type { ListedFile } from './plan.ts';
import { hashOf } from './source-reader.ts';

export interface FileToRead extends ListedFile {
  /** Digest of the bytes whose rows are in the index, made in the way they would be made now. */
  readonly knownHash?: string | undefined;
}

export type FileRead =
  | { readonly kind: 'skip'; readonly skip: Skip }
  | { readonly kind: 'known'; readonly entry: ManifestEntry }
  | {
      readonly kind: 'read';
      readonly entry: ManifestEntry;
      readonly content: PackedFile;
      /** What a parser said to it, where one was asked at once. */
      readonly note?: ParseNote;
    };

/** Read, but not yet made into rows. */
export interface OpenFile {
  readonly kind: 'open';
  readonly entry: ManifestEntry;
  readonly text: ReadText;
}

type SkippedFile = Extract<FileRead, { readonly kind: 'skip' }>;

export interface ReadOptions {
  readonly root: string;
  /** Empty means every one. */
  readonly languages: readonly string[];
}

/** The time of an entry that has to be read once more; no file has it. */
export const NEVER = -1;

export interface ReadParts {
  readonly analyzer: Analyzer;
  readonly clock: Clock;
}

export function readFile(file: FileToRead, options: ReadOptions, parts: ReadParts): FileRead {
  const opened = openFile(file, options, parts);
  return opened.kind === 'open' ? finishFile(opened, opened.text.outline, parts) : opened;
}

export function openFile(
  file: FileToRead,
  { root, languages }: ReadOptions,
  { analyzer, clock }: ReadParts,
): Exclude<FileRead, { readonly kind: 'read' }> | OpenFile {
  const { path, isAskedFor = false } = file;
  const read = readSource({ realRoot: root, absPath: join(root, path), maxBytes: MAX_FILE_BYTES, clock });
  if (read.kind === 'skipped')
    return { kind: 'skip', skip: { path, reason: read.reason, detail: read.detail } };
  const entry: ManifestEntry = {
    path,
    sizeBytes: read.stat.sizeBytes,
    mtimeMs: trustedTime(file, read.stat),
    hash: hashOf(read.bytes),
    analysis: analyzer.id,
  };
  if (entry.hash === file.knownHash) return { kind: 'known', entry };
  return unlessItFails(entry, () => {
    const opened = analyzer.open(path, read.bytes, { languages, isAskedFor });
    return opened.kind === 'skip'
      ? leaveOut(entry, opened.reason, opened.detail)
      : { kind: 'open', entry, text: opened.file };
  });
}

/** Its rows, by the definitions of the outline or by those that a parser found. */
export function finishFile(
  { entry, text }: OpenFile,
  definitions: () => readonly Definition[],
  { analyzer }: Pick<ReadParts, 'analyzer'>,
): FileRead {
  return unlessItFails(entry, () => ({ kind: 'read', entry, content: analyzer.rows(text, definitions()) }));
}

function leaveOut(entry: ManifestEntry, reason: Skip['reason'], detail: string | undefined): SkippedFile {
  return { kind: 'skip', skip: { path: entry.path, reason, detail, seen: stateOf(entry) } };
}

function stateOf({ sizeBytes, mtimeMs, analysis }: ManifestEntry): NonNullable<Skip['seen']> {
  return { sizeBytes, mtimeMs, analysis };
}

/** A fault of ours in one file costs that file, and is reported; the rest of the project is indexed all the same. */
function unlessItFails<T>(entry: ManifestEntry, work: () => T | SkippedFile): T | SkippedFile {
  try {
    return work();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unknown';
    return leaveOut(entry, 'unreadable', `could not be analysed: ${why}`);
  }
}

/**
 * The time to compare with at the next look. A file so new that a further write could bear the same time gets one that no
 * file has, so that it is read once more; one that was saved between listing and reading gets its later time.
 */
function trustedTime(listed: ListedFile, { mtimeNs, mayStillChange }: SourceStat): number {
  if (mayStillChange) return NEVER;
  const read = Number(mtimeNs) / 1e6;
  return Math.abs(read - listed.mtimeMs) < 0.01 ? listed.mtimeMs : read;
}
