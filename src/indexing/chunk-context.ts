/** The signatures around a chunk that does not show them itself: what a piece of a long definition belongs to. */
import type { Definition, LineRange } from '../core/index.ts';

const MOST_SIGNATURES = 3;

/** Outermost first; at most the three innermost. */
export function chunkContext(chunk: LineRange, definitions: readonly Definition[]): string[] {
  return definitions
    .filter(({ startLine, endLine }) => startLine < chunk.startLine && endLine >= chunk.startLine)
    .slice(-MOST_SIGNATURES)
    .map((definition) => definition.signature);
}
