/** Definitions as the tree gives them become those the index keeps: ordered, nested, with signature and documentation. */
import type { Node } from 'web-tree-sitter';
import type { Definition, DefinitionKind } from '../../core/index.ts';
import { docSentence, MOST_SIGNATURE_CHARS, sentenceOf, signatureAt } from '../outline/doc-comment.ts';
import type { FoundDefinition, LanguageRules } from './rules/rules.ts';

export interface DraftDefinition {
  readonly node: Node;
  readonly found: FoundDefinition;
}

interface Source {
  readonly text: string;
  readonly lines: readonly string[];
}

interface Placed {
  readonly draft: DraftDefinition;
  readonly name: string;
  kind: DefinitionKind;
  container: string | undefined;
  /** What it stands in. */
  parent: Placed | undefined;
  readonly range: Node;
  readonly body: Node | undefined;
  readonly startLine: number;
  endLine: number;
  hasBody: boolean;
}

// The same limits as the fast outline's, for the same reason.
const MOST_DEFINITIONS = 5_000;
const HOLDS_METHODS: ReadonlySet<DefinitionKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'impl',
]);
const RUNS: ReadonlySet<DefinitionKind> = new Set(['function', 'method', 'macro']);
const ASKS: ReadonlySet<DefinitionKind> = new Set(['interface', 'trait']);
const LOCAL: ReadonlySet<DefinitionKind> = new Set(['constant', 'variable']);

export function finishDefinitions(
  rules: LanguageRules,
  drafts: readonly DraftDefinition[],
  source: Source,
): Definition[] {
  const placed = drafts
    .map((draft) => place(rules, draft, source))
    .filter(({ name }) => name !== '')
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const kept = withoutEchoes(rules.joinsClauses === true ? joinClauses(nest(placed)) : nest(placed));
  return kept.slice(0, MOST_DEFINITIONS).map((each) => toDefinition(rules, each, source));
}

function place(rules: LanguageRules, draft: DraftDefinition, { text, lines }: Source): Placed {
  const { found, node } = draft;
  const range = wrapped(rules, found.range ?? node);
  const body = bodyOf(draft);
  const written = typeof found.name === 'string' ? found.name : found.name.text;
  const first = firstLeading(rules, range);
  const last = found.until ?? (rules.trimsComments === true ? lastWord(range) : range);
  return {
    draft,
    name: written.replace(/\s+/g, ' ').trim().slice(0, MOST_SIGNATURE_CHARS),
    kind: found.kind,
    container: found.container,
    parent: undefined,
    range,
    body,
    startLine: first.startPosition.row + 1,
    endLine: Math.min(lines.length, lastLine(last, text)),
    hasBody: body !== undefined,
  };
}

/** With what stands around it and belongs to it. To ask for a parent costs more than most of what is done here. */
function wrapped({ wrappers }: LanguageRules, node: Node): Node {
  if (wrappers === undefined) return node;
  let [outer, parent] = [node, node.parent];
  while (parent !== null && wrappers.has(parent.type)) [outer, parent] = [parent, parent.parent];
  return outer;
}

/** Attributes and decorators that stand before it as nodes of their own. */
function firstLeading(rules: LanguageRules, node: Node): Node {
  let first = node;
  if (rules.leading === undefined && rules.leads === undefined) return first;
  for (let before = node.previousNamedSibling; before !== null; before = before.previousNamedSibling) {
    if (!isLeading(rules, before)) break;
    first = before;
  }
  return first;
}

function isLeading(rules: LanguageRules, node: Node): boolean {
  return rules.leading?.has(node.type) === true || rules.leads?.(node) === true;
}

function lastWord(node: Node): Node {
  let at = node;
  for (;;) {
    let child = at.lastChild;
    while (child?.isExtra === true) child = child.previousSibling;
    if (child === null || child === undefined) return at;
    at = child;
  }
}

/** The last line with something on it: some nodes reach over the blank lines behind them. */
function lastLine(node: Node, text: string): number {
  let end = node.endIndex;
  let line = node.endPosition.row + 1;
  while (end > node.startIndex && /\s/.test(text[end - 1] ?? '')) {
    end--;
    if (text[end] === '\n') line--;
  }
  return Math.max(line, node.startPosition.row + 1);
}

/** Gives each its container, makes functions of a class its methods and forgets what only lives inside a function. */
function nest(placed: readonly Placed[]): Placed[] {
  const kept: Placed[] = [];
  const around: Placed[] = [];
  for (const each of placed) {
    while (
      (around.at(-1)?.endLine ?? Infinity) < each.startLine ||
      around.at(-1)?.range.endIndex === each.range.startIndex
    )
      around.pop();
    while (around.length > 0 && (around.at(-1)?.range.endIndex ?? 0) <= each.range.startIndex) around.pop();
    const parent = around.at(-1);
    if (parent !== undefined && RUNS.has(parent.kind) && LOCAL.has(each.kind)) continue;
    each.parent = parent;
    each.container ??= parent?.name;
    if (each.kind === 'function' && isMember(each, parent)) each.kind = 'method';
    kept.push(each);
    around.push(each);
  }
  return kept;
}

function isMember(each: Placed, parent: Placed | undefined): boolean {
  // A receiver in its own head makes it a method wherever it stands.
  if (each.draft.found.container !== undefined) return each.draft.found.isQualified !== true;
  return parent !== undefined && (HOLDS_METHODS.has(parent.kind) || LOCAL.has(parent.kind));
}

function joinClauses(placed: readonly Placed[]): Placed[] {
  const joined: Placed[] = [];
  const lastIn = new Map<Placed | undefined, Placed>();
  for (const each of placed) {
    const last = lastIn.get(each.parent);
    if (last?.name === each.name && last.kind === each.kind && RUNS.has(each.kind)) {
      last.endLine = Math.max(last.endLine, each.endLine);
      last.hasBody ||= each.hasBody;
    } else {
      joined.push(each);
      lastIn.set(each.parent, each);
    }
  }
  return joined;
}

/** A prototype or forward declaration of what is defined in the same file. What an interface asks for is no such thing. */
function withoutEchoes(placed: readonly Placed[]): Placed[] {
  const key = ({ container, name }: Placed): string => `${container ?? ''} ${name}`;
  const defined = new Set(placed.filter((each) => each.hasBody).map(key));
  const isEcho = (each: Placed): boolean =>
    !each.hasBody &&
    !LOCAL.has(each.kind) &&
    !ASKS.has(each.parent?.kind ?? 'class') &&
    defined.has(key(each));
  return placed.filter((each) => !isEcho(each));
}

function toDefinition(rules: LanguageRules, each: Placed, source: Source): Definition {
  const { name, kind, container, startLine, endLine } = each;
  const signature = signatureOf(rules, each, source);
  const own = rules.doc?.(each.draft.node);
  const doc = own === undefined ? docSentence(source.lines, startLine) : sentenceIn(own);
  const visibility = rules.visibility?.({ name, signature, kind });
  const definition = { name, kind, container: container === '' ? undefined : container, startLine, endLine };
  return { ...definition, signature, doc, ...(visibility === undefined ? {} : { visibility }) };
}

function sentenceIn(text: string): string | undefined {
  const lines = text.split('\n');
  return sentenceOf(lines, 1, lines.length);
}

/** Up to the body where there is one; otherwise the declaring line and those its brackets reach. */
function signatureOf(rules: LanguageRules, { range, body }: Placed, { text, lines }: Source): string {
  const head = headOf(rules, range);
  if (body === undefined || body.startIndex <= head.startIndex)
    return signatureAt(lines, head.startPosition.row + 1);
  const bare = text
    .slice(head.startIndex, Math.min(behindHead(body), head.startIndex + MOST_SIGNATURE_CHARS * 4))
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();
  return bare
    .replace(/(?: ?\{| =)$/, '')
    .trimEnd()
    .slice(0, MOST_SIGNATURE_CHARS);
}

/** A comment between head and body belongs to neither. */
function behindHead(body: Node): number {
  let before = body.previousSibling;
  while (before?.isExtra === true) before = before.previousSibling;
  return before?.endIndex ?? body.startIndex;
}

function bodyOf({ node, found }: DraftDefinition): Node | undefined {
  if (found.body !== undefined) return found.body ?? undefined;
  return node.childForFieldName('body') ?? undefined;
}

/** Where the declaration itself begins: behind decorators, attributes and annotations. */
function headOf(rules: LanguageRules, node: Node): Node {
  for (const child of node.children) {
    if (isLeading(rules, child)) continue;
    // Annotations stand among the modifiers in some grammars, and all of the modifiers may be annotations.
    if (child.type !== 'modifiers')
      return rules.wrappers?.has(node.type) === true ? headOf(rules, child) : child;
    const modifier = child.children.find((each) => !isLeading(rules, each));
    if (modifier !== undefined) return modifier;
  }
  return node;
}
