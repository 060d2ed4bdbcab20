/** Names of a project that are nearly one that was asked for; listed once for a commit. */
import { editDistance } from '../text/index.ts';

interface Names {
  readonly texts: string[];
  /** A bit for each letter and digit that occurs: a name with many others is not near. */
  readonly letters: number[];
}

const MOST_NAMES = 200_000;
const MOST_CHARS = 60;
const MOST_DISTANCE = 5;
const MOST_NEAR = 50;

/** The nearest first. `tables` are names with a zero before, between and after them. */
export function createNearNames(tables: Iterable<Buffer>): (name: string) => readonly string[] {
  const byLength = listNames(tables);
  return (name) => {
    if (name.length > MOST_CHARS) return [];
    const lower = name.toLowerCase();
    const letters = lettersOf(name);
    const most = Math.min(MOST_DISTANCE, Math.max(1, Math.floor(name.length / 3)));
    const near: [name: string, distance: number][] = [];
    for (let length = name.length - most; length <= name.length + most; length++) {
      const names = byLength.get(length);
      for (const [at, other] of names?.texts.entries() ?? []) {
        // One change takes a letter away and brings another one.
        if (bitsOf(letters ^ (names?.letters[at] ?? 0)) > 2 * most) continue;
        const distance = editDistance(lower, other.toLowerCase());
        if (distance <= most) near.push([other, distance]);
      }
    }
    return near
      .toSorted((a, b) => a[1] - b[1])
      .slice(0, MOST_NEAR)
      .map(([other]) => other);
  };
}

function listNames(tables: Iterable<Buffer>): ReadonlyMap<number, Names> {
  const seen = new Set<string>();
  const byLength = new Map<number, Names>();
  for (const table of tables)
    for (const name of table.toString('utf8').split('\0')) {
      if (name.length > MOST_CHARS + MOST_DISTANCE || seen.size >= MOST_NAMES || seen.has(name)) continue;
      seen.add(name);
      if (!/^[\p{L}_$#]/u.test(name)) continue;
      const names = byLength.get(name.length) ?? { texts: [], letters: [] };
      byLength.set(name.length, names);
      names.texts.push(name);
      names.letters.push(lettersOf(name));
    }
  return byLength;
}

function lettersOf(name: string): number {
  let letters = 0;
  // Small and large letters are the same but for one bit.
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(letters: number): number {
  let count = 0;
  for (let left = letters; left !== 0; left &= left - 1) count++;
  return count;
}
