/**
 * Commits and folders as git keeps them, read without git: from files of their own and from packs. A repository is not trusted,
 * so nothing outside of it is read (not even other stores that it names), and there is a limit to what is unpacked.
 */
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Clock } from '../../core/index.ts';
import { realPath } from '../../platform/index.ts';
import { readEntries, readSource } from '../reading/read-source.ts';
import { applyPackDelta } from './pack-delta.ts';
import { HASH_BYTES, openPackFile, type NamesIn, type PackedObject, type PackFile } from './pack-file.ts';

export interface GitObjects {
  /** Undefined for what is not here, is something else, or is more than may be unpacked. */
  commit(hash: string): GitCommit | undefined;
  /** What a folder holds, by name. */
  tree(hash: string): ReadonlyMap<string, GitTreeEntry> | undefined;
  close(): void;
}

/** The same, as the bytes they are; not to be written to. */
export interface GitObjectBytes {
  read(hash: string, type: GitObjectType): Buffer | undefined;
  /** All that may be unpacked has been, or there is no time left. */
  isSpent(): boolean;
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
export type GitObjectType = keyof typeof TYPES;

export interface ObjectLimits {
  /** Of everything that is unpacked. Spent before the work is done: what fails has cost as much. */
  readonly mostBytes: number;
  /** Of objects that are kept for those that differ little from them. */
  readonly keptBytes: number;
  readonly namesIn: NamesIn;
  /** Later nothing is read any more. */
  readonly mostMs: number;
}

/** One question: a second of work. */
const QUESTION: ObjectLimits = {
  mostBytes: 256 * 1024 * 1024,
  keptBytes: 32 * 1024 * 1024,
  namesIn: 'file',
  mostMs: 10_000,
};
const MOST_OBJECT_BYTES = 8 * 1024 * 1024;
/** What it costs to look for something, whatever comes of it. */
const LOOK_BYTES = 8 * 1024;
/** Two open files each; git itself packs anew at 50. */
const MOST_PACKS = 200;
/** As long as git allows a chain of differences to be. */
const MOST_DEPTH = 4_095;

/** `commonDir` is canonical. */
export function openGitObjects(commonDir: string, clock: Clock): GitObjects {
  const objects = openObjectBytes(commonDir, clock, QUESTION);
  return {
    commit(hash) {
      const bytes = objects.read(hash, 'commit');
      return bytes === undefined ? undefined : parseCommit(bytes);
    },
    tree(hash) {
      const bytes = objects.read(hash, 'tree');
      return bytes === undefined ? undefined : parseTree(bytes);
    },
    close: () => objects.close(),
  };
}

interface OpenPack {
  readonly file: PackFile;
  readonly kept: KeptObjects<number>;
}

export function openObjectBytes(commonDir: string, clock: Clock, limits: ObjectLimits): GitObjectBytes {
  const folder = join(commonDir, 'objects');
  const packFolder = join(folder, 'pack');
  const until = clock.elapsed() + limits.mostMs;
  let left = limits.mostBytes;
  const spend = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw new RangeError('This is more than may be unpacked.');
  };
  let packs: readonly OpenPack[] | undefined;
  const openPacks = (): readonly OpenPack[] => {
    if (packs !== undefined) return packs;
    // A link would have us list a folder outside of the repository.
    const names = (realPath(packFolder) === packFolder ? readEntries(packFolder) : [])
      .filter(({ name }) => name.endsWith('.idx'))
      .slice(0, MOST_PACKS);
    const keptBytes = limits.keptBytes / Math.max(1, names.length);
    packs = names.flatMap(({ name }) => {
      const file = openPackFile(commonDir, join(packFolder, name.slice(0, -4)), limits.namesIn);
      return file === undefined ? [] : [{ file, kept: createKeptObjects<number>(keptBytes) }];
    });
    return packs;
  };

  const keptLoose = createKeptObjects<string>(limits.keptBytes);
  const loose = (hash: string): PackedObject | undefined => {
    const known = keptLoose.get(hash);
    if (known !== undefined) return known;
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
    const object = {
      type: type === 'commit' ? TYPES.commit : TYPES.tree,
      bytes: bytes.subarray(bytes.length - Number(length)),
      baseAt: undefined,
    };
    if (object.type === TYPES.tree) keptLoose.set(hash, object);
    return object;
  };

  /** Down to a whole object, then up again, one difference after the other. */
  const packed = ({ file, kept }: OpenPack, at: number): PackedObject | undefined => {
    const chain: { readonly at: number; readonly delta: Buffer }[] = [];
    let whole: PackedObject | undefined;
    for (let place = at; whole === undefined;) {
      const found = kept.get(place) ?? file.read(place, MOST_OBJECT_BYTES, spend);
      if (found === undefined || chain.length > MOST_DEPTH) return undefined;
      spend(LOOK_BYTES);
      if (found.baseAt === undefined) whole = found;
      else {
        chain.push({ at: place, delta: found.bytes });
        place = found.baseAt;
      }
      if (whole !== undefined && whole.type === TYPES.tree) kept.set(place, whole);
    }
    for (const { at: place, delta } of chain.toReversed()) {
      const bytes = applyPackDelta(whole.bytes, delta, MOST_OBJECT_BYTES, spend);
      if (bytes === undefined) return undefined;
      whole = { type: whole.type, bytes, baseAt: undefined };
      // Folders of a history are differences to one another: the next one begins where this one ended.
      kept.set(place, whole);
    }
    return whole;
  };

  return {
    read(hash, type) {
      if (clock.elapsed() > until) left = -1;
      if (left < 0) return undefined;
      try {
        const name = Buffer.from(hash, 'hex');
        for (const pack of openPacks()) {
          spend(LOOK_BYTES);
          const at = pack.file.find(name);
          const found = at === undefined ? undefined : packed(pack, at);
          if (found !== undefined) return found.type === TYPES[type] ? found.bytes : undefined;
        }
        spend(LOOK_BYTES);
        const own = loose(hash);
        return own?.type === TYPES[type] ? own.bytes : undefined;
      } catch {
        // Cut, damaged, or made to look like one: not an object that could be read.
        return undefined;
      }
    },
    isSpent: () => left < 0,
    close: () => packs?.forEach(({ file }) => file.close()),
  };
}

interface KeptObjects<K> {
  get(key: K): PackedObject | undefined;
  set(key: K, object: PackedObject): void;
}

/** What keeping one takes besides its bytes. */
const BYTES_BESIDE = 256;

/** What was used lately: two halves, of which the older one goes when the newer one is full. */
function createKeptObjects<K>(mostBytes: number): KeptObjects<K> {
  let [newer, older] = [new Map<K, PackedObject>(), new Map<K, PackedObject>()];
  let bytes = 0;
  const set = (key: K, object: PackedObject): void => {
    if (newer.has(key)) return;
    newer.set(key, object);
    bytes += object.bytes.length + BYTES_BESIDE;
    if (bytes <= mostBytes / 2) return;
    [older, newer, bytes] = [newer, new Map(), 0];
  };
  return {
    get(key) {
      const found = newer.get(key) ?? older.get(key);
      if (found !== undefined) set(key, found);
      return found;
    },
    set,
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
