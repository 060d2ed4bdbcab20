/** How often a word is in a list, as it is packed. */

/** More are not told apart. */
export const LARGEST_COUNT: u32 = 255;
/** A count that shares a number with the gap before its word, less one; with this, the rest of it follows. */
export const MOST_IN_GAP: u32 = 3;
