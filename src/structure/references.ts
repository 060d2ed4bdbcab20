/** The answer to "who uses this" and "what does this use": symbols, their uses, and what could not be told. */
import type { UseKind } from '../core/index.ts';
import type { Use } from '../languages/index.ts';
import { findUses, type FoundUse } from './find-uses.ts';
import { findOpenUses } from './open-uses.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { Resolver } from './resolver.ts';
import { containerOf, findSymbols, innermost, isLocal, qualified, type SymbolFound } from './symbols.ts';
import { type Defined, type Grade, GRADES, isNamespace, keyOf } from './targets.ts';
import { isTestPath } from './test-path.ts';

export interface ReferencesQuery {
  readonly symbol: string;
  readonly kinds?: readonly UseKind[] | undefined;
  /** `in`: who uses it; `out`: what it uses. */
  readonly direction?: 'in' | 'out' | undefined;
  readonly allowed?: ((path: string) => boolean) | undefined;
  /** Also uses that may mean another symbol of the same name. */
  readonly include?: 'possible' | undefined;
}

export interface Reference {
  readonly path: string;
  readonly line: number;
  readonly kind: UseKind;
  readonly grade: Grade;
  /** The definition around the use, or, going out, the one that is used. */
  readonly symbol: string | undefined;
  readonly isTest: boolean;
}

export interface SymbolReferences {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly references: readonly Reference[];
  /** Uses that were left out: those that may mean another symbol, and import lines. */
  readonly possible: number;
  readonly imports: number;
  /** Only by name: the language is not resolved. */
  readonly isByName: boolean;
  readonly isPartial: boolean;
}

const MOST_ANSWERED = 20;

export function findReferences(
  project: ProjectFacts,
  resolver: Resolver,
  query: ReferencesQuery,
): { readonly symbols: readonly SymbolReferences[]; readonly others: readonly Defined[] } {
  const symbols = findSymbols(project, resolver, query.symbol);
  const answer = query.direction === 'out' ? usedBy : usesOf;
  return {
    symbols: symbols.slice(0, MOST_ANSWERED).map((symbol) => answer(project, resolver, symbol, query)),
    others: symbols.slice(MOST_ANSWERED).flatMap(({ definitions }) => definitions.slice(0, 1)),
  };
}

function usesOf(
  project: ProjectFacts,
  resolver: Resolver,
  symbol: SymbolFound,
  query: ReferencesQuery,
): SymbolReferences {
  const { uses, isPartial } = findUses(resolver, symbol.definitions);
  const home = project.open(symbol.definitions[0]?.path ?? '');
  const isByName = home?.facts.depth === 'names';
  const own = new Set(
    symbol.definitions.map(({ path, definition }) => `${path}:${definition.line}:${definition.column}`),
  );
  const isFitting = ({ path, use }: FoundUse): boolean =>
    query.allowed?.(path) !== false &&
    !own.has(`${path}:${use.line}:${use.column}`) &&
    (query.kinds === undefined || query.kinds.includes(use.kind));
  // An import line is no use by itself; where it is asked for, it is.
  const isWanted = ({ use }: FoundUse): boolean =>
    use.kind !== 'import' || query.kinds?.includes('import') === true;
  const isShown = ({ grade }: FoundUse): boolean =>
    grade !== 'possible' || isByName || query.include === 'possible';
  const [first] = symbol.definitions;
  const isShared = first !== undefined && isNamespace(home?.language ?? '', first.definition);
  const imports = isShared ? importsOf(project, symbol.name) : [];
  const resolved = [...uses, ...imports].filter(isFitting);
  const open = resolved.some(isWanted) ? [] : findOpenUses(project, resolver, symbol.definitions);
  const fitting = [...resolved, ...open.filter(isFitting)];
  const kept = fitting.filter((each) => isWanted(each) && isShown(each));
  return {
    ...headOf(symbol),
    references: oncePerLine(kept.map(toReference)),
    possible: linesOf(fitting.filter((each) => isWanted(each) && !isShown(each))),
    imports: linesOf(fitting.filter((each) => !isWanted(each))),
    isByName,
    isPartial,
  };
}

/** Lines that import all of a namespace. */
function importsOf(project: ProjectFacts, name: string): readonly FoundUse[] {
  return project.naming(name).flatMap(({ path }) => {
    const file = project.open(path);
    const [scope] = file?.facts.scopes ?? [];
    if (file === undefined || scope === undefined) return [];
    const lines = file.facts.imports.filter(({ specifier }) => specifier === name);
    return lines.map(({ line }): FoundUse => {
      const use: Use = { name, line, column: 0, kind: 'import', scope, of: undefined, args: undefined };
      return { path, use, grade: 'sure', file };
    });
  });
}

function headOf(symbol: SymbolFound): Pick<SymbolReferences, 'name' | 'kind' | 'path' | 'line'> {
  const [first] = symbol.definitions;
  return {
    name: qualified(symbol),
    kind: first?.definition.kind ?? 'value',
    path: first?.path ?? '',
    line: first?.definition.line ?? 1,
  };
}

function toReference({ path, use, grade, file }: FoundUse): Reference {
  const around = innermost(file.facts.definitions, use.line);
  const name = around && qualified({ name: around.name, container: containerOf(around) });
  return { path, line: use.line, kind: use.kind, grade, symbol: name, isTest: isTestPath(path) };
}

function linesOf(uses: readonly FoundUse[]): number {
  return new Set(uses.map(({ path, use }) => `${path}:${use.line}`)).size;
}

function oncePerLine(references: readonly Reference[]): readonly Reference[] {
  const lines = new Map<string, Reference>();
  for (const each of references) {
    const key = `${each.path}:${each.line}`;
    const known = lines.get(key);
    if (known === undefined || GRADES.indexOf(each.grade) < GRADES.indexOf(known.grade)) lines.set(key, each);
  }
  return [...lines.values()].toSorted(
    (a, b) =>
      Number(a.isTest) - Number(b.isTest) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

/** What stands between the first and the last line of a symbol, resolved; variables inside of it are its own. */
function usedBy(
  project: ProjectFacts,
  resolver: Resolver,
  symbol: SymbolFound,
  query: ReferencesQuery,
): SymbolReferences {
  const own = new Set(symbol.definitions.map(({ path, definition }) => keyOf(path, definition)));
  const found = new Map<string, Reference>();
  let possible = 0;
  for (const { path, definition } of symbol.definitions) {
    const file = project.open(path);
    for (const use of file?.facts.uses() ?? []) {
      if (file === undefined || !isInside(use, definition) || use.kind === 'import') continue;
      if (query.kinds !== undefined && !query.kinds.includes(use.kind)) continue;
      const resolved = resolver.resolve(file, use);
      if (resolved === undefined) continue;
      if (resolved.grade === 'possible' && query.include !== 'possible') {
        possible++;
        continue;
      }
      for (const used of resolved.definitions) {
        const key = keyOf(used.path, used.definition);
        if (
          own.has(key) ||
          found.has(key) ||
          isLocal(used.definition) ||
          query.allowed?.(used.path) === false
        )
          continue;
        found.set(key, {
          path: used.path,
          line: used.definition.line,
          kind: use.kind,
          grade: resolved.grade,
          symbol: qualified({ name: used.definition.name, container: containerOf(used.definition) }),
          isTest: false,
        });
      }
    }
  }
  const isByName = project.open(symbol.definitions[0]?.path ?? '')?.facts.depth === 'names';
  return {
    ...headOf(symbol),
    references: [...found.values()],
    possible,
    imports: 0,
    isByName,
    isPartial: false,
  };
}

function isInside({ line }: Use, { startLine, endLine }: Defined['definition']): boolean {
  return startLine <= line && line <= endLine;
}
