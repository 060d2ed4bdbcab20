/** Files as they are shown: read now, decoded, secrets taken out. What was read lately is kept as long as the file is the same. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../core/index.ts';
import { fileStamp, readSource } from '../platform/index.ts';
import { decodeText, redactSecrets, splitLines } from '../text/index.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';

export interface ShownText {
  readonly lines: readonly string[];
  /** Digest of the bytes, as the index has it. */
  readonly hash: string;
}

export interface SourceReader {
  /** Nothing for a file that is gone, too large, or not inside the root. */
  read(root: string, path: string): ShownText | undefined;
}

interface Kept extends ShownText {
  readonly stamp: string;
  readonly chars: number;
}

const MOST_KEPT_CHARS = 8 * 1024 * 1024;

export function createSourceReader(clock: Clock): SourceReader {
  const kept = new Map<string, Kept>();
  let chars = 0;
  const forget = (key: string): void => {
    chars -= kept.get(key)?.chars ?? 0;
    kept.delete(key);
  };
  return {
    read(root, path) {
      const absPath = join(root, path);
      const stamp = fileStamp(absPath);
      const known = kept.get(absPath);
      if (known !== undefined && known.stamp === stamp) return known;
      forget(absPath);
      const read = readSource({ realRoot: root, absPath, maxBytes: MAX_FILE_BYTES, clock });
      if (read.kind === 'skipped') return undefined;
      const { text } = redactSecrets(decodeText(read.bytes).text);
      const shown = { lines: splitLines(text), hash: hashOf(read.bytes) };
      // Not one that a further write could change without a trace, nor one that changed around the reading.
      if (stamp !== undefined && !read.stat.mayStillChange && fileStamp(absPath) === stamp) {
        kept.set(absPath, { ...shown, stamp, chars: text.length });
        chars += text.length;
        for (const key of kept.keys()) {
          if (chars <= MOST_KEPT_CHARS) break;
          forget(key);
        }
      }
      return shown;
    },
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
