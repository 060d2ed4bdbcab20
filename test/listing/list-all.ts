/** A whole listing as plain values. */
import { listFiles, type ListOptions } from '../../src/workspace/index.ts';

export interface WholeListing {
  readonly files: readonly string[];
  /** `reason detail` by path. */
  readonly skips: Readonly<Record<string, string>>;
  readonly notices: readonly string[];
}

export async function listAll(root: string, options: ListOptions = {}): Promise<WholeListing> {
  const files: string[] = [];
  const skips: Record<string, string> = {};
  const notices: string[] = [];
  for await (const batch of listFiles(root, options, new AbortController().signal)) {
    files.push(...batch.files.map(({ path }) => path));
    for (const { path, reason, detail } of batch.skips) {
      skips[path] = detail === undefined ? reason : `${reason} ${detail}`;
    }
    notices.push(...batch.notices);
  }
  return { files, skips, notices };
}
