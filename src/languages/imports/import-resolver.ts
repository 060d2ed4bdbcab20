/** Which files of the project an import means. Pure: paths and the texts of a few configuration files are all it knows. */
import { posix } from 'node:path';
import type { Import } from '../../core/index.ts';
import { createGoResolver } from './go-imports.ts';
import { createPhpResolver } from './php-imports.ts';
import { createProjectFiles, folderOf, joinInside, type ProjectFiles } from './project-files.ts';
import { resolvePython } from './python-imports.ts';
import { createRustResolver } from './rust-imports.ts';
import { createScriptResolver } from './script-imports.ts';

export interface ImportFacts {
  /** Every indexed file, from the project's root. */
  readonly paths: Iterable<string>;
  /** Texts of the files that `isImportConfig` names, by path. */
  readonly configs: ReadonlyMap<string, string>;
}

/** Only files of the project; none when it means a library, or nothing we can tell. */
export type ImportResolver = (
  from: { readonly path: string; readonly language: string },
  what: Import,
) => readonly string[];

const CONFIG = /(?:^|\/)(?:[jt]sconfig[\w.-]*\.json|package\.json|composer\.json|go\.mod|Cargo\.toml)$/;
const JVM_EXTENSIONS = ['.java', '.kt', '.scala'];
const MOST_IN_PACKAGE = 200;

export function isImportConfig(path: string): boolean {
  return CONFIG.test(path);
}

export function createImportResolver({ paths, configs }: ImportFacts): ImportResolver {
  const files = createProjectFiles(paths);
  const script = createScriptResolver(files, configs);
  const go = createGoResolver(files, configs);
  const php = createPhpResolver(files, configs);
  const rust = createRustResolver(files, configs);
  return ({ path, language }, what) => {
    switch (language) {
      case 'typescript':
      case 'tsx':
      case 'javascript':
      case 'vue':
      case 'svelte':
      case 'html':
        return one(script(path, what.specifier));
      case 'python':
        return resolvePython(files, path, what);
      case 'go':
        return go(what.specifier);
      case 'rust':
        return one(rust(path, what.specifier));
      case 'java':
      case 'kotlin':
      case 'scala':
        return jvm(files, path, what);
      case 'c':
      case 'cpp':
        return one(included(files, path, what.specifier));
      case 'php':
        return one(php(path, what.specifier));
      case 'ruby':
        return one(required(files, path, what.specifier));
      default:
        return [];
    }
  };
}

function one(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path];
}

/** `a.b.C`, also when C holds what is meant: `a.b.C.Inner`, `a.b.C.method`. */
function jvm(files: ProjectFiles, from: string, { specifier }: Import): readonly string[] {
  const parts = specifier.split('.');
  if (parts.at(-1) === '*') return inPackage(files, from, parts.slice(0, -1));
  for (let length = parts.length; length > 1; length--) {
    const path = parts.slice(0, length).join('/');
    const found = JVM_EXTENSIONS.map((extension) => files.endingIn(path + extension, from)).find(
      (each) => each !== undefined,
    );
    if (found !== undefined) return [found];
  }
  return [];
}

/** Of a package we know only the folder's end, so we look beside the file: `src/main/java` is the same for both. */
function inPackage(files: ProjectFiles, from: string, parts: readonly string[]): readonly string[] {
  const wanted = parts.join('/');
  const top = parts[0] ?? '';
  const at = `/${from}`.lastIndexOf(`/${top}/`);
  const root = at === -1 ? folderOf(from) : from.slice(0, at);
  const folder = joinInside(root.replace(/\/$/, ''), wanted);
  if (folder === undefined) return [];
  return files
    .inFolder(folder)
    .filter((path) => JVM_EXTENSIONS.includes(posix.extname(path)))
    .slice(0, MOST_IN_PACKAGE);
}

function included(files: ProjectFiles, from: string, specifier: string): string | undefined {
  return (
    files.first([joinInside(folderOf(from), specifier)]) ?? files.endingIn(posix.normalize(specifier), from)
  );
}

function required(files: ProjectFiles, from: string, specifier: string): string | undefined {
  const path = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`;
  if (path.startsWith('.')) return files.first([joinInside(folderOf(from), path)]);
  return files.first([`lib/${path}`, `app/${path}`, path]) ?? files.endingIn(`lib/${path}`, from);
}
