/** What an import names: a file of ours, an installed or built-in module, or nothing that exists. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

/**
 * @typedef {{ kind: 'file', path: string } | { kind: 'module', name: string } | { kind: 'broken', message: string }} Target
 */

/**
 * @param {string} importer
 * @param {string} specifier
 * @param {ReadonlySet<string>} paths
 * @returns {Target}
 */
export function resolveImport(importer, specifier, paths) {
  if (!specifier.startsWith('.')) return { kind: 'module', name: toModuleName(specifier) };
  const path = posix.join(posix.dirname(importer), specifier);
  if (paths.has(path)) return { kind: 'file', path };
  const meant = [`${path}.ts`, path.replace(/\.js$/, '.ts'), `${path}/index.ts`].find((guess) =>
    paths.has(guess),
  );
  if (meant === undefined) {
    return {
      kind: 'broken',
      message: `'${specifier}' leads to no file. Correct the path, or delete the import.`,
    };
  }
  const wanted = posix.relative(posix.dirname(importer), meant);
  const better = wanted.startsWith('.') ? wanted : `./${wanted}`;
  return {
    kind: 'broken',
    message: `'${specifier}' is not the name of a file. Write '${better}': imports name the real file, with .ts.`,
  };
}

/**
 * `fs` and `node:fs` are one module; `pg/lib/x` belongs to the package `pg`.
 * @param {string} specifier
 */
function toModuleName(specifier) {
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
