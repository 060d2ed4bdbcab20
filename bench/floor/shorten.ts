/** Two to four neighbouring plain words of a question, as it may be asked in a hurry; which ones is decided by its number alone. */
import { readQuestion } from '../../src/search/index.ts';

export function shorten(query: string, number: number): string {
  const { words, spelled } = readQuestion(query);
  const named = new Set(spelled.flatMap((name) => readQuestion(name).words));
  const plain = words.filter((word) => !named.has(word));
  const count = 2 + (number % 3);
  const from = (number * 7) % Math.max(1, plain.length - count + 1);
  return plain.slice(from, from + count).join(' ');
}
