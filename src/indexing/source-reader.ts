/** Files as they are shown: read now, decoded, secrets taken out. What was read lately is kept as long as the file is the same. */
import { join } from 'node:path';
import type { Clock } from '../core/index.ts';
import { fileStamp, readSource } from '../workspace/index.ts';
import { decodeText, redactSecrets, TextLines } from '../text/index.ts';
import { ROWS_VERSION } from './analyze-file.ts';
import { hashOf, MAX_FILE_BYTES } from './read-files.ts';

export interface ShownText {
  readonly lines: TextLines;
  /** Digest of the bytes, as the index has it. */
  readonly hash: string;
}

/** What the index knows of a file. */
export interface IndexedBytes {
  readonly hash: string;
  readonly plainBy: number;
}

export interface SourceReader {
  /** Nothing for a file that is gone, too large, or not inside the root. */
  read(root: string, path: string, indexed?: IndexedBytes): ShownText | undefined;
}

interface Kept extends ShownText {
  readonly stamp: string;
  readonly chars: number;
  /** Since it was looked at for being too much. */
  wasShown: boolean;
}

const MOST_KEPT_CHARS = 20 * 1024 * 1024;
/** Most files fit. A buffer for each would be as much garbage, a quarter of a megabyte with every answer. */
const SCRATCH_BYTES = 256 * 1024;

export function createSourceReader(clock: Clock): SourceReader {
  const kept = new Map<string, Kept>();
  let chars = 0;
  let scratch: Buffer | undefined;
  /** What was shown again gets another turn: putting it last each time it is shown would cost more than the look at it. */
  const makeRoom = (): void => {
    for (const [key, oldest] of kept) {
      if (chars <= MOST_KEPT_CHARS) break;
      kept.delete(key);
      if (oldest.wasShown) {
        oldest.wasShown = false;
        kept.set(key, oldest);
      } else chars -= oldest.chars;
    }
  };
  return {
    read(root, path, indexed) {
      const absPath = join(root, path);
      const known = kept.get(absPath);
      if (known !== undefined) {
        if (known.stamp === fileStamp(absPath)) {
          known.wasShown = true;
          return known;
        }
        kept.delete(absPath);
        chars -= known.chars;
      }
      scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
      const read = readSource({ realRoot: root, absPath, maxBytes: MAX_FILE_BYTES, clock, into: scratch });
      if (read.kind === 'skipped') return undefined;
      const hash = hashOf(read.bytes);
      // The same bytes by the same rules: what was found out when they were indexed is true of them now.
      const isPlain = indexed?.plainBy === ROWS_VERSION && indexed.hash === hash;
      const text = isPlain ? read.bytes.toString('utf8') : redactSecrets(decodeText(read.bytes).text).text;
      const shown = { lines: new TextLines(text), hash };
      const { stamp, mayStillChange } = read.stat;
      // Not one that a further write could change without a trace.
      if (!mayStillChange) {
        kept.set(absPath, { ...shown, stamp, chars: text.length, wasShown: true });
        chars += text.length;
        makeRoom();
      }
      return shown;
    },
  };
}
