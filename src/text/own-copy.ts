/** Strings that are kept for long must not keep what they were cut from. */

/** V8 copies shorter pieces; a longer one is a view that holds on to the whole text it is a part of. */
const SHORTEST_VIEW = 13;

/** The same text in memory of its own. */
export function ownCopy(piece: string): string {
  return piece.length < SHORTEST_VIEW ? piece : Buffer.from(piece, 'utf16le').toString('utf16le');
}
