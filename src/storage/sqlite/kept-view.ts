/**
 * The view that search made of an index: a file beside it, valid only while the index names its digest. So a file that is damaged,
 * half written or of another index counts as none. It is read in one go into one buffer.
 *
 * In the machine's byte order: a mark, the number of parts, their lengths, then the parts, each aligned to eight bytes.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readBytesIfPresent, removeFile, writePrivateBytes } from '../../platform/index.ts';
import type { IndexStore } from '../index-store.ts';
import { numberColumn, textColumn } from './columns.ts';
import { tryLockFile } from './index-file.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { translatingErrors } from './storage-error.ts';

type KeptView = Pick<IndexStore, 'keptView' | 'keepView' | 'forgetView'>;

export function createKeptView(store: SqliteStore, absPath: string): KeptView {
  return {
    async keptView() {
      const row = store.read((tx) => tx.get('SELECT generation, digest FROM kept_view'));
      const parts = row === undefined ? undefined : readViewFile(absPath, textColumn(row, 'digest'));
      if (row === undefined || parts === undefined) return undefined;
      return { generation: numberColumn(row, 'generation'), parts };
    },
    async keepView({ generation, parts }) {
      const lock = await tryLockFile(`${absPath}.writer`);
      if (lock === undefined) return false;
      try {
        const digest = translatingErrors(basename(absPath), () => writeViewFile(absPath, parts));
        await store.write(
          (tx) =>
            void tx.run(
              'INSERT OR REPLACE INTO kept_view (id, generation, digest) VALUES (1, ?, ?)',
              generation,
              digest,
            ),
        );
        return true;
      } finally {
        lock.release();
      }
    },
    async forgetView() {
      await store.write((tx) => void tx.run('DELETE FROM kept_view'));
      translatingErrors(basename(absPath), () => removeViewFile(absPath));
    },
  };
}

/** Behind the name of the index. */
export const VIEW_FILES = ['-view', '-view.part'] as const;

const MARK = 0x57_4d_56_31;
const STEP = 8;

/** Gives the digest by which it is known when it is read. */
export function writeViewFile(indexFile: string, parts: readonly Uint8Array[]): string {
  const head = new Uint32Array(padded((2 + parts.length) * 4) / 4);
  head.set([MARK, parts.length, ...parts.map(({ byteLength }) => byteLength)]);
  const pieces = [
    new Uint8Array(head.buffer),
    ...parts.flatMap((part) => [part, new Uint8Array(padded(part.byteLength) - part.byteLength)]),
  ];
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  writePrivateBytes(indexFile + VIEW_FILES[0], pieces);
  return digest.digest('hex');
}

/** Undefined if there is none of this digest. */
export function readViewFile(indexFile: string, digest: string): readonly Uint8Array[] | undefined {
  const read = readBytesIfPresent(indexFile + VIEW_FILES[0]);
  if (read === undefined || createHash('sha256').update(read).digest('hex') !== digest) return undefined;
  // Short files share a buffer with others, and numbers must begin at a multiple of their size.
  const bytes = read.byteOffset % STEP === 0 ? read : read.slice();
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  const count = head[1] ?? 0;
  if (head[0] !== MARK) return undefined;
  let at = padded((2 + count) * 4);
  return Array.from(head.subarray(2, 2 + count), (length) => {
    const part = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length);
    at += padded(length);
    return part;
  });
}

export function removeViewFile(indexFile: string): void {
  for (const suffix of VIEW_FILES) removeFile(indexFile + suffix);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / STEP) * STEP;
}
