/** Which definitions a symbol names: `name`, `Container.name`, or `path:line`. */
import { AppError } from '../core/index.ts';
import type { FactDefinition } from '../languages/index.ts';
import { quoteForeign } from '../text/index.ts';
import { createNearNames } from './near-names.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { Resolver } from './resolver.ts';
import { type Defined, isFieldApart, isNamespace } from './targets.ts';

/** One symbol: a definition with its overloads, the first of them first. */
export interface SymbolFound {
  readonly name: string;
  readonly container: string | undefined;
  readonly definitions: readonly Defined[];
}

/** Of one name, in one file and altogether. */
const MOST_DEFINITIONS = { perFile: 100, all: 20_000 } as const;
const MOST_NEAR = 5;

/** Empty if there is none of the name. Throws `not_found` for a place at which nothing is defined. */
export function findSymbols(
  project: ProjectFacts,
  resolver: Resolver,
  written: string,
): readonly SymbolFound[] {
  const { text, name, container } = readSymbol(written);
  const place = /^(.+):(\d{1,9})$/.exec(text);
  if (place !== null) return [symbolAt(project, resolver, place[1] ?? '', Number(place[2]))];
  // A namespace has all of its name.
  const whole = container === undefined ? [] : named(project, resolver, text);
  const inside = whole.length > 0 ? whole : named(project, resolver, name);
  const found = inside.filter(
    ({ path, definition }) =>
      whole.length > 0 || container === undefined || isIn(container, path, definition),
  );
  return grouped(project, resolver, found);
}

function readSymbol(written: string): {
  readonly text: string;
  readonly name: string;
  readonly container: string | undefined;
} {
  const text = written.trim();
  const parts = text
    .replace(/\(.*$/s, '')
    .split(/::|[.#]/)
    .filter((part) => part !== '');
  const [name = '', container] = parts.toReversed();
  return { text, name, container };
}

/** That there is no such symbol, with near names. `outlined` are names in files that no parser has read. */
export function refuseSymbol(
  project: ProjectFacts,
  resolver: Resolver,
  { written, outlined }: { readonly written: string; readonly outlined: readonly string[] },
): AppError {
  const { text, name, container } = readSymbol(written);
  const near = createNearNames([Buffer.from(outlined.join('\0'))])(name);
  const others =
    container === undefined ? [] : grouped(project, resolver, named(project, resolver, name)).map(qualified);
  const suggested = [...new Set([...others, ...near, ...nearNames(project, name)])];
  return new AppError('not_found', `There is no symbol ${quoteForeign(text)} in the index.`, {
    hint:
      suggested.length === 0
        ? 'Search for what it does instead, or name a place: path:line.'
        : `Near names: ${suggested.slice(0, MOST_NEAR).map(quoteForeign).join(', ')}.`,
  });
}

/** What may be asked for by name: not the variables inside of functions, unless there is nothing else. */
function named(project: ProjectFacts, resolver: Resolver, name: string): readonly Defined[] {
  const all: Defined[] = [];
  for (const { path } of project.naming(name)) {
    const file = project.open(path);
    if (file === undefined || all.length >= MOST_DEFINITIONS.all) continue;
    const own = file.facts.definitionsNamed(name);
    if (own.length > 0) resolver.settle(file);
    for (const definition of own.slice(0, MOST_DEFINITIONS.perFile)) all.push({ path, definition });
  }
  const outer = all.filter(({ definition }) => !isLocal(definition));
  return outer.length > 0 ? outer : all;
}

export function isLocal({ scope, owner, kind, ownerName }: FactDefinition): boolean {
  if (owner !== undefined || ownerName !== undefined) return isLocalOwner(owner);
  return (kind === 'value' || kind === 'method') && (scope.kind === 'function' || scope.kind === 'block');
}

function isLocalOwner(owner: FactDefinition | undefined): boolean {
  return owner?.kind === 'value' && isLocal(owner);
}

/** By the type, the module or the file around it. */
function isIn(container: string, path: string, { owner, ownerName, scope }: FactDefinition): boolean {
  const stem = /([^/]+?)(?:\.[^/]*)?$/.exec(path)?.[1];
  return (
    owner?.name === container ||
    ownerName === container ||
    scope.definition?.name === container ||
    stem === container
  );
}

function grouped(project: ProjectFacts, resolver: Resolver, all: readonly Defined[]): readonly SymbolFound[] {
  const groups = new Map<string, { container: string | undefined; definitions: Defined[] }>();
  for (const each of all) {
    // What adds to an interface of another file is one symbol with it.
    const extended = resolver.extended(each);
    const { path, definition } = extended ?? each;
    const container = containerOf(definition);
    const language = project.files.get(path)?.language ?? '';
    const isField = isFieldApart(language, definition);
    const key = `${isNamespace(language, definition) ? '' : path}\0${container ?? ''}\0${definition.owner?.line ?? ''}\0${isField}`;
    const group = groups.get(key) ?? { container, definitions: extended === undefined ? [] : [extended] };
    groups.set(key, group);
    if (group.definitions[0]?.definition !== each.definition) group.definitions.push(each);
  }
  return [...groups.values()].map(({ container, definitions }) => ({
    name: definitions[0]?.definition.name ?? '',
    container,
    definitions,
  }));
}

export function containerOf({ owner, ownerName, scope }: FactDefinition): string | undefined {
  // A class without a name contains, but is not named.
  return (
    (owner?.name || undefined) ??
    ownerName ??
    (scope.kind === 'namespace' ? scope.definition?.name : undefined)
  );
}

export function qualified({ name, container }: Pick<SymbolFound, 'name' | 'container'>): string {
  return container === undefined ? name : `${container}.${name}`;
}

function symbolAt(project: ProjectFacts, resolver: Resolver, given: string, line: number): SymbolFound {
  const path = findPath(project, given);
  const file = project.open(path);
  if (file === undefined)
    throw new AppError('not_found', `${quoteForeign(path)} has not been parsed.`, {
      hint: 'Name the symbol instead, or read the file.',
    });
  resolver.settle(file);
  const { definitions } = file.facts;
  const starting = definitions.filter((each) => each.line === line && !isLocal(each));
  const exact = starting.length > 0 ? starting : definitions.filter((each) => each.line === line);
  const meant = exact[0] ?? innermost(definitions, line);
  if (meant === undefined)
    throw new AppError('not_found', `Nothing is defined at ${quoteForeign(`${path}:${line}`)}.`, {
      hint: 'Give the line of a definition, or its name.',
    });
  // Where overloads are told apart by what they take, a line means the one that stands there.
  const isOverload = meant.arity !== undefined && exact.length > 0;
  const same = definitions.filter(
    (each) =>
      !isOverload &&
      each.name === meant.name &&
      each.owner === meant.owner &&
      isLocal(each) === isLocal(meant) &&
      isFieldApart(file.language, each) === isFieldApart(file.language, meant),
  );
  const own = [meant, ...same.filter((each) => each !== meant && each.scope === meant.scope)].map(
    (definition) => ({ path, definition }),
  );
  const extended = resolver.extended({ path, definition: meant });
  return {
    name: meant.name,
    container: containerOf(meant),
    definitions: extended === undefined ? own : [...own, extended],
  };
}

/** The function, method or type around a line. */
export function innermost(definitions: readonly FactDefinition[], line: number): FactDefinition | undefined {
  let found: FactDefinition | undefined;
  for (const each of definitions)
    if (
      each.startLine <= line &&
      line <= each.endLine &&
      each.kind !== 'field' &&
      each.name !== '' &&
      (each.kind !== 'value' || (each.endLine > each.startLine && each.scope.kind === 'file')) &&
      (found === undefined || each.startLine >= found.startLine)
    )
      found = each;
  return found;
}

/** A path of the project, as it is or by its end. Throws `not_found` if there is none, or several. */
export function findPath(project: Pick<ProjectFacts, 'files'>, given: string): string {
  const wanted = given.replace(/^\.\//, '').replace(/\/$/, '');
  if (project.files.has(wanted)) return wanted;
  const ending = [...project.files.keys()].filter((path) => path.endsWith(`/${wanted}`));
  if (ending.length === 1 && ending[0] !== undefined) return ending[0];
  throw new AppError('not_found', `${quoteForeign(given)} is no file of the index.`, {
    hint:
      ending.length === 0
        ? 'Give its path from the root of the project. For a symbol, ask who uses it: find references.'
        : `Several files end so: ${ending.slice(0, MOST_NEAR).map(quoteForeign).join(', ')}.`,
  });
}

function nearNames(project: ProjectFacts, name: string): string[] {
  return project
    .near(name)
    .filter((other) => isDefined(project, other))
    .slice(0, MOST_NEAR);
}

function isDefined(project: ProjectFacts, name: string): boolean {
  return project.naming(name).some(
    ({ path }) =>
      project
        .open(path)
        ?.facts.definitionsNamed(name)
        .some((each) => !isLocal(each)) === true,
  );
}
