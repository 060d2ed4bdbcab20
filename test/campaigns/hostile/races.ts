/** A repository that changes under our hands. What is found depends on the moment; what must never happen does not. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Family, Fixture, Place } from './fixture.ts';

/** Enough that the run lasts for many rounds of meddling. */
const FILES = 100;

function race(
  name: string,
  meddle: (place: Place, round: number) => void,
  more: Partial<Fixture> = {},
): Fixture {
  return {
    name,
    make(place) {
      for (let at = 0; at < FILES; at++) {
        place.write(`src/d${at % 10}/f${at}.ts`, `export const f${at} = ${at};\n`.repeat(200));
      }
      place.write('src/target.ts', 'export const target = 1;\n'.repeat(2000));
      mkdirSync(place.at('spare'));
      place.write('spare/real/stolen.ts', 'export const harmless = 1;\n');
      symlinkSync(join(place.outside, 'folder'), place.at('spare/link'));
      symlinkSync(join(place.outside, 'stolen.ts'), place.at('spare/file-link'));
      writeFileSync(place.at('spare/file'), 'export const harmless = 1;\n');
    },
    meddle: (place, round) => {
      // What the meddler itself cannot do at this moment is no finding.
      try {
        meddle(place, round);
      } catch {}
    },
    ...more,
  };
}

const swap = (place: Place, a: string, b: string): void => {
  renameSync(place.at(a), place.at('spare/hand'));
  renameSync(place.at(b), place.at(a));
  renameSync(place.at('spare/hand'), place.at(b));
};

export const RACES: Family = {
  name: 'races',
  fixtures: [
    race('a file grows', (place) => appendFileSync(place.at('src/target.ts'), 'more();\n')),
    race('a file shrinks', (place, round) => truncateSync(place.at('src/target.ts'), (round * 997) % 40_000)),
    race('a file comes and goes', (place, round) => {
      if (round % 2 === 0) rmSync(place.at('src/target.ts'), { force: true });
      else place.write('src/target.ts', 'export const back = 1;\n');
    }),
    race('all files go one after another', (place, round) => {
      const at = round % FILES;
      rmSync(place.at(`src/d${at % 10}/f${at}.ts`), { force: true });
    }),
    race('folders go', (place, round) => rmSync(place.at(`src/d${round % 10}`), { recursive: true, force: true })),
    race('files are replaced by others', (place, round) => {
      writeFileSync(place.at('spare/new'), `export const round = ${round};\n`);
      renameSync(place.at('spare/new'), place.at(`src/d${round % 10}/f${round % FILES}.ts`));
    }),
    race('a file becomes a link out, and back', (place) => swap(place, 'src/target.ts', 'spare/file-link')),
    race('a folder becomes a link out, and back', (place) => swap(place, 'src/d5', 'spare/link')),
    race('a folder of the same look becomes a link out', (place) => swap(place, 'spare/real', 'spare/link')),
    race('a file becomes a pipe, and back', (place, round) => {
      if (round === 0) execFileSync('mkfifo', [place.at('spare/pipe')]);
      else swap(place, 'src/target.ts', 'spare/pipe');
    }),
    race('a file becomes a folder, and back', (place) => swap(place, 'src/target.ts', 'src/d3')),
    race('a file claims to be old', (place) => {
      appendFileSync(place.at('src/target.ts'), 'x');
      utimesSync(place.at('src/target.ts'), 1, 1);
    }),
    race('a file is locked and unlocked', (place, round) => chmodSync(place.at('src/target.ts'), round % 2 === 0 ? 0 : 0o644)),
    race('a rule file comes, goes and becomes a link', (place, round) => {
      rmSync(place.at('src/.gitignore'), { force: true });
      if (round % 3 === 0) place.write('src/.gitignore', '*\n');
      if (round % 3 === 1) symlinkSync(join(place.outside, 'rules'), place.at('src/.gitignore'));
    }),
    race('new files all the time', (place, round) => {
      if (round < 5000) place.write(`src/d${round % 10}/new${round}.ts`, 'export const n = 1;\n');
    }),
    race('the root itself goes', (place, round) => {
      if (round === 20) renameSync(place.root, `${place.root}-gone`);
    }, { mayRefuse: true, end: (place) => rmSync(`${place.root}-gone`, { recursive: true, force: true }) }),
  ],
}; // prettier-ignore
