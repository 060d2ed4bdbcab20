/** Finds every occurrence of many words in one pass over a text, ignoring ASCII case: kernel/finder.ts. */
import { FINDER_WASM } from './finder-wasm.ts';
import { writeText, type TextTaker } from './write-text.ts';

export interface WordFinder {
  /** Calls `onHit` wherever a word ends. What it returns is where to go on: its own `end`, or further on to skip text. */
  scan(text: string, onHit: OnHit): void;
  /** Whether any of the words is in the text. */
  finds(text: string): boolean;
}

/** `end` is the index behind the word's last character; `words` are the indices of all that end there, longest first. */
export type OnHit = (end: number, words: readonly number[]) => number;

interface Exports extends TextTaker {
  takeWords(units: number): void;
  find(from: number, to: number, goesOn: boolean): number;
  stateNow(): number;
  wordAt(state: number): number;
  shorterThan(state: number): number;
}

/** Words are lower-case ASCII without line ends, each once, together fewer than 32,000 characters. */
export function createWordFinder(words: readonly string[]): WordFinder {
  const module = new WebAssembly.Module(Buffer.from(FINDER_WASM, 'base64'));
  // Ours, made from kernel/finder.ts, which exports just these.
  const kernel = new WebAssembly.Instance(module).exports as unknown as Exports;
  const all = words.map((word) => `${word}\n`).join('');
  writeText(kernel, all);
  kernel.takeWords(all.length);

  const known = new Map<number, readonly number[]>();
  const endsAt = (state: number): readonly number[] => {
    let ends = known.get(state);
    if (ends === undefined) {
      const found: number[] = [];
      for (let at = state; at !== 0; at = kernel.shorterThan(at)) found.push(kernel.wordAt(at));
      ends = found.filter((word) => word >= 0);
      known.set(state, ends);
    }
    return ends;
  };

  return {
    finds(text) {
      writeText(kernel, text);
      return kernel.find(0, text.length, false) >= 0;
    },
    scan(text, onHit) {
      writeText(kernel, text);
      let end = kernel.find(0, text.length, false);
      while (end >= 0) {
        const resume = onHit(end, endsAt(kernel.stateNow()));
        end = kernel.find(Math.max(resume, end), text.length, resume <= end);
      }
    },
  };
}
