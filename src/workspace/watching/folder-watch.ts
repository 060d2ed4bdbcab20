/**
 * Tells when something changes in the folders it is given, and in no other: what is ignored costs nothing. Built on Node's
 * own `fs.watch`: one watch per folder where the system is not recursive (Linux), one for the tree where it is.
 */
import { statfsSync, watch as watchByNode } from 'node:fs';
import { basename, sep } from 'node:path';
import type { LiveFolderName } from '../listing/live-listing.ts';

export type WatchEvent =
  /** Something may have changed at this path, which is relative to the root. */
  | { readonly kind: 'path'; readonly path: string }
  /** Something changed and we cannot say where. */
  | { readonly kind: 'anywhere' };

/** Why the system does not tell us, in a word: the reason to look for ourselves instead. */
export type WatchFailure = 'too_many_folders' | 'no_watches_left' | 'not_supported';

export interface FolderWatch {
  /**
   * From now on exactly these folders. Returns the paths of those that are new: what happened in them before was not told,
   * so the caller looks once more. Throws nothing: that folders cannot be watched at all is told by `onFailure`, once.
   */
  follow(folders: readonly LiveFolderName[]): readonly string[];
  /** Whether an event is told before the call that caused it returns to its caller, save for our own event loop. */
  readonly isPrompt: boolean;
  close(): void;
}

export interface FolderWatchOptions {
  readonly root: string;
  readonly onEvent: (event: WatchEvent) => void;
  readonly onFailure: (failure: WatchFailure) => void;
  readonly maxFolders?: number;
  /** How one watch is made; for tests that take the watches away. */
  readonly watchOne?: WatchOne;
  /** Whether one watch sees the whole tree below it. */
  readonly isRecursive?: boolean;
}

export interface OneWatch {
  close(): void;
}

/** Throws as `fs.watch` does. `heard` gets the name of the entry, where there is one. */
export type WatchOne = (
  absPath: string,
  options: { readonly recursive: boolean },
  heard: { change(name: string | null, kind: string): void; error(): void },
) => OneWatch;

/** A user has some 8,000 to a million watches for all programs together; editors want some as well. */
const MAX_FOLDERS = 16_384;

export function openFolderWatch(options: FolderWatchOptions): FolderWatch {
  const recursive = options.isRecursive ?? process.platform !== 'linux';
  return recursive ? watchTree(options) : watchFolders(options);
}

interface Watched extends OneWatch {
  readonly identity: string;
}

function watchFolders({ root, onEvent, onFailure, ...rest }: FolderWatchOptions): FolderWatch {
  const { maxFolders = MAX_FOLDERS, watchOne = watchWithNode } = rest;
  const watches = new Map<string, Watched>();
  let isOpen = true;

  function close(): void {
    isOpen = false;
    for (const watch of watches.values()) watch.close();
    watches.clear();
  }

  function fail(failure: WatchFailure): void {
    if (!isOpen) return;
    close();
    onFailure(failure);
  }

  /** A watch belongs to the folder, not to its path: where another takes its place, or it goes, the watch is of no use. */
  function stop(path: string): void {
    watches.get(path)?.close();
    watches.delete(path);
  }

  function hear(folder: string, name: string | null, kind: string): void {
    if (!isOpen) return;
    if (name === null || (folder === '' && name === basename(root))) onEvent({ kind: 'anywhere' });
    if (name === null) return;
    const path = folder + name;
    if (kind === 'rename' && watches.has(`${path}/`)) {
      for (const below of watches.keys()) if (below.startsWith(`${path}/`)) stop(below);
    }
    onEvent({ kind: 'path', path });
  }

  function begin({ path, identity }: LiveFolderName): boolean {
    try {
      const watch = watchOne(
        path === '' ? root : `${root}/${path}`,
        { recursive: false },
        {
          change: (name, kind) => hear(path, name, kind),
          error: () => {
            stop(path);
            if (isOpen) onEvent({ kind: 'path', path: path.slice(0, -1) });
          },
        },
      );
      watches.set(path, { close: () => watch.close(), identity });
      return true;
    } catch (cause) {
      const failure = toFailure(cause);
      if (failure !== undefined) fail(failure);
      return false;
    }
  }

  return {
    follow(folders) {
      if (!isOpen) return [];
      if (folders.length > maxFolders) {
        fail('too_many_folders');
        return [];
      }
      const wanted = new Map(folders.map(({ path, identity }) => [path, identity]));
      for (const [path, { identity }] of watches) if (wanted.get(path) !== identity) stop(path);
      const begun: string[] = [];
      for (const folder of folders) {
        if (watches.has(folder.path)) continue;
        if (begin(folder)) begun.push(folder.path);
        if (!isOpen) return [];
      }
      return begun;
    },
    // inotify queues an event within the call that changes a file.
    isPrompt: process.platform === 'linux',
    close,
  };
}

function watchTree({ root, onEvent, onFailure, watchOne = watchWithNode }: FolderWatchOptions): FolderWatch {
  let watch: OneWatch | undefined;
  let isOpen = true;
  let folders: ReadonlySet<string> = new Set();

  function close(): void {
    isOpen = false;
    watch?.close();
  }

  function fail(failure: WatchFailure): void {
    if (!isOpen) return;
    close();
    onFailure(failure);
  }

  function hear(name: string | null): void {
    if (!isOpen) return;
    if (name === null) return onEvent({ kind: 'anywhere' });
    const path = name.split(sep).join('/');
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    // Everything below the root is told here, what is ignored as well; that is not for us.
    if (folders.has(folder)) onEvent({ kind: 'path', path });
  }

  return {
    follow(wanted) {
      if (!isOpen) return [];
      folders = new Set(wanted.map(({ path }) => path));
      if (watch !== undefined) return [];
      try {
        const error = (): void => fail('not_supported');
        watch = watchOne(root, { recursive: true }, { change: hear, error });
        return [...folders];
      } catch (cause) {
        fail(toFailure(cause) ?? 'not_supported');
        return [];
      }
    },
    isPrompt: false,
    close,
  };
}

/** Undefined if it concerns one folder only: gone by now, or not ours to read. */
function toFailure(cause: unknown): WatchFailure | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return 'no_watches_left';
    case 'ENOSYS':
    case 'ENOTSUP':
    case 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM':
      return 'not_supported';
    default:
      return undefined;
  }
}

function watchWithNode(
  absPath: string,
  { recursive }: { readonly recursive: boolean },
  heard: Parameters<WatchOne>[2],
): OneWatch {
  // Not persistent: watching is no reason to stay alive.
  const watcher = watchByNode(absPath, { persistent: false, recursive });
  watcher.on('change', (kind, name) => heard.change(name === null ? null : String(name), kind));
  watcher.on('error', () => heard.error());
  return watcher;
}

/** What Linux calls file systems that live on another machine, in another guest or in another program. */
const REMOTE_TYPES: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x51_7b, // smb
  0xff_53_4d_42, // cifs
  0xfe_53_4d_42, // smb2
  0x65_73_55_46, // fuse: sshfs, virtiofs, desktop sharing
  0x01_02_19_97, // 9p: files of Windows in WSL, folders shared with virtual machines
  0x53_46_41_4f, // afs
  0x00_c3_64_00, // ceph
  0x0b_d0_0b_d0, // lustre
  0x47_50_46_53, // gpfs
  0x78_6f_42_56, // vboxsf
  0x7c_7c_66_73, // prl_fs
]);

/** Whether a folder lies where other machines can change it without this one being told. */
export function isNetworkFolder(absPath: string): boolean {
  // Elsewhere the numbers mean something else, and the system's own watches see what it can see.
  if (process.platform !== 'linux') return false;
  try {
    return REMOTE_TYPES.has(Number(statfsSync(absPath).type) >>> 0);
  } catch {
    return false;
  }
}
