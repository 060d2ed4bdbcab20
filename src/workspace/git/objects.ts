/**
 * Commits and folders as git keeps them, read without git: from files of their own and from packs. A repository is not trusted,
 * so nothing outside of it is read (not even other stores that it names), and there is a limit to what is unpacked.
 */
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Clock } from '../../core/index.ts';
import { realPath } from '../../platform/index.ts';
import { readEntries } from '../reading/disk.ts';
import { readSource } from '../reading/read-source.ts';
import { applyPackDelta } from './pack-delta.ts';
import { openPackFile, type PackedObject, type PackFile } from './pack-file.ts';

export interface GitObjects {
  /** Undefined for what is not here, is something else, or is more than may be unpacked. */
  commit(hash: string): GitCommit | undefined;
  /** What a folder holds, by name. */
  tree(hash: string): ReadonlyMap<string, GitTreeEntry> | undefined;
  close(): void;
}

export interface GitCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly seconds: number;
}

export interface GitTreeEntry {
  readonly hash: string;
  readonly isFolder: boolean;
}

const TYPES = { commit: 1, tree: 2 } as const;
const MOST_OBJECT_BYTES = 8 * 1024 * 1024;
/** Of everything that one question unpacks; a second of work. Spent before the work is done: what fails has cost as much. */
const MOST_BYTES = 256 * 1024 * 1024;
/** What it costs to look for something, whatever comes of it. */
const LOOK_BYTES = 8 * 1024;
const MOST_KEPT_BYTES = 32 * 1024 * 1024;
/** Two open files each; git itself packs anew at 50. */
const MOST_PACKS = 200;
/** As long as git allows a chain of differences to be. */
const MOST_DEPTH = 4_095;
const HASH_BYTES = 20;

/** `commonDir` is canonical. */
export function openGitObjects(commonDir: string, clock: Clock): GitObjects {
  const folder = join(commonDir, 'objects');
  const packFolder = join(folder, 'pack');
  let left = MOST_BYTES;
  const spend = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw new RangeError('This is more than one question may unpack.');
  };
  let keptBytes = 0;
  let packs: readonly { readonly file: PackFile; readonly kept: Map<number, PackedObject> }[] | undefined;
  /** Opened when the first object is not in a file of its own. */
  const openPacks = () =>
    // A link would have us list a folder of somebody else's choice.
    (packs ??= (realPath(packFolder) === packFolder ? readEntries(packFolder) : [])
      .filter(({ name }) => name.endsWith('.idx'))
      .slice(0, MOST_PACKS)
      .flatMap(({ name }) => {
        const file = openPackFile(commonDir, join(packFolder, name.slice(0, -4)));
        return file === undefined ? [] : [{ file, kept: new Map<number, PackedObject>() }];
      }));

  const loose = (hash: string): PackedObject | undefined => {
    const source = readSource({
      realRoot: commonDir,
      absPath: join(folder, hash.slice(0, 2), hash.slice(2)),
      maxBytes: MOST_OBJECT_BYTES,
      clock,
    });
    if (source.kind === 'skipped') return undefined;
    // How large it is shows only when it is unpacked.
    spend(MOST_OBJECT_BYTES);
    const bytes = inflateSync(source.bytes, { maxOutputLength: MOST_OBJECT_BYTES });
    left += MOST_OBJECT_BYTES - bytes.length;
    const [, type, length] = /^(commit|tree) (\d+)\0/.exec(bytes.toString('latin1', 0, 32)) ?? [];
    if (type === undefined || length === undefined) return undefined;
    return {
      type: type === 'commit' ? TYPES.commit : TYPES.tree,
      bytes: bytes.subarray(bytes.length - Number(length)),
      baseAt: undefined,
    };
  };

  /** Down to a whole object, then up again, one difference after the other. */
  const packed = (file: PackFile, kept: Map<number, PackedObject>, at: number): PackedObject | undefined => {
    const chain: { readonly at: number; readonly delta: Buffer }[] = [];
    let whole: PackedObject | undefined;
    for (let place = at; whole === undefined;) {
      spend(LOOK_BYTES);
      const found = kept.get(place) ?? file.read(place, MOST_OBJECT_BYTES, spend);
      if (found === undefined || chain.length > MOST_DEPTH) return undefined;
      if (found.baseAt === undefined) whole = found;
      else {
        chain.push({ at: place, delta: found.bytes });
        place = found.baseAt;
      }
    }
    for (const { at: place, delta } of chain.toReversed()) {
      const bytes = applyPackDelta(whole.bytes, delta, MOST_OBJECT_BYTES, spend);
      if (bytes === undefined) return undefined;
      whole = { type: whole.type, bytes, baseAt: undefined };
      // Folders of a history are differences to one another: the next one begins where this one ended.
      if ((keptBytes += bytes.length) < MOST_KEPT_BYTES) kept.set(place, whole);
    }
    return whole;
  };

  const read = (hash: string, type: number): Buffer | undefined => {
    if (left < 0) return undefined;
    try {
      spend(LOOK_BYTES);
      const own = loose(hash);
      if (own !== undefined) return own.type === type ? own.bytes : undefined;
      for (const { file, kept } of openPacks()) {
        spend(LOOK_BYTES);
        const at = file.find(Buffer.from(hash, 'hex'));
        const found = at === undefined ? undefined : packed(file, kept, at);
        if (found !== undefined) return found.type === type ? found.bytes : undefined;
      }
    } catch {
      // Cut, damaged, or made to look like one: not an object that could be read.
    }
    return undefined;
  };

  return {
    commit(hash) {
      const bytes = read(hash, TYPES.commit);
      return bytes === undefined ? undefined : parseCommit(bytes);
    },
    tree(hash) {
      const bytes = read(hash, TYPES.tree);
      return bytes === undefined ? undefined : parseTree(bytes);
    },
    close: () => packs?.forEach(({ file }) => file.close()),
  };
}

function parseCommit(bytes: Buffer): GitCommit | undefined {
  const [head = ''] = bytes.toString('latin1').split('\n\n', 1);
  const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1];
  if (tree === undefined) return undefined;
  return {
    tree,
    parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, parent = '']) => parent),
    seconds: Number(/^committer .*> (\d{1,12}) /m.exec(head)?.[1] ?? 0),
  };
}

/** Each entry: its mode in octal digits, a blank, its name, a zero, its hash. */
function parseTree(bytes: Buffer): ReadonlyMap<string, GitTreeEntry> {
  const entries = new Map<string, GitTreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const blank = bytes.indexOf(0x20, at);
    if (end === -1 || blank === -1 || blank > end) break;
    entries.set(bytes.toString('utf8', blank + 1, end), {
      hash: bytes.toString('hex', end + 1, end + 1 + HASH_BYTES),
      isFolder: bytes.readUInt8(at) === 0x34,
    });
    at = end + 1 + HASH_BYTES;
  }
  return entries;
}
