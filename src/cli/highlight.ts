/** Marks in a line what a search looked for. Pure. */
import { identifiersIn, termsOf } from '../text/index.ts';

/** Identifiers that hold one of the words, in any form of it, and exact text wherever it stands. */
export function highlight(line: string, words: readonly string[], mark: (text: string) => string): string {
  const stems = new Set(words.flatMap(stemOf));
  const spans = [...phraseSpans(line, words), ...identifierSpans(line, stems)].sort((a, b) => a[0] - b[0]);
  let marked = '';
  let at = 0;
  for (const [from, to] of spans) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    marked += line.slice(at, start) + mark(line.slice(start, to));
    at = to;
  }
  return marked + line.slice(at);
}

/** Of a word; exact text has none, as it is found where it stands. */
function stemOf(word: string): readonly number[] {
  const [first] = identifiersIn(word);
  return first?.name === word && first.whole !== undefined ? [first.whole.hash] : [];
}

type Span = readonly [from: number, to: number];

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
