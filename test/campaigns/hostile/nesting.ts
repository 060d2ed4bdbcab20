/** Folders: deeper than a path may be long, wider than memory likes, more than anybody wrote. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Fixture, Place } from './fixture.ts';

const PART = 500;

/** Built from the inside out: what is there is moved to the end of a new chain, so that no path gets too long. */
function makeDeep(place: Place, depth: number): void {
  const chain = Array.from({ length: PART }, () => 'd');
  mkdirSync(place.at('deep'));
  for (let made = 1; made < depth; made += PART) {
    mkdirSync(place.at(join('next', ...chain)), { recursive: true });
    renameSync(place.at('deep'), place.at(join('next', ...chain, 'd')));
    renameSync(place.at('next'), place.at('deep'));
  }
}

function deep(depth: number, more: Partial<Fixture> = {}): Fixture {
  return {
    name: `${depth} folders in each other`,
    make: (place) => makeDeep(place, depth),
    comesTo: { 'plain.ts': 'indexed' },
    // A path that long cannot be removed by its name.
    end: (place) => void execFileSync('rm', ['-rf', place.at('deep')]),
    ...more,
  };
}

function manyFiles(name: string, count: number, perFolder: number, more: Partial<Fixture> = {}): Fixture {
  return {
    name,
    make(place) {
      for (let file = 0; file < count; file++) {
        const folder = `many/d${Math.floor(file / perFolder)}`;
        if (file % perFolder === 0) mkdirSync(place.at(folder), { recursive: true });
        writeFileSync(place.at(`${folder}/f${file}.ts`), `export const f${file} = ${file};\n`);
      }
    },
    ...more,
  };
}

export const NESTING: Family = {
  name: 'nesting and numbers',
  fixtures: [
    deep(600),
    deep(2500),
    deep(100_000, { isLongOnly: true }),
    {
      name: '250 folders in each other, a file in each',
      make(place) {
        for (let depth = 1; depth <= 250; depth++) {
          place.write(`${'d/'.repeat(depth)}f.ts`, `export const f${depth} = 1;\n`);
        }
      },
      comesTo: { [`${'d/'.repeat(250)}f.ts`]: 'indexed' },
    },
    {
      name: '2,000 empty folders',
      make(place) {
        for (let at = 0; at < 2000; at++) mkdirSync(place.at(`empty/e${at}`), { recursive: true });
      },
    },
    manyFiles('1,500 files in one folder', 1500, 1500, { comesTo: { 'many/d0/f1499.ts': 'indexed' } }),
    manyFiles('a rule file in each of 300 folders', 300, 1, {
      make(place) {
        for (let at = 0; at < 300; at++) {
          place.write(`r/d${at}/.gitignore`, `f${at}.ts\n!f${at}.ts\n*.x\n`);
          place.write(`r/d${at}/f${at}.ts`, `export const f = ${at};\n`);
        }
      },
      comesTo: { 'r/d7/f7.ts': 'indexed' },
    }),
    manyFiles('200,000 tiny files', 200_000 - 1, 1000, { isLongOnly: true }),
    manyFiles('200,000 tiny files in one folder', 200_000 - 1, 200_000, { isLongOnly: true }),
    manyFiles('150,000 tiny files that go again', 150_000, 1000, {
      isLongOnly: true,
      change: (place) => rmSync(place.at('many'), { recursive: true }),
    }),
    manyFiles('more files than are taken', 200_100, 1000, { isLongOnly: true }),
  ],
};
