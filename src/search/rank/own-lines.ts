/** Which definition each line of a file belongs to. Pure. */
import type { Definition, LineRange } from '../../core/index.ts';

export interface OwnLines {
  readonly definition: Definition | undefined;
  /** From the first of its lines to the last. */
  readonly range: LineRange;
  /** How many of them are its own, without those of definitions inside of it; for no definition, the lines that are in none. */
  readonly count: number;
  /** By line, from 1: the place of its own among all of the file. */
  readonly owners: Int32Array;
  readonly place: number;
}

/** Of a line, from 1. */
export const ownsLine = ({ owners, place }: OwnLines, line: number): boolean => owners[line] === place;

/** Each line belongs to the smallest definition around it. What has no line of its own is left out. */
export function ownLines(definitions: readonly Definition[], lineCount: number): readonly OwnLines[] {
  const rest = definitions.length;
  const owners = new Int32Array(lineCount + 1).fill(rest);
  const order = definitions
    .map(({ startLine, endLine }, at) => ({ at, size: endLine - startLine }))
    .sort((a, b) => b.size - a.size);
  for (const { at } of order) {
    const { startLine, endLine } = definitions[at] ?? { startLine: 1, endLine: 0 };
    owners.fill(at, startLine, Math.min(endLine, lineCount) + 1);
  }
  const firsts = new Int32Array(rest + 1);
  const lasts = new Int32Array(rest + 1);
  const counts = new Int32Array(rest + 1);
  for (let line = 1; line <= lineCount; line++) {
    const owner = owners[line] ?? rest;
    if (counts[owner] === 0) firsts[owner] = line;
    lasts[owner] = line;
    counts[owner] = (counts[owner] ?? 0) + 1;
  }
  const places = new Int32Array(rest + 1);
  const all: OwnLines[] = [];
  for (let at = 0; at <= rest; at++) {
    if (counts[at] === 0) continue;
    const place = all.length;
    places[at] = place;
    all.push({
      definition: definitions[at],
      range: { startLine: firsts[at] ?? 1, endLine: lasts[at] ?? 1 },
      count: counts[at] ?? 0,
      owners,
      place,
    });
  }
  for (let line = 1; line <= lineCount; line++) owners[line] = places[owners[line] ?? rest] ?? 0;
  return all;
}
