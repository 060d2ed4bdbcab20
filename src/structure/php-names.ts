/** PHP: classes, functions and constants by their full names, from a file's namespace and its `use` lines. */
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import type { Target } from './targets.ts';

export interface PhpNames {
  /** `A\B\name`, without the first backslash. */
  byFullName(full: string): Target | undefined;
  inNamespace(namespace: string, name: string): Target | undefined;
  /** A name as it is written in a file, where no scope has it; one that ends in `\` is a namespace. */
  named(file: OpenFile, written: string): Target | undefined;
}

export const PHP_KEY = 'php:';

export function createPhpNames(project: ProjectFacts): PhpNames {
  const known = new Map<string, Target | undefined>();

  function byFullName(full: string): Target | undefined {
    if (known.has(full)) return known.get(full);
    const at = full.lastIndexOf('\\');
    const [namespace, name] = [full.slice(0, Math.max(0, at)), full.slice(at + 1)];
    // The loader's file first: a common name stands in many files.
    const loaded = project.imports({ path: '', language: 'php' }, { specifier: full, names: [], line: 1 });
    const found = firstOf(loaded, namespace, name) ?? firstOf(pathsNaming(name), namespace, name);
    known.set(full, found);
    return found;
  }

  function pathsNaming(name: string): readonly string[] {
    const files = project.naming(name).filter(({ language }) => language === 'php');
    return files.map(({ path }) => path);
  }

  function firstOf(paths: readonly string[], namespace: string, name: string): Target | undefined {
    for (const path of paths) {
      const file = project.open(path);
      if (file === undefined || (file.facts.package ?? '') !== namespace) continue;
      const all = file.facts.scopes[0]?.names.get(name)?.definitions ?? [];
      const [definition] = all;
      if (definition !== undefined) return { kind: 'definition', definition, all, file };
    }
    return undefined;
  }

  /** A first part that a `use` line gives stands for what it names; else the name is of the file's own namespace. */
  function fullName({ facts }: OpenFile, written: string): string {
    if (written.startsWith('\\')) return written.slice(1);
    const inOwn = (rest: string): string =>
      facts.package === undefined ? rest : `${facts.package}\\${rest}`;
    const [head = '', ...rest] = written.split('\\');
    if (head === 'namespace') return inOwn(rest.join('\\'));
    const alias = rest.length === 0 ? undefined : facts.scopes[0]?.names.get(head)?.import;
    return alias === undefined ? inOwn(written) : [alias.specifier, ...rest].join('\\');
  }

  return {
    byFullName,
    inNamespace: (namespace, name) => byFullName(namespace === '' ? name : `${namespace}\\${name}`),
    named(file, written) {
      if (written.startsWith('$')) return undefined;
      const full = fullName(file, written);
      if (written.endsWith('\\')) return { kind: 'package', key: `${PHP_KEY}${full.slice(0, -1)}` };
      // Functions and constants of no namespace are seen in all of them.
      return byFullName(full) ?? (written.includes('\\') ? undefined : byFullName(written));
    },
  };
}
