/** Which files in Waymark's directories are its own, by name and content, and which are not. Read-only. */
import { join } from 'node:path';
import { digestFile, lookAtFile, pathFacts, readableNames, readTextIfPresent } from '../platform/index.ts';
import { findOwnStores, whyLeft, type LeftFile, type OwnStore } from '../storage/index.ts';
import { isManifest } from './manifest.ts';

export interface OwnFiles {
  /** Can be made again: deleted. */
  readonly indexes: readonly OwnStore[];
  /** What Node has compiled: deleted. */
  readonly compiled: readonly string[];
  /** Cannot be made again: databases that are moved aside. */
  readonly stores: readonly OwnStore[];
  /** Notes and keys that are moved aside with them. */
  readonly notes: readonly string[];
  readonly left: readonly LeftFile[];
}

const FOLDERS = ['memory', 'backups', 'setup', 'servers', 'tokens', 'app', 'sessions'] as const;
const NOTE = /^(?:(?:token|state-key)(?:\.previous)?|audit\.jsonl(?:\.[1-3])?)$/;
/** How Node names a folder and a file of its compile cache, and how the file begins. */
const COMPILED_FOLDER = /^v\d+\.\d+\.\d+[\w.-]*$/;
const COMPILED_FILE = /^[0-9a-f]{8}$/;
const COMPILED_HEAD = 0x8adfdbb2;
const MOST_NOTE_BYTES = 32 * 1024 * 1024;

export function findOwnFiles(dataDir: string, cacheDir: string): OwnFiles {
  const indexes = inFolder(join(cacheDir, 'indexes'), (folder) => findOwnStores(folder, 'index'));
  const memory = inFolder(join(dataDir, 'memory'), (folder) => findOwnStores(folder, 'memory'));
  const backups = inFolder(join(dataDir, 'backups'), findBackups);
  const setup = findNotes(join(dataDir, 'setup'), ['backups'], isSetupNote);
  const originals = findNotes(join(dataDir, 'setup', 'backups'), [], isOriginal);
  const servers = findNotes(join(dataDir, 'servers'), [], isServerNote);
  const tokens = findNotes(join(dataDir, 'tokens'), [], isApiToken);
  const sessions = findNotes(join(dataDir, 'sessions'), [], isSessionNote);
  const compiled = findCompiled(join(cacheDir, 'compiled'));
  const top = findTop(dataDir, cacheDir);
  return {
    indexes: indexes.own,
    compiled: compiled.own,
    stores: [...memory.own, ...backups.own, ...top.own],
    notes: [...setup.own, ...originals.own, ...servers.own, ...tokens.own, ...sessions.own, ...top.notes],
    left: [indexes, compiled, memory, backups, setup, originals, servers, tokens, sessions, top].flatMap(
      ({ left }) => left,
    ),
  };
}

interface Found {
  readonly own: readonly OwnStore[];
  readonly left: readonly LeftFile[];
}

/** A folder that is a link is not looked into. */
function inFolder(folder: string, find: (folder: string) => Found): Found {
  const facts = pathFacts(folder);
  if (facts === undefined) return { own: [], left: [] };
  return facts.kind === 'directory' ? find(folder) : { own: [], left: [leftAt(folder)] };
}

function findBackups(folder: string): Found {
  const names = readableNames(folder);
  const found = names.map((name) => inFolder(join(folder, name), (inner) => findOwnStores(inner, 'backup')));
  return { own: found.flatMap(({ own }) => own), left: found.flatMap(({ left }) => left) };
}

function findNotes(
  folder: string,
  known: readonly string[],
  isOurs: (absPath: string, name: string) => boolean,
): { readonly own: readonly string[]; readonly left: readonly LeftFile[] } {
  if (pathFacts(folder)?.kind !== 'directory') return { own: [], left: [] };
  const names = readableNames(folder).filter((name) => !known.includes(name));
  const own = names.filter((name) => isOurs(join(folder, name), name));
  return {
    own: own.map((name) => join(folder, name)),
    left: names.filter((name) => !own.includes(name)).map((name) => leftAt(join(folder, name))),
  };
}

function findCompiled(folder: string): ReturnType<typeof findNotes> {
  if (pathFacts(folder)?.kind !== 'directory') return { own: [], left: [] };
  const names = readableNames(folder);
  const found = names
    .filter((name) => COMPILED_FOLDER.test(name))
    .map((name) => findNotes(join(folder, name), [], isCompiled));
  const others = names
    .filter((name) => !COMPILED_FOLDER.test(name))
    .map((name) => leftAt(join(folder, name)));
  return {
    own: found.flatMap(({ own }) => own),
    left: [...others, ...found.flatMap(({ left }) => left)],
  };
}

function isCompiled(absPath: string, name: string): boolean {
  const look = lookAtFile(absPath, 4);
  return (
    COMPILED_FILE.test(name) &&
    look.kind === 'file' &&
    look.head.length === 4 &&
    Buffer.from(look.head).readUInt32LE() === COMPILED_HEAD
  );
}

function findTop(dataDir: string, cacheDir: string): Found & { readonly notes: readonly string[] } {
  const ours = (name: string, folder: string): boolean =>
    (folder === dataDir && FOLDERS.some((known) => known === name)) ||
    (folder === cacheDir && (name === 'indexes' || name === 'compiled'));
  const data = readableNames(dataDir).filter(
    (name) => !ours(name, dataDir) && !(dataDir === cacheDir && ours(name, cacheDir)),
  );
  const catalog = findOwnStores(
    dataDir,
    'catalog',
    data.filter((name) => name.startsWith('catalog.db')),
  );
  const notes = data.filter((name) => NOTE.test(name) && lookAtFile(join(dataDir, name), 0).kind === 'file');
  const rest = data
    .filter((name) => !name.startsWith('catalog.db') && !notes.includes(name))
    .map((name) => join(dataDir, name));
  const cache =
    dataDir === cacheDir
      ? []
      : readableNames(cacheDir)
          .filter((name) => !ours(name, cacheDir))
          .map((name) => join(cacheDir, name));
  return {
    own: catalog.own,
    left: [...catalog.left, ...[...rest, ...cache].map(leftAt)],
    notes: notes.map((name) => join(dataDir, name)),
  };
}

function leftAt(absPath: string): LeftFile {
  return { absPath, why: whyLeft(lookAtFile(absPath, 0)) };
}

function isSetupNote(absPath: string, name: string): boolean {
  return name === 'manifest.json' && isManifest(textOf(absPath));
}

function isOriginal(absPath: string, name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name) && digestFile(absPath) === name;
}

function isServerNote(absPath: string, name: string): boolean {
  return (
    /^\d+\.json$/.test(name) && textOf(absPath)?.includes(`"pid": ${name.slice(0, -'.json'.length)}`) === true
  );
}

function isApiToken(absPath: string, name: string): boolean {
  return /^[0-9a-f]{16}\.json$/.test(name) && /"digest":"[0-9a-f]{64}"/.test(textOf(absPath) ?? '');
}

function isSessionNote(absPath: string, name: string): boolean {
  return /^[0-9a-f]{16}\.json$/.test(name) && textOf(absPath)?.startsWith('{"session":1,') === true;
}

function textOf(absPath: string): string | undefined {
  try {
    return lookAtFile(absPath, 0).kind === 'file'
      ? readTextIfPresent(absPath, { maxBytes: MOST_NOTE_BYTES })
      : undefined;
  } catch {
    return undefined;
  }
}
