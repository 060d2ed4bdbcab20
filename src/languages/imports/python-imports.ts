/** Python: modules and packages, from the importing file's folders upwards and from the usual source folders. */
import type { Import } from '../../core/index.ts';
import { folderOf, foldersUp, joinInside, type ProjectFiles } from './project-files.ts';

const SOURCE_FOLDERS = ['src', 'lib', 'python'];

/** `from pkg import a, b` is pkg/a.py where there is one, and pkg/__init__.py for what it defines itself. */
export function resolvePython(files: ProjectFiles, from: string, { specifier, names }: Import): string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const parts = specifier
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  for (const root of rootsOf(from, dots)) {
    const base = joinInside(root, parts.join('/'));
    if (base === undefined) continue;
    const own = files.first([`${base}.py`, `${base}.pyi`, at(base, '__init__.py'), at(base, '__init__.pyi')]);
    const modules = names.map((name) => {
      const path = at(base, name);
      return files.first([`${path}.py`, `${path}.pyi`, `${path}/__init__.py`]);
    });
    const found = modules.filter((module) => module !== undefined);
    if (own === undefined && found.length === 0) continue;
    const isAllModules = names.length > 0 && found.length === names.length;
    return [...new Set(isAllModules || own === undefined ? found : [own, ...found])];
  }
  return [];
}

function rootsOf(from: string, dots: number): string[] {
  const folder = folderOf(from);
  if (dots > 0) {
    const up = foldersUp(folder)[dots - 1];
    return up === undefined ? [] : [up];
  }
  const around = foldersUp(folder);
  return [...around.toReversed().slice(0, 1), ...SOURCE_FOLDERS, ...around];
}

function at(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
