/**
 * A few recent rankings: the next page, or the same question again. A ranking holds the index in memory that it was made of,
 * which is megabytes: so it goes as soon as that index is no longer the one that answers.
 */
import type { View } from './view/view.ts';

export interface FoundCache<T> {
  get(key: string): T | undefined;
  /** `made` is what it was found in, by project. */
  set(key: string, found: T, made: ReadonlyMap<string, View>): void;
  /** Drops what was found in another view of the project than this one; without one, all that was found in it. */
  retire(root: string, current?: View): void;
}

const MOST_CACHED = 4;

export function createFoundCache<T>(): FoundCache<T> {
  const cached = new Map<string, { readonly found: T; readonly made: ReadonlyMap<string, View> }>();
  return {
    get: (key) => cached.get(key)?.found,
    set(key, found, made) {
      const [oldest] = cached.keys();
      if (cached.size >= MOST_CACHED && oldest !== undefined) cached.delete(oldest);
      cached.set(key, { found, made });
    },
    retire(root, current) {
      for (const [key, { made }] of cached) {
        const view = made.get(root);
        if (view !== undefined && view !== current) cached.delete(key);
      }
    },
  };
}
