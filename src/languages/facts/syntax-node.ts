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

export function fieldOf(node: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  return node?.children.find((child) => child.field === name);
}

export function fieldsOf(node: SyntaxNode | undefined, name: string): readonly SyntaxNode[] {
  return node === undefined ? [] : node.children.filter((child) => child.field === name);
}

export function childOf(node: SyntaxNode | undefined, ...types: readonly string[]): SyntaxNode | undefined {
  return node?.children.find((child) => types.includes(child.type));
}

export function namedOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  return node === undefined ? [] : node.children.filter((child) => child.isNamed && !isComment(child));
}

export function firstNamed(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.children.find((child) => child.isNamed && !isComment(child));
}

export function lastNamed(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.children.findLast((child) => child.isNamed && !isComment(child));
}

export function isComment({ type }: SyntaxNode): boolean {
  return type === 'comment' || type === 'line_comment' || type === 'block_comment';
}
