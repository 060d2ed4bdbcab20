/** Which file imports which: made from the imports of all files when it is first asked for. */
import type { ProjectFacts } from './project-facts.ts';

export interface FileGraph {
  /** Files that a file imports, and files that import it. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
  readonly usedBy: ReadonlyMap<string, readonly string[]>;
  /** A limit was reached: edges may be missing. */
  readonly isPartial: boolean;
}

/** A list of imports of megabytes is no program. */
const MOST_IMPORTS_PER_FILE = 2_000;

export function createFileGraph(project: ProjectFacts): FileGraph {
  const uses = new Map<string, readonly string[]>();
  const usedBy = new Map<string, string[]>();
  let isPartial = false;
  for (const { path, row } of project.files.values()) {
    const file = row === undefined ? undefined : project.open(path);
    if (file === undefined) continue;
    const imported = new Set<string>();
    isPartial ||= file.facts.imports.length > MOST_IMPORTS_PER_FILE;
    for (const each of file.facts.imports.slice(0, MOST_IMPORTS_PER_FILE))
      for (const found of project.imports(file, each)) if (found !== path) imported.add(found);
    uses.set(path, [...imported]);
    for (const each of imported) {
      const users = usedBy.get(each);
      if (users === undefined) usedBy.set(each, [path]);
      else users.push(path);
    }
  }
  return { uses, usedBy, isPartial };
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
  edges: ReadonlyMap<string, readonly string[]>,
  from: readonly string[],
  depth: number,
): readonly Reached[] {
  const seen = new Set(from);
  const found: Reached[] = [];
  let ring: readonly string[] = from;
  for (let distance = 1; distance <= depth && ring.length > 0; distance++) {
    const next: Reached[] = [];
    for (const via of ring)
      for (const path of edges.get(via) ?? [])
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
