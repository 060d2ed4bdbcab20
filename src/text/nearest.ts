/** The known word nearest to a mistyped one, or nothing if none is near enough to be meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  // A long word is foreign text, not a slip; comparing it would only cost time.
  if (word.length > 60) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? known.find((name) => isLongFormOf(name, word));
}

const LEAST_SHORT_FORM = 3;

/** `language` and `languages` of `lang`. */
function isLongFormOf(short: string, word: string): boolean {
  return short.length >= LEAST_SHORT_FORM && word.toLowerCase().startsWith(short.toLowerCase());
}

/** Levenshtein distance with swaps of neighbours counted as one edit. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
