/** What a hostile repository is made of, and the place it is made in. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SkipReason } from '../../../src/core/index.ts';

export interface Place {
  /** The repository. */
  readonly root: string;
  /** A folder beside it; whatever lies in it must stay unread. */
  readonly outside: string;
  /** A word that stands in files outside and nowhere else. */
  readonly canary: string;
  /** A program that leaves a mark when it is run. */
  readonly program: string;
  at(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  link(path: string, target: string): void;
}

export interface Fixture {
  readonly name: string;
  /** Makes the repository; `.git/HEAD` and `plain.ts` are there already. */
  readonly make: (place: Place) => void | Promise<void>;
  /** What must come of some of its paths. */
  readonly comesTo?: Readonly<Record<string, 'indexed' | SkipReason>>;
  /** The run may end with an error in our own words: the repository's own settings are wrong, or it went away. */
  readonly mayRefuse?: boolean;
  /** Done over and over while the run lasts: then what is there depends on the moment. */
  readonly meddle?: (place: Place, round: number) => void;
  /** What happens to it after the first run; then it is indexed once more. */
  readonly change?: (place: Place) => void;
  /** What is left out is printed as well, and must be fit for a terminal. */
  readonly isShown?: boolean;
  /** Run by a user who may not read everything. */
  readonly byNobody?: boolean;
  readonly isLongOnly?: boolean;
  /** What the repository leaves open after the run. */
  readonly end?: (place: Place) => void;
}

export interface Family {
  readonly name: string;
  readonly fixtures: readonly Fixture[];
}

export function createPlace(base: string, canary: string): Place {
  const root = join(base, 'root');
  const at = (path: string): string => join(root, path);
  const place: Place = {
    root,
    outside: join(base, 'outside'),
    canary,
    program: join(base, 'program'),
    at,
    write(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    link(path, target) {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(target, at(path));
    },
  };
  place.write('.git/HEAD', 'ref: refs/heads/main\n');
  place.write('plain.ts', 'export const plain = 1;\n');
  const source = `export const ${canary} = '${canary}';\n`;
  for (const path of ['stolen.ts', 'folder/stolen.ts', 'git/info/exclude', 'rules']) {
    mkdirSync(dirname(join(place.outside, path)), { recursive: true });
    writeFileSync(join(place.outside, path), path.endsWith('.ts') ? source : `${canary}\n*\n`);
  }
  writeFileSync(join(place.outside, 'git/config'), `[core]\n\tignorecase = true\n# ${canary}\n`);
  writeFileSync(place.program, `#!/bin/sh\necho ran >> '${base}/mark'\n`, { mode: 0o755 });
  return place;
}

/** A fixture of one file. */
export function oneFile(
  name: string,
  path: string,
  content: (place: Place) => string | Uint8Array,
  verdict: 'indexed' | SkipReason,
): Fixture {
  return { name, make: (place) => place.write(path, content(place)), comesTo: { [path]: verdict } };
}
