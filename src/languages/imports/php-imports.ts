/** PHP: the file of a class by composer.json (psr-4, psr-0, class maps), or by the end of its path; and included files. */
import { folderOf, joinInside, type ProjectFiles } from './project-files.ts';
import { fieldsOf, readJsonFields, textOf } from './read-json.ts';

/** A namespace that begins so is in this folder; under psr-0 with the whole namespace as folders. */
interface Root {
  readonly prefix: string;
  readonly folder: string;
  readonly isWhole: boolean;
}

const INCLUDED = /^\.?\/|\.(?:php|inc)$/;

export function createPhpResolver(
  files: ProjectFiles,
  configs: ReadonlyMap<string, string>,
): (from: string, specifier: string) => string | undefined {
  const loaders = [...configs]
    .filter(([path]) => /(?:^|\/)composer\.json$/.test(path))
    .flatMap(([path, text]) => loadersOf(folderOf(path), text));
  const roots = loaders
    .flatMap((loader) => loader.roots)
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  // Without a loader that says more, folders mostly follow the namespace.
  const tail = loaders.some(({ hasMap }) => hasMap) ? 1 : roots.length === 0 ? 2 : 0;

  return (from, specifier) => {
    if (INCLUDED.test(specifier)) {
      const beside = files.first([joinInside(folderOf(from), specifier)]);
      return beside ?? files.endingIn(specifier.replace(/^[./]+/, ''), from);
    }
    const path = specifier.replaceAll('\\', '/');
    const fitting = roots.filter(({ prefix }) => specifier.startsWith(prefix));
    const found = files.first(
      fitting.map(({ prefix, folder, isWhole }) =>
        joinInside(folder, `${isWhole ? path : path.slice(prefix.length)}.php`),
      ),
    );
    return (
      found ??
      (tail === 0 ? undefined : files.endingIn(`${path.split('/').slice(-tail).join('/')}.php`, from))
    );
  };
}

function loadersOf(
  folder: string,
  text: string,
): { readonly roots: readonly Root[]; readonly hasMap: boolean }[] {
  const config = readJsonFields(text);
  return ['autoload', 'autoload-dev'].flatMap((name) => {
    const loader = fieldsOf(config?.[name]);
    if (loader === undefined) return [];
    const roots = (['psr-4', 'psr-0'] as const).flatMap((kind) =>
      Object.entries(fieldsOf(loader[kind]) ?? {}).flatMap(([prefix, given]) =>
        (Array.isArray(given) ? given : [given]).flatMap((each: unknown): Root[] => {
          const at = joinInside(folder, textOf(each) ?? '..');
          return at === undefined ? [] : [{ prefix, folder: at, isWhole: kind === 'psr-0' }];
        }),
      ),
    );
    return [{ roots, hasMap: loader['classmap'] !== undefined }];
  });
}
