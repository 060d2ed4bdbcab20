/** What modules and packages give under a name: through imports, re-exports and the files of one package. */
import { posix } from 'node:path';
import type { Binding, FactDefinition } from '../languages/index.ts';
import { createPhpNames, PHP_KEY } from './php-names.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import { familyOf, type Target } from './targets.ts';

export interface Modules {
  /** What a name of a scope stands for. */
  meant(file: OpenFile, binding: Binding): Target | undefined;
  /** What a module gives under a name. */
  exported(path: string, name: string): Target | undefined;
  inPackage(key: string, name: string): Target | undefined;
  /** Of languages whose packages share their names among files; undefined for others. */
  packageOf(file: OpenFile): string | undefined;
  /** What a name means that no scope, package or star import of a file has, in languages whose files share some names. */
  outside(file: OpenFile, name: string): Target | undefined;
  /** What a star import of the file gives under a name. */
  starred(file: OpenFile, name: string): Target | undefined;
}

/** A chain of re-exports is followed so far: longer ones are cycles, or not worth it. */
const MOST_STEPS = 50;
/** A star of a star of a star: so many modules are looked at for one name. */
const MOST_STARS = 2_000;
const MOST_PACKAGE_FILES = 2_000;
const TEST = '\0test';

export function createModules(project: ProjectFacts): Modules {
  const specifiers = new Map<string, readonly string[]>();
  const exports = new Map<string, Target | undefined>();
  const packages = new Map<string, ReadonlyMap<string, Target>>();
  const globals = new Map<string, Target | undefined>();
  const php = createPhpNames(project);
  let stars = 0;

  function filesOf(file: OpenFile, specifier: string, names: readonly string[] = []): readonly string[] {
    const key = `${file.path}\0${specifier}\0${names.join(',')}`;
    const known = specifiers.get(key);
    if (known !== undefined) return known;
    const found = project
      .imports(file, { specifier, names, line: 1 })
      .filter((path) => project.files.get(path)?.row !== undefined);
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
    if (name === 'default') return undefined;
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
        return byFullName(specifier) ?? { kind: 'external' };
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

  /** `a.b.C.Inner`: the longest beginning that is a package, then what is in it. */
  function byFullName(specifier: string): Target | undefined {
    const parts = specifier.split('.');
    for (let length = parts.length - 1; length > 0; length--) {
      let at = inPackage(parts.slice(0, length).join('.'), parts[length] ?? '');
      for (const part of parts.slice(length + 1)) at = at && memberNamed(at, part);
      if (at !== undefined) return at;
    }
    return undefined;
  }

  function memberNamed(target: Target, name: string): Target | undefined {
    if (target.kind !== 'definition') return undefined;
    const [definition] = target.definition.members.get(name)?.definitions ?? [];
    return definition && { kind: 'definition', definition, all: [definition], file: target.file };
  }

  function packageOf(file: OpenFile): string | undefined {
    if (file.language === 'go') return goPackage(file.path, file.facts.package ?? '');
    return file.language === 'java' ? (file.facts.package ?? '') : undefined;
  }

  function inPackage(key: string, name: string): Target | undefined {
    if (key.startsWith(PHP_KEY))
      return php.byFullName(`${key.slice(PHP_KEY.length)}\\${name}`.replace(/^\\/, ''));
    let names = packages.get(key);
    if (names === undefined) {
      names = readPackage(key);
      packages.set(key, names);
    }
    return names.get(name);
  }

  function readPackage(key: string): ReadonlyMap<string, Target> {
    const names = new Map<string, Target>();
    const files = packageFiles(key);
    for (const file of files)
      for (const [name, { definitions }] of topOf(file)) {
        const [definition] = definitions;
        if (definition === undefined || (names.has(name) && /_test\.\w+$/.test(file.path))) continue;
        names.set(name, { kind: 'definition', definition, all: definitions, file });
      }
    for (const file of files) for (const method of file.facts.definitions) attach(names, method);
    return names;
  }

  /** Go: a method belongs to the type that its receiver names, in whichever file of the package. */
  function attach(names: ReadonlyMap<string, Target>, method: FactDefinition): void {
    if (method.ownerName === undefined || method.owner !== undefined) return;
    const target = names.get(method.ownerName);
    if (target?.kind !== 'definition') return;
    const owner = target.definition;
    method.owner = owner;
    const known = owner.members.get(method.name);
    if (known === undefined) owner.members.set(method.name, { definitions: [method] });
    else known.definitions.push(method);
  }

  function packageFiles(key: string): readonly OpenFile[] {
    const isGo = key.startsWith('go:');
    const folder = key.slice(3).replace(TEST, '');
    const listed = isGo
      ? [...project.files.keys()].filter((path) => path.endsWith('.go') && folderOf(path) === folder)
      : project.naming(key).map(({ path }) => path);
    return listed.slice(0, MOST_PACKAGE_FILES).flatMap((path) => {
      const file = project.open(path);
      return file !== undefined && packageOf(file) === key ? [file] : [];
    });
  }

  function starred(file: OpenFile, name: string): Target | undefined {
    for (const specifier of file.facts.stars) {
      const family = familyOf(file.language);
      const found =
        family === 'jvm'
          ? (inPackage(specifier, name) ?? byFullName(`${specifier}.${name}`))
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

  return { meant: (file, binding) => meant(file, binding), exported, inPackage, packageOf, starred, outside };
}

function topOf({ facts }: OpenFile): ReadonlyMap<string, Binding> {
  return facts.scopes[0]?.names ?? new Map<string, Binding>();
}

function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at === -1 ? '' : path.slice(0, at);
}

/** A folder may hold the tests of its package as a package of their own. */
function goPackage(path: string, name: string): string {
  return `go:${folderOf(path)}${name.endsWith('_test') ? TEST : ''}`;
}

function isModuleNamed(path: string, name: string): boolean {
  return path === `${name}.py` || path.endsWith(`/${name}.py`) || path.endsWith(`/${name}/__init__.py`);
}
