import type { Entry } from './document-format.ts';

/** The entry below these keys: `['a', 'b']` gives `{ a: { b: entry } }`. */
export function nest(path: readonly string[], entry: Entry): Entry {
  return path.reduceRight((inner: Entry, key) => ({ [key]: inner }), entry);
}
