/** The comment that stands right above a line and speaks about it, in any language we know. */

const COMMENT_LINE =
  /^\s*(?:\/\/|\/\*|\*|#(?:[\s#:!'|]|$)|--|;|%|\(\*|\{-|<!--|<#|'''?\s|"""|"[^"]+"\s*$|REM\s)/;
// A block may be long; one that never began must not make us read the file again for every definition.
const MOST_BLOCK_LINES = 120;

const MAY_END_BLOCK = /[/>})\]#"t]$/;
const BLOCK_ENDS: readonly (readonly [end: string, begin: string])[] = [
  ['*/', '/*'],
  ['-->', '<!--'],
  ['-}', '{-'],
  ['*)', '(*'],
  ['#>', '<#'],
  [']]', '--[['],
  ['=#', '#='],
  ['"""', '"""'],
  ['=cut', '=head'],
];

export function isCommentLine(line: string): boolean {
  return COMMENT_LINE.test(line);
}

/** The first line of the comment above `startLine`, or `startLine` when there is none. 1-based. */
export function leadingCommentStart(lines: readonly string[], startLine: number): number {
  let first = behindGap(lines, startLine);
  while (first > 1 && startLine - first < MOST_BLOCK_LINES) {
    const above = lines[first - 2] ?? '';
    const blockStart = blockAbove(lines, first - 1);
    if (blockStart !== undefined) first = blockStart;
    else if (above.length < 2_000 && isCommentLine(above)) first--;
    else break;
  }
  return first;
}

/** Some write a blank line below `/** … *\/`: then it still speaks about what follows. */
function behindGap(lines: readonly string[], startLine: number): number {
  const isGap = startLine > 2 && (lines[startLine - 2] ?? '').trim() === '';
  if (!isGap || !(lines[startLine - 3] ?? '').trimEnd().endsWith('*/')) return startLine;
  const begin = blockAbove(lines, startLine - 2);
  if (begin === undefined || begin === 1) return startLine;
  return /^\s*\/\*\*(?!\*)/.test((lines[begin - 1] ?? '').slice(0, 200)) ? begin : startLine;
}

/** Where the block that ends on `line` begins. */
function blockAbove(lines: readonly string[], line: number): number | undefined {
  const text = (lines[line - 1] ?? '').trimEnd();
  // Letters and digits end no block, and most lines end so or with one of `{ } ; ,`.
  if (!MAY_END_BLOCK.test(text)) return undefined;
  const pair = BLOCK_ENDS.find(([end]) => text.endsWith(end));
  if (pair === undefined) return undefined;
  const [end, begin] = pair;
  for (let at = line; at > 0 && line - at < MOST_BLOCK_LINES; at--) {
    const candidate = (lines[at - 1] ?? '').slice(0, 200).trimStart();
    const opensHere = candidate.startsWith(begin) && !(at === line && begin === end && candidate === end);
    if (opensHere) return at;
    // The end of an earlier block: this one has no beginning of its own line.
    if (at < line && end !== begin && candidate.endsWith(end)) return undefined;
  }
  return undefined;
}
