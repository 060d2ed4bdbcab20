/** How alike two strings are, by the groups of three letters they share: 0 to 1. Pure. */
const MOST_CHARS = 600;

export type Trigrams = ReadonlySet<string>;

export function trigramsOf(text: string): Trigrams {
  const cut = ` ${text.slice(0, MOST_CHARS)} `;
  const found = new Set<string>();
  for (let at = 0; at + 3 <= cut.length; at++) found.add(cut.slice(at, at + 3));
  return found;
}

export function overlap(a: Trigrams, b: Trigrams): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const gram of small) if (large.has(gram)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
