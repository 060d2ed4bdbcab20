/** Cuts a long stretch of lines into windows where a reader would: after a blank line, far out, not before a bracket. */
import type { ChunkLimits } from './chunk-limits.ts';

const MOST_INDENT = 12;
const CLOSING = /^\s*[)}\]]/;

/** The lines before which to cut, 0-based, between `start` and `end` (the line behind the last). */
export function cutLines(
  lines: readonly string[],
  range: { readonly start: number; readonly end: number },
  limits: ChunkLimits,
): number[] {
  const cuts: number[] = [];
  let start = range.start;
  for (;;) {
    const last = windowEnd(lines, start, range.end, limits);
    if (last >= range.end) return cuts;
    start = bestCut(lines, start, last, limits.earliestCut);
    cuts.push(start);
  }
}

/** The line behind the last that still fits; at least one line fits. */
function windowEnd(lines: readonly string[], start: number, end: number, limits: ChunkLimits): number {
  let chars = 0;
  let line = start;
  while (line < end && line - start < limits.targetLines) {
    chars += (lines[line]?.length ?? 0) + 1;
    if (chars > limits.targetChars && line > start) break;
    line++;
  }
  return line;
}

function bestCut(lines: readonly string[], start: number, end: number, earliest: number): number {
  let best = end;
  let bestScore = -Infinity;
  for (let line = Math.max(start + 1, start + Math.ceil((end - start) * earliest)); line <= end; line++) {
    const score = scoreOf(lines, line) + (2 * (line - start)) / (end - start);
    // Of equals the later one: fewer chunks.
    if (score < bestScore) continue;
    best = line;
    bestScore = score;
  }
  return best;
}

function scoreOf(lines: readonly string[], line: number): number {
  const text = lines[line] ?? '';
  const isBlank = isBlankLine(text);
  const afterBlank = isBlankLine(lines[line - 1] ?? '') ? 3 : 0;
  const closing = !isBlank && CLOSING.test(text) ? 3 : 0;
  return afterBlank - 0.4 * Math.min(indentOf(text), MOST_INDENT) - (isBlank ? 4 : 0) - closing;
}

function indentOf(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length && width < MOST_INDENT; at++) {
    const code = line.charCodeAt(at);
    if (code === 32) width++;
    else if (code === 9) width += 4;
    else break;
  }
  return width;
}

export function isBlankLine(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code > 32 && code !== 160 && code !== 0xfeff) return false;
  }
  return true;
}
