/** A syntax tree as plain objects: parents, fields and places are known without asking the runtime. */

export interface SyntaxNode {
  readonly type: string;
  readonly isNamed: boolean;
  /** The field of its parent that it stands in. */
  readonly field: string | undefined;
  /** Indexes into the text; the end is not included. */
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | undefined;
  readonly children: readonly SyntaxNode[];
}

// Loops by index: these run for every node, most of them before anything is compiled, when `for … of` makes an object for each child.

/** `without` is a child that is left out, or a field. */
export function walkChildren<S>(
  node: SyntaxNode | undefined,
  scope: S,
  walk: (child: SyntaxNode, scope: S) => unknown,
  without: SyntaxNode | string = '',
): void {
  if (node === undefined) return;
  const { children } = node;
  for (let at = 0; at < children.length; at++) {
    const child = children[at];
    if (child !== undefined && child !== without && child.field !== without) walk(child, scope);
  }
}

export function fieldOf(node: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  if (node === undefined) return undefined;
  const { children } = node;
  for (let at = 0; at < children.length; at++) if (children[at]?.field === name) return children[at];
  return undefined;
}

export function fieldsOf(node: SyntaxNode | undefined, name: string): readonly SyntaxNode[] {
  return node === undefined ? [] : node.children.filter((child) => child.field === name);
}

export function childOf(node: SyntaxNode | undefined, ...types: readonly string[]): SyntaxNode | undefined {
  if (node === undefined) return undefined;
  const { children } = node;
  for (let at = 0; at < children.length; at++) {
    const child = children[at];
    if (child !== undefined && types.includes(child.type)) return child;
  }
  return undefined;
}

export function namedOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  const named: SyntaxNode[] = [];
  if (node === undefined) return named;
  const { children } = node;
  for (let at = 0; at < children.length; at++) {
    const child = children[at];
    if (child?.isNamed === true && !isComment(child)) named.push(child);
  }
  return named;
}

export function firstNamed(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node === undefined) return undefined;
  const { children } = node;
  for (let at = 0; at < children.length; at++) {
    const child = children[at];
    if (child?.isNamed === true && !isComment(child)) return child;
  }
  return undefined;
}

export function lastNamed(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node === undefined) return undefined;
  const { children } = node;
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at];
    if (child?.isNamed === true && !isComment(child)) return child;
  }
  return undefined;
}

export function isComment({ type }: SyntaxNode): boolean {
  return type === 'comment' || type === 'line_comment' || type === 'block_comment';
}
