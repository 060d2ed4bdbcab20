/** Pipes, sockets, devices, holes: what is no file, or no file of the size it claims. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Family, Fixture, Place } from './fixture.ts';

function pipe(place: Place, path: string): void {
  mkdirSync(dirname(place.at(path)), { recursive: true });
  execFileSync('mkfifo', [place.at(path)]);
}

/** Opening it for reading would wait for a writer that never comes. */
function pipeInPlaceOf(path: string, more: Partial<Fixture> = {}): Fixture {
  return {
    name: `${path} is a pipe`,
    make(place) {
      rmSync(place.at(path), { force: true, recursive: true });
      pipe(place, path);
    },
    ...more,
  };
}

function device(name: string, path: string, kind: readonly string[]): Fixture {
  return {
    name,
    make(place) {
      // Only root may make one; without it the fixture is an ordinary repository.
      if (process.getuid?.() === 0) execFileSync('mknod', [place.at(path), ...kind]);
    },
  };
}

const MEGABYTE = 1024 * 1024;

export const SPECIAL_FILES: Family = {
  name: 'special files',
  fixtures: [
    pipeInPlaceOf('source.ts', { comesTo: { 'source.ts': 'not_regular' } }),
    pipeInPlaceOf('.gitignore', { comesTo: { '.gitignore': 'not_regular' } }),
    pipeInPlaceOf('.ignore'),
    pipeInPlaceOf('.waymarkignore'),
    pipeInPlaceOf('.git/config'),
    pipeInPlaceOf('.git/info/exclude'),
    pipeInPlaceOf('.git/HEAD', { mayRefuse: true }),
    pipeInPlaceOf('.git', { mayRefuse: true }),
    pipeInPlaceOf('.waymark.json', { mayRefuse: true }),
    pipeInPlaceOf('package.json', { comesTo: { 'package.json': 'not_regular' } }),
    {
      name: 'a hundred pipes',
      make(place) {
        for (let at = 0; at < 100; at++) pipe(place, `pipes/p${at}.ts`);
      },
      comesTo: { 'pipes/p0.ts': 'not_regular', 'pipes/p99.ts': 'not_regular' },
    },
    {
      name: 'a socket',
      async make(place) {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(place.at('socket.ts'), resolve));
        server.unref();
        // Closing would remove it; it goes with the folder.
      },
      comesTo: { 'socket.ts': 'not_regular' },
    },
    device('a character device: endless zeros', 'zero.ts', ['c', '1', '5']),
    device('a character device: endless chance', 'random.ts', ['c', '1', '9']),
    device('a character device: the terminal', 'tty.ts', ['c', '5', '0']),
    device('a block device', 'disk.ts', ['b', '7', '0']),
    {
      name: 'a terabyte of nothing',
      make(place) {
        place.write('sparse.ts', '');
        truncateSync(place.at('sparse.ts'), MEGABYTE ** 2);
      },
      comesTo: { 'sparse.ts': 'too_large' },
    },
    {
      name: 'a thousand terabytes in rule files',
      make(place) {
        for (const path of ['.gitignore', '.ignore', '.git/config', '.git/info/exclude']) {
          place.write(path, 'nothing\n');
          truncateSync(place.at(path), MEGABYTE ** 2);
        }
      },
      comesTo: { 'plain.ts': 'indexed', '.gitignore': 'too_large' },
    },
    {
      name: 'a hole of just the size that is read',
      make(place) {
        place.write('hole.ts', 'export const a = 1;\n');
        truncateSync(place.at('hole.ts'), MEGABYTE);
      },
      comesTo: { 'hole.ts': 'binary' },
    },
    {
      name: 'a hole behind text',
      make(place) {
        place.write('late.ts', 'export const a = 1;\n'.repeat(1000));
        truncateSync(place.at('late.ts'), MEGABYTE);
      },
    },
    {
      name: 'a folder where a file is meant',
      make(place) {
        for (const path of ['.gitignore', '.ignore', 'a.ts', 'package.json'])
          mkdirSync(place.at(path), { recursive: true });
        place.write('a.ts/b.ts', 'export const b = 1;\n');
      },
      comesTo: { 'a.ts/b.ts': 'indexed' },
    },
    {
      name: '.waymark.json is a folder',
      make: (place) => mkdirSync(place.at('.waymark.json')),
      mayRefuse: true,
    },
  ],
};
