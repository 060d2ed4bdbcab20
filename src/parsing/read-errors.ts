/** How much of a file its grammar could not read, and where. */
import type { Node } from 'web-tree-sitter';
import type { LineRange } from '../core/index.ts';

const MOST_RANGES = 200;

/** From the nodes that stand for what could not be read or is missing. */
export function readErrors(
  nodes: readonly Node[],
  length: number,
): { readonly errorShare: number; readonly errors: readonly LineRange[] } {
  if (nodes.length === 0 || length === 0) return { errorShare: 0, errors: [] };
  const errors: LineRange[] = [];
  let unread = 0;
  for (const node of nodes) {
    const gaps = node.isError ? gapsOf(node) : [{ start: node, end: node, chars: 1 }];
    for (const { start, end, chars } of gaps) {
      unread += chars;
      if (errors.length < MOST_RANGES)
        errors.push({ startLine: start.startPosition.row + 1, endLine: end.endPosition.row + 1 });
    }
  }
  // What is not quite nothing must not look like nothing.
  return { errorShare: Math.min(1, Math.max(unread / length, 1e-6)), errors };
}

/** An error node may hold whole definitions that were read well; only what lies between them was not. */
function gapsOf(error: Node): { start: Node; end: Node; chars: number }[] {
  const gaps: { start: Node; end: Node; chars: number }[] = [];
  let open: { start: Node; end: Node } | undefined;
  const close = (): void => {
    if (open !== undefined) gaps.push({ ...open, chars: open.end.endIndex - open.start.startIndex });
    open = undefined;
  };
  for (const child of error.children) {
    if (child.isError || (child.isNamed && child.namedChildCount > 0) || child.isExtra) close();
    else open = { start: open?.start ?? child, end: child };
  }
  close();
  return error.childCount === 0
    ? [{ start: error, end: error, chars: error.endIndex - error.startIndex }]
    : gaps;
}
