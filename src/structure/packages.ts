/** Packages whose names are shared among files: what each declares, and where full names lead. */
import {
  type Binding,
  type FactDefinition,
  GLOBAL_NAMESPACE,
  GLOBAL_USING,
  type Scope,
} from '../languages/index.ts';
import { folderOf, type OpenFile, type ProjectFacts } from './project-facts.ts';
import { familyOf } from './families.ts';
import { type DefinitionTarget, type Target } from './targets.ts';

export interface Packages {
  /** Of languages whose packages share their names among files; undefined for others. */
  packageOf(file: OpenFile): string | undefined;
  /** What a package declares under a name; of several the nearest to the file that asks. */
  inPackage(key: string, name: string, from?: OpenFile): Target | undefined;
  /** `a.b.C.Inner`: the longest beginning that is a package, then what is in it. */
  byFullName(name: string, from: OpenFile): Target | undefined;
  /** What a namespace and those around it declare under a name. */
  inNamespace(scope: Scope, name: string, from: OpenFile): Target | undefined;
  /** Namespaces that are in scope in every file, in languages that have such. */
  globalStars(file: OpenFile): readonly string[];
}

export type MemberOf = (target: Target | undefined, name: string) => Target | undefined;

const MOST_PACKAGE_FILES = 2_000;
const TEST = '\0test';
type Names = ReadonlyMap<string, readonly DefinitionTarget[]>;

export function createPackages(project: ProjectFacts, memberOf: MemberOf): Packages {
  const packages = new Map<string, Names>();
  const shared: { stars?: readonly string[] } = {};

  function packageOf(file: OpenFile): string | undefined {
    if (file.language === 'go') return goPackage(file.path, file.facts.package ?? '');
    if (file.language === 'csharp') return GLOBAL_NAMESPACE;
    // Files without a package share that of their folder.
    return familyOf(file.language) === 'jvm' ? (file.facts.package ?? `./${folderOf(file.path)}`) : undefined;
  }

  function inPackage(key: string, name: string, from?: OpenFile): Target | undefined {
    let names = packages.get(key);
    if (names === undefined) {
      names = readPackage(key);
      packages.set(key, names);
    }
    const all = names.get(name);
    return all === undefined || all.length < 2 || from === undefined ? all?.[0] : nearest(all, from);
  }

  function inNamespace({ definition }: Scope, name: string, from: OpenFile): Target | undefined {
    for (
      let key = definition?.name ?? '';
      key !== '';
      key = key.slice(0, Math.max(0, key.lastIndexOf('.')))
    ) {
      const found = inPackage(key, name, from);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function globalStars({ language }: OpenFile): readonly string[] {
    if (language !== 'csharp') return [];
    shared.stars ??= project
      .naming(GLOBAL_USING)
      .flatMap(({ path }) => project.open(path)?.facts.exports ?? [])
      .flatMap((each) => (each.kind === 'star' ? [each.specifier] : []));
    return shared.stars;
  }

  function byFullName(name: string, from: OpenFile): Target | undefined {
    return fromRoot(name, from) ?? fromAround(name, from);
  }

  /** `B.C` inside of `namespace A` may be `A.B.C`. */
  function fromAround(name: string, from: OpenFile): Target | undefined {
    if (from.language !== 'csharp') return undefined;
    const around = from.facts.scopes.find(({ kind }) => kind === 'namespace')?.definition?.name ?? '';
    for (let key = around; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('.')))) {
      const found = fromRoot(`${key}.${name}`, from);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function fromRoot(name: string, from: OpenFile): Target | undefined {
    const parts = name.split('.');
    for (let length = parts.length - 1; length > 0; length--) {
      let at = inPackage(parts.slice(0, length).join('.'), parts[length] ?? '', from);
      for (const part of parts.slice(length + 1)) at = at && memberOf(at, part);
      if (at !== undefined) return at;
    }
    return undefined;
  }

  function readPackage(key: string): Names {
    const names = new Map<string, DefinitionTarget[]>();
    const files = packageFiles(key);
    for (const file of files)
      for (const [name, { definitions }] of sharedBy(file, key)) {
        const [definition] = definitions;
        if (definition === undefined) continue;
        const target: DefinitionTarget = { kind: 'definition', definition, all: definitions, file };
        const known = names.get(name) ?? [];
        const whole = known.find((each) => isOneWith(each, target));
        if (whole !== undefined)
          known[known.indexOf(whole)] = { ...whole, all: [...whole.all, ...definitions] };
        else if (/_test\.\w+$/.test(file.path)) known.push(target);
        else known.unshift(target);
        names.set(name, known);
      }
    for (const file of files) for (const method of file.facts.definitions) attach(names, method);
    return names;
  }

  /** Go: a method belongs to the type that its receiver names, in whichever file of the package. */
  function attach(names: Names, method: FactDefinition): void {
    if (method.ownerName === undefined || method.owner !== undefined) return;
    const owner = names.get(method.ownerName)?.[0]?.definition;
    if (owner === undefined) return;
    method.owner = owner;
    const known = owner.members.get(method.name);
    if (known === undefined) owner.members.set(method.name, { definitions: [method] });
    else known.definitions.push(method);
  }

  function packageFiles(key: string): readonly OpenFile[] {
    const [, kind, rest = ''] = /^(go:|\.\/)(.*)$/s.exec(key) ?? [];
    const folder = rest.replace(TEST, '');
    const listed =
      kind === undefined
        ? project.naming(key).map(({ path }) => path)
        : project.inFolder(folder).filter((path) => kind !== 'go:' || path.endsWith('.go'));
    return listed.slice(0, MOST_PACKAGE_FILES).flatMap((path) => {
      const file = project.open(path);
      return file !== undefined && sharedBy(file, key).length > 0 ? [file] : [];
    });
  }

  /** What a file adds to a package. */
  function sharedBy(file: OpenFile, key: string): readonly (readonly [string, Binding])[] {
    if (file.language !== 'csharp') return packageOf(file) === key ? [...topOf(file)] : [];
    if (key === GLOBAL_NAMESPACE) return file.facts.package === key ? [...topOf(file)] : [];
    return file.facts.scopes
      .filter(({ kind, definition }) => kind === 'namespace' && definition?.name === key)
      .flatMap(({ names }) => [...names]);
  }

  return { packageOf, inPackage, byFullName, inNamespace, globalStars };
}

/** Parts of one type, overloads of one function, or types that differ in how many parameters they take. */
function isOneWith(one: DefinitionTarget, other: DefinitionTarget): boolean {
  const [a, b] = [one.definition, other.definition];
  // Files of one package that are built for different systems define the same.
  if (one.file.language === 'go')
    return a.kind === b.kind && [one, other].every(({ file }) => !file.path.endsWith('_test.go'));
  if (a.isPartial === true && b.isPartial === true) return true;
  if (a.arity === undefined || b.arity === undefined) return false;
  return a.arity !== b.arity || (a.kind === 'function' && b.kind === 'function');
}

/** The one in the file itself, or whose path begins most like that of the file. */
function nearest(all: readonly DefinitionTarget[], { path }: OpenFile): DefinitionTarget | undefined {
  const shared = ({ file }: DefinitionTarget): number => {
    let at = 0;
    while (at < path.length && path[at] === file.path[at]) at++;
    return at === path.length ? Infinity : path.slice(0, at).split('/').length;
  };
  return all.toSorted((a, b) => shared(b) - shared(a))[0];
}

export function topOf({ facts }: OpenFile): ReadonlyMap<string, Binding> {
  return facts.scopes[0]?.names ?? new Map<string, Binding>();
}

/** A folder may hold the tests of its package as a package of their own. */
export function goPackage(path: string, name: string): string {
  return `go:${folderOf(path)}${name.endsWith('_test') ? TEST : ''}`;
}
