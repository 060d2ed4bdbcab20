/** Rules of every file that is asked about ignoring, and globs of settings, hostile ones among them, tried on a tree. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGlobMatcher, explainPath, listFiles, type ListOptions } from '../../../src/workspace/index.ts';
import type { Random } from '../http/seeded-random.ts';
import { damage } from './damage.ts';
import type { FuzzKind } from './fuzz-kind.ts';

const PATHS = [
  'a.ts',
  'a.log',
  'build/out.ts',
  'src/A.TS',
  'src/[slug]/page.ts',
  'src/a b.ts',
  'src/ü/ö.ts',
  `src/${'a'.repeat(200)}.ts`,
  `${'d/'.repeat(40)}deep.ts`,
  `${'aaaaaaaa/'.repeat(12)}a.ts`,
  'src/!not.ts',
  'src/#hash.ts',
  'src/back\\slash.ts',
  'sub/x/keep.log',
  'sub/x/y/z.md',
] as const;
const PLACES = [
  '.gitignore',
  '.ignore',
  '.waymarkignore',
  'sub/.gitignore',
  'src/.waymarkignore',
  '.git/info/exclude',
  'global',
] as const;
const PARTS = [
  '*',
  '**',
  '**/',
  '/',
  '?',
  '[a-z]',
  '[!a]',
  '[[:alpha:]]',
  '[',
  ']',
  '[]',
  '[^',
  '\\',
  '!',
  '#',
  ' ',
  'a',
  'src',
  '.ts',
  '*.log',
  'ü',
  '\xff',
  '\r',
  '{a,b}',
  '{',
  '}',
  ',',
  '..',
  '.git',
  'z-a',
  '[z-a]',
] as const;

export const IGNORE_FILES: FuzzKind = {
  name: 'ignore',
  rooms: ['src/workspace/ignore'],
  async open(folder) {
    const root = join(folder, 'root');
    for (const path of PATHS) write(join(root, path), 'plain text\n');
    write(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
    const touched: string[] = [];
    return {
      make(random) {
        const rules = makeRules(random);
        const files = [random.pick(PLACES), ...(random.chance(0.3) ? [random.pick(PLACES)] : [])];
        const globs = Array.from({ length: random.below(5) }, () => makePattern(random));
        return {
          name: files.join(' and '),
          bytes: Buffer.concat([rules, Buffer.from(`\n--- globs\n${globs.join('\n')}`)]),
          async run() {
            for (const file of files) {
              const absPath = file === 'global' ? join(folder, 'global') : join(root, file);
              touched.push(absPath);
              write(absPath, rules);
            }
            const options = {
              globalExcludes: join(folder, 'global'),
              ...(random.chance(0.3) ? { include: globs } : { exclude: globs.slice(0, 1) }),
            };
            return (await disagreement(root, options, random)) ?? tryGlobs(globs);
          },
        };
      },
      async restore() {
        for (const absPath of touched.splice(0)) rmSync(absPath, { force: true });
      },
      async close() {},
    };
  },
};

/** The listing and the explanation of a path must say the same. */
async function disagreement(root: string, options: ListOptions, random: Random): Promise<string | undefined> {
  const listed = new Set<string>();
  for await (const { files } of listFiles(root, options, new AbortController().signal))
    for (const { path } of files) listed.add(path);
  for (let turn = 0; turn < 2; turn++) {
    const path = random.pick(PATHS);
    const { kind } = explainPath(root, path, options);
    if ((kind === 'listed') !== listed.has(path))
      return `${path.slice(0, 60)} is ${kind}, but ${listed.has(path) ? '' : 'not '}in the listing`;
  }
  return undefined;
}

function tryGlobs(globs: readonly string[]): undefined {
  const matches = createGlobMatcher(globs);
  for (const path of PATHS) matches(path);
}

export function makeRules(random: Random): Buffer {
  const lines = Array.from({ length: random.pick([1, 2, 5, 40, random.below(2_000)]) }, () =>
    makePattern(random),
  );
  const text = lines.join(random.pick(['\n', '\n', '\r\n', '\r']));
  const bytes = Buffer.from(text, random.chance(0.5) ? 'utf8' : 'latin1');
  const repeated = random.below(150) === 0 ? Buffer.alloc(60_000, Buffer.from(`${text}\n`)) : bytes;
  return random.chance(0.3) ? damage(repeated, random, { words: PARTS }) : repeated;
}

function makePattern(random: Random): string {
  const many = random.below(40) === 0 ? random.below(3_000) : 1 + random.below(8);
  if (random.chance(0.1)) return random.pick(PARTS).repeat(many);
  const unit = Array.from({ length: 1 + random.below(3) }, () => random.pick(PARTS)).join('');
  if (random.chance(0.15)) return unit.repeat(many);
  return Array.from({ length: many }, () => random.pick(PARTS)).join('');
}

function write(absPath: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(absPath), { recursive: true });
  writeFileSync(absPath, bytes);
}
