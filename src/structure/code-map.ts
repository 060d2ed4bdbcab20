/** A picture of who uses what that can be read: folders first, then one file and what is around it; cycles are marked. Pure. */
import type { FileGraph } from './file-graph.ts';

export interface CodeMapNode {
  /** The path; of a folder with a slash at its end. */
  readonly id: string;
  readonly kind: 'folder' | 'file';
  readonly files: number;
  /** Nodes of the same cycle have the same number. */
  readonly cycle: number | undefined;
  /** How many of its files are in a cycle with other files, wherever those lie. */
  readonly cyclic: number;
  /** Steps from the file that was asked for; 0 in a map of a folder. */
  readonly distance: number;
}

export interface CodeMap {
  readonly nodes: readonly CodeMapNode[];
  /** `from` uses `to`; `count` such pairs of files. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  /** Nodes that were left out. */
  readonly unlisted: number;
}

/** Of every file that is in a cycle, the number of that cycle. */
export type FileCycles = ReadonlyMap<string, number>;

export function cyclesOf({ uses }: Pick<FileGraph, 'uses'>): FileCycles {
  return findCycles(uses.keys(), (path) => uses.get(path) ?? []);
}

/** What there is to tell of them: the largest first. */
export interface CyclesTold {
  readonly files: number;
  readonly count: number;
  readonly largest: readonly { readonly files: number; readonly paths: readonly string[] }[];
}

const MOST_CYCLES = 20;
const MOST_PATHS = 12;

export function tellCycles(cycles: FileCycles): CyclesTold {
  const members = new Map<number, string[]>();
  for (const [path, cycle] of cycles) {
    const known = members.get(cycle);
    if (known === undefined) members.set(cycle, [path]);
    else known.push(path);
  }
  const largest = [...members.values()].toSorted((a, b) => b.length - a.length).slice(0, MOST_CYCLES);
  return {
    files: cycles.size,
    count: members.size,
    largest: largest.map((paths) => ({ files: paths.length, paths: paths.toSorted().slice(0, MOST_PATHS) })),
  };
}

/** The folders and files directly below a folder; what lies deeper counts for its folder. */
export function mapFolder(
  paths: Iterable<string>,
  graph: FileGraph,
  {
    folder,
    most,
    cycles = cyclesOf(graph),
  }: { readonly folder: string; readonly most: number; readonly cycles?: FileCycles },
): CodeMap {
  const prefix = folder === '' ? '' : `${folder}/`;
  const nodeOf = (path: string): string | undefined => {
    if (!path.startsWith(prefix)) return undefined;
    const slash = path.indexOf('/', prefix.length);
    return slash === -1 ? path : path.slice(0, slash + 1);
  };
  const sizes = new Map<string, number>();
  const cyclic = new Map<string, number>();
  for (const path of paths) {
    const id = nodeOf(path);
    if (id === undefined) continue;
    sizes.set(id, (sizes.get(id) ?? 0) + 1);
    if (cycles.has(path)) cyclic.set(id, (cyclic.get(id) ?? 0) + 1);
  }
  const counts = new Map<string, Map<string, number>>();
  for (const [path, targets] of graph.uses) {
    const from = nodeOf(path);
    if (from === undefined) continue;
    for (const target of targets) {
      const to = nodeOf(target);
      if (to === undefined || to === from) continue;
      const row = counts.get(from) ?? new Map<string, number>();
      row.set(to, (row.get(to) ?? 0) + 1);
      counts.set(from, row);
    }
  }
  const degree = (id: string): number =>
    [...(counts.get(id)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  const ids = [...sizes.keys()].toSorted(
    (a, b) =>
      Number(b.endsWith('/')) - Number(a.endsWith('/')) ||
      (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) ||
      degree(b) - degree(a) ||
      (a < b ? -1 : 1),
  );
  // Among all parts: one that is not drawn may close a cycle of two that are.
  const between = findCycles(ids, (id) => [...(counts.get(id)?.keys() ?? [])]);
  return toMap(ids, {
    most,
    counts,
    facts: (id) => ({
      kind: id.endsWith('/') ? 'folder' : 'file',
      files: sizes.get(id) ?? 0,
      distance: 0,
      cycle: between.get(id),
      cyclic: cyclic.get(id) ?? 0,
    }),
  });
}

/** One file, what it uses and what uses it, the nearest first, as many as can be read. */
export function mapAround(
  graph: FileGraph,
  {
    file,
    most,
    depth,
    cycles = cyclesOf(graph),
  }: {
    readonly file: string;
    readonly most: number;
    readonly depth: number;
    readonly cycles?: FileCycles;
  },
): CodeMap {
  const distances = new Map([[file, 0]]);
  let ring = [file];
  for (let distance = 1; distance <= depth && ring.length > 0; distance++) {
    const next: string[] = [];
    for (const path of ring)
      for (const other of [...(graph.uses.get(path) ?? []), ...(graph.usedBy.get(path) ?? [])])
        if (!distances.has(other)) {
          distances.set(other, distance);
          next.push(other);
        }
    ring = next.toSorted();
  }
  const counts = new Map(
    [...distances.keys()].map((from) => [
      from,
      new Map((graph.uses.get(from) ?? []).map((to) => [to, 1] as const)),
    ]),
  );
  return toMap([...distances.keys()], {
    most,
    counts,
    facts: (id) => ({
      kind: 'file',
      files: 1,
      distance: distances.get(id) ?? 0,
      cycle: cycles.get(id),
      cyclic: Number(cycles.has(id)),
    }),
  });
}

interface MapParts {
  readonly most: number;
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly facts: (id: string) => Omit<CodeMapNode, 'id'>;
}

function toMap(ids: readonly string[], { most, counts, facts }: MapParts): CodeMap {
  const shown = new Set(ids.slice(0, most));
  const edges = [...shown].flatMap((from) =>
    [...(counts.get(from) ?? [])]
      .filter(([to]) => shown.has(to) && to !== from)
      .map(([to, count]) => ({ from, to, count })),
  );
  return {
    nodes: [...shown].map((id) => ({ id, ...facts(id) })),
    edges,
    unlisted: ids.length - shown.size,
  };
}

/** Tarjan's strongly connected components, those of one node left out; without recursion, because chains are long. */
function findCycles(
  ids: Iterable<string>,
  targetsOf: (id: string) => readonly string[],
): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const cycles = new Map<string, number>();
  let found = 0;
  const enter = (id: string): void => {
    order.set(id, order.size);
    low.set(id, order.size - 1);
    open.push(id);
    isOpen.add(id);
  };
  for (const start of ids) {
    if (order.has(start)) continue;
    enter(start);
    const walk = [{ id: start, targets: targetsOf(start), next: 0 }];
    for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
      const { id } = top;
      const to = top.targets[top.next];
      top.next += 1;
      if (to === undefined) {
        walk.pop();
        const before = walk.at(-1);
        const lowest = low.get(id) ?? 0;
        if (before !== undefined) low.set(before.id, Math.min(low.get(before.id) ?? 0, lowest));
        if (lowest !== order.get(id)) continue;
        const members = open.splice(open.lastIndexOf(id));
        for (const member of members) isOpen.delete(member);
        if (members.length > 1) {
          found += 1;
          for (const member of members) cycles.set(member, found);
        }
      } else if (!order.has(to)) {
        enter(to);
        walk.push({ id: to, targets: targetsOf(to), next: 0 });
      } else if (isOpen.has(to)) low.set(id, Math.min(low.get(id) ?? 0, order.get(to) ?? 0));
    }
  }
  return cycles;
}
