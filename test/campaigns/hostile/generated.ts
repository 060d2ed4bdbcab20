/** Hostile repositories by the number: forged git files, random rules, damaged sources and odd trees, the same for the same seed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { damage } from '../fuzz/damage.ts';
import { forgeIndex } from '../fuzz/forged-index.ts';
import { makeRules } from '../fuzz/ignore-files.ts';
import { createRandom, type Random } from '../http/seeded-random.ts';
import type { Family, Fixture, Place } from './fixture.ts';

const SEED = 2026;
const SOURCES = 'test/fixtures/languages';
const GIT_TEXTS = [
  'HEAD',
  'config',
  'packed-refs',
  'info/exclude',
  'commondir',
  'logs/HEAD',
  'refs/heads/main',
] as const;
const GIT_SEED = `ref: refs/heads/main\n[core]\n\tignorecase = false\n[remote "origin"]\n\turl = https://a:b@example.com/x\n${'a'.repeat(40)} refs/heads/main\n`;
const NAME_PARTS = [
  'a',
  '.',
  '..',
  ' ',
  '\n',
  '\t',
  '\u001b[2J',
  '\u202e',
  '*',
  '[',
  '?',
  '\\',
  '"',
  "'",
  '$(x)',
  '`x`',
  '-rf',
  'ü',
  '\u0301',
  '💥',
  'con',
  '%00',
  'x'.repeat(120),
] as const;

function generated(
  kind: string,
  count: number,
  make: (place: Place, random: Random) => void,
): readonly Fixture[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `${kind} ${number}`,
    make: (place: Place) => make(place, createRandom(SEED, number)),
    // A few of each kind are tried every time.
    ...(number < 1 ? {} : { isLongOnly: true }),
  }));
}

/** A file of the git directory says what git never wrote; what is beside it is indexed all the same. */
function forgeGit(place: Place, random: Random): void {
  place.write('.git/index', random.chance(0.5) ? forgeIndex(random) : damage(forgeIndex(random), random));
  const text = random.pick(GIT_TEXTS);
  place.write(
    `.git/${text}`,
    damage(Buffer.from(GIT_SEED), random, {
      words: ['\\\n', '"', '[include]\n\tpath = ../../outside/git/config\n', '../../outside'],
    }),
  );
}

function writeRules(place: Place, random: Random): void {
  const where = random.pick([
    '.gitignore',
    '.ignore',
    '.waymarkignore',
    'src/.gitignore',
    '.git/info/exclude',
  ]);
  place.write(where, makeRules(random));
  for (let at = 0; at < 15; at++)
    place.write(`src/${'a'.repeat(at * 9)}/f${at}.ts`, `export const f${at} = ${at};\n`);
}

/** Sources of every language we know, damaged: two languages in one file at times. */
function writeSources(place: Place, random: Random): void {
  const names = readdirSync(SOURCES);
  const pick = (): string => names[random.below(names.length)] ?? '';
  for (let at = 0; at < 4; at++) {
    const name = pick();
    const other = readFileSync(join(SOURCES, pick()));
    const words = [
      '{',
      '}',
      '(',
      '"""',
      '/*',
      '*/',
      '`',
      '\0',
      '\uFEFF',
      '<<EOF\n',
      '#if 0\n',
      '\\\n',
      `${'('.repeat(3_000)}`,
    ];
    place.write(`damaged/${at}/${name}`, damage(readFileSync(join(SOURCES, name)), random, { words, other }));
  }
}

/** Names that no terminal and no shell likes, and links that lead anywhere. */
function writeTree(place: Place, random: Random): void {
  for (let at = 0; at < 12; at++) {
    const parts = Array.from({ length: 1 + random.below(3) }, () => random.pick(NAME_PARTS)).join('');
    const name = parts
      .replace(/^\.{1,2}$/, 'dots')
      .replaceAll('/', '_')
      .slice(0, 100);
    const path = `tree/${at}/${name}.ts`;
    if (random.chance(0.3))
      place.link(
        path,
        random.pick([
          `${place.outside}/stolen.ts`,
          '..',
          '/dev/zero',
          '.',
          path,
          '/proc/self/environ',
          `${place.outside}/folder`,
        ]),
      );
    else place.write(path, `export const t${at} = ${at};\n`);
  }
}

export const GENERATED: Family = {
  name: 'generated',
  fixtures: [
    ...generated('forged git directory', 60, forgeGit),
    ...generated('random rules', 50, writeRules),
    ...generated('damaged sources', 60, writeSources),
    ...generated('odd tree', 40, writeTree),
  ],
};
