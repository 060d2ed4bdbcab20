/** Links: loops, escapes, and files of ours that are links to somewhere else. */
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Fixture, Place } from './fixture.ts';

const TO_OUTSIDE = (place: Place): string => join(place.outside, 'stolen.ts');

function link(name: string, target: (place: Place) => string, path = 'link.ts'): Fixture {
  return {
    name,
    make: (place) => place.link(path, target(place)),
    comesTo: { [path]: 'symlink', 'plain.ts': 'indexed' },
  };
}

/** A file we read rules or settings from is a link to one outside, whose rules leave everything out. */
function ruleLink(path: string, target: string): Fixture {
  return {
    name: `${path} is a link out`,
    make: (place) => place.link(path, join(place.outside, target)),
    comesTo: { 'plain.ts': 'indexed' },
  };
}

export const LINKS: Family = {
  name: 'links',
  fixtures: [
    link('a link to itself', () => 'link.ts'),
    link('a link to the root', () => '.'),
    link('a link to the folder above', () => '..'),
    link('a link to the whole machine', () => '/'),
    link('a link to a file outside', TO_OUTSIDE),
    link('a relative link to a file outside', () => '../outside/stolen.ts'),
    link('a link to a folder outside', ({ outside }) => join(outside, 'folder'), 'src'),
    link('a link with a roundabout target', () => 'a/../../root/../outside/stolen.ts'),
    link('a link to the list of users', () => '/etc/passwd'),
    link('a link to the environment', () => '/proc/self/environ'),
    link('a link to the open files', () => '/proc/self/fd', 'fd'),
    link('a link to the root of the process', () => '/proc/self/root', 'proc'),
    link('a link to endless zeros', () => '/dev/zero'),
    link('a link to standard input', () => '/dev/stdin'),
    link('a link to nothing', () => 'nowhere.ts'),
    link('a link with a target of 4,000 characters', () => '../'.repeat(1300) + 'etc/passwd'),
    link('a link with a line break in its target', () => '../outside/\nstolen.ts'),
    link('a link to our own cache', () => '../home/cache', 'cache'),
    link('a link to a file inside', () => 'plain.ts'),
    {
      name: 'two links to each other',
      make(place) {
        place.link('a.ts', 'b.ts');
        place.link('b.ts', 'a.ts');
      },
      comesTo: { 'a.ts': 'symlink', 'b.ts': 'symlink' },
    },
    {
      name: 'a chain of 50 links that ends outside',
      make(place) {
        for (let step = 0; step < 50; step++) place.link(`c${step}.ts`, `c${step + 1}.ts`);
        place.link('c50.ts', TO_OUTSIDE(place));
      },
      comesTo: { 'c0.ts': 'symlink', 'c50.ts': 'symlink' },
    },
    {
      name: 'a thousand links to folders that hold them',
      make(place) {
        mkdirSync(place.at('maze'));
        for (let step = 0; step < 1000; step++) symlinkSync('.', place.at(`maze/l${step}`));
      },
      comesTo: { 'maze/l0': 'symlink', 'maze/l999': 'symlink' },
    },
    {
      name: 'two names of one file',
      make(place) {
        place.write('first.ts', 'export const first = 1;\n');
        linkSync(place.at('first.ts'), place.at('second.ts'));
      },
      comesTo: { 'first.ts': 'indexed', 'second.ts': 'indexed' },
    },
    {
      name: 'a thousand names of one file',
      make(place) {
        for (let copy = 0; copy < 1000; copy++) linkSync(place.at('plain.ts'), place.at(`copy${copy}.ts`));
      },
      comesTo: { 'copy0.ts': 'indexed', 'copy999.ts': 'indexed' },
    },
    {
      name: 'a folder of links beside a real one of the same look',
      make(place) {
        place.write('src/a.ts', 'export const a = 1;\n');
        place.link('src/b.ts', TO_OUTSIDE(place));
        place.link('src/folder', join(place.outside, 'folder'));
      },
      comesTo: { 'src/a.ts': 'indexed', 'src/b.ts': 'symlink', 'src/folder': 'symlink' },
    },
    ruleLink('.gitignore', 'rules'),
    ruleLink('.ignore', 'rules'),
    ruleLink('.waymarkignore', 'rules'),
    ruleLink('.git/info/exclude', 'rules'),
    ruleLink('.git/info', 'git/info'),
    ruleLink('.git/config', 'git/config'),
    {
      name: '.git is a link out',
      make(place) {
        rmSync(place.at('.git'), { recursive: true });
        place.link('.git', join(place.outside, 'git'));
      },
      // Without a marker of our own the folder is no project; then there is nothing to index.
      mayRefuse: true,
    },
    {
      name: '.waymark.json is a link out',
      make(place) {
        writeFileSync(join(place.outside, 'settings.json'), JSON.stringify({ exclude: ['**'] }));
        place.link('.waymark.json', join(place.outside, 'settings.json'));
      },
      mayRefuse: true,
    },
  ],
};
