/** Where files go in a treemap: folders in one another, each as large as its lines. Pure. */
import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy';
import type { CoverageFile, CoverageState } from '../../src/dashboard/api.ts';

export interface TreeNode {
  /** Of a folder with a slash at its end. */
  readonly path: string;
  readonly name: string;
  readonly lines: number;
  readonly files: number;
  /** Files by how they were read. */
  readonly states: Readonly<Record<CoverageState, number>>;
  /** Of a file that is read partly: the share that its grammar could not read. */
  readonly errorShare: number;
  readonly children: readonly TreeNode[];
}

export type Rectangle = HierarchyRectangularNode<TreeNode>;

interface Growing {
  readonly path: string;
  readonly name: string;
  lines: number;
  files: number;
  readonly states: Record<CoverageState, number>;
  errorShare: number;
  readonly children: Map<string, Growing>;
}

function grow(path: string, name: string): Growing {
  return {
    path,
    name,
    lines: 0,
    files: 0,
    states: { exact: 0, partly: 0, waiting: 0, failed: 0, fast: 0 },
    errorShare: 0,
    children: new Map(),
  };
}

/** The folders and files below a folder, `depth` levels deep; what lies deeper counts for its folder. */
export function toTree(files: readonly CoverageFile[], folder: string, depth: number): TreeNode {
  const top = grow(folder, folder === '' ? 'all' : (folder.split('/').at(-2) ?? folder));
  for (const [path, lines, , state, errorShare = 0] of files) {
    if (!path.startsWith(folder)) continue;
    const parts = path.slice(folder.length).split('/');
    let node = top;
    add(node, lines, state);
    for (const [level, part] of parts.entries()) {
      if (level >= depth) break;
      const isFile = level === parts.length - 1;
      const name = isFile ? part : `${part}/`;
      const known = node.children.get(name) ?? grow(node.path + name, name);
      node.children.set(name, known);
      node = known;
      add(node, lines, state);
      if (isFile) node.errorShare = errorShare;
    }
  }
  return freeze(top);
}

function add(node: Growing, lines: number, state: CoverageState): void {
  node.lines += lines;
  node.files += 1;
  node.states[state] += 1;
}

function freeze({ children, ...node }: Growing): TreeNode {
  return { ...node, children: [...children.values()].map(freeze) };
}

const HEAD = 18;

/** Rectangles of all nodes that are drawn, in pixels. */
export function layOut(tree: TreeNode, width: number, height: number): readonly Rectangle[] {
  const nodes = hierarchy(tree, ({ children }) => children)
    .sum(({ children, lines }) => (children.length === 0 ? Math.max(1, lines) : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  return treemap<TreeNode>()
    .size([width, height])
    .tile(treemapSquarify)
    .paddingInner(2)
    .paddingTop(({ depth, children }) => (depth > 0 && children !== undefined ? HEAD : 0))
    .round(true)(nodes)
    .descendants()
    .slice(1)
    .filter(({ x0, x1, y0, y1 }) => x1 - x0 > 1 && y1 - y0 > 1);
}
