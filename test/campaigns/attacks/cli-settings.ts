/** Files of settings and servers that others prepared, read by doctor, setup, probe and every command; and what purge may take. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Attack, AttackPlace } from './attack.ts';
import { remembering } from './cli-files.ts';
import { cacheDirOf, dataDirOf, misbehaved, put, unsafeIn, waymark } from './run-command.ts';

const MB = 1024 * 1024;

const FILES: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to a device without an end': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
  'a sparse file of 50 GB': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 50 * 1024 * MB);
  },
  'a link in a circle': (path) => symlinkSync(path, path),
  '100,000 levels deep': (path) => writeFileSync(path, '['.repeat(100_000)),
  '100,000 objects deep': (path) => writeFileSync(path, '{"a":'.repeat(100_000)),
  'full of names of prototypes': (path) =>
    writeFileSync(
      path,
      '{"__proto__": {"exclude": ["*"]}, "constructor": {"prototype": {"x": 1}}, "toString": 1}',
    ),
  'full of unknown names with escape sequences': (path) =>
    writeFileSync(path, JSON.stringify({ '\u001b[2Jx': '\u001b]0;x\u0007', '\u202e': 1 })),
  'bytes that are no text': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0, 0x80])),
  'a list': (path) => writeFileSync(path, '[[], {}, null]'),
  'paths and addresses of ours': (path) =>
    writeFileSync(
      path,
      '{"dataDir": "/tmp/taken", "cacheDir": "/tmp/taken", "logFile": "/tmp/taken.log", "embedding": "http", "embeddingUrl": "http://example.com", "host": "0.0.0.0"}',
    ),
};

interface Where {
  readonly pathOf: (place: AttackPlace) => string;
  /** The commands that read it. */
  readonly commands: readonly (readonly string[])[];
}

const SETUP = ['setup', 'cursor', '--yes'] as const;
const PLACES: Readonly<Record<string, Where>> = {
  'the settings of a repository': {
    pathOf: ({ folder }) => join(folder, '.waymark.json'),
    commands: [['status'], ['index']],
  },
  "the user's settings": {
    pathOf: ({ home }) => join(home, 'config', 'waymark', 'config.json'),
    commands: [['config', 'show'], ['doctor']],
  },
  'the file of a client': {
    pathOf: ({ home }) => join(home, 'home', '.cursor', 'mcp.json'),
    commands: [['doctor'], SETUP],
  },
  'the list of what setup wrote': {
    pathOf: ({ home }) => join(home, 'share', 'waymark', 'setup', 'manifest.json'),
    commands: [SETUP, ['uninstall', '--yes']],
  },
};

const settingAttacks = Object.entries(PLACES).flatMap(([where, { pathOf, commands }]) =>
  Object.entries(FILES)
    // The user may set these.
    .filter(([what]) => !(what.startsWith('paths') && where.startsWith('the user')))
    .map(([what, make]): Attack => ({
      name: `${where} as ${what}`,
      area: 'cli',
      stands: 'settings that others prepared',
      async run(place) {
        put(place.folder, { 'package.json': '{}', 'a.ts': 'export const wombatfact = 1;\n' });
        const path = pathOf(place);
        mkdirSync(dirname(path), { recursive: true });
        make(path);
        for (const args of commands) {
          const ended = await waymark(place, args);
          const wrong = misbehaved(ended) ?? unsafeIn(ended.text);
          if (wrong !== undefined) return `${args.join(' ')}: ${wrong}: ${ended.stderr.slice(0, 300)}`;
        }
        return existsSync('/tmp/taken') || existsSync('/tmp/taken.log')
          ? 'a path was taken from it'
          : undefined;
      },
    })),
);

interface Trap {
  readonly port: number;
  /** Bytes that were sent, and requests that came. */
  readonly seen: { bytes: number; requests: number };
  close(): void;
}

async function listening(server: Server, seen: Trap['seen']): Promise<Trap> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? (address satisfies AddressInfo).port : 0;
  return { port, seen, close: () => void server.close() };
}

function pump(response: Writable, seen: Trap['seen'], piece: Buffer): void {
  const more = (): void => {
    let mayGoOn = true;
    while (!response.destroyed && mayGoOn) {
      mayGoOn = response.write(piece);
      seen.bytes += piece.length;
    }
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

const TRAPS: Readonly<Record<string, (seen: Trap['seen']) => Server>> = {
  'an answer without an end': (seen) =>
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      pump(response, seen, Buffer.alloc(MB, 'x'));
    }),
  'events without an end': (seen) =>
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      pump(response, seen, Buffer.from(`data: ${'x'.repeat(MB)}\n\n`));
    }),
  'headers without an end': (seen) =>
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        pump(socket, seen, Buffer.from(`x-more: ${'y'.repeat(MB)}\r\n`));
      });
    }),
  'a byte a second': (seen) =>
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{');
        const timer = setInterval(() => {
          seen.bytes += 1;
          socket.write(' ');
        }, 1_000);
        socket.once('close', () => clearInterval(timer));
      });
    }),
  'a redirect to itself': (seen) =>
    createServer((request, response) => {
      seen.requests += 1;
      response.writeHead(307, { location: request.url ?? '/' }).end();
    }),
  'a redirect to itself when it is left': (seen) =>
    createServer((request, response) => {
      if (request.method !== 'POST') seen.requests += 1;
      if (request.method !== 'POST') response.writeHead(307, { location: request.url ?? '/' }).end();
      else response.writeHead(200, { 'mcp-session-id': 'x', 'content-type': 'application/json' }).end('{}');
    }),
  'an answer of 100,000 levels': () =>
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(100_000));
    }),
  'names of tools with escape sequences': () =>
    createServer((_request, response) => {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: '\u001b[2Jx', version: '\u001b]0;x\u0007' },
        tools: [{ name: '\u001b[2Jx', inputSchema: {} }],
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    }),
};

const doctorAttacks = Object.entries(TRAPS).map(([what, open]): Attack => ({
  name: `doctor asks a server that sends ${what}`,
  area: 'cli',
  stands: 'a server without an end',
  async run(place) {
    const seen = { bytes: 0, requests: 0 };
    const trap = await listening(open(seen), seen);
    try {
      put(place.folder, { 'package.json': '{}' });
      const url = `http://127.0.0.1:${trap.port}/mcp`;
      put(place.home, { 'home/.cursor/mcp.json': JSON.stringify({ mcpServers: { waymark: { url } } }) });
      // Doctor asks only where a server of ours is said to run.
      const note = { pid: process.pid, url, version: '0.0.0' };
      put(dataDirOf(place), { [`servers/${process.pid}.json`]: JSON.stringify(note) });
      const ended = await waymark(place, ['doctor']);
      const wrong = misbehaved(ended) ?? unsafeIn(ended.text);
      if (wrong !== undefined) return wrong;
      if (seen.requests > 4) return `it came back ${seen.requests} times`;
      return seen.bytes > 64 * MB ? `it read ${seen.bytes} bytes` : undefined;
    } finally {
      trap.close();
    }
  },
}));

const PROGRAMS: Readonly<Record<string, string>> = {
  'one line without an end': 'exec cat /dev/zero',
  'lines without an end': 'exec yes',
  'errors without an end': 'exec yes >&2',
  'escape sequences': "printf '\\033[2J\\033]0;x\\007'; printf '\\033[2Jbad\\n' >&2; exit 3",
  nothing: 'exec sleep 600',
};

const programAttacks = Object.entries(PROGRAMS).map(([what, body]): Attack => ({
  name: `doctor starts a server that prints ${what}`,
  area: 'cli',
  stands: 'a server without an end',
  async run(place) {
    put(place.folder, { 'package.json': '{}' });
    const entry = { command: '/bin/sh', args: ['-c', body] };
    put(place.home, { 'home/.cursor/mcp.json': JSON.stringify({ mcpServers: { waymark: entry } }) });
    const ended = await waymark(place, ['doctor']);
    return misbehaved(ended) ?? unsafeIn(ended.text);
  },
}));

const VICTIM = 'a file of the user\n';

/** What purge must leave, planted where it looks; returns the files that have to stay. */
const KEPT: Readonly<Record<string, (place: AttackPlace) => readonly string[]>> = {
  'foreign files in the cache directory': (place) =>
    planted(cacheDirOf(place), ['notes.txt', 'indexes/notes.txt']),
  'foreign files in the data directory': (place) =>
    planted(dataDirOf(place), ['notes.txt', 'memory/notes.db', 'setup/backups/x', 'servers/x.json', 'app/x']),
  'files named like indexes': (place) =>
    planted(cacheDirOf(place), [
      'indexes/shop-0123456789abcdef-v7.db',
      'indexes/shop-0123456789abcdef-v7.db-wal',
    ]),
  'files named like memories': (place) => planted(dataDirOf(place), ['memory/shop-0123456789abcdef.db']),
  'a folder of indexes that is a link': (place) => {
    const files = planted(join(place.home, 'elsewhere'), ['a.db']);
    mkdirSync(cacheDirOf(place), { recursive: true });
    symlinkSync(join(place.home, 'elsewhere'), join(cacheDirOf(place), 'indexes'));
    return files;
  },
  'a folder of memories that is a link': (place) => {
    const files = planted(join(place.home, 'elsewhere'), ['a.db']);
    mkdirSync(dataDirOf(place), { recursive: true });
    symlinkSync(join(place.home, 'elsewhere'), join(dataDirOf(place), 'memory'));
    return files;
  },
  'a forged list of what setup wrote': (place) => {
    const files = planted(place.home, ['mine.txt']);
    const [absPath = ''] = files;
    const file = {
      client: 'cursor',
      scope: 'user',
      absPath,
      entry: {},
      digest: '0'.repeat(64),
      added: 1,
      restore: { kind: 'remove', folders: [place.home] },
    };
    put(dataDirOf(place), { 'setup/manifest.json': JSON.stringify({ version: 1, files: [file] }) });
    return files;
  },
};

function planted(folder: string, names: readonly string[]): readonly string[] {
  put(folder, Object.fromEntries(names.map((name) => [name, VICTIM])));
  return names.map((name) => join(folder, name));
}

const purgeAttacks = Object.entries(KEPT).flatMap(([what, plant]) =>
  [
    ['uninstall', '--purge', '--yes'],
    ['uninstall', '--yes'],
  ].map((args): Attack => ({
    name: `${args.join(' ')} beside ${what}`,
    area: 'cli',
    stands: 'deleting what is not ours',
    async run(place) {
      const files = plant(place);
      if (!what.includes('link')) {
        await remembering(place);
        await waymark(place, ['index']);
      }
      const ended = await waymark(place, args);
      const wrong = misbehaved(ended);
      if (wrong !== undefined) return wrong;
      const gone = files.filter((file) => !existsSync(file) || readFileSync(file, 'utf8') !== VICTIM);
      return gone.length === 0 ? undefined : `gone or changed: ${gone.join(', ')}`;
    },
  })),
);

const oneFolder: Attack = {
  name: 'purge where cache and data directory are one folder with files of the user',
  area: 'cli',
  stands: 'deleting what is not ours',
  async run(place) {
    const env = { XDG_DATA_HOME: join(place.home, 'one'), XDG_CACHE_HOME: join(place.home, 'one') };
    put(place.folder, { 'package.json': '{}', 'a.ts': 'export const a = 1;\n' });
    const files = planted(join(place.home, 'one', 'waymark'), ['mine.txt', 'indexes/mine.txt']);
    await waymark(place, ['index'], { env });
    const ended = await waymark(place, ['uninstall', '--purge', '--yes'], { env });
    return (
      misbehaved(ended) ??
      (files.every((file) => existsSync(file)) ? undefined : 'a file of the user is gone')
    );
  },
};

export const settingsAttacks: readonly Attack[] = [
  ...settingAttacks,
  ...doctorAttacks,
  ...programAttacks,
  ...purgeAttacks,
  oneFolder,
];
