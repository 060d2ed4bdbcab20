/** Outlines languages by their layout: a definition ends before the next line that is not deeper than its head. */
import type { Definition } from '../../core/index.ts';
import {
  type DocOf,
  type Draft,
  finishDrafts,
  type Found,
  type HeadRules,
  matchHead,
  SCOPE,
  scopeInside,
  skipSpace,
} from './declaration.ts';
import type { LexRules } from './lex-rules.ts';
import { createLexer, LONGEST_READ_LINE } from './lexer.ts';

export interface IndentRules {
  readonly lex: LexRules;
  readonly head: HeadRules;
  /** Lines no deeper than the head that still belong to it: `end`, `}`, `) {`. */
  readonly closes: RegExp;
  /** Lines that begin so belong to the declaration below them. */
  readonly decorator?: RegExp;
  /** Lines inside these brackets say nothing about layout. */
  readonly bracketsContinue: 'all' | 'round' | 'none';
  /** Clauses of one function that follow each other are one definition. */
  readonly mergesClauses?: boolean;
  /** A line that carries on the definition of that name although it is not deeper. */
  readonly continues?: (line: string, name: string) => boolean;
  readonly docOf?: DocOf;
}

interface OpenIndent {
  readonly draft: Draft;
  readonly indent: number;
}

const TAB_WIDTH = 8;

export function outlineIndents(rules: IndentRules, lines: readonly string[]): Definition[] {
  const lexer = createLexer(rules.lex);
  const drafts: Draft[] = [];
  const stack: OpenIndent[] = [];
  let decoratorLine: number | undefined;
  let lastContent = 0;
  let justClosed: OpenIndent | undefined;

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const at = skipSpace(line, 0);
    if (at < line.length && lexer.inCode && !lexer.isCommentAt(line, at)) readLine(line, at, index + 1);
    else if (at < line.length && !lexer.inCode && !lexer.inComment) lastContent = index + 1;
    else if (at === line.length && lexer.inCode) decoratorLine = undefined;
    lexer.scan(line);
  }
  closeTo(-1);
  return finishDrafts(drafts, lines, rules.docOf);

  function readLine(line: string, at: number, lineNumber: number): void {
    if (!isContinued() && line.length <= LONGEST_READ_LINE) readLayout(line, at, lineNumber);
    lastContent = lineNumber;
  }

  function isContinued(): boolean {
    if (rules.bracketsContinue === 'none') return false;
    return lexer.parens > 0 || (rules.bracketsContinue === 'all' && lexer.depth > 0);
  }

  function readLayout(line: string, at: number, lineNumber: number): void {
    const indent = widthOf(line, at);
    closeTo(indent + 1);
    const top = stack.at(-1);
    const isSame = top !== undefined && indent === top.indent && top.draft.headLine < lineNumber;
    if (isSame && (rules.closes.test(line) || rules.continues?.(line, top.draft.name) === true)) return;
    if (rules.decorator?.test(line) === true) {
      closeTo(indent);
      decoratorLine ??= lineNumber;
      return;
    }
    closeTo(indent);
    const outer = stack.at(-1)?.draft;
    const scope = scopeAt(outer, indent);
    const found = matchHead(line, rules.head, { scope, container: outer?.name, indent: at });
    if (found !== undefined) begin(found, lineNumber, indent, scope);
    else justClosed = undefined;
    decoratorLine = undefined;
  }

  function begin(found: Found, lineNumber: number, indent: number, scope: number): void {
    const isMethod = scope === SCOPE.member || scope === SCOPE.object || found.container !== undefined;
    const kind = found.kind === 'function' && isMethod ? 'method' : found.kind;
    const previous = justClosed;
    justClosed = undefined;
    if (
      rules.mergesClauses === true &&
      previous !== undefined &&
      continuesClause(previous, found.name, indent)
    ) {
      stack.push(previous);
      return;
    }
    const draft: Draft = {
      name: found.name,
      kind,
      container: found.container ?? stack.at(-1)?.draft,
      startLine: decoratorLine ?? lineNumber,
      headLine: lineNumber,
      endLine: lineNumber,
      hasBody: true,
    };
    drafts.push(draft);
    stack.push({ draft, indent });
  }

  /** Ends what is at least as deep as `indent`. */
  function closeTo(indent: number): void {
    for (let top = stack.at(-1); top !== undefined && top.indent >= indent; top = stack.at(-1)) {
      top.draft.endLine = Math.max(lastContent, top.draft.headLine);
      justClosed = top;
      stack.pop();
    }
  }
}

function continuesClause(previous: OpenIndent, name: string, indent: number): boolean {
  const { draft } = previous;
  return (
    draft.name === name &&
    previous.indent === indent &&
    (draft.kind === 'function' || draft.kind === 'method')
  );
}

function scopeAt(outer: Draft | undefined, indent: number): number {
  if (outer === undefined) return indent === 0 ? SCOPE.top : SCOPE.block;
  return scopeInside(outer.kind);
}

function widthOf(line: string, end: number): number {
  let width = 0;
  for (let at = 0; at < end; at++) {
    width = line.charCodeAt(at) === 9 ? width + TAB_WIDTH - (width % TAB_WIDTH) : width + 1;
  }
  return width;
}
