/** C and C++: names in the texts of macros, which the grammars do not read. */
import type { Collector } from '../collector.ts';
import type { Expr, Scope } from '../facts.ts';
import type { SyntaxNode } from '../syntax-node.ts';

const NAME = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\*[^]*?\*\/|\b\d[\w.]*|[A-Za-z_]\w*/g;
const WORD =
  /^(?:if|else|for|while|do|return|sizeof|int|char|void|long|short|unsigned|signed|const|static|struct|union|enum|switch|case|break|continue|goto|default|defined)$/;
const MOST_NAMES = 500;
const UNKNOWN: Expr = { kind: 'unknown' };

/** Parameters and parts of what is before a dot are not known. */
export function readMacroText(
  node: SyntaxNode,
  scope: Scope,
  { facts, parameters }: { readonly facts: Collector; readonly parameters: ReadonlySet<string> },
): void {
  const text = facts.textOf(node);
  let count = 0;
  for (const match of text.matchAll(NAME)) {
    const [name] = match;
    if (!/^[A-Za-z_]/.test(name) || WORD.test(name) || parameters.has(name)) continue;
    if (++count > MOST_NAMES) return;
    const start = node.start + match.index;
    const isMember = /(?:->|\.)\s*$/.test(text.slice(Math.max(0, match.index - 3), match.index));
    const isTag = /\bstruct\s+$/.test(text.slice(Math.max(0, match.index - 8), match.index));
    const isCall = /^\s*\(/.test(text.slice(match.index + name.length, match.index + name.length + 4));
    const of = isMember ? UNKNOWN : isTag ? TAG : undefined;
    facts.use({ ...node, start, end: start + name.length }, { kind: isCall ? 'call' : 'read', scope, of });
  }
}

/** Tags of structs, unions and enums have names of their own. */
export const TAG: Expr = { kind: 'name', name: 'struct' };
