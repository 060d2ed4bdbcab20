/** Marks in a line what a search looked for. Pure. */
import { identifiersIn, termsOf } from '../text/index.ts';

export interface Shade {
  readonly from: number;
  readonly to: number;
  readonly paint: (text: string) => string;
}

/** Identifiers that hold one of the words, in any form of it, and exact text wherever it stands. */
export function highlight(line: string, words: readonly string[], mark: (text: string) => string): string {
  return shade(
    line,
    spansOf(line, words).map(([from, to]) => ({ from, to, paint: mark })),
  );
}

/** Paints spans that do not overlap, from left to right. */
export function shade(line: string, shades: readonly Shade[]): string {
  let painted = '';
  let at = 0;
  for (const { from, to, paint } of shades) {
    painted += line.slice(at, from) + paint(line.slice(from, to));
    at = to;
  }
  return painted + line.slice(at);
}

/** Where the words stand, from left to right; overlapping places are one. */
export function spansOf(line: string, words: readonly string[]): readonly Span[] {
  const stems = new Set(words.flatMap(stemOf));
  const all = [...phraseSpans(line, words), ...identifierSpans(line, stems)].sort((a, b) => a[0] - b[0]);
  const spans: Span[] = [];
  let end = 0;
  for (const [from, to] of all) {
    if (to > end) spans.push([Math.max(from, end), to]);
    end = Math.max(end, to);
  }
  return spans;
}

/** Of a word; exact text has none, as it is found where it stands. */
function stemOf(word: string): readonly number[] {
  const [first] = identifiersIn(word);
  return first?.name === word && first.whole !== undefined ? [first.whole.hash] : [];
}

export type Span = readonly [from: number, to: number];

function phraseSpans(line: string, words: readonly string[]): Span[] {
  const lower = line.toLowerCase();
  // Only where lower case keeps every place: some letters become two.
  if (lower.length !== line.length) return [];
  return words
    .filter((word) => /[^A-Za-z0-9_]/.test(word))
    .flatMap((phrase) => {
      const spans: Span[] = [];
      const wanted = phrase.toLowerCase();
      for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length))
        spans.push([at, at + wanted.length]);
      return spans;
    });
}

function identifierSpans(line: string, stems: ReadonlySet<number>): Span[] {
  return identifiersIn(line)
    .filter((identifier) => termsOf(identifier).some(({ hash }) => stems.has(hash)))
    .map(({ start, name }) => [start, start + name.length]);
}
