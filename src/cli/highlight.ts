/** Marks in a line what a search looked for. Pure. */
import { identifiersIn, stem, tokensOf } from '../text/index.ts';

/** Identifiers that hold one of the words, in any form of it, and exact text wherever it stands. */
export function highlight(line: string, words: readonly string[], mark: (text: string) => string): string {
  const stems = new Set(words.map((word) => stem(word.toLowerCase())));
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

function identifierSpans(line: string, stems: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const identifier of identifiersIn(line)) {
    const at = line.indexOf(identifier, from);
    from = at + identifier.length;
    if (tokensOf(identifier).some((token) => stems.has(token))) spans.push([at, from]);
  }
  return spans;
}
