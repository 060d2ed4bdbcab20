/** The files that a client keeps in its home, to see what setup changes and uninstall takes back. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path below the home → content, byte for byte. */
export type HomeFiles = ReadonlyMap<string, string>;

/** Projects, caches and what belongs to Waymark are left out. */
const LEFT_OUT = new Set(['work', 'tmp', '.cache', '.local', '.npm']);

export function readHome(home: string): HomeFiles {
  const names = readdirSync(home).filter((name) => !LEFT_OUT.has(name));
  const files = names.flatMap((name) => listFiles(home, name));
  return new Map(files.map((path) => [path, readFileSync(join(home, path), 'latin1')]));
}

function listFiles(home: string, path: string): readonly string[] {
  try {
    return readdirSync(join(home, path), { withFileTypes: true }).flatMap((entry) => {
      const below = join(path, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(home, below);
      return entry.isFile() ? [below] : [];
    });
  } catch {
    // A file, not a folder.
    return [path];
  }
}

/** Which paths differ, are new or are gone. */
export function changedFiles(before: HomeFiles, after: HomeFiles): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/** Puts one text in the place of another wherever it stands in these files. */
export function replaceIn(
  home: string,
  paths: readonly string[],
  [from, to]: readonly [string, string],
): void {
  for (const path of paths) {
    const text = readFileSync(join(home, path), 'utf8');
    writeFileSync(join(home, path), text.replaceAll(from, to));
  }
}
