/** Takes secrets out of everything an entry says before it is stored, and counts what was taken. Pure. */
import { redactSecrets } from '../text/index.ts';

export interface Cleaner {
  text(text: string): string;
  value(value: unknown): unknown;
  /** The kinds of secrets that were taken out, with how many of each. */
  found(): readonly { readonly kind: string; readonly count: number }[];
}

/** Deeper or wider values are no notes. */
const MOST_DEPTH = 20;

export function createCleaner(): Cleaner {
  const counts = new Map<string, number>();
  const cleanText = (text: string): string => {
    const redaction = redactSecrets(text);
    for (const { kind } of redaction.found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return redaction.text;
  };
  const cleanValue = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MOST_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [cleanText(name), cleanPair(name, item, depth)]),
    );
  };
  /** A value beside a telling name is looked at together with it. */
  const cleanPair = (name: string, item: unknown, depth: number): unknown => {
    if (typeof item !== 'string') return cleanValue(item, depth + 1);
    const pair = `${name}: ${JSON.stringify(item)}`;
    const cleaned = cleanText(pair);
    if (cleaned === pair) return item;
    return cleaned.slice(cleaned.indexOf(': ') + 2).replaceAll(/^"|"$/g, '');
  };
  return {
    text: cleanText,
    value: (value) => cleanValue(value, 0),
    found: () => [...counts].map(([kind, count]) => ({ kind, count })),
  };
}
