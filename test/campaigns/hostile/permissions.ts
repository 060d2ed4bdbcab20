/** What may not be read. As root everything may be, so another user runs these. */
import { chmodSync, mkdirSync } from 'node:fs';
import type { Family, Fixture } from './fixture.ts';

function locked(name: string, paths: Readonly<Record<string, number>>, more: Partial<Fixture> = {}): Fixture {
  return {
    name,
    make(place) {
      for (const path of Object.keys(paths)) {
        if (path.endsWith('/')) {
          mkdirSync(place.at(path), { recursive: true });
          place.write(`${path}inside.ts`, 'export const inside = 1;\n');
        } else if (path !== '.') place.write(path, '*.nothing\n');
      }
      for (const [path, mode] of Object.entries(paths)) chmodSync(place.at(path), mode);
    },
    byNobody: true,
    // So that the folder can be removed by a user who is not root.
    end: (place) => {
      for (const path of Object.keys(paths)) chmodSync(place.at(path), 0o755);
    },
    ...more,
  };
}

export const PERMISSIONS: Family = {
  name: 'permissions',
  fixtures: [
    locked('an unreadable file', { 'a.ts': 0o000 }, { comesTo: { 'a.ts': 'unreadable' } }),
    locked('a file that may only be written', { 'a.ts': 0o200 }, { comesTo: { 'a.ts': 'unreadable' } }),
    locked('a program with its owner’s rights', { 'a.ts': 0o6755 }, { comesTo: { 'a.ts': 'indexed' } }),
    locked('a closed folder', { 'd/': 0o000 }, { comesTo: { 'd/': 'unreadable' } }),
    locked('a folder that shows names only', { 'd/': 0o444 }, { comesTo: { 'd/inside.ts': 'unreadable' } }),
    locked('a folder that hides names', { 'd/': 0o111 }, { comesTo: { 'd/': 'unreadable' } }),
    locked('unreadable rule files', { '.gitignore': 0, '.ignore': 0, '.waymarkignore': 0 }, { comesTo: { '.gitignore': 'unreadable', 'plain.ts': 'indexed' } }),
    locked('a closed git directory', { '.git/': 0o000 }, { comesTo: { 'plain.ts': 'indexed' }, mayRefuse: true }),
    locked('an unreadable git configuration', { '.git/config': 0, '.git/info/exclude': 0 }, { comesTo: { 'plain.ts': 'indexed' } }),
    locked('unreadable settings', { '.waymark.json': 0 }, { mayRefuse: true }),
    locked('a root that cannot be listed', { '.': 0o111 }, { mayRefuse: true }),
  ],
}; // prettier-ignore
