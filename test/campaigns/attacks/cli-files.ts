/** Commands that read or write files which another has prepared: links, pipes, devices, sizes and modes. */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Attack, AttackPlace } from './attack.ts';
import { dataDirOf, filesUnder, misbehaved, notRefused, put, waymark } from './run-command.ts';

const SPARSE_BYTES = 50 * 1024 ** 3;

/** Makes something at a path that is no file as it should be. */
const ODD: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to a device without an end': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
  'a sparse file of 50 GB': (path) => {
    writeFileSync(path, '');
    truncateSync(path, SPARSE_BYTES);
  },
  'an empty file': (path) => writeFileSync(path, ''),
  'a link in a circle': (path) => symlinkSync(path, path),
  'a file of another kind': (path) => writeFileSync(path, 'SQLite format 3\0 no'),
};

/** A project whose memory holds one entry. */
export async function remembering(place: AttackPlace): Promise<void> {
  put(place.folder, { 'package.json': '{}' });
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attack', version: '1' },
  };
  const call = {
    name: 'checkpoint_save',
    arguments: { content: 'The cache is warm.', project: place.folder },
  };
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
  ].map((message) => JSON.stringify(message));
  const { text } = await waymark(place, ['mcp', '--toolsets', 'all'], {
    input: `${lines.join('\n')}\n`,
    until: /"id":2/,
  });
  if (!text.includes('Checkpoint saved')) throw new Error(`nothing was saved: ${text.slice(0, 500)}`);
}

async function keeps(place: AttackPlace): Promise<string | undefined> {
  const list = await waymark(place, ['memory', 'list']);
  return list.stdout.includes('The cache is warm.') ? undefined : 'what was there is gone';
}

const readers = Object.entries(ODD).flatMap(([what, make]): readonly Attack[] => [
  {
    name: `restore from ${what}`,
    area: 'cli',
    stands: 'reading what is no backup',
    async run(place) {
      make(join(place.folder, 'given'));
      return notRefused(await waymark(place, ['restore', join(place.folder, 'given')]));
    },
  },
  {
    name: `restore of a folder that holds ${what} as a memory`,
    area: 'cli',
    stands: 'reading what is no backup',
    async run(place) {
      await remembering(place);
      const backup = join(place.home, 'backup');
      await waymark(place, ['backup', backup]);
      const [file = ''] = filesUnder(backup);
      rmSync(file);
      make(file);
      return notRefused(await waymark(place, ['restore', backup])) ?? keeps(place);
    },
  },
  {
    name: `import from ${what}`,
    area: 'cli',
    stands: 'reading what is no export',
    async run(place) {
      put(place.folder, { 'package.json': '{}' });
      make(join(place.home, 'given'));
      const ended = await waymark(place, ['memory', 'import', join(place.home, 'given')]);
      // A folder without entries is an export of nothing.
      return what === 'a folder' ? misbehaved(ended) : notRefused(ended);
    },
  },
  {
    name: `import of a folder that holds ${what} as an entry`,
    area: 'cli',
    stands: 'reading what is no export',
    async run(place) {
      put(place.folder, { 'package.json': '{}' });
      mkdirSync(join(place.home, 'given'));
      make(join(place.home, 'given', 'entry.md'));
      return misbehaved(await waymark(place, ['memory', 'import', join(place.home, 'given')]));
    },
  },
]);

const VICTIM = 'a file of the user\n';

/** What a repository puts where an export goes. */
const WAYS_OUT: Readonly<Record<string, (place: AttackPlace, outside: string) => void>> = {
  'the folder is a link': ({ folder }, outside) => symlinkSync(outside, join(folder, 'out')),
  'a folder on the way is a link': ({ folder }, outside) => symlinkSync(outside, join(folder, 'way')),
  'a folder inside is a link': ({ folder }, outside) => {
    mkdirSync(join(folder, 'out'));
    for (const name of ['checkpoint', 'checkpoints', 'skills', 'entries'])
      symlinkSync(outside, join(folder, 'out', name));
  },
  'the folder is a link to nothing': ({ folder }, outside) =>
    symlinkSync(join(outside, 'new'), join(folder, 'out')),
  'the folder is a file': ({ folder }) => put(folder, { out: 'x' }),
};

const exports = Object.entries(WAYS_OUT).map(([what, plant]): Attack => ({
  name: `export where ${what}`,
  area: 'cli',
  stands: 'writing through a link',
  async run(place) {
    await remembering(place);
    const outside = join(place.home, 'outside');
    put(outside, { 'mine.txt': VICTIM });
    plant(place, outside);
    const target = what.includes('on the way') ? 'way/out' : 'out';
    const ended = await waymark(place, ['memory', 'export', target]);
    const wrong = misbehaved(ended);
    if (wrong !== undefined) return wrong;
    const there = filesUnder(outside).filter((file) => !file.endsWith('mine.txt'));
    return there.length > 0 ? `it wrote ${there.join(', ')}` : undefined;
  },
}));

const exportOverFiles: Attack = {
  name: 'export over files that are links to files of the user',
  area: 'cli',
  stands: 'writing through a link',
  async run(place) {
    await remembering(place);
    await waymark(place, ['memory', 'export', 'out']);
    const written = filesUnder(join(place.folder, 'out'));
    put(place.home, { 'mine.txt': VICTIM });
    for (const file of written) {
      rmSync(file);
      symlinkSync(join(place.home, 'mine.txt'), file);
      symlinkSync(join(place.home, 'mine.txt'), `${file}.part`);
    }
    await waymark(place, ['memory', 'export', 'out']);
    return readFileSync(join(place.home, 'mine.txt'), 'utf8') === VICTIM
      ? undefined
      : 'a file was overwritten';
  },
};

const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0;

const openModes: Attack = {
  name: 'every file that is written while the umask is 000',
  area: 'cli',
  stands: 'files that others may read',
  async run(place) {
    put(place.folder, { 'package.json': '{}', 'a.ts': 'export const a = 1;\n' });
    await remembering(place);
    const shell = 'umask 000';
    for (const args of [
      ['index'],
      ['status', '--log-file', join(place.home, 'logs', 'a.log')],
      ['backup', join(place.home, 'backup')],
      ['memory', 'export', join(place.home, 'export')],
      ['setup', 'cursor', '--yes'],
      ['token'],
    ])
      await waymark(place, args, { shell });
    const files = filesUnder(place.home).filter((file) => isOpen(file));
    return files.length === 0 ? undefined : `others may read ${files.join(', ')}`;
  },
};

const LOGS: Readonly<Record<string, (path: string, victim: string) => void>> = {
  'a link to a file of the user': (path, victim) => symlinkSync(victim, path),
  'a second name of a file of the user': (path, victim) => linkSync(victim, path),
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a full device': (path) => symlinkSync('/dev/full', path),
};

const logs = Object.entries(LOGS).map(([what, make]): Attack => ({
  name: `a log file that is ${what}`,
  area: 'cli',
  stands: 'a log that leads elsewhere',
  async run(place) {
    put(place.folder, { 'package.json': '{}' });
    put(place.home, { 'mine.txt': VICTIM });
    const victim = join(place.home, 'mine.txt');
    const log = join(place.home, 'a.log');
    make(log, victim);
    const ended = await waymark(place, ['mcp', '--log-file', log, '--log-level', 'debug'], { input: '{}\n' });
    if (readFileSync(victim, 'utf8') !== VICTIM) return 'a file of the user was written to';
    return notRefused(ended);
  },
}));

const fullLog: Attack = {
  name: 'a log on a full disk',
  area: 'cli',
  stands: 'a log that cannot be written',
  async run(place) {
    put(place.folder, { 'package.json': '{}' });
    const ended = await waymark(place, ['mcp', '--log-file', '/dev/full', '--log-level', 'debug'], {
      input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    });
    return misbehaved(ended) ?? (ended.stdout.includes('"id":1') ? undefined : 'the server did not answer');
  },
};

const backups = ['a pipe', 'an empty file', 'a file of another kind'].map((what): Attack => ({
  name: `backup into ${what}`,
  area: 'cli',
  stands: 'writing where another thing lies',
  async run(place) {
    await remembering(place);
    const target = join(place.home, 'target');
    ODD[what]?.(target);
    const ended = await waymark(place, ['backup', target]);
    return notRefused(ended) ?? keeps(place);
  },
}));

const plantedTemporary: Attack = {
  name: 'links in place of every draft next to the memory',
  area: 'cli',
  stands: 'writing through a link',
  async run(place) {
    await remembering(place);
    put(place.home, { 'mine.txt': VICTIM });
    for (const file of filesUnder(dataDirOf(place)))
      for (const suffix of ['.part', '.tmp', '.new'])
        symlinkSync(join(place.home, 'mine.txt'), file + suffix);
    await waymark(place, ['index']);
    await remembering(place);
    return readFileSync(join(place.home, 'mine.txt'), 'utf8') === VICTIM
      ? undefined
      : 'a file was overwritten';
  },
};

export const fileAttacks: readonly Attack[] = [
  ...readers,
  ...exports,
  exportOverFiles,
  openModes,
  ...logs,
  fullLog,
  ...backups,
  plantedTemporary,
];
