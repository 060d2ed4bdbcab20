/** An indexed file as it was analysed, for those who come after the fast pass. */
import { join } from 'node:path';
import type { Clock } from '../core/index.ts';
import { readSource } from '../workspace/index.ts';
import type { ManifestEntry } from '../storage/index.ts';
import type { Analyzer, ReadText } from './analyze-file.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';
import { hashOf } from './source-reader.ts';

/** Undefined if it is no longer what is indexed: the fast pass comes first. */
export function readUnchanged(
  root: string,
  { path, hash }: Pick<ManifestEntry, 'path' | 'hash'>,
  analyzer: Analyzer,
  clock: Clock,
): ReadText | undefined {
  const read = readSource({ realRoot: root, absPath: join(root, path), maxBytes: MAX_FILE_BYTES, clock });
  if (read.kind === 'skipped' || hashOf(read.bytes) !== hash) return undefined;
  return analyzer.read(path, read.bytes);
}
