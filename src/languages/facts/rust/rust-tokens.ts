/** Rust: names inside of macros. What a macro makes of them is not known; what they are next to is. */
import type { UseKind } from '../../../core/index.ts';
import { type Collector, MOST_EXPR_DEPTH } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import { typeAt } from './rust-expressions.ts';
import type { SyntaxNode } from '../syntax-node.ts';

const UNKNOWN: Expr = { kind: 'unknown' };

/** Tokens are a flat list: a name after a dot is a member of what stands before, and a list in parentheses is a call. */
export function readTokens(tree: SyntaxNode, scope: Scope, facts: Collector): void {
  const { textOf } = facts;
  const between = (from: SyntaxNode | undefined, to: SyntaxNode): string =>
    from === undefined ? '' : textOf({ ...to, start: from.end, end: to.start }).trim();
  /** `name: Type` and `let name = value` bind, whatever the macro does with them. */
  function bindToken(tokens: readonly SyntaxNode[], at: number, scope: Scope): void {
    const [name, next] = [tokens[at], tokens[at + 1]];
    if (name === undefined || next === undefined || !/^[a-z_]/.test(textOf(name))) return;
    const gap = between(name, next);
    if (/^:\s*&?$/.test(gap)) {
      const path = pathFrom(tokens, next.type === 'mutable_specifier' ? at + 2 : at + 1);
      if (path !== undefined && /^[A-Z]/.test(path.slice(path.lastIndexOf(':') + 1)))
        facts.bind(scope, textOf(name), { type: typeAt(path) });
    } else if (gap === '=' && ['let', 'mut'].includes(textOf(tokens[at - 1] ?? name))) {
      const path = pathFrom(tokens, at + 1);
      if (path !== undefined)
        facts.bind(scope, textOf(name), { value: { kind: 'call', of: { kind: 'name', name: path } } });
    }
  }

  function pathFrom(tokens: readonly SyntaxNode[], from: number): string | undefined {
    let [path, last]: [string | undefined, SyntaxNode | undefined] = [undefined, undefined];
    for (let at = from; at < Math.min(tokens.length, from + MOST_EXPR_DEPTH); at++) {
      const node = tokens[at];
      if (node === undefined || !/^(?:identifier|type_identifier|self|crate|super)$/.test(node.type)) break;
      if (last !== undefined && between(last, node) !== '::') break;
      path = path === undefined ? textOf(node) : `${path}::${textOf(node)}`;
      last = node;
    }
    return path;
  }

  let [before, value, depth]: [SyntaxNode | undefined, Expr | undefined, number] = [undefined, undefined, 0];
  for (const [at, node] of tree.children.entries()) {
    const gap = between(before, node);
    const isMember = gap === '.' || gap === '::' || gap === '?.';
    const of: Expr | undefined = isMember && depth < MOST_EXPR_DEPTH ? value : undefined;
    if (node.type === 'token_tree') {
      readTokens(node, facts.openScope(scope, 'block'), facts);
      value = gap === '' && value !== undefined ? { kind: 'call', of: value } : undefined;
    } else if (node.type === 'identifier' || node.type === 'type_identifier') {
      const name = textOf(node);
      const next = tree.children[at + 1];
      const isCall =
        next?.type === 'token_tree' &&
        ['', '!'].includes(between(node, next)) &&
        textOf(next).startsWith('(');
      const kind: UseKind = isCall ? 'call' : 'read';
      if (!isMember) bindToken(tree.children, at, scope);
      facts.use(node, isMember ? { kind, scope, of: prefixOf(of, gap) } : { kind, scope });
      value = isMember ? joined(of, gap, name) : { kind: 'name', name };
    } else
      value = ['self', 'crate', 'super'].includes(node.type)
        ? (joined(of, gap, textOf(node)) ?? { kind: 'name', name: textOf(node) })
        : undefined;
    depth = isMember ? depth + 1 : 0;
    before = node;
  }
}

/** Before `::` these are modules. */
function prefixOf(of: Expr | undefined, gap: string): Expr {
  return gap === '::' && of?.kind === 'name' ? { kind: 'name', name: `${of.name}::` } : (of ?? UNKNOWN);
}

function joined(of: Expr | undefined, gap: string, name: string): Expr | undefined {
  if (of === undefined) return undefined;
  if (gap === '::') return of.kind === 'name' ? { kind: 'name', name: `${of.name}::${name}` } : UNKNOWN;
  return { kind: 'member', of, name };
}
