/**
 * A file becomes chunks: whole definitions with their comment and decorators, long ones cut at inner boundaries, short
 * neighbours joined. Every line that is not blank is in exactly one chunk.
 */
import type { Chunk, Definition } from '../core/index.ts';
import type { ChunkPlace } from '../kernel/index.ts';
import { leadingCommentStart } from '../languages/index.ts';

export interface ChunkLimits {
  /** Neighbours are joined, and windows cut, up to this many characters, line ends included. */
  readonly targetChars: number;
  /** Neighbours are joined, and windows cut, up to this many lines. */
  readonly targetLines: number;
  /** A definition stays whole up to these. */
  readonly wholeChars: number;
  readonly wholeLines: number;
  /** A window is not cut before this share of it. */
  readonly earliestCut: number;
  /** A chunk this full is not joined with what begins further out, such as the next class. */
  readonly fullEnough: number;
  /** A longer line is a chunk of its own, and only so much of it is kept. */
  readonly longLineChars: number;
}

export const CHUNK_LIMITS: ChunkLimits = {
  targetChars: 1_200,
  targetLines: 45,
  wholeChars: 1_800,
  wholeLines: 60,
  earliestCut: 0.4,
  fullEnough: 0.4,
  longLineChars: 2_000,
};

/** Lines that stay together if they can: 0-based, `end` is behind the last. */
interface Unit {
  readonly start: number;
  readonly end: number;
  /** How many definitions it is inside of, counting itself; lines between definitions are like those. */
  readonly level: number;
}

interface Node extends Unit {
  /** Otherwise the file itself, or lines around definitions. */
  readonly isDefinition: boolean;
  readonly children: Node[];
}

// Ends of bodies say nothing alone.
const ONLY_CLOSES = /^\s*(?:[)}\]>;,]|end\b|<\/\w+>)*\s*$/;
const MOST_CLOSING_CHARS = 40;
// More than these are a block of their own.
const MOST_LINES_ABOVE = 4;

/** The lines must hold no line ends. The same lines and definitions always give the same chunks. */
export function chunkFile(
  lines: readonly string[],
  definitions: readonly Definition[],
  limits: ChunkLimits = CHUNK_LIMITS,
): Chunk[] {
  // Put together once: a piece of it is a chunk without joining its lines again.
  const whole = lines.join('\n');
  return placeChunks(lines, definitions, limits).map(({ startLine, endLine, from, to, ownText }) => ({
    startLine,
    endLine,
    text: ownText ?? whole.slice(from, to),
  }));
}

/** The same as places in the text whose lines they are. */
export function placeChunks(
  lines: readonly string[],
  definitions: readonly Definition[],
  limits: ChunkLimits,
): ChunkPlace[] {
  const sizes = sizesOf(lines);
  const units = joinUnits(lines, splitUnits(lines, definitions, sizes, limits), sizes, limits);
  const chunks: ChunkPlace[] = [];
  for (const unit of units) {
    const chunk = toPlace(lines, sizes, unit, limits);
    if (chunk !== undefined) chunks.push(chunk);
  }
  return chunks;
}

/** Characters before each line. */
function sizesOf(lines: readonly string[]): Float64Array {
  const sizes = new Float64Array(lines.length + 1);
  for (let line = 0; line < lines.length; line++)
    sizes[line + 1] = (sizes[line] ?? 0) + (lines[line]?.length ?? 0) + 1;
  return sizes;
}

function charsOf(sizes: Float64Array, start: number, end: number): number {
  return (sizes[end] ?? 0) - (sizes[start] ?? 0);
}

function splitUnits(
  lines: readonly string[],
  definitions: readonly Definition[],
  sizes: Float64Array,
  limits: ChunkLimits,
): Unit[] {
  const units: Unit[] = [];
  // A stack instead of recursion: what is nested ten thousand deep is only a longer list.
  const waiting: Node[] = [
    { start: 0, end: lines.length, level: 0, isDefinition: false, children: treeOf(lines, definitions) },
  ];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const isWhole =
      node.isDefinition &&
      node.end - node.start <= limits.wholeLines &&
      charsOf(sizes, node.start, node.end) <= limits.wholeChars;
    if (isWhole) units.push(node);
    else if (node.children.length > 0) waiting.push(...partsOf(node).toReversed());
    else units.push(...windowsOf(lines, node, sizes, limits));
  }
  return units;
}

/** Its children, and the lines before, between and behind them. */
function partsOf(node: Node): Node[] {
  const parts: Node[] = [];
  let at = node.start;
  for (const child of node.children) {
    if (child.start > at)
      parts.push({ start: at, end: child.start, level: node.level + 1, isDefinition: false, children: [] });
    parts.push(child);
    at = child.end;
  }
  if (at < node.end)
    parts.push({ start: at, end: node.end, level: node.level + 1, isDefinition: false, children: [] });
  return parts;
}

/** Definitions as a tree of ranges that never overlap, each with the comment above it. */
function treeOf(lines: readonly string[], definitions: readonly Definition[]): Node[] {
  const roots: Node[] = [];
  const stack: Node[] = [];
  for (const definition of definitions) {
    const first = definition.startLine - 1;
    while ((stack.at(-1)?.end ?? Infinity) <= first) stack.pop();
    const parent = stack.at(-1);
    const siblings = parent?.children ?? roots;
    const floor = siblings.at(-1)?.end ?? (parent === undefined ? 0 : parent.start + 1);
    const lead = Math.max(floor, leadingCommentStart(lines, definition.startLine) - 1);
    // Above the first one inside another stands the head of that.
    const isFirstInside = parent !== undefined && siblings.length === 0;
    const start = isFirstInside ? lead : withLinesAbove(lines, lead, floor);
    const end = Math.min(definition.endLine, parent?.end ?? lines.length);
    // Two on one line, or an outline that disagrees with itself: the first one has the lines.
    if (start >= end || first < floor) continue;
    const node: Node = { start, end, level: stack.length + 1, isDefinition: true, children: [] };
    siblings.push(node);
    stack.push(node);
  }
  return roots;
}

/** With the few lines that touch it from above: overloads, forward declarations, a field. Not below `floor`. */
function withLinesAbove(lines: readonly string[], first: number, floor: number): number {
  const lowest = Math.max(floor, first - MOST_LINES_ABOVE);
  let start = first;
  while (start > lowest && !isBlankLine(lines[start - 1] ?? '')) start--;
  const isAll = start === floor || isBlankLine(lines[start - 1] ?? '');
  return isAll ? start : first;
}

function windowsOf(lines: readonly string[], unit: Unit, sizes: Float64Array, limits: ChunkLimits): Unit[] {
  const fits =
    unit.end - unit.start <= limits.targetLines && charsOf(sizes, unit.start, unit.end) <= limits.targetChars;
  if (fits) return [unit];
  const cuts = new Set(cutLines(lines, unit, limits));
  for (let line = unit.start; line < unit.end; line++) {
    if ((lines[line]?.length ?? 0) <= limits.longLineChars) continue;
    cuts.add(line).add(line + 1);
  }
  const starts = [
    unit.start,
    ...[...cuts].filter((cut) => cut > unit.start && cut < unit.end).sort((a, b) => a - b),
  ];
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? unit.end, level: unit.level }));
}

function joinUnits(
  lines: readonly string[],
  units: readonly Unit[],
  sizes: Float64Array,
  limits: ChunkLimits,
): Unit[] {
  const joined: Unit[] = [];
  for (const unit of units) {
    const last = joined.at(-1);
    if (last !== undefined && mayJoin(last, unit)) {
      joined[joined.length - 1] = { start: last.start, end: unit.end, level: unit.level };
    } else joined.push(unit);
  }
  return joined;

  function mayJoin(last: Unit, next: Unit): boolean {
    const chars = charsOf(sizes, last.start, next.end);
    if (isLong(last) || isLong(next)) return false;
    if (isClosing(next)) return chars <= limits.wholeChars + MOST_CLOSING_CHARS;
    if (chars > limits.targetChars || next.end - last.start > limits.targetLines) return false;
    const isFull = charsOf(sizes, last.start, last.end) >= limits.targetChars * limits.fullEnough;
    return next.level >= last.level || !isFull;
  }

  function isLong(unit: Unit): boolean {
    return unit.end === unit.start + 1 && (lines[unit.start]?.length ?? 0) > limits.longLineChars;
  }

  function isClosing(unit: Unit): boolean {
    if (charsOf(sizes, unit.start, unit.end) > MOST_CLOSING_CHARS) return false;
    for (let line = unit.start; line < unit.end; line++)
      if (!ONLY_CLOSES.test(lines[line] ?? '')) return false;
    return true;
  }
}

/** Without blank lines at its edges; nothing when there are only such. */
function toPlace(
  lines: readonly string[],
  sizes: Float64Array,
  unit: Unit,
  limits: ChunkLimits,
): ChunkPlace | undefined {
  let { start, end } = unit;
  while (start < end && isBlankLine(lines[start] ?? '')) start++;
  while (end > start && isBlankLine(lines[end - 1] ?? '')) end--;
  if (start === end) return undefined;
  let hasLongLine = false;
  for (let line = start; line < end && !hasLongLine; line++)
    hasLongLine = (lines[line]?.length ?? 0) > limits.longLineChars;
  const place = { startLine: start + 1, endLine: end, from: sizes[start] ?? 0, to: (sizes[end] ?? 0) - 1 };
  if (!hasLongLine) return place;
  const ownText = lines
    .slice(start, end)
    .map((line) => shortened(line, limits.longLineChars))
    .join('\n');
  return { ...place, ownText };
}

/** A line is never split over chunks. Of one that is too long we keep the beginning and say how much is missing. */
function shortened(line: string, most: number): string {
  if (line.length <= most) return line;
  const end = isHighSurrogate(line.charCodeAt(most - 1)) ? most - 1 : most;
  return `${line.slice(0, end)} … [${line.length - end} more characters on this line]`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

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
