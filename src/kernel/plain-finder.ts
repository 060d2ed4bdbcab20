/**
 * The same as the finder in WebAssembly, for a Node that has none or no room for its memory, and for texts of a few letters: an
 * Aho–Corasick automaton as a table that fills as it is used.
 */
import type { WordFinder } from './finder.ts';

const ASCII = 128;
/** Set in a table's entry that leads to a state where a word ends: the scan sees it without a second look. */
const ENDS = 0x8000;
/** An entry that no text has led to yet. */
const UNKNOWN = 0xffff;

/** Words as for `createWordFinder`. */
export function createPlainFinder(words: readonly string[]): WordFinder {
  const { classOf, classes } = classify(words);
  const { next, find, endsAt } = createAutomaton(words, classOf, classes);
  const scan: WordFinder['scan'] = (text, onHit) => {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < ASCII) {
        const place = state * classes + (classOf[code] ?? 0);
        state = next[place] ?? 0;
        if (state === UNKNOWN) state = find(place);
      } else state = 0;
      if (state < ENDS) continue;
      state -= ENDS;
      const resume = onHit(at + 1, endsAt(state));
      if (resume <= at + 1) continue;
      at = resume - 1;
      state = 0;
    }
  };
  return {
    scan,
    finds(text) {
      let isFound = false;
      scan(text, () => {
        isFound = true;
        return text.length;
      });
      return isFound;
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

interface Automaton {
  /** The next state for every state and class, so that scanning never goes back. */
  readonly next: Uint16Array;
  /** What an unknown entry should be, for this time and the next. */
  find(place: number): number;
  /** The words that end at a state. */
  endsAt(state: number): readonly number[];
}

/** Texts lead to few of all states: entries are worked out when they are first wanted. All of them would take longer than a scan. */
function createAutomaton(words: readonly string[], classOf: Uint8Array, classes: number): Automaton {
  const most = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Uint16Array(most * classes).fill(UNKNOWN);
  /** The way of the words: a state by the place of the entry that leads to it, and back. */
  const edges = new Map<number, number>();
  const placeOf = [0];
  const own = new Map<number, number[]>();
  words.forEach((word, index) => {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const place = state * classes + (classOf[word.charCodeAt(at)] ?? 0);
      let to = edges.get(place);
      if (to === undefined) {
        to = placeOf.push(place) - 1;
        edges.set(place, to);
      }
      state = to;
    }
    const ending = own.get(state);
    if (ending === undefined) own.set(state, [index]);
    else ending.push(index);
  });

  const fallbacks = new Map<number, number>([[0, 0]]);
  const ends = new Map<number, readonly number[]>([[0, own.get(0) ?? []]]);

  /** The longest shorter suffix that is a state. */
  function fallbackOf(state: number): number {
    const known = fallbacks.get(state);
    if (known !== undefined) return known;
    const place = placeOf[state] ?? 0;
    const from = Math.floor(place / classes);
    const found = from === 0 ? 0 : stateBehind(fallbackOf(from) * classes + (place % classes));
    fallbacks.set(state, found);
    return found;
  }

  function endsAt(state: number): readonly number[] {
    const known = ends.get(state);
    if (known !== undefined) return known;
    const found = [...(own.get(state) ?? []), ...endsAt(fallbackOf(state))];
    ends.set(state, found);
    return found;
  }

  function find(place: number): number {
    const state = Math.floor(place / classes);
    const to =
      edges.get(place) ?? (state === 0 ? 0 : stateBehind(fallbackOf(state) * classes + (place % classes)));
    const entry = to + (endsAt(to).length > 0 ? ENDS : 0);
    next[place] = entry;
    return entry;
  }

  function stateBehind(place: number): number {
    const entry = next[place] ?? 0;
    return (entry === UNKNOWN ? find(place) : entry) & ~ENDS;
  }

  return { next, find, endsAt };
}
