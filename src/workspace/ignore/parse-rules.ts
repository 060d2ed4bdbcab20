/** A rule file's text becomes rules, line by line as git reads them. */
import { compilePattern } from './pattern.ts';
import type { Rule } from './rule-set.ts';

export interface ParsedRules {
  readonly rules: readonly Rule[];
  /** Lines after the last one that was allowed. */
  readonly isCut: boolean;
}

/** A path has at most 4,096 bytes; a longer pattern is no accident. */
const MAX_PATTERN_BYTES = 4096;
const BOM = '\xef\xbb\xbf';

/** `text` is byte text. */
export function parseRules(
  text: string,
  { maxRules, fold }: { readonly maxRules: number; readonly fold: boolean },
): ParsedRules {
  const rules: Rule[] = [];
  let isCut = false;
  let line = 0;
  for (let start = text.startsWith(BOM) ? BOM.length : 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    line++;
    const written = text.slice(start, end);
    start = end + 1;
    const pattern = written.startsWith('#') ? '' : trimLine(written);
    if (pattern === '') continue;
    if (rules.length >= maxRules) return { rules, isCut: true };
    if (pattern.length > MAX_PATTERN_BYTES) isCut = true;
    else rules.push({ ...compilePattern(pattern, { fold }), text: pattern, line });
  }
  return { rules, isCut };
}

/** One carriage return at the end goes, then everything from a NUL on, then trailing spaces that no backslash keeps. */
function trimLine(written: string): string {
  const line = written.endsWith('\r') ? written.slice(0, -1) : written;
  const nul = line.indexOf('\0');
  const text = nul === -1 ? line : line.slice(0, nul);
  if (!text.endsWith(' ')) return text;
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end--;
  let backslashes = 0;
  while (text[end - 1 - backslashes] === '\\') backslashes++;
  // An odd number of backslashes keeps the space that follows it, but not the ones after that.
  return text.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}
