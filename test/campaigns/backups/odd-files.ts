/** What may lie in a folder under the name of a backup without being one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { Random } from '../http/seeded-random.ts';

export interface OddFile {
  readonly name: string;
  /** Puts it at this path; `bytes` are those of a good backup. */
  make(absPath: string, bytes: Uint8Array, random: Random): void;
}

const GIGABYTE = 1024 ** 3;

export const ODD_FILES: readonly OddFile[] = [
  { name: 'a pipe', make: (absPath) => void execFileSync('mkfifo', [absPath]) },
  { name: 'a folder', make: (absPath) => mkdirSync(absPath) },
  { name: 'a link to an endless device', make: (absPath) => symlinkSync('/dev/zero', absPath) },
  { name: 'a link to nothing', make: (absPath) => symlinkSync('/nonexistent/backup', absPath) },
  {
    name: 'a sparse file of 50 GB',
    make(absPath) {
      writeFileSync(absPath, '');
      truncateSync(absPath, 50 * GIGABYTE);
    },
  },
  {
    name: 'a backup that was grown to 50 GB',
    make(absPath, bytes) {
      writeFileSync(absPath, bytes);
      truncateSync(absPath, 50 * GIGABYTE);
    },
  },
  {
    name: 'a backup that was grown to 1 GB',
    make(absPath, bytes) {
      writeFileSync(absPath, bytes);
      truncateSync(absPath, GIGABYTE);
    },
  },
  { name: 'an empty file', make: (absPath) => writeFileSync(absPath, '') },
  { name: 'a text', make: (absPath) => writeFileSync(absPath, 'not a database\n'.repeat(100)) },
  { name: 'the head of a backup', make: (absPath, bytes) => writeFileSync(absPath, bytes.subarray(0, 100)) },
  {
    name: 'noise behind the right head',
    make(absPath, bytes, random) {
      const noise = Buffer.from(bytes);
      for (let at = 100; at < noise.length; at++) noise[at] = random.below(256);
      writeFileSync(absPath, noise);
    },
  },
];
