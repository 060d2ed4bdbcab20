/** Python: modules and packages, from the importing file's folders upwards, and from source folders as configured or as usual. */
import { posix } from 'node:path';
import type { Import } from '../../core/index.ts';
import { folderOf, foldersUp, joinInside, type ProjectFiles } from './project-files.ts';

const SOURCE_FOLDERS = ['src', 'lib', 'python'];
/** Where pyproject.toml and setup.cfg say that packages are: setuptools, Hatch, PDM and Poetry each in their own words. */
const ROOTS: readonly RegExp[] = [
  /^[ \t]*"?where"?[ \t]*=[ \t]*\[([^\]\n]{1,500})\]/gm,
  /^[ \t]*"?(?:package-dir|sources)"?[ \t]*=[ \t]*[{[]([^}\]\n]{1,500})[}\]]/gm,
  /^\[tool\.setuptools\.package-dir\]\s*\n((?:[^[\n][^\n]*\n?){1,20})/gm,
  /\bfrom[ \t]*=[ \t]*("[^"\n]{1,200}"|'[^'\n]{1,200}')/g,
  /^package_dir[ \t]*=[ \t]*((?:\n?[ \t]+=[ \t]*\S+)|(?:=[ \t]*\S+))/gm,
  /^where[ \t]*=[ \t]*([\w./-]{1,200})[ \t]*$/gm,
];
const MOST_ROOTS = 200;

export function createPythonResolver(
  files: ProjectFiles,
  configs: ReadonlyMap<string, string>,
): (from: string, what: Import) => string[] {
  const configured = new Set<string>();
  for (const [path, text] of configs)
    if (/^(?:pyproject\.toml|setup\.cfg)$/.test(posix.basename(path)))
      for (const root of rootsIn(text)) {
        const folder = joinInside(folderOf(path), root);
        if (folder !== undefined && configured.size < MOST_ROOTS) configured.add(folder);
      }
  return (from, what) => resolvePython(files, from, what, [...configured]);
}

function rootsIn(text: string): string[] {
  return ROOTS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, told = '']) => {
      const quoted = [
        ...told.matchAll(
          /=\s*["']([^"'\n]{1,200})["']|^[\s,]*["']([^"'\n]{1,200})["'](?!\s*=)|,\s*["']([^"'\n]{1,200})["'](?!\s*=)/g,
        ),
      ];
      if (quoted.length > 0) return quoted.map(([, a, b, c]) => a ?? b ?? c ?? '');
      const bare = told.replace(/[\s=]/g, '');
      return bare === '' || /["'{]/.test(bare) ? [] : [bare];
    }),
  );
}

/** `from pkg import a, b` is pkg/a.py where there is one, and pkg/__init__.py for what it defines itself. */
function resolvePython(
  files: ProjectFiles,
  from: string,
  { specifier, names }: Import,
  configured: readonly string[],
): string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const parts = specifier
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  for (const root of rootsOf(from, dots, configured)) {
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

function rootsOf(from: string, dots: number, configured: readonly string[]): string[] {
  const folder = folderOf(from);
  if (dots > 0) {
    const up = foldersUp(folder)[dots - 1];
    return up === undefined ? [] : [up];
  }
  const around = foldersUp(folder);
  return [...around.toReversed().slice(0, 1), ...configured, ...SOURCE_FOLDERS, ...around];
}

function at(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
