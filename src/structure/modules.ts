/** What modules and packages give under a name: through imports, re-exports and the files of one package. */
import { posix } from 'node:path';
import type { Binding } from '../languages/index.ts';
import { createPackages, goPackage, type MemberOf, type Packages, topOf } from './packages.ts';
import { createPhpNames, PHP_KEY } from './php-names.ts';
import { DEFAULT_EXPORT, type OpenFile, type ProjectFacts } from './project-facts.ts';
import { familyOf } from './families.ts';
import { type Target } from './targets.ts';

export interface Modules extends Packages {
  /** What a name of a scope stands for. */
  meant(file: OpenFile, binding: Binding): Target | undefined;
  /** What a module gives under a name. */
  exported(path: string, name: string): Target | undefined;
  /** What a name means that no scope, package or star import of a file has, in languages whose files share some names. */
  outside(file: OpenFile, name: string): Target | undefined;
  /** What a star import of the file gives under a name. */
  starred(file: OpenFile, name: string): Target | undefined;
}

/** A chain of re-exports is followed so far: longer ones are cycles, or not worth it. */
const MOST_STEPS = 50;
/** A star of a star of a star: so many modules are looked at for one name. */
const MOST_STARS = 2_000;

export function createModules(project: ProjectFacts, memberOf: MemberOf): Modules {
  const { packageOf, inPackage, byFullName, inNamespace, globalStars } = createPackages(project, memberOf);
  const specifiers = new Map<string, readonly string[]>();
  const exports = new Map<string, Target | undefined>();
  const globals = new Map<string, Target | undefined>();
  const php = createPhpNames(project);
  let stars = 0;

  function filesOf(file: OpenFile, specifier: string, names: readonly string[] = []): readonly string[] {
    const key = `${file.path}\0${specifier}\0${names.join(',')}`;
    const known = specifiers.get(key);
    if (known !== undefined) return known;
    const found = project
      .imports(file, { specifier, names, line: 1 })
      .filter((path) => project.isParsed(path));
    specifiers.set(key, found);
    return found;
  }

  function exported(path: string, name: string, seen: ReadonlySet<string> = new Set()): Target | undefined {
    const key = `${path}\0${name}`;
    if (exports.has(key)) return exports.get(key);
    const file = project.open(path);
    if (file === undefined || seen.has(key) || seen.size > MOST_STEPS) return undefined;
    if (seen.size === 0) stars = 0;
    const along = new Set([...seen, key]);
    const found = file.language === 'python' ? fromPython(file, name, along) : fromScript(file, name, along);
    // What a cycle or a limit cut off may be found from another module.
    if (found !== undefined || seen.size === 0) exports.set(key, found);
    return found;
  }

  function fromScript(file: OpenFile, name: string, seen: ReadonlySet<string>): Target | undefined {
    for (const each of file.facts.exports) {
      if (each.kind === 'star' || each.name !== name) continue;
      const found = each.kind === 'local' ? fromLocal(file, each.local, seen) : fromOther(file, each, seen);
      if (found !== undefined) return found;
    }
    if (name === DEFAULT_EXPORT) return undefined;
    for (const each of file.facts.exports)
      if (each.kind === 'star') {
        const found = fromStar(file, each.specifier, name, seen);
        if (found !== undefined) return found;
      }
    return undefined;
  }

  function fromLocal(file: OpenFile, local: string, seen: ReadonlySet<string>): Target | undefined {
    const binding = topOf(file).get(local);
    return binding && meant(file, binding, seen);
  }

  function fromOther(
    file: OpenFile,
    { specifier, from }: { readonly specifier: string; readonly from: string },
    seen: ReadonlySet<string>,
  ): Target | undefined {
    for (const path of filesOf(file, specifier)) {
      const found: Target | undefined = from === '*' ? { kind: 'module', path } : exported(path, from, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function fromStar(
    file: OpenFile,
    specifier: string,
    name: string,
    seen: ReadonlySet<string>,
  ): Target | undefined {
    if (++stars > MOST_STARS) return undefined;
    for (const path of filesOf(file, specifier)) {
      const found = exported(path, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function fromPython(file: OpenFile, name: string, seen: ReadonlySet<string>): Target | undefined {
    const own = fromLocal(file, name, seen);
    if (own !== undefined) return own;
    if (posix.basename(file.path) === '__init__.py') {
      const module = filesOf(file, '.', [name]).find((path) => isModuleNamed(path, name));
      if (module !== undefined) return { kind: 'module', path: module };
    }
    for (const specifier of file.facts.stars) {
      const found = fromStar(file, specifier, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function meant(file: OpenFile, binding: Binding, seen?: ReadonlySet<string>): Target | undefined {
    const [definition] = binding.definitions;
    if (definition !== undefined) return { kind: 'definition', definition, all: binding.definitions, file };
    if (binding.import === undefined) return { kind: 'local', binding };
    const { specifier, name } = binding.import;
    switch (familyOf(file.language)) {
      case 'go': {
        const first = filesOf(file, specifier)[0];
        const opened = first === undefined ? undefined : project.open(first);
        return opened === undefined
          ? { kind: 'external' }
          : { kind: 'package', key: goPackage(opened.path, '') };
      }
      case 'php':
        return php.byFullName(specifier) ?? { kind: 'external' };
      case 'jvm':
      case 'csharp':
        return byFullName(specifier, file) ?? { kind: 'external' };
      default:
        return imported(file, { specifier, name }, seen) ?? { kind: 'external' };
    }
  }

  function imported(
    file: OpenFile,
    { specifier, name }: { readonly specifier: string; readonly name: string },
    seen: ReadonlySet<string> = new Set(),
  ): Target | undefined {
    for (const path of filesOf(file, specifier, name === '*' ? [] : [name])) {
      if (name === '*') return { kind: 'module', path };
      if (file.language === 'python' && isModuleNamed(path, name) && !isShadowed(file, specifier, path, name))
        return { kind: 'module', path };
      const found = exported(path, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `from pkg import name`, where the package itself defines the name: that is meant, not the module. */
  function isShadowed(file: OpenFile, specifier: string, path: string, name: string): boolean {
    const own = filesOf(file, specifier)[0];
    if (own === undefined || own === path) return false;
    const opened = project.open(own);
    const binding = opened && topOf(opened).get(name);
    return binding !== undefined && binding.import === undefined;
  }

  function starred(file: OpenFile, name: string): Target | undefined {
    for (const specifier of [...file.facts.stars, ...globalStars(file)]) {
      const family = familyOf(file.language);
      const found =
        family === 'jvm' || family === 'csharp'
          ? (inPackage(specifier, name, file) ?? byFullName(`${specifier}.${name}`, file))
          : family === 'go'
            ? fromGoStar(file, specifier, name)
            : fromStar(file, specifier, name, new Set());
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function outside(file: OpenFile, name: string): Target | undefined {
    switch (familyOf(file.language)) {
      case 'script':
        return ambient(name);
      case 'php':
        return php.named(file, name);
      default:
        return undefined;
    }
  }

  /** What a script that is no module declares for all, as `declare namespace Deno` does. */
  function ambient(name: string): Target | undefined {
    const known = globals.get(name);
    if (known !== undefined || globals.has(name)) return known;
    const found = project
      .naming(name)
      .filter(({ path, language }) => familyOf(language) === 'script' && path.endsWith('.d.ts'))
      .flatMap(({ path }): Target[] => {
        const file = project.open(path);
        const isModule = file === undefined || file.facts.imports.length + file.facts.exports.length > 0;
        const binding = isModule ? undefined : topOf(file).get(name);
        const [definition] = binding?.definitions ?? [];
        if (file === undefined || binding === undefined || definition === undefined) return [];
        return [{ kind: 'definition', definition, all: binding.definitions, file }];
      });
    const target = found.length === 1 ? found[0] : undefined;
    globals.set(name, target);
    return target;
  }

  function fromGoStar(file: OpenFile, specifier: string, name: string): Target | undefined {
    const first = filesOf(file, specifier)[0];
    return first === undefined ? undefined : inPackage(goPackage(first, ''), name);
  }

  return {
    meant: (file, binding) => meant(file, binding),
    exported,
    inPackage: (key, name, from) =>
      key.startsWith(PHP_KEY) ? php.inNamespace(key.slice(PHP_KEY.length), name) : inPackage(key, name, from),
    byFullName,
    inNamespace,
    globalStars,
    packageOf,
    starred,
    outside,
  };
}

function isModuleNamed(path: string, name: string): boolean {
  return path === `${name}.py` || path.endsWith(`/${name}.py`) || path.endsWith(`/${name}/__init__.py`);
}
