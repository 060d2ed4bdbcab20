/** One file: read, and analysed if its bytes are not the ones that are indexed. The same in every thread. */
import { join } from 'node:path';
import type { Clock, Skip } from '../core/index.ts';
import { readSource, type SourceStat } from '../platform/index.ts';
import type { ManifestEntry, PackedFile } from '../storage/index.ts';
import type { Analyzed, Analyzer } from './analyze-file.ts';
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
  | { readonly kind: 'read'; readonly entry: ManifestEntry; readonly content: PackedFile };

export interface ReadOptions {
  readonly root: string;
  /** Empty means every one. */
  readonly languages: readonly string[];
}

/** The time of an entry that has to be read once more; no file has it. */
export const NEVER = -1;

export function readFile(
  file: FileToRead,
  { root, languages }: ReadOptions,
  { analyzer, clock }: { readonly analyzer: Analyzer; readonly clock: Clock },
): FileRead {
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
  const analyzed = analyzeSafely(analyzer, path, read.bytes, { languages, isAskedFor });
  return analyzed.kind === 'skip'
    ? { kind: 'skip', skip: { path, reason: analyzed.reason, detail: analyzed.detail, seen: stateOf(entry) } }
    : { kind: 'read', entry, content: analyzed.content };
}

function stateOf({ sizeBytes, mtimeMs, analysis }: ManifestEntry): NonNullable<Skip['seen']> {
  return { sizeBytes, mtimeMs, analysis };
}

/** A fault of ours in one file costs that file, and is reported; the rest of the project is indexed all the same. */
function analyzeSafely(analyzer: Analyzer, ...input: Parameters<Analyzer['analyze']>): Analyzed {
  try {
    return analyzer.analyze(...input);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unknown';
    return { kind: 'skip', reason: 'unreadable', detail: `could not be analysed: ${why}` };
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
