/** Rust: modules of the same crate, and crates of the same repository. */
import { posix } from 'node:path';
import { folderOf, foldersUp, joinInside, type ProjectFiles } from './project-files.ts';

interface Crate {
  readonly name: string;
  readonly folder: string;
}

export type ResolveUse = (from: string, specifier: string) => string | undefined;

// No white space that could be line breaks at the beginning: a file of blank lines must not cost the square of its length.
const PACKAGE_NAME = /^[ \t]*\[package\][^[]*?^[ \t]*name[ \t]*=[ \t]*"([\w-]+)"/ms;
const ROOT_FILES = new Set(['lib.rs', 'main.rs', 'mod.rs']);

export function createRustResolver(files: ProjectFiles, configs: ReadonlyMap<string, string>): ResolveUse {
  const crates = [...configs]
    .filter(([path]) => posix.basename(path) === 'Cargo.toml')
    .flatMap(([path, text]) => {
      const name = PACKAGE_NAME.exec(text)?.[1];
      return name === undefined ? [] : [{ name: name.replaceAll('-', '_'), folder: folderOf(path) }];
    });
  return (from, specifier) => {
    if (specifier.startsWith('./')) return declared(files, from, specifier.slice(2));
    if (specifier.startsWith('::')) {
      const [named = '', ...inside] = specifier.slice(2).split('::');
      const crate = crates.find(({ name }) => name === named);
      return crate && inCrate(files, crate, inside);
    }
    const [first = '', ...rest] = specifier.split('::').filter((part) => part !== '*');
    if (first === 'crate') return inCrate(files, crateOf(crates, from), rest);
    if (first === 'self') return moduleAt(files, moduleFolder(from), rest, from);
    if (first === 'super') return fromParent(files, from, rest);
    const other = crates.find(({ name }) => name === first);
    // `use store::Entry` may also mean a module declared in this very file.
    return other === undefined
      ? moduleAt(files, moduleFolder(from), [first, ...rest], undefined)
      : inCrate(files, other, rest);
  };
}

function crateOf(crates: readonly Crate[], from: string): Crate | undefined {
  const folders = foldersUp(folderOf(from));
  return folders.flatMap((folder) => crates.find((crate) => crate.folder === folder) ?? [])[0];
}

function inCrate(
  files: ProjectFiles,
  crate: Crate | undefined,
  parts: readonly string[],
): string | undefined {
  const source = joinInside(crate?.folder ?? '', 'src');
  if (source === undefined) return undefined;
  const root = files.first([`${source}/lib.rs`, `${source}/main.rs`]);
  return moduleAt(files, source, parts, root);
}

/** `mod name;`, or the file that an attribute names for it. The root of a crate may have any name. */
function declared(files: ProjectFiles, from: string, named: string): string | undefined {
  if (named.endsWith('.rs')) return files.first([joinInside(folderOf(from), named)]);
  return files.first(
    [moduleFolder(from), folderOf(from)].flatMap((folder) =>
      [`${named}.rs`, `${named}/mod.rs`].map((path) => joinInside(folder, path)),
    ),
  );
}

function fromParent(files: ProjectFiles, from: string, rest: readonly string[]): string | undefined {
  let folder: string | undefined = moduleFolder(from);
  let parts: readonly string[] = ['super', ...rest];
  while (parts[0] === 'super' && folder !== undefined) {
    folder = folder === '' ? undefined : folderOf(folder);
    parts = parts.slice(1);
  }
  if (folder === undefined) return undefined;
  const own = files.first([`${folder}.rs`, `${folder}/mod.rs`, `${folder}/lib.rs`, `${folder}/main.rs`]);
  return moduleAt(files, folder, parts, own);
}

/** Where the submodules of a file live: beside `mod.rs` and `lib.rs`, else in the folder of its name. */
function moduleFolder(from: string): string {
  return ROOT_FILES.has(posix.basename(from)) ? folderOf(from) : from.replace(/\.rs$/, '');
}

/** The longest part of the path that is a file; what follows is defined in it. */
function moduleAt(
  files: ProjectFiles,
  folder: string,
  parts: readonly string[],
  own: string | undefined,
): string | undefined {
  for (let length = parts.length; length > 0; length--) {
    const path = posix.join(folder, ...parts.slice(0, length));
    const found = files.first([`${path}.rs`, `${path}/mod.rs`]);
    if (found !== undefined) return found;
  }
  return own;
}
