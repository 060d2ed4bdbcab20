/** How much of a file its grammar could not read, and where. */
import type { Node } from 'web-tree-sitter';
import type { LineRange } from '../../core/index.ts';

const MOST_RANGES = 200;

export function readErrors(
  root: Node,
  length: number,
): { readonly errorShare: number; readonly errors: readonly LineRange[] } {
  const nodes = unreadNodes(root);
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

/**
 * Those that stand for what could not be read or is missing, in the order of the text. Only what holds one of them is
 * entered, so that a file without errors costs nothing; a query for them takes 40 ms to make in some grammars.
 */
function unreadNodes(root: Node): Node[] {
  const found: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    // A single character that nobody wants is an error that does not say it has one.
    if (node.isError || node.isMissing) found.push(node);
    if (!node.hasError) continue;
    const { children } = node;
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child !== undefined) open.push(child);
    }
  }
  return found;
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
