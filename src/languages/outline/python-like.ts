/** Python: layout, decorators above, documentation below the head. */
import {
  type Draft,
  type Found,
  type HeadRules,
  keyword,
  keywords,
  type Place,
  SCOPE,
  words,
} from './declaration.ts';
import { docSentence, sentenceOf } from './doc-comment.ts';
import type { IndentRules } from './indents.ts';
import { DOUBLE, SINGLE, TRIPLE_DOUBLE, TRIPLE_SINGLE, hashes, type LexRules } from './lex-rules.ts';

const PYTHON_LEX: LexRules = hashes([TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE]);

const MOST_HEAD_LINES = 30;
const GLOBAL = /^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)\s*(.?)/;
const DOCSTRING = /^\s*[rRuUbB]{0,2}("""|'''|"|')/;

const HEAD: HeadRules = {
  modifiers: words('async cpdef cdef'),
  keywords: keywords({
    def: keyword('function'),
    class: keyword('class'),
    type: keyword('type', SCOPE.top, /\s+(?<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?=/y),
  }),
  other: globalAt,
};

function globalAt(line: string, at: number, place: Place): Found | undefined {
  if ((place.scope & (SCOPE.top | SCOPE.member)) === 0) return undefined;
  const name = GLOBAL.exec(line.slice(at))?.[1];
  if (name === undefined || (name.startsWith('__') && name !== '__all__')) return undefined;
  const isConstant = name === name.toUpperCase();
  // In a class only constants: fields are too many and too like each other.
  if (place.scope === SCOPE.member && !isConstant) return undefined;
  return { name, kind: isConstant ? 'constant' : 'variable' };
}

/** A docstring right below the head, or the comment above. */
function pythonDoc(lines: readonly string[], draft: Draft): string | undefined {
  if (draft.kind !== 'class' && draft.kind !== 'function' && draft.kind !== 'method') {
    return docSentence(lines, draft.startLine);
  }
  for (let line = draft.headLine; line < draft.headLine + MOST_HEAD_LINES && line <= draft.endLine; line++) {
    if (!/:\s*(?:#.*)?$/.test((lines[line - 1] ?? '').slice(-200))) continue;
    const quote = DOCSTRING.exec(lines[line] ?? '')?.[1];
    if (quote === undefined) break;
    return docstringAt(lines, line + 1, quote);
  }
  return docSentence(lines, draft.startLine);
}

function docstringAt(lines: readonly string[], first: number, quote: string): string | undefined {
  const opening = lines[first - 1] ?? '';
  const open = opening.indexOf(quote) + quote.length;
  const closed = opening.indexOf(quote, open);
  if (closed !== -1 || quote.length === 1) {
    return sentenceOf([opening.slice(open, closed === -1 ? undefined : closed)], 1, 1);
  }
  const body = [opening.slice(open)];
  for (let line = first + 1; line < first + 12; line++) {
    const text = lines[line - 1] ?? '';
    const end = text.indexOf(quote);
    body.push(end === -1 ? text : text.slice(0, end));
    if (end !== -1) break;
  }
  return sentenceOf(body, 1, body.length);
}

export const PYTHON_LIKE: IndentRules = {
  lex: PYTHON_LEX,
  head: HEAD,
  closes: /^\s*[)\]}]/,
  decorator: /^\s*@[A-Za-z_]/,
  bracketsContinue: 'all',
  docOf: pythonDoc,
};
