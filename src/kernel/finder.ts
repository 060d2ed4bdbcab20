/** What finds words, however it does it. */

export interface WordFinder {
  /** Calls `onHit` wherever a word ends. What it returns is where to go on: its own `end`, or further on to skip text. */
  scan(text: string, onHit: OnHit): void;
  /** Whether any of the words is in the text. */
  finds(text: string): boolean;
}

/** `end` is the index behind the word's last character; `words` are the indices of all that end there, longest first. */
type OnHit = (end: number, words: readonly number[]) => number;
