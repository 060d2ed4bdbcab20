/** Finds every occurrence of many words in one pass over a text, ignoring ASCII case: an Aho–Corasick automaton as a table. */

export interface WordScanner {
  /** Calls `onHit` wherever a word ends. What it returns is where to go on: its own `end`, or further on to skip text. */
  scan(text: string, onHit: OnHit): void;
  /** Whether any of the words is in the text. */
  finds(text: string): boolean;
}

/** `end` is the index behind the word's last character; `words` are the indices of all that end there, longest first. */
export type OnHit = (end: number, words: readonly number[]) => number;

const ASCII = 128;
/** Set in a table's entry that leads to a state where a word ends: the scan sees it without a second look. */
const ENDS = 0x8000;

/** Words are lower-case ASCII, together fewer than 32,768 characters. */
export function createWordScanner(words: readonly string[]): WordScanner {
  const { classOf, classes } = classify(words);
  const { next, ends } = buildTable(words, classOf, classes);
  return {
    finds(text) {
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        state = code < ASCII ? (next[state * classes + (classOf[code] ?? 0)] ?? 0) : 0;
        if (state >= ENDS) return true;
      }
      return false;
    },
    scan(text, onHit) {
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        state = code < ASCII ? (next[state * classes + (classOf[code] ?? 0)] ?? 0) : 0;
        if (state < ENDS) continue;
        state -= ENDS;
        const resume = onHit(at + 1, ends.get(state) ?? []);
        if (resume <= at + 1) continue;
        at = resume - 1;
        state = 0;
      }
    },
  };
}

/** Characters that no word contains share class 0; both cases of a letter share one class. */
function classify(words: readonly string[]): { readonly classOf: Uint8Array; readonly classes: number } {
  const classOf = new Uint8Array(ASCII);
  let classes = 1;
  for (const char of new Set(words.join(''))) {
    classOf[char.charCodeAt(0)] = classes;
    classOf[char.toUpperCase().charCodeAt(0)] = classes;
    classes += 1;
  }
  return { classOf, classes };
}

interface Table {
  /** The next state for every state and class, so that scanning never goes back. */
  readonly next: Uint16Array;
  readonly ends: ReadonlyMap<number, readonly number[]>;
}

function buildTable(words: readonly string[], classOf: Uint8Array, classes: number): Table {
  const most = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Uint16Array(most * classes);
  const ends = new Map<number, readonly number[]>();
  let states = 1;
  words.forEach((word, index) => {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const entry = state * classes + (classOf[word.charCodeAt(at)] ?? 0);
      if (next[entry] === 0) next[entry] = states++;
      state = next[entry] ?? 0;
    }
    ends.set(state, [...(ends.get(state) ?? []), index]);
  });
  completeTable(next.subarray(0, states * classes), ends, classes);
  return { next, ends };
}

/** Fills every empty entry from the longest shorter suffix that is a state; breadth first, so that it is complete before. */
function completeTable(next: Uint16Array, ends: Map<number, readonly number[]>, classes: number): void {
  const fallback = new Uint16Array(next.length / classes);
  const queue = [0];
  for (let state = queue[0], done = 0; state !== undefined; state = queue[++done]) {
    const back = fallback[state] ?? 0;
    const shorter = state === 0 ? undefined : ends.get(back);
    if (shorter !== undefined) ends.set(state, [...(ends.get(state) ?? []), ...shorter]);
    for (let cls = 0; cls < classes; cls++) {
      const to = next[state * classes + cls] ?? 0;
      const other = state === 0 ? 0 : (next[back * classes + cls] ?? 0);
      if (to === 0) next[state * classes + cls] = other;
      else {
        fallback[to] = other;
        queue.push(to);
      }
    }
  }
  const flags = new Uint16Array(next.length / classes);
  for (const state of ends.keys()) flags[state] = ENDS;
  for (let at = 0; at < next.length; at++) next[at] = (next[at] ?? 0) + (flags[next[at] ?? 0] ?? 0);
}
