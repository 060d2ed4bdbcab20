/** Swift: files of a project see each other's names; of several of one name the nearest is meant. Types go on in extensions. */
import type { Scope } from '../languages/index.ts';
import type { LanguageNames, NameParts } from './name-parts.ts';
import { folderOf, type OpenFile } from './project-facts.ts';
import { type DefinitionTarget, type Found, type Target, targetOf } from './targets.ts';
import { createTypeBlocks } from './type-blocks.ts';

const MOST_FILES = 2_000;

export function createSwiftNames({ project, memberOf, instanceOf }: NameParts): LanguageNames {
  const blocks = createTypeBlocks('swift', { project, instanceOf });
  const tops = new Map<string, readonly DefinitionTarget[]>();
  const modules = new Map<string, boolean>();
  /** Types whose members are being looked for: a base may be named as a member is. */
  const busy = new Set<Scope>();

  function topsNamed(name: string): readonly DefinitionTarget[] {
    const known = tops.get(name);
    if (known !== undefined) return known;
    const found = project
      .naming(name)
      .filter(({ language }) => language === 'swift')
      .slice(0, MOST_FILES)
      .flatMap(({ path }): DefinitionTarget[] => {
        const file = project.open(path);
        const all = file?.facts.scopes[0]?.names.get(name)?.definitions ?? [];
        const [definition] = all;
        return file && definition ? [{ kind: 'definition', definition, all, file }] : [];
      });
    tops.set(name, found);
    return found;
  }

  function fromProject(name: string, { path }: OpenFile): Target | undefined {
    const all = topsNamed(name);
    const shared = (other: string): number => {
      let at = 0;
      while (at < path.length && path[at] === other[at]) at++;
      return folderOf(path.slice(0, at)).length;
    };
    return all.length < 2 ? all[0] : all.toSorted((a, b) => shared(b.file.path) - shared(a.file.path))[0];
  }

  /** A member of the type or extension around, without `self`. */
  function memberAround(file: OpenFile, scope: Scope, name: string): Target | undefined {
    if (scope.kind !== 'class' || busy.has(scope)) return undefined;
    busy.add(scope);
    try {
      const self = scope.names.get('Self')?.type;
      const owner =
        scope.definition === undefined
          ? scope.parent && instanceOf(file, scope.parent, self)
          : targetOf(scope.definition, file);
      return memberOf(owner, name);
    } finally {
      busy.delete(scope);
    }
  }

  function lookUp(file: OpenFile, scope: Scope, name: string): Found | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const binding = at.names.get(name);
      if (binding !== undefined && (binding.import === undefined || isOwnModule(name)))
        return { kind: 'binding', binding };
      const target = memberAround(file, at, name);
      if (target !== undefined) return { kind: 'target', target };
    }
    const target = fromProject(name, file);
    return target && { kind: 'target', target };
  }

  /** A module of the project has a folder of its name. */
  function isOwnModule(name: string): boolean {
    const known =
      modules.get(name) ??
      [...project.files.keys()].some((path) => path.endsWith('.swift') && `/${path}`.includes(`/${name}/`));
    modules.set(name, known);
    return known;
  }

  return {
    lookUp,
    imported(file, { specifier }) {
      return isOwnModule(specifier) ? { kind: 'module', path: file.path } : undefined;
    },
    exported: (file, _inner, name) => fromProject(name, file),
    ...blocks,
  };
}
