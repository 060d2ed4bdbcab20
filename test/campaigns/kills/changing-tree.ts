/** A project that is worked on: files are added, edited, renamed and removed, the same way for the same seed. */
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom, type Random } from '../../support/random.ts';

export interface ChangingTree {
  /** Does some work on it. */
  change(): void;
  /** How many files there are that may be indexed. */
  count(): number;
}

const NAMES = [
  'cart',
  'order',
  'invoice',
  'ledger',
  'parcel',
  'courier',
  'basket',
  'refund',
  'voucher',
  'stock',
];
const ENDINGS = ['ts', 'py', 'go', 'md', 'rs'];
/** Long ago, so that the time of a file can be trusted at once. */
const EPOCH_S = 1_700_000_000;

export function createChangingTree(root: string, files: number, seed: number): ChangingTree {
  const random = createRandom(seed);
  let made = 0;
  const add = (): void => {
    const path = `src/${pick(random, NAMES)}/${pick(random, NAMES)}-${made}.${pick(random, ENDINGS)}`;
    save(root, path, random, ++made);
  };
  save(root, '.gitignore', random, 0, '*.log\nbuild/\n');
  save(root, 'debug.log', random, 0, 'left out\n');
  for (let file = 0; file < files; file++) add();
  const list = (): readonly string[] => listSources(root);
  return {
    count: () => list().length + 1,
    change() {
      const paths = list();
      for (let turn = random.below(40); turn >= 0; turn--) {
        const path = pick(random, paths);
        const what = random.below(10);
        if (what < 3) add();
        else if (what < 7) save(root, path, random, ++made);
        else if (what < 9)
          moveIfThere(root, path, `src/moved/${made++}-${path.slice(4).replaceAll('/', '-')}`);
        else rmSync(join(root, path), { force: true });
      }
    },
  };
}

function listSources(root: string): readonly string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

function moveIfThere(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  try {
    renameSync(join(root, from), join(root, to));
  } catch {
    // An earlier turn of the same change removed it.
  }
}

function save(
  root: string,
  path: string,
  random: Random,
  version: number,
  content = source(random, version),
): void {
  const absPath = join(root, path);
  mkdirSync(dirname(absPath), { recursive: true });
  writeFileSync(absPath, content);
  utimesSync(absPath, EPOCH_S + version, EPOCH_S + version);
}

function source(random: Random, version: number): string {
  const parts = Array.from({ length: 3 + random.below(25) }, (_, at) => {
    const name = `${pick(random, NAMES)}${pick(random, NAMES).replace(/^./, (first) => first.toUpperCase())}${at}`;
    return `/** The total of ${name}. */\nexport function ${name}(retry: number) {\n  return retry + ${random.below(1000)};\n}\n`;
  });
  return `// v${version % 200}\n${parts.join('\n')}`;
}

function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[random.below(from.length)];
  if (chosen === undefined) throw new Error('There is nothing to pick from.');
  return chosen;
}
