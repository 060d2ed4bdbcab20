/** Packages whose names are shared among files: what each declares, and where full names lead. */
import type { Binding, FactDefinition } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import type { DefinitionTarget, Target } from './targets.ts';

export interface Packages {
  /** Of languages whose packages share their names among files; undefined for others. */
  packageOf(file: OpenFile): string | undefined;
  /** What a package declares under a name; of several the nearest to the file that asks. */
  inPackage(key: string, name: string, from?: OpenFile): Target | undefined;
  /** `a.b.C.Inner`: the longest beginning that is a package, then what is in it. */
  byFullName(name: string, from: OpenFile): Target | undefined;
}

export type MemberOf = (target: Target | undefined, name: string) => Target | undefined;

const MOST_PACKAGE_FILES = 2_000;
const TEST = '\0test';
type Names = ReadonlyMap<string, readonly DefinitionTarget[]>;

export function createPackages(project: ProjectFacts, memberOf: MemberOf): Packages {
  const packages = new Map<string, Names>();

  function packageOf(file: OpenFile): string | undefined {
    if (file.language === 'go') return goPackage(file.path, file.facts.package ?? '');
    // Files without a package share that of their folder.
    return file.language === 'java' ? (file.facts.package ?? `./${folderOf(file.path)}`) : undefined;
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

  function byFullName(name: string, from: OpenFile): Target | undefined {
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
      for (const [name, { definitions }] of topOf(file)) {
        const [definition] = definitions;
        if (definition === undefined) continue;
        const target: DefinitionTarget = { kind: 'definition', definition, all: definitions, file };
        const known = names.get(name);
        if (known === undefined) names.set(name, [target]);
        else if (/_test\.\w+$/.test(file.path)) known.push(target);
        else known.unshift(target);
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
    const isIn = (path: string): boolean =>
      folderOf(path) === folder && (kind !== 'go:' || path.endsWith('.go'));
    const listed =
      kind === undefined
        ? project.naming(key).map(({ path }) => path)
        : [...project.files.keys()].filter(isIn);
    return listed.slice(0, MOST_PACKAGE_FILES).flatMap((path) => {
      const file = project.open(path);
      return file !== undefined && packageOf(file) === key ? [file] : [];
    });
  }

  return { packageOf, inPackage, byFullName };
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

export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at === -1 ? '' : path.slice(0, at);
}

/** A folder may hold the tests of its package as a package of their own. */
export function goPackage(path: string, name: string): string {
  return `go:${folderOf(path)}${name.endsWith('_test') ? TEST : ''}`;
}
