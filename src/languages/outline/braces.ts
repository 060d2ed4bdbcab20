/** Outlines languages whose bodies stand in braces: heads are read where a declaration can stand, ends by depth. */
import type { Definition } from '../../core/index.ts';
import {
  type Draft,
  finishDrafts,
  type Found,
  type HeadRules,
  matchHead,
  type Place,
  SCOPE,
  scopeInside,
  skipSpace,
} from './declaration.ts';
import type { LexRules } from './lex-rules.ts';
import { createLexer, LONGEST_READ_LINE } from './lexer.ts';

export interface BraceRules {
  readonly lex: LexRules;
  readonly head: HeadRules;
  /** Lines that begin so belong to the declaration below them. */
  readonly decorator?: RegExp;
  /** Lines that belong to the declaration below them when they are nothing else: a return type, `template <…>`. */
  readonly lineAbove?: RegExp;
  /** A declaration without a body ends with its line, unless this matches it or the next line begins like `CONTINUES`. */
  readonly newlineEnds: boolean;
  /** `#define` and `#if` as in C. */
  readonly preprocessor?: boolean;
  /** Names in `const ( … )`. */
  readonly group?: {
    readonly open: RegExp;
    readonly head: (line: string, word: string) => Found | undefined;
  };
}

interface OpenBrace {
  readonly draft: Draft | undefined;
  readonly scope: number;
  readonly owner: Draft | undefined;
  readonly parens: number;
  readonly line: number;
}

interface Pending {
  readonly draft: Draft;
  readonly found: Found;
  readonly depth: number;
  readonly parens: number;
}

const ENDS_OPEN =
  /(?:[,=(|&+?:<>*/-]|=>|->|\b(?:extends|implements|where|throws|with|by|return|async|of))\s*$/;
const NEXT_CONTINUES = /^\s*(?:[{.=:?&|+,]|->|(?:where|throws|extends|implements|with|by|async|requires)\b)/;
const LATE_NAME = /^\s*\*?([A-Za-z_]\w*)/;

export function outlineBraces(rules: BraceRules, lines: readonly string[]): Definition[] {
  const lexer = createLexer(rules.lex);
  const drafts: Draft[] = [];
  const stack: OpenBrace[] = [];
  const conditionals: number[] = [];
  let pending: Pending | undefined;
  let decoratorLine: number | undefined;
  let decoratorDepth = 0;
  let group: { readonly word: string; readonly parens: number; readonly depth: number } | undefined;
  let inDirective = false;

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const lineNumber = index + 1;
    const indent = skipSpace(line, 0);
    if (rules.preprocessor === true && isDirective(line, indent)) {
      readDirective(line, indent, lineNumber);
      continue;
    }
    const readable = lexer.inCode && indent < line.length && line.length <= LONGEST_READ_LINE;
    if (readable && pending === undefined) readHead(line, indent, lineNumber);
    else if (indent === line.length && lexer.inCode && pending === undefined) decoratorLine = undefined;
    lexer.scan(line);
    if (lexer.markCount > 0) readMarks(line, lineNumber);
    if (pending !== undefined && rules.newlineEnds) endAtNewline(pending, line, lineNumber);
    if (group !== undefined && (lexer.parens < group.parens || lexer.depth < group.depth)) group = undefined;
  }
  if (pending !== undefined) settle(pending, lines.length);
  for (const open of stack) if (open.draft !== undefined) open.draft.endLine = lines.length;
  return finishDrafts(drafts, lines);

  function place(indent: number): Place {
    const top = stack.at(-1);
    return { scope: top?.scope ?? SCOPE.top, container: top?.owner?.name, indent };
  }

  function readHead(line: string, indent: number, lineNumber: number): void {
    const top = stack.at(-1);
    const first = line.charCodeAt(indent);
    if (group !== undefined && lexer.parens === group.parens && lexer.depth === group.depth) {
      const found = rules.group?.head(line.slice(indent), group.word);
      if (found !== undefined) begin(found, lineNumber, lineNumber);
      return;
    }
    if (lexer.parens !== (top === undefined ? 0 : top.parens) || first === 125 || first === 41) return;
    const isDecorated = rules.decorator?.test(line) === true;
    if (!isDecorated && lexer.isCommentAt(line, indent)) return;
    if (decoratorLine !== undefined && stack.length > decoratorDepth) return;
    const at = isDecorated ? behindDecorators(line, indent) : indent;
    if (at > indent) {
      decoratorLine ??= lineNumber;
      decoratorDepth = stack.length;
    }
    if (at >= line.length) return;
    const word = rules.group?.open.exec(line)?.[1];
    if (word !== undefined) {
      group = { word, parens: lexer.parens + 1, depth: lexer.depth };
      return;
    }
    const found = matchHead(line, rules.head, place(at));
    if (found !== undefined) begin(found, lineNumber, decoratorLine ?? lineNumber);
    const isAbove = found === undefined && rules.lineAbove?.test(line.slice(at)) === true;
    if (isAbove) {
      decoratorLine ??= lineNumber;
      decoratorDepth = stack.length;
    } else decoratorLine = undefined;
  }

  function begin(found: Found, headLine: number, startLine: number): void {
    const top = stack.at(-1);
    const scope = top?.scope ?? SCOPE.top;
    const isMethod =
      found.kind === 'function' &&
      (scope === SCOPE.member || scope === SCOPE.object || found.container !== undefined);
    const draft: Draft = {
      name: found.name,
      kind: isMethod ? 'method' : found.kind,
      container: found.container ?? top?.owner,
      startLine,
      headLine,
      endLine: headLine,
      hasBody: false,
    };
    pending = { draft, found, depth: lexer.depth, parens: lexer.parens };
    drafts.push(draft);
  }

  function readMarks(line: string, lineNumber: number): void {
    const { marks, columns, depths, parensBefore } = lexer;
    for (let at = 0; at < lexer.markCount; at++) {
      const code = marks[at];
      if (code === 123) openBrace(line, columns[at] ?? 0, parensBefore[at] ?? 0, lineNumber);
      else if (code === 125) closeBrace(line, columns[at] ?? 0, depths[at] ?? 0, lineNumber);
      else if (code === 59 && pending !== undefined && isLevel(pending, depths[at], parensBefore[at])) {
        settle(pending, lineNumber);
      }
    }
  }

  function openBrace(line: string, column: number, parens: number, lineNumber: number): void {
    const outer = stack.at(-1);
    const owner = pending !== undefined && isLevel(pending, stack.length, parens) ? pending : undefined;
    if (owner !== undefined) {
      owner.draft.hasBody = true;
      const isArrow = owner.found.arrow === true && /=>\s*$/.test(line.slice(0, column));
      if (isArrow) owner.draft.kind = owner.draft.kind === 'variable' ? 'function' : methodOrFunction(outer);
      pending = undefined;
    }
    stack.push({
      draft: owner?.draft,
      scope: owner === undefined ? anonymousScope(outer, parens) : scopeInside(owner.draft.kind),
      owner: owner?.draft ?? outer?.owner,
      parens,
      line: lineNumber,
    });
  }

  function closeBrace(line: string, column: number, depth: number, lineNumber: number): void {
    if (pending !== undefined && depth <= pending.depth) settle(pending, lineNumber - 1);
    const closed = stack.pop();
    if (closed?.draft === undefined) return;
    closed.draft.endLine = lineNumber;
    if (closed.draft.name === '') closed.draft.name = LATE_NAME.exec(line.slice(column + 1))?.[1] ?? '';
    if (closed.line !== lineNumber || !bodyFollows(line, column, lineNumber, closed.draft)) return;
    // What closed was a type in the head or a member's initial value; the body is still to come.
    const found = {
      name: closed.draft.name,
      kind: closed.draft.kind,
      arrow: closed.draft.kind === 'constant',
    };
    pending = { draft: closed.draft, found, depth: stack.length, parens: closed.parens };
  }

  function bodyFollows(line: string, column: number, lineNumber: number, draft: Draft): boolean {
    if (line.indexOf('{', column) !== -1) return true;
    const rest = line.slice(column + 1).trim();
    if (rules.newlineEnds && rest === '' && /^\s*\??\./.test(lines[lineNumber] ?? '')) return true;
    if (draft.kind === 'type') return rest === '' && /^\s*[|&]/.test(lines[lineNumber] ?? '');
    if (draft.kind !== 'function' && draft.kind !== 'method') return false;
    return rest === ',' || (rest === '' && /^\s*[{,]/.test(lines[lineNumber] ?? ''));
  }

  function endAtNewline(open: Pending, line: string, lineNumber: number): void {
    if (!isLevel(open, lexer.depth, lexer.parens) || !lexer.inCode) return;
    if (
      lexer.isCommentAt(line, skipSpace(line, 0)) ||
      ENDS_OPEN.test(line.slice(Math.max(0, lexer.codeEnd - 40), lexer.codeEnd))
    )
      return;
    if (NEXT_CONTINUES.test((lines[lineNumber] ?? '').slice(0, LONGEST_READ_LINE))) return;
    settle(open, lineNumber);
  }

  function settle(open: Pending, endLine: number): void {
    open.draft.endLine = Math.max(endLine, open.draft.headLine);
    if (open.found.needsBody === true && !open.draft.hasBody) open.draft.name = '';
    pending = undefined;
  }

  function isDirective(line: string, indent: number): boolean {
    return inDirective || (lexer.inCode && line.charCodeAt(indent) === 35);
  }

  function readDirective(line: string, indent: number, lineNumber: number): void {
    const last = drafts.at(-1);
    if (inDirective) {
      if (last !== undefined && last.kind === 'macro' && last.endLine === lineNumber - 1)
        last.endLine = lineNumber;
    } else {
      const word = /^#\s*(\w+)/.exec(line.slice(indent, indent + 40))?.[1] ?? '';
      if (word === 'define') readDefine(line, indent, lineNumber);
      else if (word.startsWith('if')) conditionals.push(stack.length);
      else if (word === 'endif') conditionals.pop();
      else if (word === 'else' || word.startsWith('elif')) rewind(conditionals.at(-1), lineNumber);
    }
    inDirective = line.endsWith('\\');
  }

  function readDefine(line: string, indent: number, lineNumber: number): void {
    const match = /^#\s*define\s+(\w+)(\(?)\s*(\S?)/.exec(line.slice(indent, indent + 200));
    // An include guard defines nothing.
    if (match?.[1] === undefined || (match[2] === '' && match[3] === '')) return;
    drafts.push({
      name: match[1],
      kind: 'macro',
      container: undefined,
      startLine: lineNumber,
      headLine: lineNumber,
      endLine: lineNumber,
      hasBody: true,
    });
  }

  /** Both branches of an `#if` open the same braces: only the last one counts. */
  function rewind(height: number | undefined, lineNumber: number): void {
    if (height === undefined || stack.length <= height) return;
    for (const open of stack.splice(height))
      if (open.draft !== undefined) open.draft.endLine = lineNumber - 1;
    lexer.rewind(height);
    pending = undefined;
  }
}

function isLevel(open: Pending, depth: number | undefined, parens: number | undefined): boolean {
  return open.depth === depth && open.parens === parens;
}

function methodOrFunction(outer: OpenBrace | undefined): 'method' | 'function' {
  return outer?.scope === SCOPE.member || outer?.scope === SCOPE.object ? 'method' : 'function';
}

function anonymousScope(outer: OpenBrace | undefined, parens: number): number {
  if (outer === undefined) return SCOPE.block;
  if (outer.scope === SCOPE.top) return SCOPE.block;
  if (outer.scope === SCOPE.member) return SCOPE.body;
  if (outer.scope === SCOPE.object && parens !== outer.parens) return SCOPE.body;
  return outer.scope;
}

/** Past `@Name(…)`, `#[…]` and `[…]` at the front of a line; the line's length when nothing follows. */
function behindDecorators(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const first = line.charAt(at);
    if (first === '@') at = behindBrackets(line, behindName(line, at + 1));
    else if (first === '#' || first === '[') at = behindBrackets(line, first === '#' ? at + 1 : at);
    else return at;
    at = skipSpace(line, at);
    if (line.startsWith('//', at)) return line.length;
  }
  return line.length;
}

function behindName(line: string, from: number): number {
  let at = from;
  while (at < line.length && /[\w.:$]/.test(line.charAt(at))) at++;
  return at;
}

/** Past the bracket that opens here and everything in it; the line's length when it stays open. */
function behindBrackets(line: string, from: number): number {
  let at = from;
  if (line[at] === '!') at++;
  if (line[at] !== '(' && line[at] !== '[') return at;
  for (let open = 0; at < line.length; at++) {
    if (line[at] === '(' || line[at] === '[') open++;
    else if ((line[at] === ')' || line[at] === ']') && --open === 0) return at + 1;
  }
  return line.length;
}
