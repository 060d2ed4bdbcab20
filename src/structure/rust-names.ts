/**
 * Rust: paths through modules, crates, types and what is implemented for them. A file is a module; its parent is the file that
 * declares it. Methods stand in `impl` blocks, in any file.
 */
import { posix } from 'node:path';
import type { Binding, Scope } from '../languages/index.ts';
import type { LanguageNames, NameParts } from './name-parts.ts';
import type { OpenFile } from './project-facts.ts';
import type { Found, Target } from './targets.ts';
import { createTypeBlocks } from './type-blocks.ts';

const MOST_FILES = 2_000;
const MOST_SIBLINGS = 200;
const MOST_STEPS = 40;

export function createRustNames({ project, meant, memberOf, instanceOf }: NameParts): LanguageNames {
  const parents = new Map<string, string | undefined>();
  const macros = new Map<string, readonly Target[]>();
  const busy = new Set<object>();
  let steps = 0;

  function topOf(file: OpenFile): Scope | undefined {
    return file.facts.scopes[0];
  }

  /** The file that declares the module of a file; undefined for the root of a crate. */
  function parentOf(path: string): string | undefined {
    if (parents.has(path)) return parents.get(path);
    parents.set(path, undefined);
    const isFolder = posix.basename(path) === 'mod.rs';
    const own = isFolder ? posix.dirname(path) : path.replace(/\.rs$/, '');
    const [folder, name] = [posix.dirname(own), posix.basename(own)];
    const usual = [`${folder}.rs`, `${folder}/mod.rs`, `${folder}/lib.rs`, `${folder}/main.rs`].map((each) =>
      each.replace(/^\.\//, ''),
    );
    const isHere = (other: string): boolean => {
      if (other === path || !project.files.has(other)) return false;
      const file = project.open(other);
      return (
        file?.facts.imports.some(
          ({ specifier }) =>
            specifier.startsWith('./') &&
            project.imports(file, { specifier, names: [], line: 1 })[0] === path,
        ) === true
      );
    };
    const found =
      usual.find(isHere) ??
      project
        .naming(`./${name}`)
        .map((file) => file.path)
        .filter((other) => posix.dirname(other) === folder)
        .slice(0, MOST_SIBLINGS)
        .find(isHere) ??
      // A macro may declare modules.
      usual.find((other) => other !== path && project.files.has(other));
    parents.set(path, found);
    return found;
  }

  function rootOf(path: string): string {
    let at = path;
    for (let step = 0; step < MOST_STEPS; step++) {
      const parent = parentOf(at);
      if (parent === undefined) return at;
      at = parent;
    }
    return at;
  }

  function moduleAround(file: OpenFile, scope: Scope): Target {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.kind === 'namespace' && at.definition !== undefined)
        return { kind: 'definition', definition: at.definition, all: [at.definition], file };
    return { kind: 'module', path: file.path };
  }

  function parentModule(target: Target | undefined): Target | undefined {
    if (target?.kind === 'definition') return moduleAround(target.file, target.definition.scope);
    const parent = target?.kind === 'module' ? parentOf(target.path) : undefined;
    return parent === undefined ? undefined : { kind: 'module', path: parent };
  }

  function crateNamed(file: OpenFile, name: string): Target | undefined {
    const [path] = project.imports(file, { specifier: `::${name}`, names: [], line: 1 });
    return path === undefined ? undefined : { kind: 'module', path };
  }

  function macroNamed(file: OpenFile, name: string): Target | undefined {
    let known = macros.get(name);
    if (known === undefined) {
      known = project.naming(`${name}!`).flatMap(({ path }): Target[] => {
        const home = project.open(path);
        const definition = home?.facts.definitionsNamed(name).find(({ kind }) => kind === 'function');
        if (home === undefined || definition === undefined) return [];
        return [{ kind: 'definition', definition, all: [definition], file: home }];
      });
      macros.set(name, known);
    }
    if (known.length < 2) return known[0];
    const root = rootOf(file.path);
    return known.find((each) => each.kind === 'definition' && rootOf(each.file.path) === root) ?? known[0];
  }

  /** What the stars of a scope give under a name. */
  function starred(file: OpenFile, scope: Scope, name: string): Target | undefined {
    for (const [star, binding] of scope.names) {
      if (!star.startsWith('*') || binding.import === undefined || busy.has(binding)) continue;
      if (++steps > MOST_FILES) return undefined;
      busy.add(binding);
      try {
        const target = memberOf(imported(file, binding.import), name);
        if (target !== undefined) return target;
      } finally {
        busy.delete(binding);
      }
    }
    return undefined;
  }

  /** A function and a module may have one name: what stands before colons is the module. */
  function bound(scope: Scope, name: string, isPrefix: boolean): Binding | undefined {
    const keys = isPrefix ? [`${name}::`, name] : [name, `${name}::`];
    return keys.map((key) => scope.names.get(key)).find((each) => each !== undefined && !busy.has(each));
  }

  function headOf(file: OpenFile, scope: Scope, name: string, isPrefix = false): Found | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const binding = bound(at, name, isPrefix);
      if (binding !== undefined) return { kind: 'binding', binding };
      const target = starred(file, at, name);
      if (target !== undefined) return { kind: 'target', target };
      // A module does not see the names around it.
      if (at.kind === 'namespace') break;
    }
    const target = crateNamed(file, name) ?? macroNamed(file, name);
    return target && { kind: 'target', target };
  }

  function lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined {
    steps = 0;
    return byPath(file, scope, name);
  }

  function byPath(file: OpenFile, scope: Scope, name: string): Found | undefined {
    if (!name.includes('::')) return headOf(file, scope, name);
    const [first = '', ...rest] = name.split('::').filter((part, at) => part !== '' || at === 0);
    let target = firstOf(file, scope, first, rest);
    while (rest[0] === 'super') {
      rest.shift();
      target = parentModule(target);
    }
    for (const [at, part] of rest.entries()) {
      if (target === undefined) return undefined;
      if (target.kind === 'external') break;
      target =
        (at < rest.length - 1 || name.endsWith('::') ? moduleIn(target, part) : undefined) ??
        memberOf(target, part);
    }
    return target && { kind: 'target', target };
  }

  function moduleIn(target: Target, name: string): Target | undefined {
    const file =
      target.kind === 'module'
        ? project.open(target.path)
        : target.kind === 'definition'
          ? target.file
          : undefined;
    const inner = target.kind === 'definition' ? target.definition.inner : file?.facts.scopes[0];
    const binding = inner?.names.get(`${name}::`);
    return file && binding && meant(file, binding);
  }

  function firstOf(file: OpenFile, scope: Scope, first: string, rest: string[]): Target | undefined {
    switch (first) {
      case '':
        return crateNamed(file, rest.shift() ?? '');
      case 'crate':
      case '$crate':
        return { kind: 'module', path: rootOf(file.path) };
      case 'self':
        return moduleAround(file, scope);
      case 'super':
        return parentModule(moduleAround(file, scope));
    }
    const found = headOf(file, scope, first, true);
    if (found === undefined) return undefined;
    if (found.kind === 'target') return found.target;
    const { binding } = found;
    // A type parameter, or `Self`.
    if (binding.definitions.length === 0 && binding.import === undefined)
      return binding.type === undefined ? undefined : instanceOf(file, scope, binding.type);
    return meant(file, binding);
  }

  function imported(
    file: OpenFile,
    { specifier, name }: { readonly specifier: string; readonly name: string },
  ): Target | undefined {
    if (specifier.startsWith('./')) {
      const [path] = project.imports(file, { specifier, names: [], line: 1 });
      return path === undefined ? undefined : { kind: 'module', path };
    }
    const top = topOf(file);
    if (top === undefined) return undefined;
    const whole = [specifier, name].filter((part) => part !== '' && part !== '*').join('::');
    const isModule = whole === 'self' || whole === 'super' || whole === 'crate';
    const found = byPath(file, top, isModule ? `${whole}::` : whole);
    if (found?.kind === 'target') return found.target;
    return found && meant(file, found.binding);
  }

  function exported(file: OpenFile, inner: Scope | undefined, name: string): Target | undefined {
    if (inner === undefined) return undefined;
    const binding = bound(inner, name, false);
    if (binding !== undefined) {
      busy.add(binding);
      try {
        const target = meant(file, binding);
        if (target !== undefined && target.kind !== 'external') return target;
      } finally {
        busy.delete(binding);
      }
    }
    const found = starred(file, inner, name);
    if (found !== undefined || inner.parent !== undefined) return found;
    return (
      imported(file, { specifier: `./${name}`, name: '*' }) ??
      (parentOf(file.path) === undefined ? macroNamed(file, name) : undefined)
    );
  }

  return { lookUp, imported, exported, ...createTypeBlocks('rust', { project, instanceOf }) };
}
