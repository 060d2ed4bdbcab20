/**
 * Which file uses which: made from the imports of all files when it is first asked for. Where files of a package see each other without an
 * import, what a file names in its scopes tells which of them it uses.
 */
import type { Use } from '../languages/index.ts';
import type { OpenFile, ProjectFacts } from './project-facts.ts';
import type { Resolver } from './resolver.ts';
import { sharesNames } from './wanted.ts';

export interface FileGraph {
  /** Files that a file uses, and files that use it. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
  readonly usedBy: ReadonlyMap<string, readonly string[]>;
  /** A limit was reached: edges may be missing. */
  readonly isPartial: boolean;
}

/** A list of imports of megabytes is no program. */
const MOST_IMPORTS_PER_FILE = 2_000;

export function createFileGraph(project: ProjectFacts, resolver: Resolver): FileGraph {
  const uses = new Map<string, readonly string[]>();
  const usedBy = new Map<string, string[]>();
  let isPartial = false;
  for (const { path, row } of project.files.values()) {
    const file = row === undefined ? undefined : project.open(path);
    if (file === undefined) continue;
    isPartial ||= file.facts.imports.length > MOST_IMPORTS_PER_FILE;
    const used = usedByFile(project, resolver, file);
    uses.set(path, used);
    for (const each of used) {
      const users = usedBy.get(each);
      if (users === undefined) usedBy.set(each, [path]);
      else users.push(path);
    }
  }
  return { uses, usedBy, isPartial };
}

/** Files that a file uses. */
export function usedByFile(project: ProjectFacts, resolver: Resolver, file: OpenFile): readonly string[] {
  const used = new Set<string>();
  if (sharesNames(file.language)) for (const each of namedBy(file, resolver)) used.add(each);
  else
    for (const each of file.facts.imports.slice(0, MOST_IMPORTS_PER_FILE))
      for (const found of project.imports(file, each)) used.add(found);
  used.delete(file.path);
  return [...used];
}

/** Notes which of the files that wait may use this one. */
export function wantUsersOf(project: ProjectFacts, path: string): void {
  const { waiting } = project;
  if (waiting.count === 0) return;
  const language = project.files.get(path)?.language ?? '';
  if (!sharesNames(language)) return waiting.wantImporting(path);
  // By what it defines, once that is known.
  for (const { name, owner, ownerName } of project.open(path)?.facts.definitions ?? [])
    if (owner === undefined && ownerName === undefined) waiting.wantNaming(name);
}

/** Files of the definitions that a file names without a receiver; each name once, because a name seldom means two. */
function namedBy(file: OpenFile, resolver: Resolver): Set<string> {
  const paths = new Set<string>();
  const named = new Map<string, Use>();
  for (const use of file.facts.uses())
    if (use.of === undefined && !named.has(use.name)) named.set(use.name, use);
  for (const use of named.values()) {
    const resolved = resolver.resolve(file, use);
    if (resolved?.grade === 'sure') for (const { path } of resolved.definitions) paths.add(path);
  }
  return paths;
}

/** A file that is reached, how far, and from which. */
export interface Reached {
  readonly path: string;
  readonly distance: number;
  /** The one before on the way. */
  readonly via: string;
}

/** Nearest first; of equals by path. */
export function reach(
  edgesOf: (path: string) => readonly string[],
  from: readonly string[],
  depth: number,
): readonly Reached[] {
  const seen = new Set(from);
  const found: Reached[] = [];
  let ring: readonly string[] = from;
  for (let distance = 1; distance <= depth && ring.length > 0; distance++) {
    const next: Reached[] = [];
    for (const via of ring)
      for (const path of edgesOf(via))
        if (!seen.has(path)) {
          seen.add(path);
          next.push({ path, distance, via });
        }
    next.sort((a, b) => (a.path < b.path ? -1 : 1));
    found.push(...next);
    ring = next.map(({ path }) => path);
  }
  return found;
}
