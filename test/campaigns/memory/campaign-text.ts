/** Texts of very different length, the same for the same number. */
export function campaignText(number: number): string {
  const words = 'retry queue upload backoff tenant invoice cursor token index branch worker cache'.split(' ');
  const length = number % 50 === 0 ? 1200 : 20 + ((number * 37) % 160);
  return Array.from({ length }, (_, at) => words[(number * 7 + at * at) % words.length]).join(' ');
}

/** How a key is found again, whatever kind of entry holds it. */
export function markOf(key: string): string {
  return `[[${key}]]`;
}

export function keysIn(content: string): readonly string[] {
  return [...content.matchAll(/\[\[([\w-]+)\]\]/g)].map(([, key = '']) => key);
}
