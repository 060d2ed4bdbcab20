/** `waymark doctor`: a healthy machine is called so, and every planted problem is found with what to do. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FINDINGS, judgeDisk, judgeNode, judgeWatches, type FindingId } from '../../src/clients/index.ts';
import { BIN, run, serveBinary } from '../support/waymark.ts';
import { clientHome, clientNamed, write, type ClientHome } from './client-home.ts';

interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly id: string;
    readonly level: string;
    readonly seen: string;
    readonly todo?: string;
  }[];
}

async function examined(machine: ClientHome): Promise<{ code: number | null; problems: Report['findings'] }> {
  const { code, stdout, stderr } = await machine.run('doctor', '--json');
  if (!stdout.startsWith('{')) throw new Error(`no report: ${stderr}`);
  const report: Report = JSON.parse(stdout);
  return { code, problems: report.findings.filter(({ level }) => level === 'problem') };
}

const CURSOR = clientNamed('cursor');
const dataDir = (machine: ClientHome): string => machine.home.folder.join('share', 'waymark');
const indexes = (machine: ClientHome): string => machine.home.folder.join('cache', 'waymark', 'indexes');

/** Writes an entry for Cursor as a user might have it. */
function entry(machine: ClientHome, value: object): void {
  write(machine.fileOf(CURSOR, 'user'), JSON.stringify({ mcpServers: { waymark: value } }, null, 2));
}

function program(machine: ClientHome, name: string, body: string): string {
  const file = machine.home.folder.join('programs', name);
  write(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('a healthy machine: set up, indexed, answered; exit code 0', async () => {
  const machine = clientHome();
  await machine.json('setup', 'cursor', 'codex', '--yes');

  const { code, stdout, stderr } = await machine.run('doctor');

  expect(stderr).toBe('');
  expect(stdout).toContain('Nothing is wrong.');
  expect(stdout).toMatch(/✓ Cursor, ~\/\.cursor\/mcp\.json: version \d+\.\d+\.\d+, \d+ tools, \d+ ms/);
  expect(stdout).toMatch(/✓ SQLite 3\./);
  expect(stdout.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);
  expect(code).toBe(0);
});

test('a machine where nothing was done yet is not ill: it is told to run setup', async () => {
  const machine = clientHome();

  const { code, stdout } = await machine.run('doctor');

  expect(code).toBe(0);
  expect(stdout).toContain('→ Run `waymark setup`.');
});

type Plant = (machine: ClientHome) => void | Promise<unknown>;

const PLANTED: readonly (readonly [string, FindingId, Plant])[] = [
  [
    'a port in a config that no server has',
    'client-address',
    async (machine) => {
      const { port } = await serveBinary([], { home: machine.home, cwd: machine.root });
      entry(machine, { url: `http://127.0.0.1:${port === 65_535 ? 1024 : port + 1}/mcp` });
    },
  ],
  [
    'an address where nothing runs',
    'client-address',
    (machine) => entry(machine, { url: 'http://127.0.0.1:9/mcp' }),
  ],
  [
    'a server that asks for a token which the client does not send',
    'client-token',
    async (machine) => {
      const { url } = await serveBinary(['--require-token'], { home: machine.home, cwd: machine.root });
      entry(machine, { url });
    },
  ],
  [
    'a script that is gone',
    'client-program',
    (machine) => entry(machine, { command: process.execPath, args: ['/gone/waymark/main.js', 'mcp'] }),
  ],
  [
    'a program that is gone',
    'client-program',
    (machine) => entry(machine, { command: '/gone/bin/node', args: [BIN, 'mcp'] }),
  ],
  [
    'an old Node',
    'client-node',
    (machine) => entry(machine, { command: program(machine, 'node', 'echo v16.20.2'), args: [BIN, 'mcp'] }),
  ],
  [
    'a command that is no MCP server',
    'client-greeting',
    (machine) => entry(machine, { command: program(machine, 'hello', 'read line; echo hello'), args: [] }),
  ],
  [
    'a command that fails',
    'client-greeting',
    (machine) => entry(machine, { command: program(machine, 'fail', 'echo no luck >&2; exit 3'), args: [] }),
  ],
  [
    'a project that is gone',
    'client-project',
    (machine) =>
      entry(machine, {
        command: process.execPath,
        args: [BIN, 'mcp'],
        env: { WAYMARK_PROJECT: '/gone/shop' },
      }),
  ],
  [
    'a server that is switched off',
    'client-off',
    (machine) => entry(machine, { command: process.execPath, args: [BIN, 'mcp'], disabled: true }),
  ],
  [
    'a script in a cache',
    'client-passing',
    (machine) => {
      const script = machine.home.folder.join('home/.npm/_npx/1f/node_modules/waymark/dist/main.js');
      write(script, '');
      entry(machine, { command: process.execPath, args: [script, 'mcp'] });
    },
  ],
  ['an entry that names nothing', 'client-program', (machine) => entry(machine, { args: ['mcp'] })],
  [
    'a config that is not valid',
    'client-file',
    (machine) => write(machine.fileOf(CURSOR, 'user'), '{ "mcpServers": { '),
  ],
  [
    'an entry of ours that was taken out',
    'client-lost',
    async (machine) => {
      await machine.json('setup', 'cursor', '--yes', '--skip-index');
      rmSync(machine.fileOf(CURSOR, 'user'));
    },
  ],
  ['a data directory that is a file', 'folder', (machine) => write(dataDir(machine), '')],
  [
    'a data directory that cannot be written',
    'folder',
    (machine) => mkdirSync(dataDir(machine), { recursive: true, mode: 0o500 }),
  ],
  [
    'a data directory that others can read',
    'open-to-others',
    (machine) => {
      mkdirSync(dataDir(machine), { recursive: true });
      chmodSync(dataDir(machine), 0o755);
    },
  ],
  [
    'a token that others can read',
    'open-to-others',
    async (machine) => {
      await machine.run('token');
      chmodSync(`${dataDir(machine)}/token`, 0o644);
    },
  ],
  [
    'a damaged index',
    'store',
    async (machine) => {
      await machine.run('index');
      const [name = ''] = readdirSync(indexes(machine)).filter((one) => one.endsWith('.db'));
      const file = `${indexes(machine)}/${name}`;
      const bytes = readFileSync(file);
      bytes.fill(0x5a, 4096, 4096 * 4);
      writeFileSync(file, bytes);
    },
  ],
  [
    'an index that is no database',
    'store',
    async (machine) => {
      await machine.run('index');
      const text = 'not a database, but as long as a header would be '.repeat(20);
      write(`${indexes(machine)}/shop-0123456789abcdef-v1.db`, text);
    },
  ],
  [
    'a lock of a database that is gone',
    'lock',
    async (machine) => {
      await machine.run('index');
      for (const name of readdirSync(indexes(machine)).filter((one) => !/lock|writer/.test(one))) {
        rmSync(`${indexes(machine)}/${name}`);
      }
    },
  ],
  [
    'two servers',
    'two-servers',
    async (machine) => {
      await serveBinary([], { home: machine.home, cwd: machine.root });
      await serveBinary([], { home: machine.home, cwd: machine.root });
    },
  ],
  [
    'a note of a server that died',
    'server-gone',
    (machine) => note(machine, { pid: deadPid(), url: 'http://127.0.0.1:7411/mcp', version: '0.1.0' }),
  ],
  [
    'a server of another version',
    'server-version',
    (machine) => note(machine, { pid: process.pid, url: 'http://127.0.0.1:7411/mcp', version: '0.0.1' }),
  ],
  [
    'files from the future',
    'clock',
    async (machine) => {
      await machine.run('token');
      utimesSync(`${dataDir(machine)}/token`, 4_000_000_000, 4_000_000_000);
    },
  ],
];

function note(
  machine: ClientHome,
  value: { readonly pid: number; readonly url: string; readonly version: string },
): void {
  mkdirSync(`${dataDir(machine)}/servers`, { recursive: true, mode: 0o700 });
  write(`${dataDir(machine)}/servers/${value.pid}.json`, JSON.stringify(value));
  chmodSync(dataDir(machine), 0o700);
}

/** The number of a process that has just ended. */
function deadPid(): number {
  return Number(execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}

test.each(PLANTED)('finds %s', async (_label, id, plant) => {
  const machine = clientHome();
  await plant(machine);

  const { code, problems } = await examined(machine);

  expect([...new Set(problems.map((one) => one.id))]).toEqual([id]);
  expect(problems[0]?.todo).toBe(FINDINGS[id].todo);
  expect(code).toBe(1);
});

test('nothing that a repository brings along is started', async () => {
  const machine = clientHome();
  const trap = machine.home.folder.join('sprung');
  const spring = program(machine, 'node', `touch "${trap}"`);
  const hostile = { mcpServers: { waymark: { command: spring, args: [BIN, 'mcp'] } } };
  write(`${machine.root}/.mcp.json`, JSON.stringify(hostile));
  write(
    `${machine.root}/.cursor/mcp.json`,
    JSON.stringify({ mcpServers: { waymark: { url: 'http://127.0.0.1:9/' } } }),
  );

  const { code, stdout } = await machine.run('doctor');

  expect(existsSync(trap)).toBe(false);
  expect(stdout.match(/did\s+not\s+write/g)).toHaveLength(2);
  expect(code).toBe(0);
  await machine.json('setup', 'mcp-json', '--scope', 'project', '--yes', '--skip-index');
  expect((await machine.run('doctor')).stdout).toContain('✓ Claude Code');
});

test('what cannot be planted on a real machine is judged by its figure', async () => {
  expect(judgeNode('18.20.0')).toMatchObject({ level: 'problem' });
  expect(judgeNode('20.0.0')).toMatchObject({ level: 'ok' });
  expect(judgeDisk(50 * 1024 ** 2)).toMatchObject({ id: 'disk', level: 'problem' });
  expect(judgeDisk(500 * 1024 ** 2)).toMatchObject({ level: 'note' });
  expect(judgeDisk(5 * 1024 ** 3)).toMatchObject({ level: 'ok' });
  expect(judgeWatches(1024)).toMatchObject([{ id: 'watcher', level: 'problem' }]);
  expect(judgeWatches(undefined)).toEqual([]);
});

test('a missing grammar is found, in an installation that lost one', async () => {
  const machine = clientHome();
  const repository = dirname(dirname(BIN));
  const installed = machine.home.folder.join('installed');
  const grammars = join(repository, 'dist/grammars');
  cpSync(join(repository, 'dist'), join(installed, 'dist'), {
    recursive: true,
    filter: (path) => !path.startsWith(grammars) && !path.endsWith('/types'),
  });
  cpSync(join(repository, 'package.json'), join(installed, 'package.json'));
  for (const name of ['assets', 'node_modules']) symlinkSync(join(repository, name), join(installed, name));
  mkdirSync(join(installed, 'dist/grammars'));
  for (const name of readdirSync(grammars).filter((one) => one !== 'python.wasm.gz')) {
    symlinkSync(join(grammars, name), join(installed, 'dist/grammars', name));
  }

  const { code, stdout } = await run(['doctor', '--json'], {
    program: join(installed, 'dist/main.js'),
    home: machine.home,
    cwd: machine.root,
  });

  const report: Report = JSON.parse(stdout);
  expect(report.findings.filter(({ level }) => level === 'problem')).toMatchObject([
    { id: 'grammar', seen: expect.stringContaining('python'), todo: FINDINGS.grammar.todo },
  ]);
  expect(code).toBe(1);
});

test('more than 15 different problems are planted, each with what to do', () => {
  const ids = new Set(PLANTED.map(([, id]) => id));

  expect(ids.size).toBeGreaterThanOrEqual(15);
  expect([...ids].filter((id) => FINDINGS[id].todo === '')).toEqual([]);
});

test('the bundle holds no secret and no name of the user', async () => {
  const machine = clientHome();
  const secret = 'hunter2-correct-horse-battery';
  entry(machine, {
    command: program(
      machine,
      'fail',
      `echo "password=${secret} ghp_0123456789abcdefghijABCDEFGHIJ012345" >&2; exit 3`,
    ),
    args: ['--token', secret],
    env: { API_KEY: secret },
  });

  const { stdout } = await machine.run('doctor', '--bundle', '--json');

  const file = String(JSON.parse(stdout).bundle);
  const text = readFileSync(file, 'utf8');
  expect(file.startsWith(`${machine.root}/waymark-report-`)).toBe(true);
  expect(text).toContain('client-greeting');
  expect(`${text}${stdout}`).not.toContain('hunter2');
  expect(`${text}${stdout}`).not.toContain('ghp_');
  expect(text).not.toContain(machine.places.home);
});

test('R181 doctor stops reading an answer over HTTP that has no end', async () => {
  const machine = clientHome();
  const sent = { bytes: 0 };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) sent.bytes += piece.length;
      sent.bytes += piece.length;
      response.once('drain', more);
    };
    more();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  write(
    join(dataDir(machine), 'servers', `${process.pid}.json`),
    JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${port}/mcp`, version: '0.0.0' }),
  );
  entry(machine, { url: `http://127.0.0.1:${port}/mcp` });

  const { problems } = await examined(machine);

  expect(problems.map(({ id }) => id)).toContain('client-greeting');
  expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
});

test('R181 doctor ends a program that prints one line without an end', async () => {
  const machine = clientHome();
  entry(machine, { command: program(machine, 'endless', 'exec /bin/cat /dev/zero'), args: [] });

  const { problems } = await examined(machine);

  expect(problems.map(({ id }) => id)).toEqual(['client-greeting']);
});
