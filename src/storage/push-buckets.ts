/** Files in buckets by their paths: where the digest of a bucket is the same on both sides, nothing has to be said of its files. */
import { createHash } from 'node:crypto';
import { BUCKET_DIGEST_BYTES, BUCKETS } from './pushes.ts';

export interface KeyedFile {
  readonly path: string;
  readonly key: Uint8Array;
}

export function bucketOf(path: string): number {
  return createHash('sha256').update(path).digest()[0] ?? 0;
}

/** A digest for each bucket of files, one behind the other. Files may come in any order. */
export function digestBuckets(files: readonly KeyedFile[]): Uint8Array {
  const buckets = Array.from({ length: BUCKETS }, (): KeyedFile[] => []);
  for (const file of files) buckets[bucketOf(file.path)]?.push(file);
  return Buffer.concat(
    buckets.map((bucket) => {
      const digest = createHash('sha256');
      const sorted = bucket.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      for (const { path, key } of sorted) digest.update(`${path}\0`).update(key);
      return digest.digest().subarray(0, BUCKET_DIGEST_BYTES);
    }),
  );
}
