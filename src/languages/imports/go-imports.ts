/** Go: packages of the modules in the repository. */
import { posix } from 'node:path';
import { folderOf, joinInside, type ProjectFiles } from './project-files.ts';

const MOST_FILES = 200;

export type ResolvePackage = (specifier: string) => string[];

/** A package is a folder, so an import is all of its files. */
export function createGoResolver(files: ProjectFiles, configs: ReadonlyMap<string, string>): ResolvePackage {
  const modules = [...configs]
    .filter(([path]) => posix.basename(path) === 'go.mod')
    .flatMap(([path, text]) => {
      const name = /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(text)?.[1];
      return name === undefined ? [] : [{ name, folder: folderOf(path) }];
    })
    .sort((a, b) => b.name.length - a.name.length);
  return (specifier) => {
    const owner = modules.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
    const folder =
      owner === undefined ? undefined : joinInside(owner.folder, specifier.slice(owner.name.length + 1));
    if (folder === undefined) return [];
    return files
      .inFolder(folder)
      .filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'))
      .slice(0, MOST_FILES);
  };
}
