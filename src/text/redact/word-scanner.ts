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

/** Words are lower-case ASCII. */
export function createWordScanner(words: readonly string[]): WordScanner {
  const { classOf, classes } = classify(words);
  const { next, ends } = order(buildAutomaton(words, classOf, classes), classes);
  const firstEnding = next.length / classes - ends.length;
  return {
    finds(text) {
      let row = 0;
      for (let at = 0; at < text.length && row < firstEnding; at++) {
        const code = text.charCodeAt(at);
        row = code < ASCII ? (next[row * classes + (classOf[code] ?? 0)] ?? 0) : 0;
      }
      return row >= firstEnding;
    },
    scan(text, onHit) {
      let row = 0;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        row = code < ASCII ? (next[row * classes + (classOf[code] ?? 0)] ?? 0) : 0;
        if (row < firstEnding) continue;
        const resume = onHit(at + 1, ends[row - firstEnding] ?? []);
        if (resume <= at + 1) continue;
        at = resume - 1;
        row = 0;
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
    if (/[a-z]/.test(char)) classOf[char.toUpperCase().charCodeAt(0)] = classes;
    classes += 1;
  }
  return { classOf, classes };
}

interface State {
  /** Next state by class; 0 is the start. */
  readonly next: number[];
  words: number[];
}

/** The complete automaton: every state knows its successor for every class, so that scanning never goes back. */
function buildAutomaton(words: readonly string[], classOf: Uint8Array, classes: number): readonly State[] {
  const newState = (): State => ({ next: Array.from({ length: classes }, () => 0), words: [] });
  const states: State[] = [newState()];
  const stateAt = (index: number): State => states[index] ?? newState();
  words.forEach((word, index) => {
    let at = 0;
    for (const char of word) {
      const cls = classOf[char.charCodeAt(0)] ?? 0;
      let to = stateAt(at).next[cls] ?? 0;
      if (to === 0) {
        to = states.push(newState()) - 1;
        stateAt(at).next[cls] = to;
      }
      at = to;
    }
    stateAt(at).words.push(index);
  });
  // Breadth first, so that the shorter suffix a state falls back to is complete before the state is.
  const fallback = states.map(() => 0);
  const queue = stateAt(0).next.filter((to) => to !== 0);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const state = stateAt(at);
    const back = stateAt(fallback[at] ?? 0);
    state.words = [...state.words, ...back.words];
    for (let cls = 0; cls < classes; cls++) {
      const to = state.next[cls] ?? 0;
      const other = back.next[cls] ?? 0;
      if (to === 0) state.next[cls] = other;
      else {
        fallback[to] = other;
        queue.push(to);
      }
    }
  }
  return states;
}

/** Puts the states where words end last, so that the scan knows them by one comparison. */
function order(states: readonly State[], classes: number) {
  const indices = states.map((_, index) => index);
  const isEnding = (index: number): boolean => (states[index]?.words.length ?? 0) > 0;
  const ordered = [...indices.filter((index) => !isEnding(index)), ...indices.filter(isEnding)];
  const placeOf = new Uint16Array(states.length);
  ordered.forEach((index, place) => (placeOf[index] = place));
  const next = new Uint16Array(states.length * classes);
  ordered.forEach((index, place) =>
    states[index]?.next.forEach((to, cls) => (next[place * classes + cls] = placeOf[to] ?? 0)),
  );
  return { next, ends: indices.filter(isEnding).map((index) => states[index]?.words ?? []) };
}
