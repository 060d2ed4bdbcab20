/** Finds every occurrence of many words in one pass over a text, ignoring ASCII case: kernel/finder.ts. */
import { AppError } from '../core/index.ts';
import { FINDER_WASM } from './finder-wasm.ts';
import type { WordFinder } from './finder.ts';
import { createPlainFinder } from './plain-finder.ts';
import { writeText, type TextTaker } from './word-kernel.ts';

interface Exports extends TextTaker {
  takeWords(units: number): void;
  find(from: number, to: number, goesOn: boolean): number;
  stateNow(): number;
  wordAt(state: number): number;
  shorterThan(state: number): number;
}

/** States have numbers of 15 bits. */
const MOST_CHARS = 32_000;
const LOWER_CASE = /^[ -@[-~]+$/;

/**
 * Words are lower-case ASCII, each once. Secrets are looked for with it, in logs too: where WebAssembly is not to be had (no such
 * thing in this Node, no room for its memory) the same is done in JavaScript.
 */
export function createWordFinder(words: readonly string[]): WordFinder {
  const all = words.map((word) => `${word}\n`).join('');
  if (all.length > MOST_CHARS || !words.every((word) => LOWER_CASE.test(word)))
    throw new AppError('internal', 'These are no words for a finder.');
  const kernel = openKernel(all);
  return kernel === undefined ? createPlainFinder(words) : withKernel(kernel, words);
}

function withKernel(kernel: Exports, words: readonly string[]): WordFinder {
  let plain: WordFinder | undefined;
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
  /** False if there is no room for it: from then on everything is done without. */
  const takes = (text: string): boolean => {
    if (plain !== undefined) return false;
    try {
      writeText(kernel, text);
      return true;
    } catch {
      plain = createPlainFinder(words);
      return false;
    }
  };

  return {
    finds(text) {
      return takes(text) ? kernel.find(0, text.length, false) >= 0 : (plain?.finds(text) ?? false);
    },
    scan(text, onHit) {
      if (!takes(text)) return plain?.scan(text, onHit);
      let end = kernel.find(0, text.length, false);
      while (end >= 0) {
        const resume = onHit(end, endsAt(kernel.stateNow()));
        end = kernel.find(Math.max(resume, end), text.length, resume <= end);
      }
    },
  };
}

function openKernel(words: string): Exports | undefined {
  if (words === '' || typeof WebAssembly === 'undefined') return undefined;
  try {
    const module = new WebAssembly.Module(Buffer.from(FINDER_WASM, 'base64'));
    // Ours, made from kernel/finder.ts, which exports just these.
    const kernel = new WebAssembly.Instance(module).exports as unknown as Exports;
    writeText(kernel, words);
    kernel.takeWords(words.length);
    return kernel;
  } catch {
    return undefined;
  }
}
