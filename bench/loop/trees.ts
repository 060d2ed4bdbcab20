/** What the scenarios need on disk, the same every time. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../test/support/git.ts';
import { generateTree } from '../search/generated-tree.ts';

const MB = 1_000_000;

export interface MadeTree {
  readonly bytes: number;
  /** Where it comes from, for the report. */
  readonly from: string;
}

/** About so many bytes of source: generated, or files of real repositories, copied as they are. */
export function makeSources(root: string, wantedMb: number, repos: string | undefined): MadeTree {
  if (repos === undefined) {
    // A generated chunk has some 940 bytes.
    const { bytes } = generateTree(root, Math.round((wantedMb * MB) / 940));
    return { bytes, from: 'generated' };
  }
  let bytes = 0;
  const entries = readdirSync(repos, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/]\.git([\\/]|$)/.test(entry.parentPath))
    .filter(({ name }) =>
      /\.(?:[jt]sx?|py|go|rs|java|kt|scala|[ch](?:pp)?|cs|php|rb|hs|lua|zig|swift|exs?|md)$/.test(name),
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  for (const path of entries) {
    if (bytes >= wantedMb * MB) break;
    const content = readFileSync(path);
    const to = join(root, path.slice(repos.length));
    mkdirSync(join(to, '..'), { recursive: true });
    writeFileSync(to, content);
    bytes += content.length;
  }
  return { bytes, from: repos };
}

/** A repository of so many committed files, copied: every file's time differs from what git's index knows. */
export function makeCopiedRepository(root: string, files: number): void {
  const original = `${root}-original`;
  for (let at = 0; at < files; at++) {
    const folder = join(original, 'src', `part-${at % 150}`);
    if (at < 150) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.ts`), `export const value${at} = ${at};\n`.repeat(20));
  }
  git(original, 'init', '-q', '-b', 'trunk');
  // Packing in the background would move files while they are copied.
  git(original, 'config', 'gc.auto', '0');
  git(original, 'add', '.');
  git(original, 'commit', '-q', '-m', 'first');
  cpSync(original, root, { recursive: true });
}

/** A repository whose git files are made to cost: see `hostileIndex`, `deepTree` and `longRefs`. */
export function makeHostileRepository(root: string, make: (gitDir: string) => void): void {
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'trunk');
  writeFileSync(join(root, 'shop.ts'), 'export const total = 1;\n');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'first');
  make(join(root, '.git'));
}

const NAME_BYTES = 12 * 1024 * 1024;
const ENTRIES = 15_000;

/** Version 4: each entry shares the 12 MB name of the one before, and adds a letter; 13 MB in all. */
export function hostileIndex(gitDir: string): void {
  const first = entry(0, Buffer.alloc(NAME_BYTES, 'a'));
  const others = Array.from({ length: ENTRIES - 1 }, () => entry(0, Buffer.from('b')));
  writeFileSync(
    join(gitDir, 'index'),
    Buffer.concat([header(4, ENTRIES), first, ...others, Buffer.alloc(20)]),
  );
}

/** The extension TREE, each folder inside the one before. */
export function deepTree(gitDir: string): void {
  const depth = 2_200_000;
  const lines = Buffer.from('a\0-1 1\n'.repeat(depth), 'latin1');
  const extension = Buffer.alloc(8);
  extension.write('TREE', 'latin1');
  extension.writeUInt32BE(lines.length, 4);
  writeFileSync(join(gitDir, 'index'), Buffer.concat([header(2, 0), extension, lines, Buffer.alloc(20)]));
}

/** packed-refs of 31 MB, without the branch that is checked out. */
export function longRefs(gitDir: string): void {
  const line = (at: number): string => `${'0'.repeat(40)} refs/tags/release-${String(at).padStart(8, '0')}\n`;
  const text = Array.from({ length: 450_000 }, (_, at) => line(at)).join('');
  writeFileSync(join(gitDir, 'packed-refs'), text);
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/not-there\n');
}

function header(version: number, entries: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.write('DIRC', 'latin1');
  bytes.writeUInt32BE(version, 4);
  bytes.writeUInt32BE(entries, 8);
  return bytes;
}

/** Times, owner and size are zero; a name of version 4 says first how much of the one before is dropped. */
function entry(dropped: number, name: Buffer): Buffer {
  const fixed = Buffer.alloc(62);
  fixed.writeUInt32BE(0o100644, 24);
  fixed.writeUInt16BE(Math.min(0xfff, name.length), 60);
  return Buffer.concat([fixed, Buffer.from([dropped]), name, Buffer.from([0])]);
}
