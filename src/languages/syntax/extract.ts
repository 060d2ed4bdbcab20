/** A syntax tree becomes definitions and facts. Pure: the same text gives the same answer. */
import type { Node, Tree } from 'web-tree-sitter';
import type { LineRange } from '../../core/index.ts';
import { splitLines } from '../../text/index.ts';
import type { LanguageId } from '../languages.ts';
import { factsOf } from '../facts/extract-facts.ts';
import { outline } from '../outline/outline.ts';
import type { CopyTree } from './copy-tree.ts';
import { type DraftDefinition, finishDefinitions } from './finish-definitions.ts';
import type { FoundInFile } from './messages.ts';
import type { FoundDefinition, LanguageRules } from './rules/rules.ts';

export interface ReadableLanguage {
  readonly id: LanguageId;
  readonly copy: CopyTree;
  readonly rules: LanguageRules;
  /** The nodes that may define something, in the order of the text. */
  defining(root: Node): readonly Node[];
}

export function extract(language: ReadableLanguage, tree: Tree, text: string): FoundInFile {
  const { rules } = language;
  const root = tree.rootNode;
  const drafts = language.defining(root).flatMap((node) => draftsOf(rules, node));
  const lines = splitLines(text);
  const definitions = finishDefinitions(rules, drafts, { text, lines });
  const unread = readErrors(root, text.length);
  const facts = factsOf(() => language.copy(tree), {
    language: language.id,
    text,
    definitions,
    outlined: unread.errors.length === 0 ? [] : outline(language.id, lines),
  });
  return { definitions, facts, ...unread };
}

function draftsOf(rules: LanguageRules, node: Node): DraftDefinition[] {
  const rule = rules.definitions[node.type];
  if (rule === undefined) return [];
  if (typeof rule === 'string') {
    const name = node.childForFieldName('name');
    return name === null ? [] : [{ node, found: { kind: rule, name } }];
  }
  const found = rule(node);
  if (found === undefined) return [];
  const all: readonly FoundDefinition[] = 'kind' in found ? [found] : found;
  return all.map((each) => ({ node, found: each }));
}

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
    // A single unexpected character is an error node without an error inside.
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
