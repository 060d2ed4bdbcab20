/** SQL: what `create` makes. A routine ends with its body, anything else with its semicolon. */
import type { Definition, DefinitionKind } from '../../core/index.ts';
import { finishDrafts, type Draft } from './declaration.ts';
import { LONGEST_READ_LINE } from './lexer.ts';

const CREATE =
  /^\s*(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp|temporary|unlogged|global|local|external|materialized|unique|recursive|clustered|nonclustered|constraint|definer\s*=\s*\S+)\s+)*(table|view|function|procedure|proc|trigger|index|type|schema|sequence|domain|database|policy|role)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?([\w."`[\]-]+)/i;
const ROUTINES: ReadonlySet<string> = new Set(['function', 'procedure', 'proc', 'trigger']);
const KINDS: Readonly<Record<string, DefinitionKind>> = {
  table: 'struct',
  view: 'type',
  type: 'type',
  domain: 'type',
  function: 'function',
  procedure: 'function',
  proc: 'function',
  trigger: 'function',
  schema: 'module',
  database: 'module',
};
const NEW_STATEMENT =
  /^(?:create|alter|drop|insert|delete|update|grant|select|with|set|use|go|delimiter|comment|begin transaction)\b/i;
const BODY_END = /^\s*(?:end\b[\w\s]*[;$/]*|\/|go)\s*$/i;

export function outlineSql(lines: readonly string[]): Definition[] {
  const drafts: Draft[] = [];
  let open: { draft: Draft; isRoutine: boolean; dollar: string | undefined; hasBegin: boolean } | undefined;
  let inComment = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.length > LONGEST_READ_LINE) continue;
    const text = withoutComment(line);
    if (inComment) {
      inComment = !line.includes('*/');
      continue;
    }
    inComment = text.includes('/*') && !text.includes('*/', text.indexOf('/*'));
    const inDollars = open?.dollar !== undefined;
    if (open !== undefined && !inDollars && NEW_STATEMENT.test(line) && !open.hasBegin) close(index);
    if (open === undefined) open = beginAt(line, index + 1);
    if (open === undefined) continue;
    readDollars(open, text);
    if (open.isRoutine && open.dollar === undefined && /^\s*begin\b/i.test(text)) open.hasBegin = true;
    if (isEnd(open, text)) close(index + 1);
  }
  if (open !== undefined) close(lines.length);
  return finishDrafts(drafts, lines);

  function beginAt(line: string, lineNumber: number): typeof open {
    const match = CREATE.exec(line);
    const what = match?.[1]?.toLowerCase();
    if (what === undefined || match?.[2] === undefined || /^\s*alter\s+(?!function|procedure)/i.test(line))
      return undefined;
    const parts = match[2].replaceAll(/["`[\]]/g, '').split('.');
    const draft: Draft = {
      name: parts.at(-1) ?? '',
      kind: KINDS[what] ?? 'section',
      container: parts.at(-2),
      startLine: lineNumber,
      headLine: lineNumber,
      endLine: lineNumber,
      hasBody: true,
    };
    drafts.push(draft);
    return { draft, isRoutine: ROUTINES.has(what), dollar: undefined, hasBegin: false };
  }

  function close(endLine: number): void {
    if (open === undefined) return;
    let last = endLine;
    while (last > open.draft.headLine && (lines[last - 1] ?? '').trim() === '') last--;
    open.draft.endLine = last;
    open = undefined;
  }
}

/** Goes in and out of `$$ … $$`. */
function readDollars(open: { dollar: string | undefined }, text: string): void {
  for (const match of text.matchAll(/\$\w*\$/g)) {
    if (open.dollar === undefined) open.dollar = match[0];
    else if (open.dollar === match[0]) open.dollar = undefined;
  }
}

function isEnd(
  open: { isRoutine: boolean; dollar: string | undefined; hasBegin: boolean },
  text: string,
): boolean {
  if (open.dollar !== undefined) return false;
  if (open.hasBegin) return /^\S/.test(text) && BODY_END.test(text);
  return text.trimEnd().endsWith(';');
}

function withoutComment(line: string): string {
  const at = line.indexOf('--');
  return at === -1 ? line : line.slice(0, at);
}
