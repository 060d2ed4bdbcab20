/** The facts of a project's files, as of one commit: packed in memory, unpacked when they are looked at. */
import {
  type FactDefinition,
  type FactRow,
  type ImportResolver,
  openRow,
  type OpenFacts,
  type Scope,
  unpackFacts,
} from '../languages/index.ts';
import type { FileEntry, IndexStore } from '../storage/index.ts';
import { createNameTable, type NameTable } from './name-table.ts';
import { createNearNames } from './near-names.ts';
import { type WaitingFiles } from './waiting-files.ts';

/** Under this name a module gives what those that import it need not name. */
export const DEFAULT_EXPORT = 'default';

export interface FactFile extends Pick<FileEntry, 'id' | 'path' | 'language' | 'hash' | 'plainBy'> {
  /** Undefined for a file that was not parsed, or not yet. */
  readonly row: FactRow | undefined;
}

/** A file whose facts were unpacked. */
export interface OpenFile {
  readonly path: string;
  readonly language: string;
  readonly facts: OpenFacts;
  /** Names under which the file imports what has this name elsewhere. */
  localsOf(imported: string): readonly string[];
}

export interface ProjectFacts {
  readonly generation: number;
  /** By path, in the order of paths. */
  readonly files: ReadonlyMap<string, FactFile>;
  /** Paths of the files of a folder, without those of folders in it. */
  inFolder(folder: string): readonly string[];
  /** Files in which the name occurs. */
  naming(name: string): readonly FactFile[];
  /** Names that are nearly this one, the nearest first. */
  near(name: string): readonly string[];
  /** Undefined for a file without facts. */
  open(path: string): OpenFile | undefined;
  /** Whether a file has facts. */
  isParsed(path: string): boolean;
  /** Files that have none yet: what is asked for in them is noted. */
  readonly waiting: WaitingFiles;
  /** The file that a definition was unpacked from. */
  homeOf(definition: FactDefinition): OpenFile | undefined;
  /** Files that an import may mean. */
  readonly imports: ImportResolver;
  /** Bytes of the facts that were unpacked so far. */
  openedBytes(): number;
  /** The same with nothing unpacked: what was found for the commit is kept. */
  renewed(): ProjectFacts;
}

export interface LoadedFiles {
  readonly generation: number;
  readonly files: ReadonlyMap<string, FactFile>;
}

export interface ProjectFactsParts {
  readonly imports: ImportResolver;
  readonly waiting: WaitingFiles;
}

/** Reads what changed since; files are known by their ids, which are never used twice. */
export async function loadFiles(store: IndexStore, before: LoadedFiles | undefined): Promise<LoadedFiles> {
  if (before !== undefined && (await store.generation()) === before.generation) return before;
  const { generation, files } = await store.files();
  const known = new Map([...(before?.files.values() ?? [])].map((file) => [file.id, file]));
  // A file gets its facts some time after its rows.
  const missing = files.filter(({ id }) => known.get(id)?.row === undefined).map(({ id }) => id);
  const rowOf = new Map((await store.facts(missing)).map(({ fileId, packed }) => [fileId, openRow(packed)]));
  return {
    generation,
    files: new Map(
      files.map(({ id, path, language, hash, plainBy }) => {
        const row = known.get(id)?.row ?? rowOf.get(id);
        return [path, { id, path, language, hash, plainBy, row }];
      }),
    ),
  };
}

export function createProjectFacts(
  { generation, files }: LoadedFiles,
  { imports, waiting }: ProjectFactsParts,
): ProjectFacts {
  const listed = [...files.values()].filter((file) => file.row !== undefined);
  const table: {
    made?: NameTable<FactFile>;
    near?: (name: string) => readonly string[];
    folders?: ReadonlyMap<string, readonly string[]>;
  } = {};
  const naming = (name: string): readonly FactFile[] => (table.made ??= createNameTable(listed))(name);
  const near = (name: string): readonly string[] => (table.near ??= createNearNames(namesOf(listed)))(name);
  const inFolder = (folder: string): readonly string[] =>
    (table.folders ??= byFolder(files.keys())).get(folder) ?? [];
  return openable({ generation, files, imports, naming, near, inFolder, waiting });
}

function* namesOf(files: readonly FactFile[]): Generator<Buffer> {
  for (const { row } of files) if (row !== undefined) yield row.names;
}

function byFolder(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const known = folders.get(folderOf(path));
    if (known === undefined) folders.set(folderOf(path), [path]);
    else known.push(path);
  }
  return folders;
}

export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at === -1 ? '' : path.slice(0, at);
}

type OfCommit = Pick<
  ProjectFacts,
  'generation' | 'files' | 'imports' | 'naming' | 'near' | 'inFolder' | 'waiting'
>;

function openable(commit: OfCommit): ProjectFacts {
  const { files } = commit;
  const waiting = commit.waiting.renewed();
  const opened = new Map<string, OpenFile | undefined>();
  /** By the outermost scope, which is of one file alone. */
  const homes = new WeakMap<Scope, OpenFile>();
  let bytes = 0;
  return {
    ...commit,
    waiting,
    openedBytes: () => bytes,
    renewed: () => openable(commit),
    naming(name) {
      // Those that import a default export are wanted by its module.
      if (name !== DEFAULT_EXPORT) waiting.wantNaming(name);
      return commit.naming(name);
    },
    isParsed(path) {
      if (files.get(path)?.row !== undefined) return true;
      waiting.want(path);
      return false;
    },
    open(path) {
      if (opened.has(path)) return opened.get(path);
      const file = files.get(path);
      if (file?.row === undefined) waiting.want(path);
      const facts = file?.row === undefined ? undefined : tryUnpack(file.row);
      const open = facts === undefined || file === undefined ? undefined : toOpenFile(file, facts);
      bytes += file?.row === undefined ? 0 : file.row.names.length + file.row.rest.length;
      opened.set(path, open);
      const top = open?.facts.scopes[0];
      if (open !== undefined && top !== undefined) homes.set(top, open);
      return open;
    },
    homeOf({ scope }) {
      let at = scope;
      while (at.parent !== undefined) at = at.parent;
      return homes.get(at);
    },
  };
}

function toOpenFile({ path, language }: FactFile, facts: OpenFacts): OpenFile {
  const locals: { read?: ReadonlyMap<string, readonly string[]> } = {};
  return {
    path,
    language,
    facts,
    localsOf: (imported) => (locals.read ??= readLocals(facts)).get(imported) ?? [],
  };
}

function readLocals({ scopes }: OpenFacts): ReadonlyMap<string, readonly string[]> {
  const locals = new Map<string, string[]>();
  for (const { names } of scopes)
    for (const [local, { import: imported }] of names) {
      if (imported === undefined) continue;
      const known = locals.get(imported.name);
      if (known === undefined) locals.set(imported.name, [local]);
      else known.push(local);
    }
  return locals;
}

/** A damaged row is a file without facts: an answer says how many there are. */
function tryUnpack(row: FactRow): OpenFacts | undefined {
  try {
    return unpackFacts(row);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
