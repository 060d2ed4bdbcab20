/** Walks lines and says where code is: bracket depth and the marks `{ } ( ) [ ] ;` outside strings and comments. */
import type { BlockComment, LexRules } from './lex-rules.ts';

/** Minified or data: what stands on it is not read, so its brackets do not count. */
export const LONGEST_READ_LINE = 2_000;

const BACKSLASH = 92;

export interface Lexer {
  /** Whether the next line begins in code. */
  readonly inCode: boolean;
  /** Whether the next line begins in a comment. */
  readonly inComment: boolean;
  /** Curly braces open now. */
  readonly depth: number;
  /** Round and square brackets open now; a `}` takes it back to what it was at its `{`. */
  readonly parens: number;
  /** Where the code of the last line ends: before a comment that nothing but blanks comes behind. */
  readonly codeEnd: number;
  /** How many marks the last line has. What the lists hold behind that is older. */
  readonly markCount: number;
  /** The last line's marks: character codes, their columns, and depth and parens before each. */
  readonly marks: readonly number[];
  readonly columns: readonly number[];
  readonly depths: readonly number[];
  readonly parensBefore: readonly number[];
  scan(line: string): void;
  /** Whether a comment begins there. */
  isCommentAt(line: string, at: number): boolean;
  /** Goes on as if the braces opened since were closed. */
  rewind(depth: number): void;
}

export function createLexer(rules: LexRules): Lexer {
  const interesting = interestingChars(rules);
  const openers = openersByChar(rules);
  const parensAtBrace: number[] = [];
  const templates: { readonly depth: number; readonly rule: TextRule }[] = [];
  let text: TextRule | undefined;
  let comment: { rule: BlockComment; nested: number } | undefined;
  let heredoc: string | undefined;
  let lineBlock = false;
  const state = {
    inCode: true,
    inComment: false,
    depth: 0,
    parens: 0,
    codeEnd: 0,
    markCount: 0,
    marks: [] as number[], // Filled per line.
    columns: [] as number[], // Filled per line.
    depths: [] as number[], // Filled per line.
    parensBefore: [] as number[], // Filled per line.
    scan,
    isCommentAt,
    rewind,
  };
  return state;

  function rewind(depth: number): void {
    if (depth >= state.depth) return;
    state.parens = parensAtBrace[depth] ?? 0;
    parensAtBrace.length = depth;
    state.depth = depth;
  }

  function isCommentAt(line: string, at: number): boolean {
    const here = openers[line.charCodeAt(at)];
    if (here === undefined) return false;
    for (const { open, text: isText } of here.list)
      if (isText === undefined && line.startsWith(open, at)) return true;
    return false;
  }

  function scan(line: string): void {
    state.markCount = 0;
    state.codeEnd = line.length;
    if (heredoc !== undefined) {
      if (endsHeredoc(line, heredoc)) heredoc = undefined;
    } else if (!isLineBlock(line)) {
      const announced = line.length > LONGEST_READ_LINE ? skipText(line) : scanText(line);
      if (text !== undefined && !text.multiline && !line.endsWith('\\')) text = undefined;
      heredoc = announced;
    }
    state.inComment = comment !== undefined || lineBlock;
    state.inCode = text === undefined && comment === undefined && heredoc === undefined && !lineBlock;
  }

  function isLineBlock(line: string): boolean {
    if (rules.lineBlock === undefined) return false;
    if (lineBlock) {
      lineBlock = !rules.lineBlock.close.test(line);
      return true;
    }
    lineBlock = state.inCode && rules.lineBlock.open.test(line);
    return lineBlock;
  }

  /** A line too long to read can still end what it began in. */
  function skipText(line: string): undefined {
    if (text !== undefined && line.includes(text.close)) text = undefined;
    if (comment !== undefined && line.includes(comment.rule.close)) comment = undefined;
  }

  /** Returns the word that ends a text beginning on the next line. */
  function scanText(line: string): string | undefined {
    const length = line.length;
    let announced: string | undefined;
    let at = 0;
    while (at < length) {
      if (text !== undefined) at = scanString(line, at);
      else if (comment !== undefined) at = scanComment(line, at);
      else {
        let code = 0;
        let what = 0;
        // Hot loop: most characters are neither bracket nor quote.
        while (at < length) {
          code = line.charCodeAt(at);
          what = code < 128 ? (interesting[code] ?? 0) : 0;
          if (what !== 0) break;
          at++;
        }
        if (what === 0) break;
        if (what === 1) mark(code, at++);
        else {
          if (code === 60 && rules.heredoc !== undefined) announced ??= heredocTag(rules.heredoc, line, at);
          const next = openAt(line, at);
          if (next === -1 || (comment !== undefined && endsIn(line, next))) state.codeEnd = at;
          if (next === -1) return announced;
          if (next === at && MARKS.includes(line.charAt(at))) mark(code, at);
          at = next === at ? at + 1 : next;
        }
      }
    }
    return announced;
  }

  /** Whether the comment that has just begun is the last thing on its line. */
  function endsIn(line: string, from: number): boolean {
    if (comment === undefined) return false;
    const end = line.indexOf(comment.rule.close, from);
    return end === -1 || line.slice(end + comment.rule.close.length).trim() === '';
  }

  function mark(code: number, column: number): void {
    const at = state.markCount++;
    state.marks[at] = code;
    state.columns[at] = column;
    state.depths[at] = state.depth;
    state.parensBefore[at] = state.parens;
    if (code === 123) {
      parensAtBrace[state.depth++] = state.parens;
    } else if (code === 125) {
      const template = templates.length === 0 ? undefined : templates.at(-1);
      if (state.depth > 0) state.parens = parensAtBrace[--state.depth] ?? 0;
      if (template !== undefined && template.depth === state.depth) {
        templates.pop();
        state.parens--;
        text = template.rule;
      }
    } else if (code === 40 || code === 91) state.parens++;
    else if (code !== 59) {
      // An unmatched bracket is a typing error, not a level.
      const floor = state.depth === 0 ? 0 : (parensAtBrace[state.depth - 1] ?? 0);
      if (state.parens > floor) state.parens--;
    }
  }

  /** Opens what begins at `at`; the column to go on from, `at` itself when nothing begins, -1 at a line comment. */
  function openAt(line: string, at: number): number {
    const here = openers[line.charCodeAt(at)];
    if (here === undefined) return at;
    const special = here.isSpecial ? rules.special?.(line, at) : undefined;
    if (special !== undefined) {
      if (special.until !== undefined) text = rawText(special.until, special.doubles);
      return special.at;
    }
    for (const opener of here.list) {
      if (opener.open.length > 1 && !line.startsWith(opener.open, at)) continue;
      if (opener.comment !== undefined) comment = { rule: opener.comment, nested: 1 };
      else if (opener.text !== undefined) text = opener.text;
      else return -1;
      return at + opener.open.length;
    }
    return at;
  }

  function scanString(line: string, from: number): number {
    if (text === undefined) return from;
    const rule = text;
    const { close, escapes, doubles, interpolates } = rule;
    const first = close.charCodeAt(0);
    for (let at = from; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === BACKSLASH && escapes) at++;
      else if (doubles && code === first && line.charCodeAt(at + 1) === first) at++;
      else if (code === first && (close.length === 1 || line.startsWith(close, at))) {
        text = undefined;
        return at + close.length;
      } else if (code === 36 && interpolates && line.charCodeAt(at + 1) === 123) {
        text = undefined;
        templates.push({ depth: state.depth, rule });
        // Counted as a bracket too, so that it is not taken for the body of a definition.
        state.parens++;
        mark(123, at + 1);
        return at + 2;
      }
    }
    return line.length;
  }

  function scanComment(line: string, from: number): number {
    if (comment === undefined) return from;
    const { open, close, nests } = comment.rule;
    let at = from;
    for (;;) {
      const end = line.indexOf(close, at);
      const inner = nests ? line.indexOf(open, at) : -1;
      if (inner !== -1 && (end === -1 || inner < end)) {
        comment.nested++;
        at = inner + open.length;
      } else if (end === -1) {
        return line.length;
      } else {
        at = end + close.length;
        if (--comment.nested > 0) continue;
        comment = undefined;
        return at;
      }
    }
  }
}

function heredocTag(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[1];
}

function endsHeredoc(line: string, tag: string): boolean {
  const text = line.trim();
  return text === tag || (text.startsWith(tag) && /^[;,)\].]/.test(text.slice(tag.length)));
}

/** What is told of a line, where it stands in code. */
export const MARKS = '{}()[];';

/** A string that is open, however it began. */
export interface TextRule {
  readonly close: string;
  readonly escapes: boolean;
  readonly multiline: boolean;
  readonly doubles: boolean;
  readonly interpolates: boolean;
}

export function rawText(close: string, doubles = false): TextRule {
  return { close, escapes: false, multiline: true, doubles, interpolates: false };
}

/** A line comment when it holds neither. */
interface Opener {
  readonly open: string;
  readonly comment?: BlockComment;
  readonly text?: TextRule;
}

export interface OpenersHere {
  readonly isSpecial: boolean;
  readonly list: readonly Opener[];
}

/** By character code: block comments before line comments before strings, each in the order of the rules. */
export function openersByChar(rules: LexRules): (OpenersHere | undefined)[] {
  const all: Opener[] = [
    ...rules.blockComments.map((comment) => ({ open: comment.open, comment })),
    ...rules.lineComments.map((open) => ({ open })),
    ...rules.strings.map(({ open, close, escapes, multiline, interpolates = false }) => ({
      open,
      text: { close, escapes, multiline, interpolates, doubles: false },
    })),
  ];
  const byChar = new Array<OpenersHere | undefined>(128).fill(undefined);
  for (const char of new Set([
    ...all.map((opener) => opener.open.charAt(0)),
    ...(rules.specialChars ?? ''),
  ])) {
    byChar[char.charCodeAt(0)] = {
      isSpecial: rules.specialChars?.includes(char) ?? false,
      list: all.filter((opener) => opener.open.startsWith(char)),
    };
  }
  return byChar;
}

export function interestingChars(rules: LexRules): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of MARKS) table[char.charCodeAt(0)] = 1;
  const openers = [
    ...rules.lineComments,
    ...rules.blockComments.map((rule) => rule.open),
    ...rules.strings.map((rule) => rule.open),
    ...(rules.specialChars ?? ''),
    ...(rules.heredoc === undefined ? [] : ['<']),
  ];
  for (const open of openers) table[open.charCodeAt(0)] = 2;
  return table;
}
