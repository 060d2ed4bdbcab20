/** Words of a question that no file holds and no one writes: read as the word of the project that is one slip away. */
import { identifiersIn, quoteForeign } from '../../text/index.ts';
import { LOOKS_LIKE_NAME } from './question.ts';

export interface KnownWords {
  /** Whether any passage holds a word, by the hash of its stem. */
  isHeld(stem: number): boolean;
  /** How many do. */
  passages(stem: number): number;
  /** Whether it is a word that people write, in whatever project. */
  isWord(word: string): boolean;
}

export interface MendedText {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Of shorter ones too many are one slip apart. */
const SHORTEST = 5;
const LONGEST = 24;
const PLAIN = /^[a-z]+$/;
/** Two neighbours that changed places are the commonest slip that leaves no word. */
const SWAP_WORTH = 4;

export function mendTypos(text: string, known: KnownWords): MendedText {
  let mended = text;
  const notes: string[] = [];
  // From the end, so that places stay where they are.
  for (const { name, start, parts } of identifiersIn(text).toReversed()) {
    const word = name.toLowerCase();
    const [part, ...others] = parts;
    if (part === undefined || others.length > 0 || LOOKS_LIKE_NAME.test(name) || !PLAIN.test(word)) continue;
    if (word.length < SHORTEST || word.length > LONGEST) continue;
    if (known.isHeld(part.hash) || known.isWord(word)) continue;
    const meant = nearestKnown(word, known);
    if (meant === undefined) continue;
    mended = mended.slice(0, start) + meant + mended.slice(start + name.length);
    notes.unshift(`no file holds ${quoteForeign(name)}: read as ${quoteForeign(meant)}`);
  }
  return { text: mended, notes };
}

/** The one that most passages hold, of those that differ by a letter and begin alike. */
function nearestKnown(word: string, known: KnownWords): string | undefined {
  let best: { readonly text: string; readonly worth: number } | undefined;
  // All in one text: the words are cut by one call.
  for (const { name, parts } of identifiersIn(slipsOf(word).join(' '))) {
    const [part, ...others] = parts;
    if (part === undefined || others.length > 0) continue;
    if (!known.isHeld(part.hash)) continue;
    const worth = known.passages(part.hash) * (isSwap(word, name) ? SWAP_WORTH : 1);
    if (worth > (best?.worth ?? 0)) best = { text: name, worth };
  }
  return best?.text;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** Every word that differs by one letter left out, put in, changed or swapped; the first letter is hardly ever the wrong one. */
function slipsOf(word: string): readonly string[] {
  const slips = new Set<string>();
  for (let at = 1; at <= word.length; at++) {
    const [before, behind] = [word.slice(0, at), word.slice(at + 1)];
    for (const letter of LETTERS) {
      slips.add(before + letter + word.slice(at));
      if (at < word.length) slips.add(before + letter + behind);
    }
    if (at < word.length) slips.add(before + behind);
    if (at < word.length - 1) slips.add(before + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2));
  }
  slips.delete(word);
  return [...slips];
}

function isSwap(one: string, other: string): boolean {
  const sorted = (word: string): string => word.split('').sort().join('');
  return one.length === other.length && sorted(one) === sorted(other);
}
