/** HTML, Vue and Svelte: the script blocks are outlined as the script they hold. */
import type { Definition } from '../../core/index.ts';
import { outlineBraces } from './braces.ts';
import { LONGEST_READ_LINE } from './lexer.ts';
import { SCRIPT_LIKE } from './script-like.ts';

const OPEN = /<script\b([^>]*)>\s*$/i;
const CLOSE = /<\/script\s*>/i;
const NOT_CODE =
  /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/(?:template|x-|html)|importmap|speculationrules)/i;

export function outlineEmbedded(lines: readonly string[]): Definition[] {
  const found: Definition[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const attributes = line.length > LONGEST_READ_LINE ? undefined : OPEN.exec(line)?.[1];
    if (attributes === undefined) continue;
    const first = index + 1;
    let end = first;
    while (end < lines.length && !CLOSE.test((lines[end] ?? '').slice(0, LONGEST_READ_LINE))) end++;
    if (!NOT_CODE.test(attributes)) found.push(...outlineScript(lines.slice(first, end), first));
    index = end;
  }
  return found;
}

function outlineScript(lines: readonly string[], offset: number): Definition[] {
  return outlineBraces(SCRIPT_LIKE, lines).map((definition) => ({
    ...definition,
    startLine: definition.startLine + offset,
    endLine: definition.endLine + offset,
  }));
}
